"""An expression over a box: its range and the ranges of its partial derivatives.

A jet of a positive quantity carries the derivatives of its logarithm, so that products, powers
and exponentials add what would otherwise multiply: e^{-phi/2} S has the logarithmic slope
S_phi/S - 1/2, which is not positive on any box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from flint import arb

from numerics.certified.intervals import (
    NOTHING,
    ONE,
    ZERO,
    Ball,
    Interval,
    Unbounded,
    add,
    decreasing,
    hull,
    increasing,
    inverse,
    multiply,
    negative,
    point,
    size,
)
from numerics.certified.ranges import sigma

Slopes: TypeAlias = tuple[Interval | None, ...]
"""One range a variable; None where the quantity does not depend on it."""


class Jet(NamedTuple):
    """Range and slopes; logarithmic: the quantity is positive, the slopes are its logarithm's."""

    range: Interval
    slopes: Slopes
    logarithmic: bool = False


def slopes(jet: Jet) -> Slopes:
    """Of the quantity itself."""
    return scaled(jet.slopes, jet.range) if jet.logarithmic else jet.slopes


def scaled(parts: Slopes, factor: Interval) -> Slopes:
    return tuple([None if part is None else multiply(part, factor) for part in parts])


def summed(*parts: Slopes) -> Slopes:
    """Componentwise."""
    total, *rest = parts
    for each in rest:
        total = tuple(
            [
                b if a is None else a if b is None else add(a, b)
                for a, b in zip(total, each, strict=True)
            ]
        )
    return total


def _add(*jets: Jet) -> Jet:
    lo = hi = ZERO
    for jet in jets:
        lo, hi = lo + jet.range.lo, hi + jet.range.hi
    return Jet(Interval(lo, hi), summed(*[slopes(jet) for jet in jets]))


def _multiply(*jets: Jet) -> Jet:
    """The positive factors by logarithms, then the others one at a time."""
    positive = [jet for jet in jets if jet.logarithmic]
    others = [jet for jet in jets if not jet.logarithmic]
    total = _product(positive) if positive else others.pop(0)
    for jet in others:
        rate = slopes(jet)
        if total.logarithmic:  # (x y)' = x (y' + y (log x)')
            inner = summed(rate, scaled(total.slopes, jet.range))
            both = scaled(inner, total.range)
        else:
            both = summed(scaled(total.slopes, jet.range), scaled(rate, total.range))
        total = Jet(multiply(total.range, jet.range), both)
    return total


def _product(jets: Sequence[Jet]) -> Jet:
    lo, hi = jets[0].range
    for jet in jets[1:]:
        lo, hi = lo * jet.range.lo, hi * jet.range.hi
    return Jet(Interval(lo, hi), summed(*[jet.slopes for jet in jets]), True)


def _power(base: Jet, exponent: Jet) -> Jet:
    p = exponent.range.lo
    if not p.is_exact() or exponent.range.hi != p:
        if any(part is not None for part in exponent.slopes) or not base.range.lo > 0:
            raise Unbounded("a power with an exponent that varies")
        return _exp(_multiply(exponent, _log(base)))
    if base.range.lo > 0:
        rate = base.slopes if base.logarithmic else scaled(base.slopes, inverse(base.range))
        ends = Interval(base.range.lo**p, base.range.hi**p)
        return Jet(Interval(*ends[::-1]) if p < 0 else ends, scaled(rate, point(p)), True)
    n = p.unique_fmpz()
    if n is None:
        return _root(base, p)
    n = int(n)
    if n < 0:
        return _power(_reciprocal(base), Jet(point(-p), exponent.slopes))
    return Jet(
        whole_power(base.range, n),
        scaled(slopes(base), multiply(point(arb(n)), whole_power(base.range, n - 1))),
    )


def _root(base: Jet, p: Ball) -> Jet:
    if not (base.range.lo >= 0 and p > 0):
        raise Unbounded("a power of what may be negative")
    if p < 1 and any(part is not None for part in base.slopes):
        raise Unbounded("a root of what may be 0")
    ends = [arb(0) if end.is_zero() else end**p for end in base.range]
    rate = point(ZERO) if p < 1 else Interval(arb(0), p * base.range.hi ** (p - 1))
    return Jet(Interval(*ends), scaled(slopes(base), rate))


