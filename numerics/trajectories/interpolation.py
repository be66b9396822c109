"""A costly velocity made cheap: Chebyshev interpolants on panels, built where they are needed.

Velocities of the theory are analytic in the state within a strip of half-width pi, so that panels
of width 2 need little more than a node a digit; a panel whose last coefficients are not negligible
is halved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath.ctx_mp import MPContext

from numerics.point import Unreachable
from numerics.trajectories.scalar_flow import Velocity, exact

_WIDTH = 2
_GUARD = 6
_MOST_HALVINGS = 12
Panel: TypeAlias = tuple[Any, ...]  # Chebyshev coefficients, from the constant on


def interpolated(velocity: Velocity, digits: int) -> Callable[[Fraction], Any]:
    """The velocity to `digits` digits of its largest value on a panel, as mpf.

    velocity maps an exact state to a number of digits + 6 digits or more. Raises Unreachable where
    halving a panel does not end.
    """
    ctx = MPContext()
    ctx.dps = digits + _GUARD
    panels: dict[tuple[Fraction, int], Panel | None] = {}

    def at(state: Fraction) -> Any:
        for halvings in range(_MOST_HALVINGS):
            width = Fraction(_WIDTH, 2**halvings)
            low = math.floor(state / width) * width
            if (low, halvings) not in panels:
                panels[low, halvings] = _fitted(ctx, velocity, low, width, digits)
            panel = panels[low, halvings]
            if panel is not None:
                return _clenshaw(ctx, panel, _real(ctx, 2 * (state - low) / width - 1))
        raise Unreachable(f"the velocity is not smooth near {float(state):g}")

    return at


def _fitted(
    ctx: Any, velocity: Velocity, low: Fraction, width: Fraction, digits: int
) -> Panel | None:
    """The coefficients on a panel; None where their tail has not died out."""
    count = math.ceil(1.3 * digits) + 4
    angles = [(2 * k + 1) * ctx.pi / (2 * count) for k in range(count)]
    values = [ctx.mpf(velocity(low + width * (1 + exact(ctx.cos(angle))) / 2)) for angle in angles]
    panel = tuple(
        ctx.fdot((value, ctx.cos(j * angle)) for value, angle in zip(values, angles, strict=True))
        * (2 if j else 1)
        / count
        for j in range(count)
    )
    tail = max(abs(coefficient) for coefficient in panel[-2:])
    return panel if tail <= max(map(abs, values)) * ctx.mpf(10) ** -digits else None


def _clenshaw(ctx: Any, panel: Panel, x: Any) -> Any:
    """The Chebyshev series at x in [−1, 1]."""
    before, now = ctx.zero, ctx.zero
    for coefficient in panel[:0:-1]:
        before, now = now, coefficient + 2 * x * now - before
    return panel[0] + x * now - before


def _real(ctx: Any, value: Fraction) -> Any:
    return ctx.mpf(value.numerator) / value.denominator
