"""States along the flow of one scalar, x' = v(x), at given times: t = ∫ dx/v(x), inverted.

On each panel 1/v is expanded in Legendre polynomials from its values at Gauss nodes; the series is
integrated term by term and the time inverted by bisection, at no further velocity. Panels are cut
in the state and judged relative to the time passed, so that every decade of a flow that slows down
costs the same. The velocity is passed in; nothing here knows a formula.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath.calculus.quadrature import GaussLegendre
from mpmath.ctx_mp import MPContext

from numerics.trajectories.scalar_flow import Velocity, exact

_GUARD = 10
_WIDEST = 4
_REST = 16  # a panel is resolved within a few widths of a state of rest


@dataclass(frozen=True, slots=True)
class Reached:
    """The state at a time, and an ESTIMATE of its error."""

    time: Any
    state: Any
    error: Any


@dataclass(frozen=True, slots=True)
class _Panel:
    """From state `low`, `passed` after the start: dt/dx over `width` as a Legendre series. tail:
    how much an order two lower changes the time, this panel and all before it summed."""

    low: Fraction
    width: Fraction
    series: tuple[Any, ...]
    passed: Any
    tail: Any

    @property
    def end(self) -> Any:
        return self.passed + _times(self.series[0], self.width)


def states(
    velocity: Velocity, start: Fraction, times: Iterable[Fraction], digits: int
) -> Iterator[Reached]:
    """The states at increasing times, as they are reached, each with an ESTIMATE of its error.

    velocity maps an exact state to a number of digits + 5 digits or more. Near a state of rest the
    panels shrink; within 10^-digits of it the flow counts as having come to rest.
    """
    ctx = MPContext()
    ctx.dps = digits + _GUARD
    panels = _panels(ctx, velocity, start, digits)
    panel, rest = next(panels, None), start
    for time in times:
        while panel is not None and panel.end < _real(ctx, time):
            rest, panel = panel.low + panel.width, next(panels, None)
        if not time:
            yield Reached(time, _real(ctx, start), ctx.zero)
        elif panel is None:
            moves = rest != start
            yield Reached(time, _real(ctx, rest), ctx.mpf(10) ** -digits if moves else ctx.zero)
        else:
            yield _inverted(ctx, panel, time)


def _panels(ctx: Any, velocity: Velocity, start: Fraction, digits: int) -> Iterator[_Panel]:
    """Panels end to end, each as wide as its series resolves, until the flow comes to rest."""
    speed = ctx.mpf(velocity(start))
    if speed == 0:
        return
    tolerance, least = ctx.mpf(10) ** -digits, Fraction(1, _REST * 10**digits)
    rule = GaussLegendre(ctx).calc_nodes(max(3, math.ceil(math.log2(digits / 6)) + 2), ctx.prec)
    low, width, passed, error = start, Fraction(1 if speed > 0 else -1), ctx.zero, ctx.zero
    while abs(width) > least:
        series = _series(ctx, velocity, rule, low, width)
        if series is not None:
            tail = _times(max(abs(series[-1]), abs(series[-2])), width)
            allowed = tolerance * (passed + _times(series[0], width))
        if series is None or abs(tail) > abs(allowed):
            width /= 2
            continue
        panel = _Panel(low, width, series, passed, error + abs(tail))
        yield panel
        low, passed, error = low + width, panel.end, panel.tail
        # twice the width brings a singularity twice as near: the tail grows by 2 a term at most
        if abs(tail) * 2 ** len(series) < allowed and abs(width) < _WIDEST:
            width *= 2


def _series(
    ctx: Any, velocity: Velocity, rule: Sequence[Any], low: Fraction, width: Fraction
) -> tuple[Any, ...] | None:
    """Legendre coefficients of dt/dx, None where the velocity vanishes or turns on the panel."""
    coefficients = [ctx.zero] * len(rule)
    for node, weight in rule:
        speed = ctx.mpf(velocity(low + width * (1 + exact(node)) / 2)) * (1 if width > 0 else -1)
        if not speed > 0:
            return None
        for k, value in enumerate(_legendre(ctx, len(rule), node)):
            coefficients[k] += (2 * k + 1) * weight * value / (2 * speed)
    return tuple(coefficients)


def _inverted(ctx: Any, panel: _Panel, time: Fraction) -> Reached:
    """Where on the panel the time is reached; the time increases along it."""
    wanted = (_real(ctx, time) - panel.passed) / _real(ctx, abs(panel.width)) * 2
    low, high = -ctx.one, ctx.one
    for _ in range(ctx.prec):
        middle = (low + high) / 2
        low, high = (middle, high) if _elapsed(ctx, panel, middle) < wanted else (low, middle)
    place = (low + high) / 2
    state = _real(ctx, panel.low) + _real(ctx, panel.width) * (1 + place) / 2
    slowness = ctx.fdot(zip(panel.series, _legendre(ctx, len(panel.series), place), strict=True))
    return Reached(time, state, panel.tail / abs(slowness))


def _elapsed(ctx: Any, panel: _Panel, place: Any) -> Any:
    """The integral of the series from −1 to place: ∫P_k = (P_{k+1} − P_{k−1})/(2k + 1)."""
    values = list(_legendre(ctx, len(panel.series) + 1, place))
    total = panel.series[0] * (place + 1)
    for k, coefficient in enumerate(panel.series[1:], 1):
        total += coefficient * (values[k + 1] - values[k - 1]) / (2 * k + 1)
    return total


def _legendre(ctx: Any, count: int, x: Any) -> Iterator[Any]:
    """P_0(x), P_1(x), … by their recurrence."""
    before, now = ctx.zero, ctx.one
    for k in range(count):
        yield now
        before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)


def _times(value: Any, width: Fraction) -> Any:
    return value * abs(width.numerator) / width.denominator


def _real(ctx: Any, value: Fraction) -> Any:
    return ctx.mpf(value.numerator) / value.denominator
