"""A time limit for symbolic work, which may otherwise never end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimit(Exception):
    """The time limit has passed before an answer."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TimeLimit inside the block once `seconds` have passed.

    Signals reach the main thread of a process only: that is where symbolic work belongs.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("symbolic work runs in the main thread of a process")

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise TimeLimit(f"not decided within {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
