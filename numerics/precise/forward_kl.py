"""Theorem 2.1's quantities: F = KL(p_n‖q) and its numerical derivatives.

phi: logit of the learner's old weight; delta: Mahalanobis distance, > 0. Values in nats.
"""

from __future__ import annotations

from numerics.precise.derivative import first
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import Weights, boundary, relative_entropy, seeds, weights
from numerics.precise.quadrature import Integrand, integrate


def objective(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """F = ∫p_n log(p_n/q), correct means."""
    return _integrate(ctx, _forward(ctx, phi, delta, ctx.zero), phi, delta)


def weight_gradient(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """dF/dphi, the objective differentiated numerically."""
    slope = first(ctx, lambda logit: _forward(ctx, logit, delta, ctx.zero), phi)
    return _integrate(ctx, slope, phi, delta)


def old_mean_gradient(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """The component along μ_n - μ_o of the whitened ∇_{m_o}F at correct means, numerically."""
    slope = first(ctx, lambda mean: _forward(ctx, phi, delta, mean), ctx.zero)
    return _integrate(ctx, slope, phi, delta)


def _forward(ctx: Context, phi: Real, delta: Real, old_mean: Real) -> Integrand:
    new_data, learner = Weights(ctx.zero, ctx.one), weights(ctx, phi)
    return relative_entropy(ctx, new_data, learner, -learner.old, old_mean, delta)


def _integrate(ctx: Context, integrand: Integrand, phi: Real, delta: Real) -> Estimate:
    poles = boundary(ctx, phi, delta)
    return integrate(ctx, integrand, seeds(delta, poles), poles)
