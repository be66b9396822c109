"""Drift of a correct old mean under reverse KL (Theorem 2.3): m_o = μ_o, m_n free.

The gradients are the score-function form of ∇R, E_q[∇ log q · log q/p_α]; the value of log q/p_α
at the mean itself is taken off as a baseline (E_q[∇ log q] = 0 for each mean). Units: nats;
gradients in whitened coordinates, Cᵀ∇, along and across μ_n − μ_o.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import (
    boundary,
    log_misassigned_new,
    log_misassigned_old,
    sigmoid,
    softplus,
    softplus_difference,
)
from numerics.monte_carlo.scheme import Scheme
from numerics.monte_carlo.space import OLD, Mean


def _leakage_boundary(tau: float, delta: float, free: Mean) -> Mean:
    """Where the free new component meets the target's old side, or as near as is worth going."""
    odds = tau + delta * (delta - free[0])
    return free[0] - delta + boundary(odds, (delta, 0.0))[0], free[1]


def learner_misassignment(phi: float, new_mean_along: float, new_mean_across: float) -> Scheme:
    """ε_q = E_{p_o}[r_n]."""
    free = (new_mean_along, new_mean_across)
    return Scheme(log_misassigned_old, (phi,), (free,), (boundary(phi, free),), logarithmic=True)


def target_misassignment(tau: float, delta: float) -> Scheme:
    """ε_p = E_{p_o}[s_n]."""
    new = (delta, 0.0)
    return Scheme(log_misassigned_old, (tau,), (new,), (boundary(tau, new),), logarithmic=True)


@integrand
def _log_leaked(new: float, free: float, proposal: float, tau: float) -> float:
    return free - proposal - softplus(new - tau)


def target_leakage(tau: float, delta: float, new_mean_along: float) -> Scheme:
    """ε'_p = E_{q_n}[s_o]."""
    free = (new_mean_along, 0.0)
    proposals = (_leakage_boundary(tau, delta, free),)
    return Scheme(_log_leaked, (tau,), ((delta, 0.0), free), proposals, logarithmic=True)


def learner_leakage(phi: float, new_mean_along: float, new_mean_across: float) -> Scheme:
    """ε'_q = E_{q_n}[r_o]."""
    free = (new_mean_along, new_mean_across)
    return Scheme(log_misassigned_new, (phi,), (free,), (boundary(phi, free),), logarithmic=True)


@integrand
def _old_pull(
    new: float, free: float, proposal: float, phi: float, tau: float, baseline: float
) -> float:
    return math.exp(-proposal) * (softplus_difference(free - phi, new - tau) - baseline)


def old_mean_gradient(
    phi: float, tau: float, delta: float, new_mean_along: float, new_mean_across: float
) -> Scheme:
    """∇_{m_o}R = β E_{p_o}[C⁻¹(y − μ_o) log q/p_α]; log β/α is in the baseline."""
    new, free = (delta, 0.0), (new_mean_along, new_mean_across)
    new_at_old, free_at_old = -0.5 * delta**2, -0.5 * math.hypot(*free) ** 2
    baseline = softplus_difference(free_at_old - phi, new_at_old - tau)
    return Scheme(
        _old_pull,
        (phi, tau, baseline),
        (new, free),
        proposals=(OLD, boundary(phi, free), boundary(tau, new)),
        factor=sigmoid(phi),
        score=OLD,
        powers=((1, 0), (0, 1)),
    )


@integrand
def _new_pull(
    new: float, free: float, proposal: float, phi: float, tau: float, baseline: float
) -> float:
    surplus = free - new + softplus_difference(phi - free, tau - new)
    return math.exp(free - proposal) * (surplus - baseline)


def new_mean_gradient(
    phi: float, tau: float, delta: float, new_mean_along: float, new_mean_across: float
) -> Scheme:
    """∇_{m_n}R = (1−β) E_{q_n}[C⁻¹(y − m_n) log q/p_α]; log (1−β)/(1−α) is in the baseline."""
    new, free = (delta, 0.0), (new_mean_along, new_mean_across)
    free_at_free = 0.5 * math.hypot(*free) ** 2
    new_at_free = delta * (new_mean_along - 0.5 * delta)
    leak = softplus_difference(phi - free_at_free, tau - new_at_free)
    return Scheme(
        _new_pull,
        (phi, tau, free_at_free - new_at_free + leak),
        (new, free),
        proposals=(free, boundary(phi, free), _leakage_boundary(tau, delta, free)),
        factor=sigmoid(-phi),
        score=free,
        powers=((1, 0), (0, 1)),
    )
