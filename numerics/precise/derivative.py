"""Numerical derivatives of an integrand in a parameter, by linearity those of its integral.

First derivatives are complex steps, Im f(p + ih)/h: nothing is subtracted, so h can be the unit
roundoff itself and the error h^2 lies beyond the working precision. A second derivative steps along
the diagonal, Im(f(p + z) + f(p - z))/(2h²) with z = (1+i)h: f itself never enters, only f' cancels,
and the error is of order h^4.
"""

from __future__ import annotations

from collections.abc import Callable

from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.quadrature import Integrand

Family = Callable[[Real], Integrand]  # parameter -> integrand, analytic in the parameter


def tiny(ctx: Context) -> Real:
    """The complex step: the unit roundoff."""
    return ctx.ldexp(1, -ctx.prec)


def first(ctx: Context, family: Family, at: Real) -> Integrand:
    """x -> d family(p)(x)/dp at p = at."""
    step = tiny(ctx)
    shifted = family(ctx.mpc(at, step))
    return lambda x: shifted(x).imag / step


def second(ctx: Context, family: Family, at: Real, scale: Real) -> tuple[Integrand, Real]:
    """x -> d²family(p)(x)/dp² at p = at, and the factor by which the rounding of
    |first(family)| enters the result.

    scale: the distance on which the family varies, at most 1; the truncation is the unit roundoff
    relative to it.
    """
    quarter = ctx.prec // 4
    working = ctx.prec + quarter + 64 - ctx.mag(scale)
    with ctx.workprec(working):
        step = ctx.ldexp(scale, -quarter)
        diagonal = ctx.mpc(step, step)
        ahead, behind = family(at + diagonal), family(at - diagonal)

    def curvature(x: Real) -> Real:
        with ctx.workprec(working):
            return (ahead(x) + behind(x)).imag / (2 * step**2)

    return curvature, ctx.ldexp(1, 16 - working) / step


def hessian(along: Callable[[tuple[int, ...]], Estimate], size: int) -> Estimate:
    """The upper triangle, row by row, of a Hessian from second derivatives along directions, by
    polarisation.

    along: (u_1, ..., u_size) -> the second derivative in t of the objective at the point + t u.
    """
    units = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    pure = [along(unit) for unit in units]
    entries, error = [], sum(one.error for one in pure)
    for i in range(size):
        entries.append(pure[i].value[0])
        for j in range(i + 1, size):
            both = along(tuple(one + other for one, other in zip(units[i], units[j], strict=True)))
            entries.append((both.value[0] - pure[i].value[0] - pure[j].value[0]) / 2)
            error = max(error, (both.error + pure[i].error + pure[j].error) / 2)
    return Estimate(tuple(entries), error)
