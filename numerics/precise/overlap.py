"""The overlap lemma's quantities from their definitions (reconstructed).

delta: Mahalanobis distance, > 0; phi: logit of the weight on the old mode; c: any real. Values are
dimensionless or in nats. Each returns an Estimate at the precision of ctx; Unreachable if too dear.
"""

from __future__ import annotations

from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    boundary,
    gaussian,
    log_ratio,
    product,
    responsibility,
    seeds,
    weights,
)
from numerics.precise.quadrature import Integrand, integrate, integrate_beyond


def bhattacharyya(ctx: Context, delta: Real) -> Estimate:
    """∫√(p_o p_n)."""
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    return integrate(ctx, lambda x: ctx.sqrt(p_o(x) * p_n(x)), seeds(delta))


def misassignment_old(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """ε_o = E_{p_o}[r_n]."""
    return _on_line(
        ctx,
        product(gaussian(ctx, ctx.zero), responsibility(ctx, -phi, delta, ctx.zero)),
        phi,
        delta,
    )


def misassignment_new(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """ε_n = E_{p_n}[r_o]."""
    return _on_line(
        ctx, product(gaussian(ctx, delta), responsibility(ctx, phi, ctx.zero, delta)), phi, delta
    )


def sech_overlap(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """S = E[sech((φ + L)/2)] under the midpoint density N((μ_o + μ_n)/2, Σ)."""
    ratio = log_ratio(ctx.zero, delta)
    return _on_line(
        ctx,
        product(gaussian(ctx, delta / 2), lambda x: ctx.sech((phi + ratio(x)) / 2)),
        phi,
        delta,
    )


def distinguishability(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """κ = 1 - ε_o - ε_n; what cancels for small delta or large |phi| is bought with precision."""
    lost_old = product(gaussian(ctx, ctx.zero), responsibility(ctx, -phi, delta, ctx.zero))
    lost_new = product(gaussian(ctx, delta), responsibility(ctx, phi, ctx.zero, delta))
    lost = _on_line(ctx, lambda x: lost_old(x) + lost_new(x), phi, delta)
    return Estimate((1 - lost.value[0],), lost.error + ctx.ldexp(1, -ctx.prec))


def responsibility_second_moment(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """E_{p_n}[r_o²]."""
    r_o = responsibility(ctx, phi, ctx.zero, delta)
    return _on_line(ctx, product(gaussian(ctx, delta), r_o, r_o), phi, delta)


def softplus_mean(ctx: Context, c: Real, delta: Real) -> Estimate:
    """A(c) = E_{p_n}[log(1 + e^{c+L})], nats."""
    ratio = log_ratio(ctx.zero, delta)
    return _on_line(
        ctx,
        product(gaussian(ctx, delta), lambda x: ctx.log1p(ctx.exp(c + ratio(x)))),
        c,
        delta,
    )


def bayes_error(ctx: Context, phi: Real, delta: Real) -> Estimate:
    """B = ∫min(β p_o, (1-β) p_n), in two pieces that meet at the decision boundary."""
    beta = weights(ctx, phi)
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    kink = boundary(ctx, phi, delta)[0].centre
    return _two_pieces(
        ctx, lambda x: beta.new * p_n(x), lambda x: beta.old * p_o(x), kink, (ctx.zero, delta)
    )


def total_variation(ctx: Context, delta: Real) -> Estimate:
    """½∫|p_o - p_n|, in two pieces that meet at the midpoint."""
    p_n, ratio = gaussian(ctx, delta), log_ratio(ctx.zero, delta)

    def half_gap(x: Real) -> Real:
        return p_n(x) * ctx.expm1(ratio(x)) / 2

    peaks = (ctx.zero, delta, ctx.mpf(-1), 1 + delta)
    return _two_pieces(ctx, half_gap, lambda x: -half_gap(x), delta / 2, peaks)


def chi_squared(ctx: Context, delta: Real) -> Estimate:
    """χ²(p_o‖p_n) = ∫p_o²/p_n - 1."""
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    whole = integrate(ctx, lambda x: p_o(x) ** 2 / p_n(x), seeds(delta))
    return Estimate((whole.value[0] - 1,), whole.error)


def component_kl(ctx: Context, delta: Real) -> Estimate:
    """KL(p_n‖p_o) = ∫p_n log(p_n/p_o), nats."""
    return integrate(ctx, product(gaussian(ctx, delta), log_ratio(delta, ctx.zero)), seeds(delta))


def _on_line(ctx: Context, integrand: Integrand, logit: Real, delta: Real) -> Estimate:
    poles = boundary(ctx, logit, delta)
    return integrate(ctx, integrand, seeds(delta, poles), poles)


def _two_pieces(
    ctx: Context,
    left: Integrand,
    right: Integrand,
    kink: Real,
    peaks: tuple[Real, ...],
) -> Estimate:
    pieces = (
        integrate_beyond(ctx, left, kink, -1, peaks),
        integrate_beyond(ctx, right, kink, 1, peaks),
    )
    return Estimate((pieces[0].value[0] + pieces[1].value[0],), pieces[0].error + pieces[1].error)
