"""A rational point where an expression is certainly not zero, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from numerics.certified.balls import RealBalls
from numerics.expression import fold
from numerics.point import Unreachable

Expr = Any
Ball = Any
_SIZES = ("2/7", "5/11", "3/5", "7/13", "4/9", "1/3", "8/17", "5/8")
_SIGNS = ((1,), (1, -1), (-1, 1, 1))


def certainly_nonzero(expr: Expr) -> bool:
    """True only if some rational point in (-1, 1)^n proves `expr` not zero (real there).

    Integrals in one variable are enclosed with a proved tail; others make the answer False.
    """
    symbols = sorted(expr.free_symbols, key=lambda s: (s.name, s.sort_key()))
    names = {symbol: sp.Dummy(f"{symbol.name}_{i}", real=True) for i, symbol in enumerate(symbols)}
    renamed = expr.xreplace(names)  # two symbols may share a name
    with ctx.workprec(64 if expr.has(sp.Integral) else 128):
        points = (
            {names[s].name: value for s, value in point.items()} for point in _points(symbols)
        )
        return any(_nonzero_at(renamed, point) for point in points)


def _points(symbols: list[Expr]) -> Iterator[dict[Expr, Ball]]:
    for signs in _SIGNS:
        yield {
            symbol: _value(symbol, Fraction(size) * sign, i)
            for i, (symbol, size, sign) in enumerate(
                zip(symbols, cycle(_SIZES), cycle(signs), strict=False)
            )
        }


def _value(symbol: Expr, value: Fraction, i: int) -> Ball:
    if symbol.is_integer:
        value = Fraction(i + 1 if value > 0 else -i - 1)
    if symbol.is_nonnegative:
        value = abs(value)
    elif symbol.is_nonpositive:
        value = -abs(value)
    return arb(fmpq(value.numerator, value.denominator))


def _nonzero_at(expr: Expr, values: dict[str, Ball]) -> bool:
    try:
        ball = fold(expr, values, RealBalls({}), {})
    except Unreachable:
        return False
    return bool(ball.is_finite() and not ball.contains(0))
