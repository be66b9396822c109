"""Arrays of numbers m·2^e: e^(-delta^2/8) never underflows, and the noise of each is estimated.

noise is log2 of the absolute error that rounding may have left, -inf where there is none: what
cancels to less than its noise says nothing. A value that is not defined is nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
ULP = -52.0  # log2 of the relative error of one operation
_LOWEST = -(2.0**50)  # the exponent of 0
_MOST_SHIFT = 2_000.0  # past it a float is 0 or infinite
_FAR = 5.0  # where erfc is taken from its continued fraction
_FRACTION_TERMS = 40


@dataclass(frozen=True, slots=True)
class Wide:
    """mantissa·2^exponent, 1/2 <= |mantissa| < 1 or mantissa 0; exponents are whole floats."""

    mantissa: Floats
    exponent: Floats
    noise: Floats

    @property
    def size(self) -> Floats:
        """log2 of the absolute value."""
        return np.log2(np.abs(self.mantissa)) + self.exponent

    @property
    def floats(self) -> Floats:
        """Rounded to doubles, which may underflow or overflow."""
        return _scaled(self.mantissa, self.exponent)


def exact(values: Floats | float) -> Wide:
    """Doubles, taken as exact."""
    return wide(np.asarray(values, dtype=np.float64), 0.0, -np.inf)


def wide(mantissa: Floats, exponent: Floats | float, noise: Floats | float) -> Wide:
    """Normalises."""
    fraction, shift = np.frexp(mantissa)
    total = np.where(fraction == 0, _LOWEST, shift + exponent)
    return Wide(fraction, total, np.broadcast_to(np.asarray(noise, dtype=np.float64), total.shape))


def rounded(
    mantissa: Floats | float, exponent: Floats | float, noise: Floats | float = -np.inf
) -> Wide:
    """Normalises, and counts the rounding of the mantissa besides the noise it had before."""
    value = wide(np.asarray(mantissa, dtype=np.float64), exponent, noise)
    return Wide(value.mantissa, value.exponent, np.logaddexp2(value.noise, value.size + ULP))


def _scaled(mantissa: Floats, exponent: Floats) -> Floats:
    shift = np.clip(exponent, -_MOST_SHIFT, _MOST_SHIFT).astype(np.int32)
    return np.ldexp(mantissa, shift)


def add(*terms: Wide) -> Wide:
    """The sum, of any number of terms."""
    total = terms[0]
    for term in terms[1:]:
        top = np.maximum(total.exponent, term.exponent)
        mantissa = _scaled(total.mantissa, total.exponent - top) + _scaled(
            term.mantissa, term.exponent - top
        )
        total = rounded(mantissa, top, np.logaddexp2(total.noise, term.noise))
    return total


def multiply(*factors: Wide) -> Wide:
    """The product, of any number of factors."""
    total = factors[0]
    for factor in factors[1:]:
        noise = np.logaddexp2(total.noise + factor.size, factor.noise + total.size)
        noise = np.where(np.isnan(noise), np.fmax(total.noise, factor.noise), noise)
        total = rounded(total.mantissa * factor.mantissa, total.exponent + factor.exponent, noise)
    return total


def negate(x: Wide) -> Wide:
    return Wide(-x.mantissa, x.exponent, x.noise)


def subtract(x: Wide, y: Wide) -> Wide:
    return add(x, negate(y))


def reciprocal(x: Wide) -> Wide:
    """1/x; nan at 0."""
    inverse = np.where(x.mantissa == 0, np.nan, 1 / x.mantissa)
    return rounded(inverse, -x.exponent, x.noise - 2 * x.size)


def exponential(x: Wide) -> Wide:
    """e^x, whatever its size."""
    value = x.floats
    whole = np.rint(value / math.log(2))
    mantissa = np.exp(value - whole * math.log(2))
    relative = np.logaddexp2(x.noise, x.size + ULP)
    return rounded(mantissa, whole, np.log2(mantissa) + whole + relative)


def logarithm(x: Wide) -> Wide:
    """log x; nan where x <= 0."""
    near = np.abs(x.exponent) < 1_000
    value = np.where(near, np.log(x.floats), np.log(x.mantissa) + x.exponent * math.log(2))
    value = np.where(x.mantissa > 0, value, np.nan)
    return rounded(value, 0.0, x.noise - x.size)


def power(base: Wide, exponent: Wide) -> Wide:
    """base^exponent: a whole constant exponent by products, any other by way of the logarithm."""
    if exponent.mantissa.ndim == 0 and float(exponent.floats).is_integer():
        whole = int(exponent.floats)
        value = _whole_power(base, abs(whole)) if whole else exact(np.ones_like(base.mantissa))
        return value if whole >= 0 else reciprocal(value)
    return exponential(multiply(exponent, logarithm(base)))


def _whole_power(base: Wide, exponent: int) -> Wide:
    if exponent == 1:
        return base
    half = _whole_power(base, exponent // 2)
    square = multiply(half, half)
    return multiply(square, base) if exponent % 2 else square


def cosh(x: Wide) -> Wide:
    return multiply(exact(0.5), add(exponential(x), exponential(negate(x))))


def sinh(x: Wide) -> Wide:
    return multiply(exact(0.5), subtract(exponential(x), exponential(negate(x))))


def tanh(x: Wide) -> Wide:
    value = np.tanh(x.floats)
    return rounded(value, 0.0, x.noise)


def erf(x: Wide) -> Wide:
    return rounded(_each(math.erf)(x.floats), 0.0, x.noise + 1)


def erfc(x: Wide) -> Wide:
    """By e^(-x^2) times a continued fraction where x is large."""
    value = x.floats
    slope = 0.5 - value**2 / math.log(2)  # log2 of that of erfc, and more
    near = rounded(_each(math.erfc)(value), 0.0, x.noise + slope)
    fraction = np.zeros_like(value)
    for k in range(_FRACTION_TERMS, 0, -1):
        fraction = (k / 2) / (np.maximum(value, _FAR) + fraction)
    rest = 1 / (np.maximum(value, _FAR) + fraction) / math.sqrt(math.pi)
    far = multiply(exponential(negate(multiply(x, x))), rounded(rest, 0.0, x.noise))
    return choose(value < _FAR, near, far)


def absolute(x: Wide) -> Wide:
    return Wide(np.abs(x.mantissa), x.exponent, x.noise)


def smallest(x: Wide, *others: Wide) -> Wide:
    """The least of all."""
    for y in others:
        x = choose(subtract(x, y).mantissa <= 0, x, y)
    return x


def largest(x: Wide, *others: Wide) -> Wide:
    """The greatest of all."""
    for y in others:
        x = choose(subtract(x, y).mantissa >= 0, x, y)
    return x


def choose(where: NDArray[np.bool_], x: Wide, y: Wide) -> Wide:
    """x where it is told, y elsewhere."""
    return Wide(
        np.where(where, x.mantissa, y.mantissa),
        np.where(where, x.exponent, y.exponent),
        np.where(where, x.noise, y.noise),
    )


def _each(function: Callable[[float], float]) -> Callable[[Floats], Floats]:
    """A function of math on arrays."""
    return np.vectorize(function, otypes=[np.float64])
