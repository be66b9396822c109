"""Integrals in the normal form: closed where Gaussian, else one atom for each primitive integrand.

Integrals are taken to converge absolutely. Dummy variables get canonical names, factors free of
them go outside, and a variable whose dependence is polynomial times Gaussian is integrated out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from proofs_check.symbolic.generators import Generator, Generators
from proofs_check.symbolic.ratio import Polynomial, Ratio, grouped, lowest
from proofs_check.symbolic.signs import manifestly_positive

Expr = Any


def read_integral(generators: Generators, expr: Expr) -> Ratio:
    """An Integral as content times a generator, or its Gaussian value."""
    function, limits = _canonical(expr)
    integrand = generators.read(function)
    if integrand.num == 0:
        return integrand
    for limit in limits:
        variable, *ends = limit
        value = integrate_out(generators, integrand, variable) if ends == _LINE else None
        if value is not None:
            rest = [other for other in limits if other != limit]
            return (
                generators.read(sp.Integral(generators.restored(value), *rest)) if rest else value
            )
    variables = {limit[0] for limit in limits}
    content, core = _primitive(generators, integrand, variables)
    meaning = sp.Integral(generators.restored(core), *limits)
    bounds = tuple(generators.read(end).key for limit in limits for end in limit[1:])
    generator = Generator(meaning, "integral")
    return content * generators.atom(("integral", len(limits), bounds, core.key), generator)


_LINE = [-sp.oo, sp.oo]


def _canonical(expr: Expr) -> tuple[Expr, list[Any]]:
    """Integrand and limits with bound variables named by depth, independent ones in order."""
    limits = [tuple(limit) for limit in expr.limits]
    bound = [limit[0] for limit in limits]
    if not any(end.has(*bound) for limit in limits for end in limit[1:]):
        limits.sort(key=lambda limit: limit[0].name)
    names = {limit[0]: _bound(_depth(expr) + i) for i, limit in enumerate(limits)}
    renamed = [tuple(part.xreplace(names) for part in limit) for limit in limits]
    return expr.function.xreplace(names), renamed


def _bound(position: int) -> Expr:
    return sp.Dummy(f"w{position}", dummy_index=10**9 + position, real=True)


def _depth(expr: Expr) -> int:
    """How many bound variables lie inside, in integrals that depend on this one's variables."""
    variables = set(expr.variables)
    inner = [i for i in expr.function.atoms(sp.Integral) if i.free_symbols & variables]
    return max((_depth(i) + len(i.limits) for i in inner), default=0)


def _primitive(
    generators: Generators, integrand: Ratio, variables: set[Expr]
) -> tuple[Ratio, Ratio]:
    columns = _columns(generators, variables)
    content = lowest(_content(integrand.num, columns), _content(integrand.den, columns))
    core = integrand / content
    leading = lowest(generators.context.constant(core.num.leading_coefficient()), content.den**0)
    return content * leading, core / leading


def _content(poly: Polynomial, columns: tuple[int, ...]) -> Polynomial:
    return reduce(lambda x, y: x.gcd(y), grouped(poly, columns).values())


def _columns(generators: Generators, variables: set[Expr]) -> tuple[int, ...]:
    return tuple(i for i, g in enumerate(generators.table) if g.depends_on(variables))


def integrate_out(generators: Generators, integrand: Ratio, variable: Expr) -> Ratio | None:
    """The integral over the line, if it is a sum of polynomial times Gaussian; else None."""
    columns = _columns(generators, {variable})
    below = grouped(integrand.den, columns)
    if len(below) != 1:
        return None
    ((lowered, denominator),) = below.items()
    total = generators.constant(0)
    for raised, coefficient in grouped(integrand.num, columns).items():
        degree, exponent = 0, generators.constant(0)
        for i, power in zip(
            columns, (r - low for r, low in zip(raised, lowered, strict=True)), strict=True
        ):
            generator = generators.table[i]
            if generator.meaning == variable and power >= 0:
                degree = power
            elif generator.kind == "exp" and generator.inner:
                exponent = exponent + generator.inner * generators.constant(power)
            elif power:
                return None
        moment = _gaussian(generators, degree, exponent, variable)
        if moment is None:
            return None
        total = generators.reduced(total + moment * lowest(coefficient, denominator))
    return total


def _gaussian(generators: Generators, degree: int, exponent: Ratio, variable: Expr) -> Ratio | None:
    """Integral of variable^degree exp(exponent), by completing the square."""
    coefficients = _quadratic(generators, exponent, variable)
    if coefficients is None:
        return None
    constant, slope, square = coefficients
    if not manifestly_positive(generators.restored(-square)):
        return None
    number = generators.constant
    variance = (square * number(-2)).inverse()
    mean = slope * variance
    moments = number(0)
    for j in range(0, degree + 1, 2):
        weight = math.comb(degree, j) * math.prod(range(1, j, 2))
        moments = moments + mean ** (degree - j) * variance ** (j // 2) * number(weight)
    mass = generators.root(generators.read(sp.pi) * variance * number(2), Fraction(1, 2))
    peak = generators.exp(constant + mean * slope * number(Fraction(1, 2)))
    return generators.reduced(generators.reduced(mass * peak) * moments)


def _quadratic(generators: Generators, exponent: Ratio, variable: Expr) -> list[Ratio] | None:
    columns = _columns(generators, {variable})
    if set(grouped(exponent.den, columns)) != {(0,) * len(columns)}:
        return None
    coefficients = [generators.constant(0)] * 3
    for powers, part in grouped(exponent.num, columns).items():
        others = [
            p
            for i, p in zip(columns, powers, strict=True)
            if generators.table[i].meaning != variable
        ]
        degree = sum(powers)
        if any(others) or degree > 2:
            return None
        coefficients[degree] = lowest(part, exponent.den)
    return coefficients
