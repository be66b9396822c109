"""Theorem 2.3's quantities: misassignments with a free new mean, mean gradients of R = KL(q‖p).

phi, tau: logits of the learner's and the target's old weight; delta: Mahalanobis distance, > 0;
new_mean_along, new_mean_across: whitened coordinates of m_n - μ_o in the plane whose first axis is
along μ_n - μ_o, so μ_o = m_o = 0 and μ_n = (delta, 0). Gradients are whitened vectors
(along, across), in nats per unit of Mahalanobis distance.
"""

from __future__ import annotations

from numerics.precise.derivative import tiny
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    boundary,
    gaussian,
    product,
    responsibility,
    seeds,
    weights,
)
from numerics.precise.overlap import misassignment_new, misassignment_old
from numerics.precise.plane import Factors, Position, Separable, Wall, integrate_disc
from numerics.precise.quadrature import integrate


def learner_misassignment(
    ctx: Context, phi: Real, new_mean_along: Real, new_mean_across: Real
) -> Estimate:
    """ε_q = E_{p_o}[r_n], m_o = μ_o and m_n free: on the line through the learner's means."""
    return misassignment_old(ctx, phi, ctx.hypot(new_mean_along, new_mean_across))


def target_misassignment(ctx: Context, tau: Real, delta: Real) -> Estimate:
    """ε_p = E_{p_o}[s_n]."""
    return misassignment_old(ctx, tau, delta)


def target_leakage(ctx: Context, tau: Real, delta: Real, new_mean_along: Real) -> Estimate:
    """ε'_p = E_{q_n}[s_o]: s_o varies along μ_n - μ_o only, where q_n is N(new_mean_along, 1)."""
    poles = boundary(ctx, tau, delta)
    places = (*seeds(delta, poles), new_mean_along, new_mean_along - delta)
    s_o = responsibility(ctx, tau, ctx.zero, delta)
    return integrate(ctx, product(gaussian(ctx, new_mean_along), s_o), places, poles)


def learner_leakage(
    ctx: Context, phi: Real, new_mean_along: Real, new_mean_across: Real
) -> Estimate:
    """ε'_q = E_{q_n}[r_o], on the line through the learner's means."""
    return misassignment_new(ctx, phi, ctx.hypot(new_mean_along, new_mean_across))


def old_mean_gradient(
    ctx: Context,
    phi: Real,
    tau: Real,
    delta: Real,
    new_mean_along: Real,
    new_mean_across: Real,
) -> Estimate:
    """Whitened ∇_{m_o}R at m_o = μ_o, the objective on the plane differentiated numerically."""
    means = ((ctx.zero, ctx.zero), (new_mean_along, new_mean_across))
    return _mean_gradient(ctx, phi, tau, delta, means, 0)


def new_mean_gradient(
    ctx: Context,
    phi: Real,
    tau: Real,
    delta: Real,
    new_mean_along: Real,
    new_mean_across: Real,
) -> Estimate:
    """Whitened ∇_{m_n}R at m_o = μ_o, the objective on the plane differentiated numerically."""
    means = ((ctx.zero, ctx.zero), (new_mean_along, new_mean_across))
    return _mean_gradient(ctx, phi, tau, delta, means, 1)


def _mean_gradient(
    ctx: Context, phi: Real, tau: Real, delta: Real, means: tuple[Position, Position], moved: int
) -> Estimate:
    """∂R/∂means[moved]. Only where that component lives does the objective's integrand change."""
    reach = abs(delta) + ctx.hypot(*means[1])
    walls = (*_learner_wall(ctx, phi, means[1]), *_target_wall(ctx, tau, delta, means[moved]))
    slopes = [_slope(ctx, phi, tau, delta, means, moved, axis) for axis in (0, 1)]
    components = [integrate_disc(ctx, slope, means[moved], reach, walls) for slope in slopes]
    return Estimate(
        tuple(component.value[0] for component in components),
        max(component.error for component in components),
    )


def _slope(
    ctx: Context,
    phi: Real,
    tau: Real,
    delta: Real,
    means: tuple[Position, Position],
    moved: int,
    axis: int,
) -> Separable:
    """q log(q/p_alpha) differentiated by a complex step of one coordinate of one learner mean."""
    step = tiny(ctx)
    shifted = [list(mean) for mean in means]
    shifted[moved][axis] = ctx.mpc(shifted[moved][axis], step)
    beta, alpha = weights(ctx, phi), weights(ctx, tau)
    along_o, along_n = (gaussian(ctx, mean[0]) for mean in shifted)
    across_o, across_n = (gaussian(ctx, mean[1]) for mean in shifted)
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)

    def column(x: Real) -> Factors:
        log_target = ctx.log(alpha.old * p_o(x) + alpha.new * p_n(x))
        return beta.old * along_o(x), beta.new * along_n(x), log_target

    def row(y: Real) -> Factors:
        return across_o(y), across_n(y), ctx.log(p_o(y))

    def term(at_x: Factors, at_y: Factors) -> Real:
        q = at_x[0] * at_y[0] + at_x[1] * at_y[1]
        return (q * (ctx.log(q) - (at_x[2] + at_y[2]))).imag / step

    return Separable(column, row, term)


def _learner_wall(ctx: Context, phi: Real, new_mean: Position) -> tuple[Wall, ...]:
    """Zeros of q over the line where its two components balance."""
    distance = ctx.hypot(*new_mean)
    if not distance:
        return ()
    along = (distance / 2 + phi / distance) / distance
    widths = [ctx.pi / abs(shift) if shift else ctx.inf for shift in new_mean]
    return (Wall((along * new_mean[0], along * new_mean[1]), (widths[0], widths[1])),)


def _target_wall(ctx: Context, tau: Real, delta: Real, near: Position) -> tuple[Wall, ...]:
    """Zeros of p_alpha, over a line across the first axis."""
    return tuple(
        Wall((pole.centre, near[1]), (pole.half_width, ctx.inf))
        for pole in boundary(ctx, tau, delta)
    )
