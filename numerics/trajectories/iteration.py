"""Maps iterated on states of many digits, and what two working precisions differ by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath.ctx_mp import MPContext

from numerics.trajectories.scalar_flow import exact

State: TypeAlias = tuple[Fraction, ...]
Map: TypeAlias = Callable[[State, int], Sequence[Any]]
_FINER = 6  # digits between the two precisions


def iterate(step: Map, start: Sequence[Fraction], digits: int) -> Iterator[tuple[State, Fraction]]:
    """The start and every state after it, without end, each with an ESTIMATE of its error.

    step(state, digits) maps an exact state to the next one, correct to `digits` digits. Two orbits
    run side by side, rounded to digits and digits + 6; the estimate is their distance, so it
    holds what rounding errors have grown to.
    """
    rounded = finer = tuple(start)
    while True:
        yield finer, max(abs(a - b) for a, b in zip(rounded, finer, strict=True))
        rounded = _round(step(rounded, digits), digits)
        finer = _round(step(finer, digits + _FINER), digits + _FINER)


def _round(values: Sequence[Any], digits: int) -> State:
    """To that many digits; fractions stay as they are."""
    ctx = MPContext()
    ctx.dps = digits
    return tuple(v if isinstance(v, Fraction) else exact(+ctx.mpf(v)) for v in values)
