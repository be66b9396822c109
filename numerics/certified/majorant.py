r"""Growth bounds of an integrand far out, read off its tree: what proves the tail of an integral.

On a half-line z = +-u, u >= 0, a function f is known by

    upper   a growth g with |f| <= g,
    lower   a growth g with  f >= g > 0, or None where f is not known to be positive,
    poly    its coefficients in u up to degree two, or None,

where a growth is e^{c0 + c1 u + c2 u^2} (1 + u)^k. Every rule below holds for all u >= 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

from flint import arb, fmpq

from numerics.expression import Definitions, expand
from numerics.point import Unreachable

Ball: TypeAlias = Any
ZERO = arb(0)
SMALLEST_LOG = arb(-(2**40))  # stands for log 0 in an upper bound


@dataclass(frozen=True, slots=True)
class Growth:
    """e^{c0 + c1 u + c2 u^2} (1 + u)^k."""

    c0: Ball = ZERO
    c1: Ball = ZERO
    c2: Ball = ZERO
    k: Ball = ZERO

    @property
    def rates(self) -> tuple[Ball, Ball, Ball, Ball]:
        return self.c0, self.c1, self.c2, self.k

    def __mul__(self, other: Growth) -> Growth:
        return Growth(*(a + b for a, b in zip(self.rates, other.rates, strict=True)))

    def power(self, exponent: Ball) -> Growth:
        return Growth(*(a * exponent for a in self.rates))

    def plus(self, other: Growth) -> Growth:
        """At most twice the greater one."""
        c0, *rest = (a.max(b) for a, b in zip(self.rates, other.rates, strict=True))
        return Growth(c0 + arb.const_log2(), *rest)

    def far(self) -> tuple[float, ...]:
        """Orders growths as they are ordered far out; steers a choice that is right either way."""
        return tuple(float(a) for a in (self.c2, self.c1, self.k, self.c0))

    def tail(self, start: Ball) -> Ball:
        """Integral from `start` >= 0 on: the logarithm is concave, so its slope bounds it."""
        c0, c1, c2, k = *self.rates[:3], self.k.max(ZERO)
        u = start
        slope = c1 + 2 * c2 * u + k / (1 + u)
        if not (c2 <= 0 and slope < 0):
            return arb.pos_inf()
        return ((c0 + c1 * u + c2 * u**2).exp() * (1 + u) ** k / -slope).upper()


@dataclass(frozen=True, slots=True)
class Majorant:
    """What is known of a function on the half-line (see the module)."""

    upper: Growth
    lower: Growth | None = None
    poly: tuple[Ball, ...] | None = None


def polynomial(*coefficients: Ball) -> Majorant:
    """Coefficients from the constant up; |p(u)| <= sum |c_i| (1 + u)^degree."""
    size = sum((abs(c) for c in coefficients), ZERO)
    upper = Growth(_log(size), k=arb(len(coefficients) - 1))
    positive = len(coefficients) == 1 and coefficients[0] > 0
    lower = Growth(coefficients[0].log()) if positive else None
    return Majorant(upper, lower, coefficients)


def _log(size: Ball) -> Ball:
    return size.upper().log() if size.upper() > 0 else SMALLEST_LOG


def _affine(f: Majorant) -> tuple[Ball, Ball] | None:
    if f.poly is None or len(f.poly) > 2:
        return None
    return f.poly[0], f.poly[1] if len(f.poly) == 2 else ZERO


def _add(f: Majorant, g: Majorant) -> Majorant:
    lower = max((f.lower, g.lower), key=Growth.far) if f.lower and g.lower else None
    poly = None
    if f.poly is not None and g.poly is not None:
        n = max(len(f.poly), len(g.poly))
        pad = [(*p, *[ZERO] * (n - len(p))) for p in (f.poly, g.poly)]
        poly = tuple(a + b for a, b in zip(*pad, strict=True))
    return Majorant(f.upper.plus(g.upper), lower, poly)


def _multiply(f: Majorant, g: Majorant) -> Majorant:
    lower = f.lower * g.lower if f.lower and g.lower else None
    poly = None
    if f.poly is not None and g.poly is not None and len(f.poly) + len(g.poly) <= 4:
        product = [ZERO] * (len(f.poly) + len(g.poly) - 1)
        for i, a in enumerate(f.poly):
            for j, b in enumerate(g.poly):
                product[i + j] += a * b
        poly = tuple(product)
    return Majorant(f.upper * g.upper, lower, poly)


def _power(f: Majorant, exponent: Majorant) -> Majorant:
    if exponent.poly is None or len(exponent.poly) > 1:
        raise Unreachable("no tail bound is known for a power whose exponent varies")
    (r,) = exponent.poly
    n = r.unique_fmpz()
    if n is not None and n > 0:
        return reduce(_multiply, [f] * int(n))
    if r > 0:
        return Majorant(f.upper.power(r), f.lower.power(r) if f.lower else None)
    if f.lower is None:
        raise Unreachable("no tail bound is known for a reciprocal of a function that may vanish")
    return Majorant(f.lower.power(r), f.upper.power(r))


def _exp(f: Majorant) -> Majorant:
    if f.poly is not None:
        growth = Growth(*f.poly)
        return Majorant(growth, growth)
    if not all(rate <= 0 for rate in f.upper.rates[1:]):
        raise Unreachable(
            "no tail bound is known for exp of a function neither a polynomial nor bounded"
        )
    size = f.upper.c0.exp()
    return Majorant(Growth(size), Growth(-size))


def _log_of(f: Majorant) -> Majorant:
    """|log f| <= max |log of a bound| <= sum |c_i| (1 + u)^degree."""
    if f.lower is None:
        raise Unreachable("no tail bound is known for the logarithm of a function that may vanish")
    pairs = zip(f.upper.rates, f.lower.rates, strict=True)
    c0, c1, c2, k = (abs(a).max(abs(b)) for a, b in pairs)
    degree = arb(1 if c2.is_zero() else 2)
    return Majorant(Growth(_log(c0 + c1 + c2 + k), k=degree))


def _cosh(f: Majorant) -> Majorant:
    affine = _affine(f)
    if affine is None:
        raise Unreachable("no tail bound is known for cosh of a function that is not affine")
    c0, c1 = affine
    sign = -1 if c1 < 0 else 1
    half = Growth(-arb.const_log2() + sign * c0, sign * c1)
    return Majorant(Growth(abs(c0), abs(c1)), half)


def _sech(f: Majorant) -> Majorant:
    affine = _affine(f)
    if affine is None:
        return BOUNDED
    cosh = _power(_cosh(f), polynomial(arb(-1)))
    return cosh if not affine[1].contains(0) else Majorant(Growth(), cosh.lower)


def _sinh(f: Majorant) -> Majorant:
    return Majorant(_cosh(f).upper)


def _unsigned(*values: Majorant) -> Majorant:
    """Abs, Min, Max: no greater than the sum of the sizes."""
    return Majorant(reduce(Growth.plus, (f.upper for f in values)))


BOUNDED = Majorant(Growth())
FUNCTIONS: Mapping[str, Callable[..., Majorant]] = {
    "Add": lambda *terms: reduce(_add, terms),
    "Mul": lambda *factors: reduce(_multiply, factors),
    "Pow": _power,
    "exp": _exp,
    "log": _log_of,
    "cosh": _cosh,
    "sinh": _sinh,
    "sech": _sech,
    "tanh": lambda _: BOUNDED,
    "cos": lambda _: BOUNDED,
    "sin": lambda _: BOUNDED,
    "erf": lambda _: BOUNDED,
    "erfc": lambda _: Majorant(Growth(arb.const_log2())),
    "Abs": _unsigned,
    "Min": _unsigned,
    "Max": _unsigned,
}


@dataclass(frozen=True, slots=True)
class Majorants:
    """Folds a tree into a `Majorant`; raises Unreachable where no rule gives a bound."""

    definitions: Definitions

    @property
    def functions(self) -> Mapping[str, Callable[..., Majorant]]:
        return FUNCTIONS

    def rational(self, p: int, q: int) -> Majorant:
        return polynomial(arb(fmpq(p, q)))

    def constant(self, name: str) -> Majorant:
        return polynomial(arb.pi() if name == "Pi" else arb.const_e())

    def call(self, head: str, arguments: tuple[Majorant, ...]) -> Majorant:
        return expand(head, arguments, self.definitions, self)

    def integral(self, *_: Any) -> Majorant:
        raise Unreachable("no tail bound is known for an integral inside an integrand")
