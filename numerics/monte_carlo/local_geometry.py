"""Local geometry of R = KL(q‖p_α) (reconstructed): its second derivatives at the target, and R and
its gradient with both means free on the line.

At the target log q/p_α = 0, so what is left of the second derivatives of E_q[log q/p_α] is
E_q[∇log q ∇log qᵀ], whatever the coordinates. Units: nats; means in whitened coordinates along
μ_n − μ_o from μ_o, or across.
"""

from __future__ import annotations

import math
from dataclasses import replace

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.mixture import boundary, sigmoid, softplus
from numerics.monte_carlo.reverse_kl import weight_curvature as curvature_in_the_weight
from numerics.monte_carlo.scheme import Scheme
from numerics.monte_carlo.space import OLD, Mean


def _everywhere(tau: float, new: Mean) -> tuple[Mean, ...]:
    return OLD, new, boundary(tau, new)


def weight_curvature(tau: float, delta: float) -> Scheme:
    """∂²R/∂φ² at the target: (α(1−α))² ∫ (p_o − p_n)²/p_α."""
    slope = sigmoid(tau) * sigmoid(-tau)
    return replace(curvature_in_the_weight(tau, tau, delta), factor=slope**2)


@kernel
def _logistic(x: float) -> float:
    return math.exp(-softplus(-x))


@integrand
def _along(new: float, proposal: float, tau: float, delta: float, kind: float) -> float:
    density = math.exp(new + softplus(tau - new) - softplus(tau) - proposal)
    place = new / delta + 0.5 * delta
    weight = _logistic(tau - new) - _logistic(tau)
    old = _logistic(tau - new) * place
    other = _logistic(new - tau) * (place - delta)
    if kind == 0.0:
        return density * weight * weight
    if kind == 1.0:
        return density * weight * old
    if kind == 2.0:
        return density * weight * other
    if kind == 3.0:
        return density * old * old
    if kind == 4.0:
        return density * old * other
    return density * other * other


def hessian_along(tau: float, delta: float) -> Scheme:
    """(φφ, φ m_o, φ m_n, m_o m_o, m_o m_n, m_n m_n): ∂_φ log q = s_o − α, ∂_{m_k} log q = s_k z_k.

    The place of a draw along μ_n − μ_o is read off its log-ratio.
    """
    new = (delta, 0.0)
    kinds = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    return Scheme(_along, (tau, delta), (new,), _everywhere(tau, new), kinds=kinds)


@integrand
def _across(new: float, proposal: float, tau: float, kind: float) -> float:
    density = math.exp(new + softplus(tau - new) - softplus(tau) - proposal)
    old, other = _logistic(tau - new), _logistic(new - tau)
    if kind == 0.0:
        return density * old * old
    if kind == 1.0:
        return density * old * other
    return density * other * other


def hessian_across(tau: float, delta: float) -> Scheme:
    """(m_o m_o, m_o m_n, m_n m_n) in one coordinate across, where z_o = z_n."""
    new = (delta, 0.0)
    return Scheme(
        _across,
        (tau,),
        (new,),
        _everywhere(tau, new),
        score=OLD,
        powers=((0, 2),),
        kinds=(0.0, 1.0, 2.0),
    )


@kernel
def _log_quotient(new: float, own_old: float, own_new: float, phi: float, tau: float) -> float:
    """log q/p_α from the log-ratios to p_o of p_n and of the learner's components."""
    log_q = own_new + softplus(phi + own_old - own_new) - softplus(phi)
    return log_q - (new + softplus(tau - new) - softplus(tau))


@integrand
def _surplus(
    new: float, own_old: float, own_new: float, proposal: float, phi: float, tau: float
) -> float:
    gap = _log_quotient(new, own_old, own_new, phi, tau)
    target = math.exp(new + softplus(tau - new) - softplus(tau) - proposal)
    if abs(gap) < 1e-4:  # the difference below would lose its digits
        return target * gap * gap * (0.5 + gap / 3.0)
    return target * (math.exp(gap) * gap - math.expm1(gap))


def _free(delta: float, old_mean: float, new_mean: float) -> tuple[Mean, Mean, Mean]:
    return (delta, 0.0), (old_mean, 0.0), (new_mean, 0.0)


def objective(phi: float, tau: float, delta: float, old_mean: float, new_mean: float) -> Scheme:
    """R = ∫ q log q/p_α − q + p_α, whose integrand is nowhere negative."""
    means = _free(delta, old_mean, new_mean)
    return Scheme(_surplus, (phi, tau), means, (OLD, *means))


@integrand
def _slope(
    new: float,
    own_old: float,
    own_new: float,
    proposal: float,
    phi: float,
    tau: float,
    delta: float,
    old_mean: float,
    new_mean: float,
    kind: float,
) -> float:
    gap = _log_quotient(new, own_old, own_new, phi, tau)
    old = _logistic(phi) * math.exp(own_old - proposal)
    other = _logistic(-phi) * math.exp(own_new - proposal)
    place = new / delta + 0.5 * delta
    if kind == 0.0:
        return gap * (_logistic(-phi) * old - _logistic(phi) * other)
    if kind == 1.0:
        return gap * old * (place - old_mean)
    return gap * other * (place - new_mean)


def gradient(phi: float, tau: float, delta: float, old_mean: float, new_mean: float) -> Scheme:
    """(∂_φ, ∂_{m_o}, ∂_{m_n}) of R by the score function: E_q[∇log q · log q/p_α]."""
    means = _free(delta, old_mean, new_mean)
    arguments = (phi, tau, delta, old_mean, new_mean)
    return Scheme(_slope, arguments, means, (OLD, *means), kinds=(0.0, 1.0, 2.0))
