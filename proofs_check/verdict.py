"""Levels of evidence, and what may be concluded from several."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """How strongly a claim is held. It has no truth value: ask for the level you mean."""

    PROVED = "symbolic proof for all parameters, assuming what is cited"
    CERTIFIED = "ball arithmetic over the box named"
    SUPPORTED = "holds at the points tried, to the digits or error named"
    REFUTED = "a witness is at hand"
    UNDECIDED = "no lane decides it"

    def __bool__(self) -> bool:
        raise TypeError(f"a verdict has no truth value: compare {self.name} with a level")


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """REFUTED before all, then the highest level reached; UNDECIDED when there is none."""
    found = set(verdicts)
    for level in (Verdict.REFUTED, Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED):
        if level in found:
            return level
    return Verdict.UNDECIDED
