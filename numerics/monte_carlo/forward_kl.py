"""Forward KL on new data (Theorem 2.1): F = KL(p_n‖q) and its gradients by the score function.

Units: nats; the mean's gradient in whitened coordinates, Cᵀ∇.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import (
    boundary,
    kept_apart,
    sigmoid,
    softplus,
    softplus_difference,
)
from numerics.monte_carlo.scheme import Scheme
from numerics.monte_carlo.space import OLD


@integrand
def _old_share(new: float, proposal: float, phi: float) -> float:
    return -math.exp(new - proposal) * softplus(phi - new)


def objective(phi: float, delta: float) -> Scheme:
    """F = E_{p_n}[log p_n/q] = log(1 + e^φ) − E_{p_n}[log(1 + e^{φ + L})]."""
    new = (delta, 0.0)
    start = boundary(phi, new)
    return Scheme(_old_share, (phi,), (new,), (start,), constant=softplus(phi))


def weight_gradient(phi: float, delta: float) -> Scheme:
    """dF/dφ = −E_{p_n}[d log q/dφ] = E_{p_n}[β − r_o], r_o = β p_o/q."""
    new = (delta, 0.0)
    return Scheme(kept_apart, (phi,), (new,), (boundary(phi, new),), factor=sigmoid(phi))


@integrand
def _responsibility(new: float, proposal: float, phi: float) -> float:
    return math.exp(new - proposal - softplus(new - phi))


@integrand
def _responsibility_above_weight(new: float, proposal: float, phi: float) -> float:
    surplus = math.expm1(softplus_difference(phi, phi - new))  # p_n/q − 1
    return math.exp(-proposal - softplus(-phi)) * surplus


def old_mean_gradient(phi: float, delta: float) -> Scheme:
    """−E_{p_n}[r_o C⁻¹(y − m_o)] along μ_n − μ_o, at correct means.

    Where that is close to the old mean, draws come from there too, and β E_{p_o}[C⁻¹(y − m_o)] = 0
    is taken off as a baseline.
    """
    new = (delta, 0.0)
    start = boundary(phi, new)
    near = start[0] <= 1
    chosen = _responsibility_above_weight if near else _responsibility
    proposals = (OLD, start) if near else (start,)
    return Scheme(chosen, (phi,), (new,), proposals, factor=-1.0, score=OLD)
