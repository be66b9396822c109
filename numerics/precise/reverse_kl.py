"""Theorem 2.2's quantities: R = KL(q‖p_alpha) at correct means and its numerical derivatives.

phi, tau: logits of the learner's and the target's old weight; delta: Mahalanobis distance, > 0.
Values in nats.
"""

from __future__ import annotations

from numerics.precise.derivative import first, second
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    Weights,
    boundary,
    relative_entropy,
    seeds,
    weight_gap,
    weights,
)
from numerics.precise.quadrature import Integrand, integrate


def objective(ctx: Context, phi: Real, tau: Real, delta: Real) -> Estimate:
    """R = ∫q log(q/p_alpha)."""
    return _integrate(ctx, _divergence(ctx, phi, tau, delta), (phi, tau), delta)


def weight_gradient(ctx: Context, phi: Real, tau: Real, delta: Real) -> Estimate:
    """dR/dphi, the objective differentiated numerically."""
    slope = first(ctx, lambda logit: _divergence(ctx, logit, tau, delta), phi)
    return _integrate(ctx, slope, (phi, tau), delta)


def weight_curvature(ctx: Context, phi: Real, tau: Real, delta: Real) -> Estimate:
    """∂²R/∂beta², the objective differentiated twice in the weight itself."""

    def moved(shift: Real) -> Integrand:
        beta, gap = weights(ctx, phi), weight_gap(ctx, phi, tau)
        shifted = Weights(beta.old + shift, beta.new - shift)
        return relative_entropy(ctx, shifted, weights(ctx, tau), gap + shift, ctx.zero, delta)

    beta = weights(ctx, phi)
    curvature, noise = second(ctx, moved, ctx.zero, beta.old * beta.new)
    estimate = _integrate(ctx, curvature, (phi, tau), delta)
    slope = first(ctx, moved, ctx.zero)
    moduli = _integrate(ctx, lambda x: abs(slope(x)), (phi, tau), delta)
    return Estimate(estimate.value, estimate.error + noise * moduli.value[0])


def new_data_gradient(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """d/dphi KL(q‖p_n): reverse KL to the new data alone, 2.2(g)."""

    def family(logit: Real) -> Integrand:
        learner = weights(ctx, logit)
        new_data = Weights(ctx.zero, ctx.one)
        return relative_entropy(ctx, learner, new_data, learner.old, ctx.zero, delta)

    return _integrate(ctx, first(ctx, family, phi), (phi,), delta)


def mass_covering_gradient(ctx: Context, phi: Real, tau: Real, delta: Real) -> Estimate:
    """d/dphi KL(p_alpha‖q), 2.2(g)."""
    slope = first(ctx, lambda logit: _divergence(ctx, tau, logit, delta), phi)
    return _integrate(ctx, slope, (phi, tau), delta)


def _divergence(ctx: Context, first_logit: Real, second_logit: Real, delta: Real) -> Integrand:
    return relative_entropy(
        ctx,
        weights(ctx, first_logit),
        weights(ctx, second_logit),
        weight_gap(ctx, first_logit, second_logit),
        ctx.zero,
        delta,
    )


def _integrate(
    ctx: Context, integrand: Integrand, logits: tuple[Real, ...], delta: Real
) -> Estimate:
    poles = tuple(pole for logit in logits for pole in boundary(ctx, logit, delta))
    return integrate(ctx, integrand, seeds(delta, poles), poles)
