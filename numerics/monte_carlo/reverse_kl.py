"""Reverse KL to the target (Theorem 2.2): R = KL(q‖p_α), correct means, and its derivatives.

Under a component, log q/p_α is a constant (the log-ratio of that component's weights) plus what
leaks in from the other component; the constants are taken off as baselines. Units: nats.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import (
    boundary,
    log_abs_expm1,
    sigmoid,
    softplus,
    softplus_difference,
)
from numerics.monte_carlo.scheme import Scheme
from numerics.monte_carlo.space import OLD, Mean


def _boundaries(phi: float, tau: float, new: Mean) -> tuple[Mean, Mean]:
    return boundary(phi, new), boundary(tau, new)


@integrand
def _objective_leak(new: float, proposal: float, phi: float, tau: float) -> float:
    old_part = math.exp(-proposal - softplus(-phi)) * softplus_difference(new - phi, new - tau)
    new_part = math.exp(new - proposal - softplus(phi)) * softplus_difference(phi - new, tau - new)
    return old_part + new_part


def objective(phi: float, tau: float, delta: float) -> Scheme:
    """R = β E_{p_o}[log q/p_α] + (1−β) E_{p_n}[log q/p_α]."""
    new = (delta, 0.0)
    weights = sigmoid(phi) * softplus_difference(-tau, -phi)
    weights += sigmoid(-phi) * softplus_difference(tau, phi)
    proposals = _boundaries(phi, tau, new)
    return Scheme(_objective_leak, (phi, tau), (new,), proposals, constant=weights)


@integrand
def _gradient_leak(new: float, proposal: float, phi: float, tau: float) -> float:
    old_part = math.exp(-proposal) * softplus_difference(new - phi, new - tau)
    return old_part - math.exp(new - proposal) * softplus_difference(phi - new, tau - new)


def weight_gradient(phi: float, tau: float, delta: float) -> Scheme:
    """dR/dφ = β(1−β)(E_{p_o}[log q/p_α] − E_{p_n}[log q/p_α])."""
    new = (delta, 0.0)
    slope = sigmoid(phi) * sigmoid(-phi)
    proposals = _boundaries(phi, tau, new)
    return Scheme(
        _gradient_leak, (phi, tau), (new,), proposals, constant=slope * (phi - tau), factor=slope
    )


@integrand
def _log_curvature(new: float, proposal: float, phi: float) -> float:
    log_q = softplus(new - phi) - softplus(-phi)
    return 2.0 * log_abs_expm1(new) - log_q - proposal


def weight_curvature(phi: float, tau: float, delta: float) -> Scheme:
    """∂²R/∂β² = ∫ (p_o − p_n)²/q, the second derivative of q log(q/p_α); τ drops out."""
    new = (delta, 0.0)
    proposals = (OLD, new, boundary(phi, new))
    return Scheme(_log_curvature, (phi,), (new,), proposals, logarithmic=True)


@integrand
def _new_data_leak(new: float, proposal: float, phi: float) -> float:
    difference = math.exp(-proposal) - math.exp(new - proposal)
    return difference * softplus_difference(phi - new, phi)


def new_data_gradient(phi: float, delta: float) -> Scheme:
    """d/dφ KL(q‖p_n) = β(1−β) ∫ (p_o − p_n) log(q/p_n), its constant part taken off."""
    new = (delta, 0.0)
    slope = sigmoid(phi) * sigmoid(-phi)
    return Scheme(_new_data_leak, (phi,), (new,), (OLD, new), factor=slope)


@integrand
def _covering_leak(new: float, proposal: float, phi: float, alpha: float, rest: float) -> float:
    old_part = alpha * math.exp(-proposal - softplus(phi - new))
    return old_part - rest * math.exp(new - proposal - softplus(new - phi))


def mass_covering_gradient(phi: float, tau: float, delta: float) -> Scheme:
    """d/dφ KL(p_α‖q) = E_{p_α}[β − r_o] = β − α + α E_{p_o}[r_n] − (1−α) E_{p_n}[r_o]."""
    new = (delta, 0.0)
    alpha, rest = sigmoid(tau), sigmoid(-tau)
    weights = sigmoid(phi) - alpha if phi < 0 else rest - sigmoid(-phi)
    proposals = (boundary(phi, new),)
    return Scheme(_covering_leak, (phi, alpha, rest), (new,), proposals, constant=weights)
