"""The checker's arithmetic: bounds with exact ends, and bounds of derivatives beside them.

It shares nothing with the search. Ends are rounded outward after every step; derivatives are those
of the logarithm where a quantity is known to be positive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import arb

Ball: TypeAlias = Any


class Inconclusive(Exception):
    """The bounds of an operation do not exist here, or are of no use."""


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers from lo to hi, both exact."""

    lo: Ball
    hi: Ball

    def __add__(self, other: Span) -> Span:
        return around(self.lo + other.lo, self.hi + other.hi)

    def __neg__(self) -> Span:
        return Span(-self.hi, -self.lo)

    def __sub__(self, other: Span) -> Span:
        return self + -other

    def __mul__(self, other: Span) -> Span:
        if self.lo >= 0:
            return other._times_nonnegative(self)
        if other.lo >= 0:
            return self._times_nonnegative(other)
        corners = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return around(min(corners, key=arb.lower), max(corners, key=arb.upper))

    def _times_nonnegative(self, x: Span) -> Span:
        low = self.lo * (x.lo if self.lo >= 0 else x.hi)
        return around(low, self.hi * (x.hi if self.hi >= 0 else x.lo))

    def __truediv__(self, other: Span) -> Span:
        if other.lo <= 0 <= other.hi:
            raise Inconclusive("a divisor may be 0")
        corners = [a / b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return around(min(corners, key=arb.lower), max(corners, key=arb.upper))

    def within(self, other: Span) -> Span:
        """What lies in both, of what is known to."""
        return Span(self.lo.max(other.lo), self.hi.min(other.hi))

    @property
    def near(self) -> Ball:
        """The least size."""
        if self.lo > 0:
            return self.lo
        return -self.hi if self.hi < 0 else arb(0)

    @property
    def far(self) -> Ball:
        """The largest size."""
        return (-self.lo).max(self.hi)


def around(lo: Ball, hi: Ball) -> Span:
    """Outward to exact ends. Raises Inconclusive where one is not finite."""
    if not (lo.is_finite() and hi.is_finite()):
        raise Inconclusive("an end is not finite")
    return Span(lo.lower(), hi.upper())


def number(x: Ball) -> Span:
    """A ball as a span."""
    return around(x, x)


def rising(f: Callable[[Ball], Ball], x: Span) -> Span:
    """Under an increasing function."""
    return around(f(x.lo), f(x.hi))


def falling(f: Callable[[Ball], Ball], x: Span) -> Span:
    """Under a decreasing function."""
    return around(f(x.hi), f(x.lo))


@dataclass(frozen=True, slots=True)
class Bounds:
    """A quantity and its derivatives; `positive` makes them those of its logarithm."""

    value: Span
    rates: tuple[Span, ...]
    positive: bool = False

    def plain(self) -> tuple[Span, ...]:
        """The derivatives of the quantity itself."""
        return tuple(rate * self.value for rate in self.rates) if self.positive else self.rates

    def logarithmic(self) -> Bounds:
        """The same with the derivatives of the logarithm."""
        if self.positive:
            return self
        if not self.value.lo > 0:
            raise Inconclusive("it may not be positive")
        return Bounds(self.value, tuple(rate / self.value for rate in self.rates), True)

    def through(self, value: Span, rate: Span, positive: bool = False) -> Bounds:
        """A function of it, whose range and derivative are given."""
        return Bounds(value, tuple(rate * each for each in self.plain()), positive)


def plus(parts: Sequence[Bounds]) -> Bounds:
    total, rates = parts[0].value, parts[0].plain()
    for part in parts[1:]:
        total = total + part.value
        rates = tuple(a + b for a, b in zip(rates, part.plain(), strict=True))
    return Bounds(total, rates)


def times(parts: Sequence[Bounds]) -> Bounds:
    """Positive factors first: their logarithms' derivatives add."""
    positive = [part for part in parts if part.positive]
    total: Bounds | None = None
    for part in positive:
        if total is None:
            total = part
        else:
            rates = tuple(a + b for a, b in zip(total.rates, part.rates, strict=True))
            total = Bounds(total.value * part.value, rates, True)
    for part in parts:
        if part.positive:
            continue
        if total is None:
            total = part
        elif total.positive:
            rates = tuple(
                (b + a * part.value) * total.value
                for a, b in zip(total.rates, part.rates, strict=True)
            )
            total = Bounds(total.value * part.value, rates)
        else:
            rates = tuple(
                a * part.value + b * total.value
                for a, b in zip(total.rates, part.rates, strict=True)
            )
            total = Bounds(total.value * part.value, rates)
    if total is None:
        raise Inconclusive("an empty product")
    return total


def power(base: Bounds, exponent: Ball) -> Bounds:
    """A power with an exact exponent."""
    whole = exponent.unique_fmpz()
    if base.value.lo > 0:
        root = base.logarithmic()
        monotone = rising if exponent >= 0 else falling
        value = monotone(lambda x: x**exponent, base.value)
        return Bounds(value, tuple(rate * number(exponent) for rate in root.rates), True)
    if whole is None or whole < 1:
        raise Inconclusive("a power of what may not be positive")
    n = int(whole)
    return base.through(_whole(base.value, n), number(exponent) * _whole(base.value, n - 1))


def _whole(x: Span, n: int) -> Span:
    if n % 2:
        return rising(lambda t: t**n, x)
    return around(x.near**n, x.far**n)
