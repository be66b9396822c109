"""Exact rational functions over generators, in lowest terms (python-flint)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Polynomial = Any  # flint.fmpq_mpoly


class Undecided(Exception):
    """The normal form does not reach this expression; the message says why."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """num/den coprime, den with leading coefficient 1: equal functions have equal fields."""

    num: Polynomial
    den: Polynomial

    def __add__(self, other: Ratio) -> Ratio:
        if self.den == other.den:
            return lowest(self.num + other.num, self.den)
        return lowest(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        left, right = lowest(self.num, other.den), lowest(other.num, self.den)
        return lowest(left.num * right.num, left.den * right.den)

    def __truediv__(self, other: Ratio) -> Ratio:
        return self * other.inverse()

    def __pow__(self, exponent: int) -> Ratio:
        base = self if exponent >= 0 else self.inverse()
        return Ratio(base.num ** abs(exponent), base.den ** abs(exponent))

    def inverse(self) -> Ratio:
        if self.num == 0:
            raise Undecided("division by an expression that is identically zero")
        return lowest(self.den, self.num)

    @property
    def key(self) -> tuple[str, str]:
        return str(self.num), str(self.den)


def lowest(num: Polynomial, den: Polynomial) -> Ratio:
    """num/den with the common factor cancelled and den made monic."""
    if den == 0:
        raise Undecided("division by an expression that is identically zero")
    if not den.is_constant():
        common = num.gcd(den)
        if not common.is_constant():
            num, den = num / common, den / common
    leading = den.leading_coefficient()
    return Ratio(num / leading, den / leading)


def factors(ratio: Ratio) -> tuple[Any, list[tuple[Polynomial, int]]]:
    """A rational constant, and monic irreducible factors with their integer exponents."""
    constant, listed = _factor(ratio.num)
    below, under = _factor(ratio.den)
    return constant / below, listed + [(base, -power) for base, power in under]


def _factor(poly: Polynomial) -> tuple[Any, list[tuple[Polynomial, int]]]:
    constant, listed = poly.factor()
    monic = []
    for base, power in listed:
        leading = base.leading_coefficient()
        constant *= leading**power
        monic.append((base / leading, power))
    return constant, monic


def grouped(poly: Polynomial, columns: tuple[int, ...]) -> dict[tuple[int, ...], Polynomial]:
    """poly as a polynomial in the generators `columns`: their exponents -> coefficient."""
    parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for exponents, coefficient in poly.to_dict().items():
        head = tuple(int(exponents[i]) for i in columns)
        tail = list(exponents)
        for i in columns:
            tail[i] = 0
        parts.setdefault(head, {})[tuple(tail)] = coefficient
    context = poly.context()
    return {head: context.from_dict(part) for head, part in parts.items()}


def monomials(ratio: Ratio) -> list[tuple[Fraction, Ratio]]:
    """The terms of the numerator over the denominator, as weight and monic part."""
    context = ratio.num.context()
    return [
        (Fraction(int(weight.p), int(weight.q)), lowest(context.from_dict({powers: 1}), ratio.den))
        for powers, weight in ratio.num.to_dict().items()
    ]


def folded(poly: Polynomial, column: int, n: int, value: Polynomial) -> Polynomial:
    """poly with the n-th power of one generator replaced by `value`."""
    variable = poly.context().gens()[column]
    total = 0 * poly
    for (power,), coefficient in grouped(poly, (column,)).items():
        total += coefficient * variable ** (power % n) * value ** (power // n)
    return total
