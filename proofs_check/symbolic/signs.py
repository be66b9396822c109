"""Signs that can be read off an expression: interval arithmetic on its structure.

Every symbol is real, within its SymPy assumptions. A range is an enclosure, not the exact image:
"cannot tell" is an unbounded side, so every answer True is a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import ctx

from numerics.certified.balls import RealBalls
from numerics.expression import fold
from numerics.point import Unreachable

Expr = Any
Bound = Any  # Fraction, or +-inf as a mark
INF = float("inf")


@dataclass(frozen=True, slots=True)
class Range:
    """Values lie between low and high; an open side is not attained."""

    low: Bound = -INF
    high: Bound = INF
    low_open: bool = True
    high_open: bool = True

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low, self.high_open, self.low_open)

    def __add__(self, other: Range) -> Range:
        return Range(
            _plus(self.low, other.low),
            _plus(self.high, other.high),
            self.low_open or other.low_open,
            self.high_open or other.high_open,
        )

    def __mul__(self, other: Range) -> Range:
        corners = [
            _corner(x, y)
            for x in ((self.low, self.low_open), (self.high, self.high_open))
            for y in ((other.low, other.low_open), (other.high, other.high_open))
        ]
        low, high = min(c[0] for c in corners), max(c[0] for c in corners)
        return Range(
            low,
            high,
            all(is_open for value, is_open in corners if value == low),
            all(is_open for value, is_open in corners if value == high),
        )

    @property
    def positive(self) -> bool:
        return bool(self.low > 0 or (self.low == 0 and self.low_open))

    @property
    def nonnegative(self) -> bool:
        return bool(self.low >= 0)


REAL = Range()
POSITIVE = Range(Fraction(0))
NONNEGATIVE = Range(Fraction(0), INF, False)
ONE = Range(Fraction(1), Fraction(1), False, False)


def manifestly_positive(expr: Expr) -> bool:
    """True only if `expr` > 0 for all real values of its symbols within their assumptions."""
    return range_of(expr).positive


def manifestly_nonnegative(expr: Expr) -> bool:
    """True only if `expr` >= 0 for all real values of its symbols within their assumptions.

    Beyond ranges: tangents, e^u >= 1 + u and log u <= u - 1.
    """
    return range_of(expr).nonnegative or (
        expr.is_Add and range_of(sp.expand(_below_by_tangents(expr))).nonnegative
    )


def range_of(expr: Expr) -> Range:
    """An enclosure of the values of `expr`, from its structure alone."""
    if isinstance(expr, sp.Rational):
        value = Fraction(int(expr.p), int(expr.q))
        return Range(value, value, False, False)
    if expr.is_number:
        return _number(expr)
    if expr.is_Add:
        return _sum([range_of(arg) for arg in expr.args])
    if expr.is_Mul:
        return _product(expr)
    if expr.is_Pow:
        return _power(expr)
    if isinstance(expr, sp.Integral):
        return _integral(expr)
    if isinstance(expr, sp.Max | sp.Min):
        return _extremum(expr)
    if expr.func in _FUNCTIONS:
        return _FUNCTIONS[expr.func](range_of(expr.args[0]))
    return _assumed(expr)


def _plus(x: Bound, y: Bound) -> Bound:
    return x if abs(x) == INF else y if abs(y) == INF else x + y


def _corner(x: tuple[Bound, bool], y: tuple[Bound, bool]) -> tuple[Bound, bool]:
    """Product of two end points; a zero that is attained makes an attained zero."""
    if x[0] == 0 or y[0] == 0:
        attained = (x[0] == 0 and not x[1]) or (y[0] == 0 and not y[1])
        return Fraction(0), not attained
    if INF in (abs(x[0]), abs(y[0])):
        return (INF if (x[0] > 0) == (y[0] > 0) else -INF), True
    return x[0] * y[0], x[1] or y[1]


def _number(expr: Expr) -> Range:
    try:
        with ctx.workprec(128):
            real = fold(expr, {}, RealBalls({}), {})
            if not real.is_finite():
                return REAL
            ends = (real.lower().fmpq(), real.upper().fmpq())
            low, high = (Fraction(int(end.p), int(end.q)) for end in ends)
    except Unreachable:
        return REAL
    return Range(low, high, False, False)


def _sum(ranges: list[Range]) -> Range:
    total = Range(Fraction(0), Fraction(0), False, False)
    for each in ranges:
        total = total + each
    return total


def _product(expr: Expr) -> Range:
    total = ONE
    for arg in expr.args:
        total = total * range_of(arg)
    if total.low >= 0 or total.high <= 0:
        return total
    # An odd increasing function has the sign of its argument: x sinh(x) is a square in sign.
    flat = sp.Mul(*(arg.args[0] if arg.func in _ODD else arg for arg in expr.args))
    if flat == expr:
        return total
    sign = range_of(flat)
    return NONNEGATIVE if sign.nonnegative else -NONNEGATIVE if (-sign).nonnegative else total


def _power(expr: Expr) -> Range:
    base, exponent = range_of(expr.base), expr.exp
    if not exponent.is_Rational:
        return POSITIVE if base.positive else REAL
    if exponent < 0:
        return _inverse(_rational_power(base, -exponent))
    return _rational_power(base, exponent)


def _rational_power(base: Range, exponent: Expr) -> Range:
    if exponent.is_Integer:
        n = int(exponent)
        if n % 2 == 0:
            base = _absolute(base)
        return Range(_raise(base.low, n), _raise(base.high, n), base.low_open, base.high_open)
    if not base.nonnegative:
        return NONNEGATIVE  # where it is real
    low = Fraction(1) if base.low > 1 else min(base.low, Fraction(1))
    if low not in (0, 1):
        low, low_open = Fraction(0), True
    else:
        low_open = base.low_open or base.low > 1
    return Range(low, Fraction(1) if base.high <= 1 else INF, low_open, base.high_open)


def _raise(bound: Bound, n: int) -> Bound:
    return bound**n if abs(bound) != INF else (INF if bound > 0 or n % 2 == 0 else -INF)


def _inverse(base: Range) -> Range:
    if base.positive:
        low = Fraction(0) if base.high == INF else 1 / base.high
        high = INF if base.low == 0 else 1 / base.low
        return Range(low, high, base.high_open, base.low_open)
    if base.nonnegative:  # where it is finite
        return POSITIVE
    return -_inverse(-base) if base.high <= 0 else REAL


def _absolute(base: Range) -> Range:
    if base.nonnegative:
        return base
    if base.high <= 0:
        return -base
    wide, is_open = max((-base.low, base.low_open), (base.high, base.high_open))
    return Range(Fraction(0), wide, False, is_open and base.low != -base.high)


def _exp(arg: Range) -> Range:
    # 1 + x <= e^x <= 1/(1 - x) for x < 1, strict off 0
    low, low_open = (1 + arg.low, arg.low_open or arg.low > 0) if arg.low >= 0 else (0, True)
    high, high_open = (INF, True)
    if arg.high <= 0:
        high, high_open = 1 / (1 - arg.high) if arg.high > -INF else 0, arg.high_open
    return Range(Fraction(low) if low < INF else low, high, low_open, high_open)


def _log(arg: Range) -> Range:
    # 1 - 1/x <= log x <= x - 1
    low = -INF if arg.low <= 0 else 1 - 1 / arg.low
    high = _plus(arg.high, Fraction(-1)) if arg.high > 0 else INF
    return Range(low, high, arg.low_open, arg.high_open)


def _odd(limit: Bound) -> Callable[[Range], Range]:
    def rule(arg: Range) -> Range:
        low, low_open = (Fraction(0), arg.positive) if arg.nonnegative else (-limit, True)
        down = -arg
        high, high_open = (Fraction(0), down.positive) if down.nonnegative else (limit, True)
        return Range(low, high, low_open, high_open)

    return rule


def _cosh(arg: Range) -> Range:
    return Range(Fraction(1), INF, arg.positive or (-arg).positive, True)


def _erfc(arg: Range) -> Range:
    return ONE + -_odd(Fraction(1))(arg)


def _circular(_: Range) -> Range:
    return Range(Fraction(-1), Fraction(1), False, False)


_FUNCTIONS: dict[Any, Callable[[Range], Range]] = {
    sp.exp: _exp,
    sp.log: _log,
    sp.Abs: _absolute,
    sp.cosh: _cosh,
    sp.sech: lambda arg: _inverse(_cosh(arg)),
    sp.sinh: _odd(INF),
    sp.tanh: _odd(Fraction(1)),
    sp.erf: _odd(Fraction(1)),
    sp.erfc: _erfc,
    sp.cos: _circular,
    sp.sin: _circular,
}
_ODD = {sp.sinh, sp.tanh, sp.erf}


def _extremum(expr: Expr) -> Range:
    ranges = [range_of(arg) for arg in expr.args]
    if isinstance(expr, sp.Min):
        return -_maximum([-each for each in ranges])
    return _maximum(ranges)


def _maximum(ranges: list[Range]) -> Range:
    low, low_closed = max((each.low, each.low_open) for each in ranges)
    high, high_closed = max((each.high, not each.high_open) for each in ranges)
    return Range(low, high, low_closed, not high_closed)


def _integral(expr: Expr) -> Range:
    lengths = [_length(limit) for limit in expr.limits]
    if not all(length.nonnegative for length in lengths):
        return REAL
    integrand = range_of(expr.function)
    strict = all(length.positive for length in lengths)
    if integrand.nonnegative:
        return POSITIVE if strict and integrand.positive else NONNEGATIVE
    if integrand.high <= 0:
        return -(POSITIVE if strict and (-integrand).positive else NONNEGATIVE)
    return REAL


def _length(limit: Expr) -> Range:
    if len(limit) != 3:
        return REAL
    _, low, high = limit
    return POSITIVE if low == -sp.oo or high == sp.oo else range_of(high - low)


def _assumed(expr: Expr) -> Range:
    """Of a symbol or an undefined function: what it was declared to be."""
    unit = Fraction(1) if expr.is_integer else None
    if expr.is_positive:
        return Range(unit, INF, False) if unit else POSITIVE
    if expr.is_nonnegative:
        return NONNEGATIVE
    if expr.is_negative:
        return -POSITIVE
    return -NONNEGATIVE if expr.is_nonpositive else REAL


def _below_by_tangents(expr: Expr) -> Expr:
    """A lower bound of a sum: e^u by 1 + u, and -log u by 1 - u."""
    terms = []
    for term in expr.args:
        weight, factor = term.as_coeff_Mul()
        if weight > 0 and isinstance(factor, sp.exp):
            term = weight * (1 + factor.args[0])
        elif weight < 0 and isinstance(factor, sp.log):
            term = weight * (factor.args[0] - 1)
        terms.append(term)
    return sp.Add(*terms)
