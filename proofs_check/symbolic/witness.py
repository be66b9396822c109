"""A rational point where an expression is certainly not zero, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import cycle
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from proofs_check.symbolic.enclosure import Ball, Unenclosed, enclose
from proofs_check.symbolic.growth import Term, majorant
from proofs_check.symbolic.signs import manifestly_positive

Expr = Any
_SIZES = ("2/7", "5/11", "3/5", "7/13", "4/9", "1/3", "8/17", "5/8")
_SIGNS = ((1,), (1, -1), (-1, 1, 1))
_REACH = (8, 16, 32, 64)


def certainly_nonzero(expr: Expr) -> bool:
    """True only if some rational point in (-1, 1)^n proves `expr` not zero (real there).

    Integrals in one variable are enclosed with a proved tail; others make the answer False.
    """
    with ctx.workprec(64 if expr.has(sp.Integral) else 128):
        return any(_nonzero_at(expr, values) for values in _points(expr.free_symbols))


def _points(symbols: set[Expr]) -> Iterator[dict[Expr, Ball]]:
    ordered = sorted(symbols, key=lambda s: (s.name, s.sort_key()))
    for signs in _SIGNS:
        yield {
            symbol: _value(symbol, Fraction(size) * sign, i)
            for i, (symbol, size, sign) in enumerate(
                zip(ordered, cycle(_SIZES), cycle(signs), strict=False)
            )
        }


def _value(symbol: Expr, value: Fraction, i: int) -> Ball:
    if symbol.is_integer:
        value = Fraction(i + 1 if value > 0 else -i - 1)
    if symbol.is_nonnegative:
        value = abs(value)
    elif symbol.is_nonpositive:
        value = -abs(value)
    return acb(arb(fmpq(value.numerator, value.denominator)))


def _nonzero_at(expr: Expr, values: dict[Expr, Ball]) -> bool:
    try:
        for integral in _outermost(expr):
            values[integral] = _enclose_integral(integral, values)
        ball = enclose(expr, values)
    except Unenclosed:
        return False
    return bool(ball.is_finite() and not ball.real.contains(0))


def _outermost(expr: Expr) -> list[Expr]:
    if isinstance(expr, sp.Integral):
        return [expr]
    return [integral for arg in expr.args for integral in _outermost(arg)]


def _enclose_integral(integral: Expr, values: Mapping[Expr, Ball]) -> Ball:
    if len(integral.limits) != 1 or len(integral.limits[0]) != 3:
        raise Unenclosed("an integral in more than one variable")
    variable, low, high = integral.limits[0]
    function = integral.function
    _require_holomorphic(function)

    def integrand(z: Ball, analytic: bool) -> Ball:
        return enclose(function, {**values, variable: z}, analytic)

    if sp.oo not in (-low, high):
        ends = (enclose(end, values).real for end in (low, high))
        return acb.integral(integrand, *ends)
    reach, tail = _cut(function, variable, values)
    left, right = (_end(end, reach, values) for end in (low, high))
    return acb.integral(integrand, left, right) + acb((-tail).union(tail))


def _end(end: Expr, reach: Ball, values: Mapping[Expr, Ball]) -> Ball:
    if end in (sp.oo, -sp.oo):
        return reach if end == sp.oo else -reach
    ball = enclose(end, values).real
    if not abs(ball) < reach:
        raise Unenclosed("a limit lies beyond the point of truncation")
    return ball


def _require_holomorphic(function: Expr) -> None:
    if function.has(sp.Abs, sp.Max, sp.Min, sp.Integral):
        raise Unenclosed("the integrand is not holomorphic")
    cuts = [e.args[0] for e in function.atoms(sp.log)]
    cuts += [e.base for e in function.atoms(sp.Pow) if not e.exp.is_Integer]
    if not all(manifestly_positive(cut) for cut in cuts):
        raise Unenclosed("the argument of a logarithm or a root is not manifestly positive")


def _cut(function: Expr, variable: Expr, values: Mapping[Expr, Ball]) -> tuple[Ball, Ball]:
    """A reach T and a bound of what lies beyond +-T."""
    bound = majorant(function, variable)
    if bound is None:
        raise Unenclosed("no majorant of the integrand")
    for reach in _REACH:
        tails = [_tail(term, arb(reach), values) for term in bound]
        total = sum((tail for tail in tails if tail is not None), arb(0))
        if None not in tails and total < arb(2) ** -50:
            return arb(reach), total.upper()
    raise Unenclosed("the integrand decays too slowly")


def _tail(term: Term, reach: Ball, values: Mapping[Expr, Ball]) -> Ball | None:
    """Both tails of a log-concave term: value over slope, since the slope only steepens."""
    parts = (term.scale, term.power, term.square, term.linear)
    scale, power, square, linear = (enclose(part, values).real for part in parts)
    fall = -(power / reach + 2 * square * reach + linear)
    if not fall > 0:
        return None
    height = (power * reach.log() + square * reach * reach + linear * reach).exp()
    return 2 * scale * height / fall
