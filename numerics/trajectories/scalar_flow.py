"""Times along the gradient flow of one scalar, x' = v(x), by quadrature: t = ∫ dx / v(x).

The velocity is passed in, from whichever lane measured it; nothing here knows a formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath.calculus.quadrature import GaussLegendre
from mpmath.ctx_mp import MPContext

from numerics.point import Unreachable

Velocity = Callable[[Fraction], Any]
_PANEL = 1  # the reciprocal speed is analytic well beyond panels of this width


def elapsed(velocity: Velocity, start: Fraction, stop: Fraction, digits: int) -> tuple[Any, Any]:
    """The time from start to stop and an ESTIMATE of its error: the change from the next coarser
    Gauss-Legendre rule, with numbers of a context of `digits` + 10 digits.

    velocity maps an exact state to a number of any precision above the digits asked for. Raises
    Unreachable where the velocity vanishes or points away from stop on the way.
    """
    ctx = MPContext()
    ctx.dps = digits + 10
    pieces = max(1, math.ceil(abs(stop - start) / _PANEL))
    # each degree doubles the nodes; 3·2^(k−1) of them give about twice as many digits
    degree = max(2, math.ceil(math.log2(digits / 6)) + 1)
    sums = [
        sum(
            _panel(ctx, velocity, start + (stop - start) * k / pieces, (stop - start) / pieces, d)
            for k in range(pieces)
        )
        for d in (degree - 1, degree)
    ]
    return sums[1], abs(sums[1] - sums[0])


def _panel(ctx: Any, velocity: Velocity, low: Fraction, width: Fraction, degree: int) -> Any:
    total = ctx.zero
    for node, weight in GaussLegendre(ctx).calc_nodes(degree, ctx.prec):
        place = low + width * (1 + exact(node)) / 2
        speed = ctx.mpf(velocity(place)) * (1 if width > 0 else -1)
        if not speed > 0:
            raise Unreachable(f"the flow does not pass {float(place):g} on its way")
        total += weight / speed
    return total * abs(width.numerator) / width.denominator / 2


def exact(value: Any) -> Fraction:
    """An mpf as the fraction it is."""
    sign, mantissa, exponent, _ = value._mpf_
    signed = -int(mantissa) if sign else int(mantissa)
    return Fraction(signed << exponent) if exponent >= 0 else Fraction(signed, 1 << -exponent)


def bracket(velocity: Velocity, start: Fraction, stop: Fraction, pieces: int) -> tuple[Any, Any]:
    """Balls below and above the time from start to stop, a proof where |v| is monotone between.

    velocity maps an exact state to an arb. Raises Unreachable where a ball of it touches 0.
    """
    width = (stop - start) / pieces
    speeds = [velocity(start + width * k) * (1 if width > 0 else -1) for k in range(pieces + 1)]
    if not all(speed > 0 for speed in speeds):
        raise Unreachable("the flow is not seen to move all the way")
    step = abs(width)
    times = [step.numerator / (speed * step.denominator) for speed in speeds]
    both = (sum(times[1:]), sum(times[:-1]))
    return (both[0].min(both[1]), both[0].max(both[1]))
