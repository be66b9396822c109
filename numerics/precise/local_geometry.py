"""The quantities of the local geometry: R = KL(q‖p_alpha) with both means free, its gradient, and
its Hessian at the target (reconstructed).

phi, tau: logits of the learner's and the target's old weight; delta: Mahalanobis distance, > 0;
old_mean, new_mean: whitened coordinates of the learner's means along μ_n - μ_o, measured from μ_o.
Values in nats; derivatives in the logit and in whitened means. Each returns an Estimate at the
precision of ctx; Unreachable if too dear.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from numerics.precise.derivative import Family, first, hessian, second
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    boundary,
    gaussian,
    log_quotient,
    log_ratio,
    seeds,
    tilted,
    weight_gap,
    weights,
)
from numerics.precise.quadrature import Integrand, Pole, integrate

Direction: TypeAlias = tuple[int, ...]
Target: TypeAlias = Callable[[Real], tuple[Real, ...]]


def objective(
    ctx: Context, phi: Real, tau: Real, delta: Real, old_mean: Real, new_mean: Real
) -> Estimate:
    """R = ∫q log(q/p_alpha), both means free on the line."""
    integrand = free_divergence(ctx, phi, tau, delta, old_mean, new_mean)
    return _integrate(ctx, integrand, phi, tau, delta, old_mean, new_mean)


def gradient(
    ctx: Context, phi: Real, tau: Real, delta: Real, old_mean: Real, new_mean: Real
) -> Estimate:
    """(∂_phi, ∂_{m_o}, ∂_{m_n})R, the objective differentiated numerically."""
    slopes = (
        first(ctx, lambda p: free_divergence(ctx, p, tau, delta, old_mean, new_mean), phi),
        first(ctx, lambda m: free_divergence(ctx, phi, tau, delta, m, new_mean), old_mean),
        first(ctx, lambda m: free_divergence(ctx, phi, tau, delta, old_mean, m), new_mean),
    )
    parts = [_integrate(ctx, slope, phi, tau, delta, old_mean, new_mean) for slope in slopes]
    return Estimate(tuple(part.value[0] for part in parts), max(part.error for part in parts))


def weight_curvature(ctx: Context, tau: Real, delta: Real) -> Estimate:
    """∂²R/∂phi² at the target, the objective differentiated twice."""
    return _along(ctx, _target(ctx, tau, delta), tau, delta, (1, 0, 0))


def hessian_along(ctx: Context, tau: Real, delta: Real) -> Estimate:
    """∂²R at the target in (phi, m_o, m_n) on the line: the upper triangle, row by row."""
    target = _target(ctx, tau, delta)
    return hessian(lambda direction: _along(ctx, target, tau, delta, direction), 3)


def hessian_across(ctx: Context, tau: Real, delta: Real) -> Estimate:
    """∂²R at the target in one coordinate across of (m_o, m_n): the upper triangle, row by row."""
    target = _target(ctx, tau, delta)
    return hessian(lambda direction: _across(ctx, target, tau, delta, direction), 2)


def smallest_eigenvalue(ctx: Context, tau: Real, delta: Real) -> Estimate:
    """λ_min of the whole Hessian at the target, in R^d for every d >= 2.

    Reflection across the axis splits it into the block along and equal blocks across. No eigenvalue
    moves by more than the norm of what its matrix is off by.
    """
    along, across = hessian_along(ctx, tau, delta), hessian_across(ctx, tau, delta)
    a, b, c, d, e, f = along.value
    g, h, i = across.value
    blocks = [[a, b, c], [b, d, e], [c, e, f]], [[g, h], [h, i]]
    lowest = min(ctx.eigsy(ctx.matrix(block), eigvals_only=True)[0] for block in blocks)
    rounding = ctx.ldexp(1, 6 - ctx.prec)  # no entry exceeds 1
    return Estimate((lowest,), 3 * max(along.error, across.error) + rounding)


def free_divergence(
    ctx: Context, phi: Real, tau: Real, delta: Real, old_mean: Real, new_mean: Real
) -> Integrand:
    """q log(q/p_alpha) on the line, analytic in phi and in both means."""
    old_tilt, new_tilt = log_ratio(old_mean, ctx.zero), log_ratio(new_mean, delta)
    return _divergence(ctx, _target(ctx, tau, delta), phi, tau, old_tilt, new_tilt)


def _target(ctx: Context, tau: Real, delta: Real) -> Target:
    """x -> (p_o, p_n, p_o - p_n, p_alpha), tabulated."""
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    odds, alpha = log_ratio(ctx.zero, delta), weights(ctx, tau)

    @cache
    def target(x: Real) -> tuple[Real, ...]:
        old, new = p_o(x), p_n(x)
        return old, new, tilted(ctx, new, odds(x))[1], alpha.old * old + alpha.new * new

    return target


def _divergence(
    ctx: Context,
    target: Target,
    phi: Real,
    tau: Real,
    old_tilt: Integrand,
    new_tilt: Integrand,
) -> Integrand:
    """q log(q/p_alpha), old_tilt = log q_o/p_o and new_tilt = log q_n/p_n; q - p_alpha keeps its
    relative precision near the target."""
    beta, gap = weights(ctx, phi), weight_gap(ctx, phi, tau)

    def integrand(x: Real) -> Real:
        p_o, p_n, apart, p_alpha = target(x)
        q_o, more_old = tilted(ctx, p_o, old_tilt(x))
        q_n, more_new = tilted(ctx, p_n, new_tilt(x))
        q = beta.old * q_o + beta.new * q_n
        excess = gap * apart + beta.old * more_old + beta.new * more_new
        return q * log_quotient(ctx, q, p_alpha, excess)

    return integrand


def _integrate(
    ctx: Context,
    integrand: Integrand,
    phi: Real,
    tau: Real,
    delta: Real,
    old_mean: Real,
    new_mean: Real,
) -> Estimate:
    """∫ integrand, a derivative of the divergence or itself. Its error includes the rounding of
    q - p_alpha, whose parts can cancel away from the target (at the label swap)."""
    zeros_of_q = boundary(ctx, phi, new_mean - old_mean)
    learner = tuple(Pole(old_mean + zero.centre, zero.half_width) for zero in zeros_of_q)
    poles = (*learner, *boundary(ctx, tau, delta))
    estimate = integrate(ctx, integrand, (*seeds(delta, poles), old_mean, new_mean), poles)
    parts = abs(weight_gap(ctx, phi, tau)) + abs(old_mean) + abs(new_mean - delta)
    return Estimate(estimate.value, estimate.error + ctx.ldexp(parts, 8 - ctx.prec))


def _along(ctx: Context, target: Target, tau: Real, delta: Real, direction: Direction) -> Estimate:
    """The second derivative along a direction of (phi, m_o, m_n) on the line."""

    def family(t: Real) -> Integrand:
        phi, old_mean, new_mean = (u * t for u in direction)
        tilts = log_ratio(old_mean, ctx.zero), log_ratio(delta + new_mean, delta)
        return _divergence(ctx, target, tau + phi, tau, *tilts)

    return _second(ctx, family, tau, delta)


def _across(ctx: Context, target: Target, tau: Real, delta: Real, direction: Direction) -> Estimate:
    """The same along a direction of (m_o, m_n), both moved along one coordinate y across.

    There the second derivative is N(y; 0, 1) times a polynomial in y of degree 2, even, so the
    Gauss-Hermite nodes 0 and ±√3, one of the pair, integrate it.
    """

    def at(y: Real) -> Family:
        def family(t: Real) -> Integrand:
            old_tilt, new_tilt = (log_ratio(u * t, ctx.zero)(y) for u in direction)
            return _divergence(ctx, target, tau, tau, lambda _: old_tilt, lambda _: new_tilt)

        return family

    centre, outer = (_second(ctx, at(y), tau, delta) for y in (ctx.zero, ctx.sqrt(3)))
    return Estimate(((2 * centre.value[0] + outer.value[0]) / 3,), max(centre.error, outer.error))


def _second(ctx: Context, family: Family, tau: Real, delta: Real) -> Estimate:
    """∫ d²family/dt² at t = 0, the target."""
    curvature, noise = second(ctx, family, ctx.zero, ctx.ldexp(1, -4))
    poles = boundary(ctx, tau, delta)
    estimate = integrate(ctx, curvature, seeds(delta, poles), poles)
    return Estimate(estimate.value, estimate.error + 4 * noise)  # ∫|first derivative| < 4
