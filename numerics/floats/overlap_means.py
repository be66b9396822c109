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

from numerics.floats.wide import ULP, Floats, Wide, exact, exponential, multiply, wide

NODES = 96  # on either side of the peak
_NATS = 38.0  # the sum is cut where the integrand has fallen by e^-38
_CHUNK = 512
_SAFE_POLE = 2.8  # < pi
_ROUNDING = ULP + 4


def sech_overlap(phi: Wide, delta: Wide) -> Wide:
    """S(phi, delta)."""
    return _mean(_sech, phi, delta)


def softplus_mean(c: Wide, delta: Wide) -> Wide:
    """A(c, delta)."""
    return multiply(_tilt(c, delta), _mean(_softplus, c, delta))


def second_moment(phi: Wide, delta: Wide) -> Wide:
    """E2(phi, delta)."""
    return multiply(_tilt(phi, delta), _mean(_sech_sigma, phi, delta))
