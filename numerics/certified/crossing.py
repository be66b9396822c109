"""Where a function goes from above 0 to below, isolated by signs that are proved."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from numerics.point import Unreachable

Ball: TypeAlias = Any
_MOST_DOUBLINGS = 24


def isolate(
    f: Callable[[Fraction], Ball], start: Fraction, width: Fraction
) -> tuple[Fraction, Fraction]:
    """Ends of an interval no wider than `width` with f > 0 at the lower and f < 0 at the upper.

    f maps an exact place to a ball. Of a continuous function whose sign changes once (a slope of
    something strictly concave) this proves that its zero lies between them. The search goes out
    from `start` by steps that double. Raises Unreachable where no change of sign is seen, or where
    a ball holds 0.
    """
    low = high = start
    step = Fraction(1)
    for _ in range(_MOST_DOUBLINGS):
        if f(low) > 0 and f(high) < 0:
            break
        low = low - step if not f(low) > 0 else low
        high = high + step if not f(high) < 0 else high
        step *= 2
    else:
        raise Unreachable("no change of sign was seen")
    while high - low > width:
        middle = (low + high) / 2
        value = f(middle)
        if value > 0:
            low = middle
        elif value < 0:
            high = middle
        else:
            raise Unreachable("a sign was not decided so close to the zero")
    return low, high
