"""Gaussian majorants: how an integrand decays, read off its structure.

A flux that vanishes at infinity closes an integration by parts; a bounded tail closes a certified
integral. Both need |f(v)| <= sum of scale |v|^power exp(square v^2 + linear |v|) on |v| >= 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from proofs_check.symbolic.signs import manifestly_nonnegative, manifestly_positive

Expr = Any


@dataclass(frozen=True, slots=True)
class Term:
    """scale |v|^power exp(square v^2 + linear |v|), with scale, power, linear >= 0."""

    scale: Expr = sp.S.One
    power: Expr = sp.S.Zero
    square: Expr = sp.S.Zero
    linear: Expr = sp.S.Zero

    def __mul__(self, other: Term) -> Term:
        return Term(
            self.scale * other.scale,
            self.power + other.power,
            self.square + other.square,
            self.linear + other.linear,
        )

    def __pow__(self, exponent: Expr) -> Term:
        scaled = (exponent * part for part in (self.power, self.square, self.linear))
        return Term(self.scale**exponent, *scaled)


Majorant = tuple[Term, ...]
BOUNDED: Majorant = (Term(),)


def vanishes_at_infinity(expr: Expr, variable: Expr) -> bool:
    """True only if `expr` -> 0 as variable -> +-oo, at every value of the other symbols.

    Sound and structural: each term must carry exp(square v^2) with square manifestly negative
    against factors of at most exponential growth. False means "cannot tell".
    """
    bound = majorant(expr, variable)
    if bound is None:
        return False
    return all(term.scale == 0 or manifestly_positive(sp.expand(-term.square)) for term in bound)


def majorant(expr: Expr, v: Expr) -> Majorant | None:
    """A majorant of |expr| on |v| >= 1, for real v; None if none is found."""
    if not expr.has(v):
        return (Term(sp.Abs(expr)),)
    if expr == v:
        return (Term(power=sp.Integer(1)),)
    if expr.is_Add:
        return _sum([majorant(arg, v) for arg in expr.args])
    if expr.is_Mul:
        return _product([majorant(arg, v) for arg in expr.args])
    if expr.is_Pow and expr.exp.is_Rational:
        if expr.exp > 0:
            return _power(majorant(expr.base, v), expr.exp)
        return _power(_reciprocal(expr.base, v), -expr.exp)
    if isinstance(expr, sp.exp):
        return _exponential(expr.args[0], v)
    if isinstance(expr, sp.cosh | sp.sinh):
        return _sum([_exponential(u, v) for u in (expr.args[0], -expr.args[0])])
    if isinstance(expr, sp.log):
        return _logarithm(expr.args[0], v)
    if isinstance(expr, sp.Abs):
        return majorant(expr.args[0], v)
    if isinstance(expr, sp.tanh | sp.sech | sp.erf | sp.sin | sp.cos):
        return BOUNDED
    return (Term(sp.Integer(2)),) if isinstance(expr, sp.erfc) else None


def _reciprocal(expr: Expr, v: Expr) -> Majorant | None:
    """A majorant of 1/|expr|: a positive term bounds a sum of nonnegative ones from below."""
    if not expr.has(v):
        return (Term(sp.Abs(1 / expr)),)
    if expr == v:
        return BOUNDED
    if expr.is_Mul:
        return _product([_reciprocal(arg, v) for arg in expr.args])
    if expr.is_Pow and expr.exp.is_Rational:
        inner = _reciprocal(expr.base, v) if expr.exp > 0 else majorant(expr.base, v)
        return _power(inner, abs(expr.exp))
    if isinstance(expr, sp.exp):
        return _exponential(-expr.args[0], v)
    if isinstance(expr, sp.cosh):
        return BOUNDED
    if isinstance(expr, sp.sech):
        return majorant(sp.cosh(expr.args[0]), v)
    if expr.is_Add and all(manifestly_nonnegative(arg) for arg in expr.args):
        bounds = (_reciprocal(arg, v) for arg in expr.args if manifestly_positive(arg))
        return _smallest([bound for bound in bounds if bound is not None])
    return None


def _smallest(choices: list[Majorant]) -> Majorant | None:
    best: Majorant | None = None
    for choice in choices:
        if best is None or all(
            manifestly_positive(sp.expand(old.square - new.square))
            for old in best
            for new in choice
        ):
            best = choice
    return best


def _sum(parts: list[Majorant | None]) -> Majorant | None:
    terms: list[Term] = []
    for part in parts:
        if part is None:
            return None
        terms.extend(part)
    return _collect(terms)


def _product(parts: list[Majorant | None]) -> Majorant | None:
    total = BOUNDED
    for part in parts:
        if part is None:
            return None
        total = _collect([left * right for left in total for right in part])
    return total


def _power(base: Majorant | None, exponent: Expr) -> Majorant | None:
    if base is None:
        return None
    whole = int(exponent // 1)
    fraction = exponent - whole
    total = _product([base] * whole)
    if fraction == 0 or total is None:
        return total
    # (x + y)^r <= x^r + y^r for r in (0, 1)
    return _product([total, tuple(term**fraction for term in base)])


def _collect(terms: list[Term]) -> Majorant:
    scales: dict[tuple[Expr, Expr, Expr], Expr] = {}
    for term in terms:
        shape = (term.power, term.square, term.linear)
        scales[shape] = scales.get(shape, sp.Integer(0)) + term.scale
    return tuple(Term(scale, *shape) for shape, scale in scales.items())


def _exponential(arg: Expr, v: Expr) -> Majorant | None:
    if not arg.is_polynomial(v):
        return BOUNDED if manifestly_nonnegative(-arg) else None
    poly = sp.Poly(arg, v)
    if poly.degree() > 2:
        return None
    constant, slope, square = (sp.expand(poly.coeff_monomial(v**k)) for k in range(3))
    return (Term(sp.exp(constant), square=square, linear=sp.Abs(slope)),)


def _logarithm(arg: Expr, v: Expr) -> Majorant | None:
    """|log a| <= log of a majorant of a, or of 1/a; log |v| <= |v|."""
    if not manifestly_positive(arg):
        return None
    bounds = [majorant(arg, v), _reciprocal(arg, v)]
    terms: list[Term] = []
    for bound in bounds:
        if bound is None:
            return None
        terms.append(Term(sp.Abs(sp.log(sp.Add(*(term.scale for term in bound))))))
        terms.extend(Term(term.power + term.linear, sp.Integer(1)) for term in bound)
        terms.extend(Term(sp.Abs(term.square), sp.Integer(2)) for term in bound)
    return _collect(terms)
