"""Intervals whose two ends are balls: what lies between a number of the lower and one of the upper.

Both ends carry their own rounding, so that x + 0 and 0 x stay exact and no step rounds outward by
hand. Signs are read with comparisons that are true for every number of a ball; where none is, all
four products are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from flint import arb

Ball: TypeAlias = Any
ZERO = arb(0)


class Unbounded(Exception):
    """An operation is not defined, or not bounded, on the whole of an interval."""


class Interval(NamedTuple):
    """From lo to hi."""

    lo: Ball
    hi: Ball


NOTHING = Interval(ZERO, ZERO)
ONE = Interval(arb(1), arb(1))


def point(x: Ball) -> Interval:
    """The interval of one number."""
    return Interval(x, x)


def exact(x: Interval) -> Interval:
    """The smallest interval around it with exact ends. Raises Unbounded."""
    lo, hi = x.lo.lower(), x.hi.upper()
    if not (lo.is_finite() and hi.is_finite()):
        raise Unbounded("an end is not finite")
    return Interval(lo, hi)


def add(x: Interval, y: Interval) -> Interval:
    return Interval(x.lo + y.lo, x.hi + y.hi)


def subtract(x: Interval, y: Interval) -> Interval:
    return Interval(x.lo - y.hi, x.hi - y.lo)


def negative(x: Interval) -> Interval:
    return Interval(-x.hi, -x.lo)


def multiply(x: Interval, y: Interval) -> Interval:
    if x.lo >= 0:
        return _times_positive(y, x)
    if y.lo >= 0:
        return _times_positive(x, y)
    if x.hi <= 0:
        return negative(_times_positive(y, negative(x)))
    if y.hi <= 0:
        return negative(_times_positive(x, negative(y)))
    products = (x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi)
    return Interval(least(*products), greatest(*products))


def _times_positive(x: Interval, factor: Interval) -> Interval:
    if x.lo >= 0:
        return Interval(x.lo * factor.lo, x.hi * factor.hi)
    if x.hi <= 0:
        return Interval(x.lo * factor.hi, x.hi * factor.lo)
    low = x.lo * factor.hi if x.lo <= 0 else (x.lo * factor.hi).min(x.lo * factor.lo)
    high = x.hi * factor.hi if x.hi >= 0 else (x.hi * factor.hi).max(x.hi * factor.lo)
    return Interval(low, high)


def inverse(x: Interval) -> Interval:
    """1/x. Raises Unbounded where x may be 0."""
    if x.lo > 0 or x.hi < 0:
        return Interval(1 / x.hi, 1 / x.lo)
    raise Unbounded("a divisor may be 0")


def increasing(f: Callable[[Ball], Ball], x: Interval) -> Interval:
    """The image under an increasing function."""
    lo = f(x.lo)
    return Interval(lo, lo if x.hi is x.lo else f(x.hi))


def decreasing(f: Callable[[Ball], Ball], x: Interval) -> Interval:
    """The image under a decreasing function."""
    lo, hi = increasing(f, x)
    return Interval(hi, lo)


def size(x: Interval) -> Interval:
    """|x|."""
    if x.lo >= 0:
        return x
    if x.hi <= 0:
        return negative(x)
    return Interval(ZERO, (-x.lo).max(x.hi))


def clip(x: Interval, lo: Ball | None = None, hi: Ball | None = None) -> Interval:
    """The part above lo and below hi, of what is known to lie between them."""
    low = x.lo if lo is None else x.lo.max(lo)
    return Interval(low, x.hi if hi is None else x.hi.min(hi))


def meet(x: Interval, y: Interval) -> Interval:
    """What lies in both, of what is known to."""
    return Interval(x.lo.max(y.lo), x.hi.min(y.hi))


def hull(*parts: Interval) -> Interval:
    """The smallest interval around all."""
    return Interval(least(*(p.lo for p in parts)), greatest(*(p.hi for p in parts)))


def least(first: Ball, *rest: Ball) -> Ball:
    for each in rest:
        first = first.min(each)
    return first


def greatest(first: Ball, *rest: Ball) -> Ball:
    for each in rest:
        first = first.max(each)
    return first
