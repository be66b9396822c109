"""Ball enclosures of closed SymPy expressions, in Arb: what a proof of "not zero" rests on.

Exact input only: a SymPy Float is refused, symbols are given as balls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

Expr = Any
Ball = Any


class Unenclosed(Exception):
    """The expression, or this point, has no enclosure here; the message says why."""


_ENTIRE: dict[Any, Callable[[Ball], Ball]] = {
    sp.exp: lambda z: z.exp(),
    sp.cosh: lambda z: z.cosh(),
    sp.sinh: lambda z: z.sinh(),
    sp.tanh: lambda z: z.tanh(),
    sp.sech: lambda z: z.sech(),
    sp.coth: lambda z: z.coth(),
    sp.csch: lambda z: z.csch(),
    sp.cos: lambda z: z.cos(),
    sp.sin: lambda z: z.sin(),
    sp.erf: lambda z: z.erf(),
    sp.erfc: lambda z: z.erfc(),
}
_REAL: dict[Any, Callable[..., Ball]] = {
    sp.Abs: lambda x: abs(x),
    sp.Max: lambda *xs: _fold(lambda x, y: x.max(y), xs),
    sp.Min: lambda *xs: _fold(lambda x, y: x.min(y), xs),
}


def enclose(expr: Expr, values: Mapping[Any, Ball], analytic: bool | None = None) -> Ball:
    """A complex ball that contains `expr` at `values` (symbol -> acb), at the current precision.

    `analytic` is the flag of `acb.integral`: a branch cut met on the way then gives a non-finite
    ball. Without it the point is real, and a logarithm or a root needs an argument that is
    certainly positive.
    Raises Unenclosed for a node without an enclosure, ValueError for a Float.
    """
    if expr in values:
        return values[expr]
    if isinstance(expr, sp.Float):
        raise ValueError(f"{expr} is a float; exact expressions only")
    if isinstance(expr, sp.Rational):
        return acb(arb(fmpq(int(expr.p), int(expr.q))))
    if expr is sp.pi:
        return acb.pi()
    if expr is sp.E:
        return acb(1).exp()
    args = [enclose(arg, values, analytic) for arg in expr.args]
    if expr.is_Add:
        return _fold(lambda x, y: x + y, args)
    if expr.is_Mul:
        return _fold(lambda x, y: x * y, args)
    if expr.is_Pow:
        return _power(expr, args, analytic)
    if expr.func in _ENTIRE:
        return _ENTIRE[expr.func](args[0])
    if expr.func is sp.log:
        return _cut(args[0], analytic).log(analytic=bool(analytic))
    if expr.func in _REAL and analytic is None:
        return acb(_REAL[expr.func](*(arg.real for arg in args)))
    raise Unenclosed(f"no enclosure of {expr.func}")


def _power(expr: Expr, args: list[Ball], analytic: bool | None) -> Ball:
    base, exponent = args
    if expr.exp.is_Integer:
        return base ** int(expr.exp)
    if expr.exp == sp.Rational(1, 2):
        return _cut(base, analytic).sqrt(analytic=bool(analytic))
    return (exponent * _cut(base, analytic).log(analytic=bool(analytic))).exp()


def _cut(ball: Ball, analytic: bool | None) -> Ball:
    if analytic is None and not ball.real > 0:
        raise Unenclosed("the argument of a logarithm or a root is not certainly positive")
    return ball


def _fold(step: Callable[[Ball, Ball], Ball], balls: Any) -> Ball:
    total, *rest = balls
    for ball in rest:
        total = step(total, ball)
    return total
