"""Points at which claims are tried: rational, within the box, a function of (seed, name) alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import sympy as sp

from theorems.language import Expr, Parameter

_GRID = 64
_TRIES_PER_POINT = 200


def typical(parameters: Sequence[Parameter]) -> dict[str, Fraction]:
    """The point where every lane has something to say."""
    return {p.name: _fraction(p.typical) for p in parameters}


def draw(
    parameters: Sequence[Parameter],
    count: int,
    key: str,
    where: Sequence[Expr] = (),
    box: Mapping[Parameter, tuple[Expr, Expr]] | None = None,
) -> list[dict[str, Fraction]]:
    """Up to `count` points of the box that satisfy `where`; fewer, or none, if they are rare."""
    generator = random.Random(key)
    within = {p.name: _choice(p, *(box or {}).get(p, p.box)) for p in parameters}
    symbols = {p.symbol: p.name for p in parameters}
    points: list[dict[str, Fraction]] = []
    for _ in range(count * _TRIES_PER_POINT):
        if len(points) == count:
            break
        point = {name: choose(generator) for name, choose in within.items()}
        if _satisfies(point, where, symbols):
            points.append(point)
    return points


def rational(value: Fraction) -> sp.Rational:
    """A fraction as SymPy writes it."""
    return sp.Rational(value.numerator, value.denominator)


def show(place: Mapping[str, Fraction]) -> str:
    """A point as readers write it: phi = 1/2, delta = 3."""
    return ", ".join(f"{name} = {value}" for name, value in texts(place).items())


def texts(place: Mapping[str, Fraction]) -> dict[str, str]:
    """A point as plain text, exact."""
    return {name: str(value) for name, value in place.items()}


def _choice(parameter: Parameter, low: Expr, high: Expr) -> Callable[[random.Random], Fraction]:
    """How a value of the parameter is drawn from its box."""
    first, width = _fraction(low), _fraction(high) - _fraction(low)
    if isinstance(parameter.domain, sp.Range):
        return lambda generator: first + generator.randrange(int(width) + 1)

    # interior points: the ends are where bounds are equalities
    return lambda generator: first + width * Fraction(2 * generator.randrange(_GRID) + 1, 2 * _GRID)


def _satisfies(
    point: Mapping[str, Fraction], where: Sequence[Expr], symbols: Mapping[Expr, str]
) -> bool:
    values = {symbol: rational(point[name]) for symbol, name in symbols.items()}
    return all(bool(condition.subs(values) == sp.true) for condition in where)


def _fraction(value: Expr) -> Fraction:
    exact = sp.Rational(value)
    return Fraction(int(exact.p), int(exact.q))
