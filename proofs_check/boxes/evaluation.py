"""The checker's walk over an expression: bounds of every part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

import sympy as sp
from flint import arb, fmpq
from sympy.core.function import AppliedUndef

from proofs_check.boxes.bounds import (
    Ball,
    Bounds,
    Inconclusive,
    Span,
    around,
    falling,
    number,
    plus,
    power,
    rising,
    times,
)
from proofs_check.boxes.heads import Values
from proofs_check.boxes.pair_heads import ALL_HEADS
from theorems.language import Expr
from theorems.reverse_kl.quantities import W


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Bounds of expressions at given bounds of the variables; `known` fills up."""

    values: Values
    variables: Mapping[str, Bounds]
    known: dict[Expr, Bounds]

    def __call__(self, expr: Expr) -> Bounds:
        if expr not in self.known:
            self.known[expr] = self._bounds(expr)
        return self.known[expr]

    def _bounds(self, expr: Expr) -> Bounds:
        if expr.is_Symbol:
            return self.variables[expr.name]
        if expr.is_Rational:
            return self._constant(arb(fmpq(int(expr.p), int(expr.q))))
        if expr is sp.pi or expr is sp.E:
            return self._constant(arb.pi() if expr is sp.pi else arb.const_e())
        if expr.is_Add:
            return plus([self(part) for part in expr.args])
        if expr.is_Mul:
            return times([self(part) for part in expr.args])
        if isinstance(expr, AppliedUndef):
            return self._head(expr)
        if expr.is_Pow:
            return self._power(expr)
        if isinstance(expr, sp.log) and (inner := _odds(expr.args[0])) is not None:
            u = self(inner)
            return u.through(rising(lambda x: (x.exp() + 1).log(), u.value), _logistic(u.value))
        if isinstance(expr, sp.Min | sp.Max):
            return _extremum(expr, [self(part) for part in expr.args])
        rule = _RULES.get(expr.func)
        if rule is None:
            raise Inconclusive(f"no bounds are known of {expr.func}")
        return rule(self(expr.args[0]))

    def _constant(self, x: Ball) -> Bounds:
        return Bounds(number(x), (number(arb(0)),) * len(self.variables), bool(x > 0))

    def _head(self, node: Expr) -> Bounds:
        name = node.func.__name__
        if name == "dKL_reverse":
            return self(W(*node.args) / (4 * sp.cosh(node.args[0] / 2) ** 2))
        if name not in ALL_HEADS:
            raise Inconclusive(f"no bounds are known of {name}")
        arguments = [self(argument) for argument in node.args]
        value, slopes, positive = ALL_HEADS[name](self.values, *[a.value for a in arguments])
        rates = self._constant(arb(0)).rates
        for argument, slope in zip(arguments, slopes, strict=True):
            rates = tuple(a + slope * b for a, b in zip(rates, argument.plain(), strict=True))
        return Bounds(value, rates, positive)

    def _power(self, expr: Expr) -> Bounds:
        inner = _odds(expr.base)
        if inner is not None and expr.exp.is_Rational and expr.exp < 0:
            u = self(-inner)
            share = u.through(_logistic(u.value), _logistic(-u.value), True)
            return power(share, arb(fmpq(int(-expr.exp.p), int(expr.exp.q))))
        if not expr.exp.is_Rational:
            return self(sp.exp(expr.exp * sp.log(expr.base)))
        return power(self(expr.base), arb(fmpq(int(expr.exp.p), int(expr.exp.q))))


def _odds(base: Expr) -> Expr | None:
    """u where the base is 1 + e^u."""
    if base.is_Add and len(base.args) == 2 and base.args[0] == 1:
        part = base.args[1]
        return part.args[0] if isinstance(part, sp.exp) else None
    return None


def _logistic(x: Span) -> Span:
    return rising(lambda t: 1 / (1 + (-t).exp()), x)


def _bell_curve(x: Ball) -> Ball:
    return 2 / arb.pi().sqrt() * (-(x**2)).exp()


def _sizes(x: Span) -> Span:
    return around(x.near, x.far)


def _cosh(u: Bounds) -> Bounds:
    return u.through(rising(arb.cosh, _sizes(u.value)), rising(arb.tanh, u.value), True)


def _absolute(u: Bounds) -> Bounds:
    low = 1 if u.value.lo >= 0 else -1
    high = -1 if u.value.hi <= 0 else 1
    return u.through(_sizes(u.value), around(arb(low), arb(high)))


def _extremum(expr: Expr, parts: list[Bounds]) -> Bounds:
    """The least or greatest; its derivatives are those of one of the parts that may be it."""
    least = isinstance(expr, sp.Min)
    pick = arb.min if least else arb.max
    for part in tuple(parts):
        low, high = part.value.lo, part.value.hi
        others = (other.value for other in parts if other is not part)
        if any(other.hi <= low if least else other.lo >= high for other in others):
            parts = [other for other in parts if other is not part]
    if len(parts) == 1:
        return parts[0]
    value = around(
        reduce(pick, [part.value.lo for part in parts]),
        reduce(pick, [part.value.hi for part in parts]),
    )
    columns = zip(*[part.plain() for part in parts], strict=True)
    rates = tuple(
        around(reduce(arb.min, [r.lo for r in column]), reduce(arb.max, [r.hi for r in column]))
        for column in columns
    )
    return Bounds(value, rates)


def _logarithm(u: Bounds) -> Bounds:
    root = u.logarithmic()
    if not u.value.lo > 0:
        raise Inconclusive("a logarithm of what may not be positive")
    return Bounds(rising(arb.log, u.value), root.rates)


_RULES: Mapping[object, Callable[[Bounds], Bounds]] = {
    sp.exp: lambda u: Bounds(rising(arb.exp, u.value), u.plain(), True),
    sp.log: _logarithm,
    sp.cosh: _cosh,
    sp.sech: lambda u: power(_cosh(u), arb(-1)),
    sp.sinh: lambda u: u.through(rising(arb.sinh, u.value), rising(arb.cosh, _sizes(u.value))),
    sp.tanh: lambda u: u.through(
        rising(arb.tanh, u.value), falling(lambda x: x.sech() ** 2, _sizes(u.value))
    ),
    sp.erf: lambda u: u.through(rising(arb.erf, u.value), falling(_bell_curve, _sizes(u.value))),
    sp.erfc: lambda u: u.through(
        falling(arb.erfc, u.value), falling(lambda x: -_bell_curve(x) / x.erfc(), u.value), True
    ),
    sp.Abs: _absolute,
}
