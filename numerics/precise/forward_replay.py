"""Replay under forward KL (reconstructed): old data mixed into the model or into the data.

phi: logit of the learner's old weight; delta: Mahalanobis distance, > 0; replay: fraction λ of old
data, in (0, 1). Values in nats. Each returns an Estimate at the precision of ctx; Unreachable if
too dear.
"""

from __future__ import annotations

from numerics.precise.derivative import first
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    Weights,
    boundary,
    gaussian,
    log_quotient,
    log_ratio,
    seeds,
    tilted,
    weights,
)
from numerics.precise.quadrature import Integrand, integrate


def denominator_objective(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """KL(p_n‖(1-λ)q + λp_o), correct means."""
    return _integrate(ctx, _denominator(ctx, phi, delta, replay, ctx.zero), phi, delta, replay)


def denominator_gradient(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """Its derivative in phi, numerically."""
    slope = first(ctx, lambda logit: _denominator(ctx, logit, delta, replay, ctx.zero), phi)
    return _integrate(ctx, slope, phi, delta, replay)


def denominator_old_mean_gradient(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """The component along μ_n - μ_o of its whitened gradient in m_o at correct means, numerically:
    the learner's old mean moves, the replayed data stay."""
    slope = first(ctx, lambda mean: _denominator(ctx, phi, delta, replay, mean), ctx.zero)
    return _integrate(ctx, slope, phi, delta, replay)


def numerator_objective(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """KL((1-λ)p_n + λp_o‖q), correct means."""
    return _integrate(ctx, _numerator(ctx, phi, delta, replay, ctx.zero), phi, delta, replay)


def numerator_gradient(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """Its derivative in phi, numerically."""
    slope = first(ctx, lambda logit: _numerator(ctx, logit, delta, replay, ctx.zero), phi)
    return _integrate(ctx, slope, phi, delta, replay)


def numerator_old_mean_gradient(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """The component along μ_n - μ_o of its whitened gradient in m_o at correct means,
    numerically."""
    slope = first(ctx, lambda mean: _numerator(ctx, phi, delta, replay, mean), ctx.zero)
    return _integrate(ctx, slope, phi, delta, replay)


def _denominator(ctx: Context, phi: Real, delta: Real, replay: Real, old_mean: Real) -> Integrand:
    new_data, beta = Weights(ctx.zero, ctx.one), weights(ctx, phi)
    learner = Weights((1 - replay) * beta.old, (1 - replay) * beta.new)
    return _divergence(ctx, new_data, learner, replay, delta, old_mean)


def _numerator(ctx: Context, phi: Real, delta: Real, replay: Real, old_mean: Real) -> Integrand:
    data = Weights(replay, 1 - replay)
    return _divergence(ctx, data, weights(ctx, phi), ctx.zero, delta, old_mean)


def _divergence(
    ctx: Context, data: Weights, learner: Weights, replayed: Real, delta: Real, old_mean: Real
) -> Integrand:
    """a log(a/b), a the data and b = replayed p_o + learner.old N(old_mean, 1) + learner.new p_n,
    weights that sum to 1; a - b keeps its relative precision for small data.old and small delta."""
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    odds, move = log_ratio(ctx.zero, delta), log_ratio(old_mean, ctx.zero)
    gap = data.old - replayed - learner.old

    def integrand(x: Real) -> Real:
        old, new = p_o(x), p_n(x)
        moved, shift = tilted(ctx, old, move(x))
        a = data.old * old + data.new * new
        b = replayed * old + learner.old * moved + learner.new * new
        return a * log_quotient(ctx, a, b, gap * tilted(ctx, new, odds(x))[1] - learner.old * shift)

    return integrand


def _integrate(
    ctx: Context, integrand: Integrand, phi: Real, delta: Real, replay: Real
) -> Estimate:
    """∫ integrand; singular at the zeros of the learner, of the data and of the mixed model."""
    beta = weights(ctx, phi)
    mixed_odds = (replay + (1 - replay) * beta.old) / ((1 - replay) * beta.new)
    logits = phi, ctx.log(replay / (1 - replay)), ctx.log(mixed_odds)
    poles = tuple(pole for logit in logits for pole in boundary(ctx, logit, delta))
    return integrate(ctx, integrand, seeds(delta, poles), poles)
