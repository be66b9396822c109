"""What an estimate is asked for, read into double precision and checked, by name."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from numerics.point import Exact, Logit, Point, Unreachable

CLOSEST = 1e-10  # nearer than this the means in R^d differ by little more than their rounding
LARGEST = 1e150  # a square beyond this overflows
DOMAINS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "delta": (lambda x: x > 0, "must be positive"),
    "replay": (lambda x: 0 <= x < 1, "must lie in [0, 1)"),
    "batch": (lambda x: x >= 1 and x == int(x), "must be an integer from 1 on"),
    "radius": (lambda x: x >= 0, "must not be negative"),
}


def check(name: str, value: int, least: int, most: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be an integer, got {value!r}")
    if value < least or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ValueError(f"{name} must be {allowed}, got {value}")


def parameters(estimator: Callable[..., Any], point: Point) -> dict[str, float]:
    """The point in double precision, checked against the parameters the estimator names."""
    names = list(inspect.signature(estimator).parameters)
    if set(names) != set(point):
        raise ValueError(
            f"parameters must be exactly {', '.join(names)}, got {', '.join(point) or 'none'}"
        )
    values = {name: _rounded(name, point[name]) for name in names}
    for name, value in values.items():
        if abs(value) > LARGEST:
            raise Unreachable(f"{name} is beyond {LARGEST:g}, where squares leave double precision")
    for name, (holds, says) in DOMAINS.items():
        if name not in point:
            continue
        if not holds(point[name]):
            raise ValueError(f"{name} {says}, got {point[name]}")
        if not holds(values[name]):
            raise Unreachable(f"{name}, rounded to double precision, leaves its domain")
    delta = values.get("delta", CLOSEST)
    if delta < CLOSEST:
        raise Unreachable(
            f"delta = {delta:g} is below {CLOSEST:g}, where the means are lost to rounding in R^d"
        )
    return values


def _rounded(name: str, value: Exact) -> float:
    """A fraction, or the logit of a weight, rounded to double precision."""
    if not isinstance(value, Logit):
        try:
            return float(value)
        except OverflowError:
            raise Unreachable(f"{name} is beyond the range of double precision") from None
    odds = value.weight / (1 - value.weight)
    if abs(odds - 1) < 0.5:
        return math.log1p(odds - 1)
    return math.log(odds.numerator) - math.log(odds.denominator)
