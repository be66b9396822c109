"""Evaluates a quantity at an exact point to the digits asked for, in a context of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

import mpmath
from mpmath.ctx_mp import MPContext

from numerics.point import Exact, Logit, Point, Unreachable

Context: TypeAlias = Any  # an MPContext: its precision is private to one evaluation
Real: TypeAlias = Any  # an mpf of that context

MOST_DIGITS = 1000
MOST_BITS = 8000
FINE_BITS = 2400  # parameters that agree to so many bits are taken as equal


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and an ESTIMATE of its error; no bound is proved.

    value: one mpf per component, of length 1 for a scalar.
    error: absolute, the largest over the components: half-density difference of the trapezoidal
    sum, truncation and rounding together.
    """

    value: tuple[Real, ...]
    error: Real


Evaluator: TypeAlias = Callable[..., Estimate]


def _ratio(ctx: Context, number: Fraction) -> Real:
    return ctx.mpf(number.numerator) / number.denominator


def real(ctx: Context, exact: Exact) -> Real:
    """An exact parameter rounded at the precision of ctx; the logit of a weight near 1/2 keeps
    its relative precision."""
    if isinstance(exact, Logit):
        weight = exact.weight
        if 2 * weight < 1:
            return -real(ctx, Logit(1 - weight))
        return ctx.log1p(_ratio(ctx, (2 * weight - 1) / (1 - weight)))
    return _ratio(ctx, exact)


def evaluate(evaluator: Evaluator, point: Point, digits: int) -> Estimate:
    """The quantity at the point, its error estimate at most 10^-digits of its norm.

    The working precision is raised until that holds, so what cancels comes out with full relative
    digits. A value still within its own error long after that (the gradient at a minimum is an
    exact zero) has no relative digits: it is returned with the absolute error reached, at most
    10^-digits and at least its size. Values are plain mpf of `mpmath.mp`, longer than its
    precision, which is left alone.

    Raises Unreachable past MOST_DIGITS digits, past MOST_BITS bits of working precision, or where
    the sums would need more work than `quadrature.MOST_SECONDS`.
    Checked against tabulated values and against itself at another precision.
    """
    if digits > MOST_DIGITS:
        raise Unreachable(f"the precise lane stops at {MOST_DIGITS} digits, asked for {digits}")
    ctx = MPContext()
    wanted = ctx.mpf(10) ** -digits
    bits = -ctx.mag(wanted) + 1
    with ctx.workprec(FINE_BITS):
        values = [real(ctx, exact) for exact in point.values()]
        small = _smallness(ctx, values)
    ctx.prec = bits + 28 + ctx.mag(1 + sum(value**2 for value in values))
    zero_beyond = bits + 64 + 4 * int(small + sum(abs(value) for value in values))
    while True:
        estimate = _once(ctx, evaluator, point, small)
        norm, error = ctx.norm(estimate.value), estimate.error
        is_zero = ctx.prec > zero_beyond and norm <= error <= wanted
        if error <= wanted * norm or is_zero:
            return _shared(estimate)
        ctx.prec += ctx.mag(error / (wanted * norm)) + 4 if error < norm else ctx.prec


def _smallness(ctx: Context, values: list[Real]) -> int:
    """Bits by which parameters, and the distances between them, lie below 1: what can cancel."""
    apart = [abs(one - other) for one, other in combinations(values, 2)]
    return sum(-min(0, int(ctx.mag(size))) for size in values + apart if size)


def _once(ctx: Context, evaluator: Evaluator, point: Point, spare: int) -> Estimate:
    if ctx.prec > MOST_BITS:
        raise Unreachable(
            f"the precise lane would need {ctx.prec} bits to outlast the cancellation here, "
            f"and stops at {MOST_BITS}"
        )
    with ctx.workprec(ctx.prec + spare):  # phi - tau keeps its relative precision
        parameters = {name: real(ctx, exact) for name, exact in point.items()}
    return evaluator(ctx, **parameters)


def _shared(estimate: Estimate) -> Estimate:
    """The same numbers, unrounded, as mpf of the shared context."""
    share = mpmath.mp.make_mpf
    return Estimate(
        tuple(share(component._mpf_) for component in estimate.value), share(estimate.error._mpf_)
    )
