"""Local geometry of R = KL(q‖p_α) (reconstructed): its second derivatives at the target, and R and
its gradient with both means free on the line.

At the target log q/p_α = 0, so what is left of the second derivatives of E_q[log q/p_α] is
E_q[∇log q ∇log qᵀ], whatever the coordinates. Units: nats; means in whitened coordinates along
μ_n − μ_o from μ_o, or across. The place of a draw along μ_n − μ_o is read off its log-ratio.
"""

from __future__ import annotations

import math
from dataclasses import replace

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.mixture import (
    boundary,
    log_density,
    sigmoid,
    softplus,
    softplus_difference,
    weight_score,
)
from numerics.monte_carlo.reverse_kl import weight_curvature as curvature_in_the_weight
from numerics.monte_carlo.scheme import Scheme
from numerics.monte_carlo.space import OLD, Mean

ASIDE = 1.0  # squares of scores live on both sides of a mean, not at it
SMALL_GAP = 1e-3  # of log q/p_α, where a series keeps the digits a difference would lose


def weight_curvature(tau: float, delta: float) -> Scheme:
    """∂²R/∂φ² at the target: (α(1−α))² ∫ (p_o − p_n)²/p_α."""
    slope = sigmoid(tau) * sigmoid(-tau)
    return replace(curvature_in_the_weight(tau, tau, delta), factor=slope**2)


@kernel
def _log_score(new: float, tau: float, delta: float, entry: float) -> float:
    """Entry 0, 1 or 2 of (∂_φ, ∂_{m_o}, ∂_{m_n}) log q at the target."""
    place = new / delta + 0.5 * delta
    if entry == 0.0:
        return weight_score(new, tau)
    if entry == 1.0:
        return math.exp(-softplus(new - tau)) * place
    return math.exp(-softplus(tau - new)) * (place - delta)


@integrand
def _information(new: float, proposal: float, tau: float, delta: float, index: float) -> float:
    row, column = _log_score(new, tau, delta, index // 3), _log_score(new, tau, delta, index % 3)
    return math.exp(log_density(new, tau) - proposal) * row * column


def hessian_along(tau: float, delta: float) -> Scheme:
    """(φφ, φ m_o, φ m_n, m_o m_o, m_o m_n, m_n m_n), by their index in the whole 3 × 3 matrix."""
    new, upper = (delta, 0.0), (0.0, 1.0, 2.0, 4.0, 5.0, 8.0)
    beyond = (-ASIDE, 0.0), (delta + ASIDE, 0.0)
    proposals = (OLD, new, boundary(tau, new), *beyond)
    return Scheme(_information, (tau, delta), (new,), proposals, kinds=upper)


@integrand
def _log_shares(new: float, proposal: float, tau: float, of_new: float) -> float:
    """log p_α s_o^{2−k} s_n^k / m."""
    shares = (2.0 - of_new) * softplus(new - tau) + of_new * softplus(tau - new)
    return log_density(new, tau) - proposal - shares


def hessian_across(tau: float, delta: float) -> Scheme:
    """(m_o m_o, m_o m_n, m_n m_n) in one coordinate across, the same from both means."""
    new = (delta, 0.0)
    places = (0.0, boundary(tau, new)[0], delta)
    proposals = tuple((place, side) for place in places for side in (-ASIDE, ASIDE))
    return Scheme(
        _log_shares,
        (tau,),
        (new,),
        proposals,
        logarithmic=True,
        score=OLD,
        powers=((0, 2),),
        kinds=(0.0, 1.0, 2.0),
    )


@kernel
def _gap(new: float, own_old: float, own_new: float, phi: float, tau: float) -> float:
    """log q/p_α from the log-ratios to p_o of p_n and of the learner's components."""
    leak = softplus_difference(phi + own_old - own_new, tau - new)
    return own_new - new + leak - softplus_difference(phi, tau)


@integrand
def _surplus(
    new: float, own_old: float, own_new: float, proposal: float, phi: float, tau: float
) -> float:
    gap = _gap(new, own_old, own_new, phi, tau)
    log_target = log_density(new, tau) - proposal
    learner = math.exp(log_target + gap)
    if abs(gap) < SMALL_GAP:
        return learner * gap * gap * (0.5 - gap / 6.0 + gap * gap / 24.0)
    return learner * gap - learner + math.exp(log_target)


def _free(delta: float, old_mean: float, new_mean: float) -> tuple[Mean, Mean, Mean]:
    return (delta, 0.0), (old_mean, 0.0), (new_mean, 0.0)


def _sides(*means: float) -> tuple[Mean, ...]:
    return tuple((mean + side, 0.0) for mean in means for side in (-ASIDE, ASIDE))


def objective(phi: float, tau: float, delta: float, old_mean: float, new_mean: float) -> Scheme:
    """R = ∫ q log q/p_α − q + p_α, whose integrand is nowhere negative."""
    means = _free(delta, old_mean, new_mean)
    proposals = (OLD, (delta, 0.0), *_sides(old_mean, new_mean))
    return Scheme(_surplus, (phi, tau), means, proposals)


@integrand
def _slope(
    new: float,
    own_old: float,
    own_new: float,
    proposal: float,
    phi: float,
    tau: float,
    old_baseline: float,
    new_baseline: float,
    delta: float,
    old_mean: float,
    new_mean: float,
    entry: float,
) -> float:
    gap = _gap(new, own_old, own_new, phi, tau)
    old = math.exp(own_old - proposal - softplus(-phi))
    other = math.exp(own_new - proposal - softplus(phi))
    place = new / delta + 0.5 * delta
    if entry == 0.0:
        apart = math.exp(-softplus(phi)) * old - math.exp(-softplus(-phi)) * other
        return (gap - 0.5 * (old_baseline + new_baseline)) * apart
    if entry == 1.0:
        return (gap - old_baseline) * old * (place - old_mean)
    return (gap - new_baseline) * other * (place - new_mean)


def gradient(phi: float, tau: float, delta: float, old_mean: float, new_mean: float) -> Scheme:
    """(∂_φ, ∂_{m_o}, ∂_{m_n}) of R by the score function: E_q[∇log q · log q/p_α].

    The value of log q/p_α at a learner's mean is taken off as a baseline (E_q[∇log q] = 0).
    """
    means = _free(delta, old_mean, new_mean)

    def gap_at(place: float) -> float:
        new, own_old, own_new = (mean * (place - 0.5 * mean) for mean, _ in means)
        return _gap(new, own_old, own_new, phi, tau)

    baselines = gap_at(old_mean), gap_at(new_mean)
    arguments = (phi, tau, *baselines, delta, old_mean, new_mean)
    proposals = _sides(old_mean, new_mean)
    return Scheme(_slope, arguments, means, proposals, kinds=(0.0, 1.0, 2.0))
