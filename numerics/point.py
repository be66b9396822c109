"""Exact inputs shared by every numeric lane, and the one way a lane declines.

A lane receives fractions (or the logit of a fraction) and rounds them itself, at the precision
it works in: `mpf(.3)` is not 3/10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Logit:
    """log(w / (1 - w)) of an exact weight w in (0, 1), rounded only by the lane that reads it."""

    weight: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.weight < 1:
            raise ValueError(f"weight must lie in (0, 1), got {self.weight}")


Exact: TypeAlias = Fraction | Logit
Point: TypeAlias = Mapping[str, Exact]


class Unreachable(Exception):
    """A lane cannot answer here; the message is the one-sentence reason that is printed."""
