r"""S, A and E2 in floats: e^{shift/2 - delta^2/8} E[kernel(X)] with X ~ N(shift, delta^2).

    S    kernel sech(x/2), without the factor in front
    A    kernel e^{-x/2} log(1 + e^x)
    E2   kernel sech(x/2) sigma(x)/2

Each kernel is positive and falls like e^{-|x|/2}, so that one trapezoidal sum through the peak of
the integrand keeps its relative digits at every shift and delta. The nearest poles are +-i pi.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from numerics.floats.wide import ULP, Floats, Wide, exact, exponential, multiply, subtract, wide

NODES = 96  # on either side of the peak
_NATS = 38.0  # the sum is cut where the integrand has fallen by e^-38
_CHUNK = 512
_SAFE_POLE = 2.8  # < pi
_ROUNDING = ULP + 4
_TINY = 1e-300


def sech_overlap(phi: Wide, delta: Wide) -> Wide:
    """S(phi, delta)."""
    return _mean(_sech, 0.5, phi, delta)


def softplus_mean(c: Wide, delta: Wide) -> Wide:
    """A(c, delta)."""
    return multiply(_tilt(c, delta), _mean(_softplus, 0.5, c, delta))


def second_moment(phi: Wide, delta: Wide) -> Wide:
    """E2(phi, delta)."""
    return multiply(_tilt(phi, delta), _mean(_sech_sigma, 1.5, phi, delta))


def _tilt(shift: Wide, delta: Wide) -> Wide:
    """e^{shift/2 - delta^2/8}."""
    square = multiply(exact(0.125), delta, delta)
    return exponential(subtract(multiply(exact(0.5), shift), square))


def _sech(x: Floats, e: Floats) -> Floats:
    return 2 / (1 + e)


def _softplus(x: Floats, e: Floats) -> Floats:
    return np.where(x < 0, np.log1p(e) / np.maximum(e, _TINY), x + np.log1p(e))


def _sech_sigma(x: Floats, e: Floats) -> Floats:
    return 1 / (1 + e) ** 2


def _mean(
    kernel: Callable[[Floats, Floats], Floats], left: float, shift: Wide, delta: Wide
) -> Wide:
    """E[kernel(X)]; nan at delta = 0.

    The kernel is given its argument x and e^{-|x|}, divided by e^{-x/2} for x > 0 and by
    e^{left x} for x < 0.
    """
    centre, width = np.broadcast_arrays(shift.floats, np.abs(delta.floats))
    square = width**2
    peak = np.maximum(centre - square / 2, 0) + np.minimum(centre + left * square, 0)
    rate = np.maximum(np.minimum(0.5 - centre / square, left + centre / square), 0)
    reach = 2 * _NATS / (rate + np.sqrt(rate**2 + 2 * _NATS / square))
    step = reach / NODES
    total = np.empty(peak.shape)
    flat = [np.ravel(each) for each in (centre, square, peak, step)]
    for start in range(0, total.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        total.flat[part] = _sum(kernel, left, *(each[part, None] for each in flat))
    mantissa = total * step / (width * math.sqrt(2 * math.pi))
    top = -((peak - centre) ** 2) / (2 * square) - _fall(peak, left)
    quadrature = -2 * math.pi * _SAFE_POLE / step / math.log(2)
    # |(log S)_phi| <= 1/2 and |(log S)_delta| <= delta/4; those of A and E2 at most double
    argument = np.logaddexp2(shift.noise, delta.noise + delta.size)
    relative = np.logaddexp2(np.maximum(quadrature, _ROUNDING), argument)
    return multiply(
        wide(mantissa, 0.0, np.log2(mantissa) + relative),
        exponential(wide(top, 0.0, np.log2(np.abs(top)) + ULP)),
    )


def _sum(
    kernel: Callable[[Floats, Floats], Floats],
    left: float,
    centre: Floats,
    square: Floats,
    peak: Floats,
    step: Floats,
) -> Floats:
    """Of the integrand over its value at the peak, one row a point."""
    t = step * np.arange(-NODES, NODES + 1)
    x = peak + t
    fall = (t * t + 2 * t * (peak - centre)) / (2 * square) + _fall(x, left) - _fall(peak, left)
    total: Floats = np.sum(np.exp(-fall) * kernel(x, np.exp(-np.abs(x))), axis=1)
    return total


def _fall(x: Floats, left: float) -> Floats:
    return np.where(x < 0, -left * x, x / 2)
