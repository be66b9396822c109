"""How long work takes, and the point that is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

LOGIT = Fraction(-5, 6)


def best(work: Callable[[], Any], repeats: int = 5) -> float:
    """Seconds of the fastest of several runs, after one that warms caches."""
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)
