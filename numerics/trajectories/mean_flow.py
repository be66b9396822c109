"""Flows of several coordinates, x' = v(x), at given times, each with an ESTIMATE of its error.

To many digits by Gragg's modified midpoint rule, extrapolated (Bulirsch and Stoer; Hairer, Nørsett
and Wanner, "Solving Ordinary Differential Equations I", II.9), in double precision by SciPy. Either
integrates twice, and the estimate is the difference from the run at a looser tolerance. The
velocity is passed in; nothing here knows a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from mpmath.ctx_mp import MPContext
from numpy.typing import NDArray

from numerics.point import Unreachable
from numerics.trajectories.scalar_states import Reached

Vector: TypeAlias = tuple[Any, ...]
Velocity: TypeAlias = Callable[[Any, Vector], Vector]
Array: TypeAlias = NDArray[np.float64]

_GUARD = 10
_LOOSER = 3  # digits between the two runs
_FASTEST = 4  # times wider, the next step
_FIRST_STEP = Fraction(1, 8)


def precise(
    velocity: Velocity, start: Sequence[Fraction], times: Iterable[Fraction], digits: int
) -> Iterator[Reached]:
    """The states (tuples) at increasing times to about `digits` digits, as they are reached.

    velocity(context, state) is the rate, in numbers of the mpmath context it is given. Raises
    Unreachable where a step shrinks to nothing.
    """
    times = list(times)
    fine, coarse = (_extrapolated(velocity, start, times, d) for d in (digits, digits - _LOOSER))
    for time, state, rough in zip(times, fine, coarse, strict=True):
        yield Reached(time, state, max(abs(a - b) for a, b in zip(state, rough, strict=True)))


def _extrapolated(
    velocity: Velocity, start: Sequence[Fraction], times: list[Fraction], digits: int
) -> Iterator[Vector]:
    ctx = MPContext()
    ctx.dps = digits + _GUARD
    columns = max(4, digits // 2)  # of order 2 each
    tolerance = ctx.mpf(10) ** -digits
    state = tuple(_real(ctx, value) for value in start)
    now, step = ctx.zero, _real(ctx, _FIRST_STEP)
    for time in times:
        end = _real(ctx, time)
        while now < end:
            width = min(step, end - now)
            if width < tolerance * end:
                raise Unreachable(f"the flow is not resolved past time {ctx.nstr(now, 6)}")
            found, error = _step(ctx, velocity, state, width, columns)
            growth = (
                0.8 * (tolerance / error) ** (ctx.one / (2 * columns - 1)) if error else _FASTEST
            )
            resized = width * min(_FASTEST, growth)
            if error <= tolerance:
                now, state = (end if width == end - now else now + width), found
                step = max(step, resized)  # a width cut short by a wanted time lowers nothing
            else:
                step = resized
        yield state


def _step(
    ctx: Any, velocity: Velocity, state: Vector, width: Any, columns: int
) -> tuple[Vector, Any]:
    """One step, and its change from the extrapolation of one order pair lower."""
    row: list[Vector] = []
    for k in range(1, columns + 1):
        entry = _midpoint(ctx, velocity, state, width, 2 * k)
        new_row = [entry]
        for j, before in enumerate(row, 1):
            ratio = ctx.mpf(k) ** 2 / (k - j) ** 2 - 1
            entry = tuple(a + (a - b) / ratio for a, b in zip(entry, before, strict=True))
            new_row.append(entry)
        row = new_row
    best, second = row[-1], row[-2]
    return best, max(abs(a - b) / max(1, abs(a)) for a, b in zip(best, second, strict=True))


def _midpoint(ctx: Any, velocity: Velocity, state: Vector, width: Any, steps: int) -> Vector:
    """Gragg's rule; its error has an expansion in even powers of width/steps."""
    h = width / steps
    before, now = state, _moved(state, h, velocity(ctx, state))
    for _ in range(steps - 1):
        before, now = now, _moved(before, 2 * h, velocity(ctx, now))
    return tuple(
        (a + b) / 2 for a, b in zip(now, _moved(before, h, velocity(ctx, now)), strict=True)
    )


def _moved(state: Vector, h: Any, rate: Vector) -> Vector:
    return tuple(x + h * v for x, v in zip(state, rate, strict=True))


def floats(
    velocity: Callable[[Array], Array],
    start: Sequence[float],
    times: Iterable[float],
    tolerance: float = 1e-11,
    stiff: bool = False,
) -> Iterator[Reached]:
    """The states (arrays) at increasing times in double precision, as they are reached.

    By an explicit rule of order 8, or, for a flow that is stiff or followed long after it has come
    to rest, by backward differentiation. Raises Unreachable where the solver gives up.
    """
    rule = "BDF" if stiff else "DOP853"
    fine = coarse = np.array(start, dtype=float)
    now = 0.0
    for time in times:
        if time > now:
            fine = _solved(velocity, fine, time - now, tolerance, rule)
            coarse = _solved(velocity, coarse, time - now, 100 * tolerance, rule)
            now = time
        yield Reached(time, fine, float(np.abs(fine - coarse).max()))


def _solved(
    velocity: Callable[[Array], Array], state: Array, span: float, tolerance: float, rule: str
) -> Array:
    from scipy.integrate import solve_ivp

    def rate(_: float, x: Array) -> Array:
        found = velocity(x)
        if not np.all(np.isfinite(found)):
            raise Unreachable("the solver gives up: the velocity is not finite")
        return found

    found = solve_ivp(rate, (0.0, span), state, rule, rtol=tolerance, atol=tolerance)
    if not found.success:
        raise Unreachable(f"the solver gives up: {found.message}")
    last: Array = found.y[:, -1]
    return last


def _real(ctx: Any, value: Fraction) -> Any:
    return ctx.mpf(value.numerator) / value.denominator