def whole_power(x: Interval, n: int) -> Interval:
    """x^n for n >= 0."""
    if n == 0:
        return ONE
    if n % 2 == 0:
        x = size(x)
    return Interval(x.lo**n, x.hi**n)


def _reciprocal(x: Jet) -> Jet:
    found = inverse(x.range)
    return Jet(found, scaled(slopes(x), negative(multiply(found, found))))


def _exp(u: Jet) -> Jet:
    return Jet(increasing(arb.exp, u.range), slopes(u), True)


def _log(u: Jet) -> Jet:
    if not u.range.lo > 0:
        raise Unbounded("a logarithm of what may not be positive")
    rate = u.slopes if u.logarithmic else scaled(u.slopes, inverse(u.range))
    return Jet(increasing(arb.log, u.range), rate)


def _cosh(u: Jet) -> Jet:
    return Jet(
        increasing(arb.cosh, size(u.range)),
        scaled(slopes(u), increasing(arb.tanh, u.range)),
        True,
    )


def _sech(u: Jet) -> Jet:
    return _power(_cosh(u), constant(arb(-1), len(u.slopes)))


def _sinh(u: Jet) -> Jet:
    rate = increasing(arb.cosh, size(u.range))
    return Jet(increasing(arb.sinh, u.range), scaled(slopes(u), rate))


def _tanh(u: Jet) -> Jet:
    rate = decreasing(lambda x: x.sech() ** 2, size(u.range))
    return Jet(increasing(arb.tanh, u.range), scaled(slopes(u), rate))


def _erf(u: Jet) -> Jet:
    rate = decreasing(_gauss, size(u.range))
    return Jet(increasing(arb.erf, u.range), scaled(slopes(u), rate))


def _erfc(u: Jet) -> Jet:
    # erfc is log-concave: its logarithm's slope falls
    rate = decreasing(lambda x: -_gauss(x) / x.erfc(), u.range)
    return Jet(decreasing(arb.erfc, u.range), scaled(slopes(u), rate), True)


def _gauss(x: Ball) -> Ball:
    return 2 / arb.pi().sqrt() * (-x * x).exp()


def _softplus(u: Jet) -> Jet:
    """log(1 + e^u)."""
    rate = increasing(sigma, u.range)
    return Jet(increasing(lambda x: x.exp().log1p(), u.range), scaled(slopes(u), rate))


def _logistic(u: Jet) -> Jet:
    rate = decreasing(lambda x: sigma(-x), u.range)
    return Jet(increasing(sigma, u.range), scaled(slopes(u), rate), True)


def _abs(u: Jet) -> Jet:
    if u.range.lo >= 0:
        return u
    sign = -1 if u.range.hi <= 0 else None
    rate = point(arb(-1)) if sign else Interval(arb(-1), arb(1))
    return Jet(size(u.range), scaled(slopes(u), rate))


def _least(*jets: Jet) -> Jet:
    x, *rest = jets
    for y in rest:
        if x.range.hi <= y.range.lo:
            continue
        if y.range.hi <= x.range.lo:
            x = y
            continue
        rate = tuple(
            [
                None if a is None and b is None else hull(a or NOTHING, b or NOTHING)
                for a, b in zip(slopes(x), slopes(y), strict=True)
            ]
        )
        x = Jet(Interval(x.range.lo.min(y.range.lo), x.range.hi.min(y.range.hi)), rate)
    return x


def _opposite(x: Jet) -> Jet:
    return Jet(negative(x.range), scaled(slopes(x), point(arb(-1))))


def _greatest(*jets: Jet) -> Jet:
    return _opposite(_least(*[_opposite(jet) for jet in jets]))


FUNCTIONS: Mapping[str, Callable[..., Jet]] = {
    "Add": _add,
    "Mul": _multiply,
    "Pow": _power,
    "exp": _exp,
    "log": _log,
    "cosh": _cosh,
    "sech": _sech,
    "sinh": _sinh,
    "tanh": _tanh,
    "erf": _erf,
    "erfc": _erfc,
    "softplus": _softplus,
    "logistic": _logistic,
    "Abs": _abs,
    "Min": _least,
    "Max": _greatest,
}


def constant(x: Ball, variables: int) -> Jet:
    """A number as a jet."""
    return Jet(point(x), (None,) * variables, bool(x > 0))
