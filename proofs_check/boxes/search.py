"""Branch and bound: a box is done when any form of the claim proves it, else it is split.

What becomes of a box depends on the box, its depth and the form tried first, which it inherits:
not on what became of others. So the leaves are the same in whatever order boxes are searched, and
by however many workers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from flint import ctx

from proofs_check.boxes.attempt import BITS, Attempt, Leaf, Search, attempt, middle
from proofs_check.conjectures.box import Box

NARROWEST = 2.0**-40
DEEP = 8  # every so many levels all forms are tried


class Waiting(NamedTuple):
    """A box to be decided, how often it was split off, and the form to try first (None: any)."""

    box: Box
    depth: int = 0
    favourite: int | None = None


@dataclass(slots=True)
class State:
    """What is decided and what is still to be; a search may stop at any time and go on later.

    stuck: a box as narrow as any may be; suspect: a point where the claim seems false; looked: how
    many boxes were looked at.
    """

    waiting: list[Waiting]
    leaves: list[Leaf] = field(default_factory=list)
    stuck: Waiting | None = None
    suspect: dict[str, Fraction] | None = None
    looked: int = 0

    @property
    def done(self) -> bool:
        """Whether the leaves cover the whole box."""
        return not self.waiting and self.stuck is None

    @property
    def decided(self) -> Fraction:
        """The volume that the leaves cover, relative to a search's whole box."""
        done = sum((leaf.box.volume for leaf in self.leaves), Fraction(0))
        rest = sum((each.box.volume for each in self.waiting), Fraction(0))
        rest += self.stuck.box.volume if self.stuck else 0
        return done / (done + rest) if done + rest else Fraction(1)


def run(
    search: Search,
    state: State,
    deadline: float,
    progress: Callable[[State], None] = lambda state: None,
    most: float = math.inf,
) -> None:
    """Works until nothing waits, a box is stuck, a point is suspect, time.monotonic() passes the
    deadline, or `most` boxes were looked at."""
    with ctx.workprec(BITS):
        while not (state.done or state.stuck or state.suspect):
            if state.looked >= most or time.monotonic() > deadline:
                break
            step(search, state)
            progress(state)


def step(search: Search, state: State, place: int = -1) -> None:
    """Looks at one of the boxes that wait: a leaf, two boxes in its place, or stuck."""
    entry = state.waiting[place]
    state.looked += 1
    found, favourite = _first(search, entry)
    cut = None if found.leaf else _cut(entry.box, found.weights)
    parts: list[Waiting] = []
    if found.leaf is not None:
        state.leaves.append(found.leaf)
    elif cut is None:
        state.stuck = entry
    else:
        parts = [Waiting(b, entry.depth + 1, favourite) for b in entry.box.split(*cut)]
    state.waiting[place : len(state.waiting) + place + 1] = reversed(parts)
    state.suspect = found.suspect


def _first(search: Search, entry: Waiting) -> tuple[Attempt, int | None]:
    """The first attempt that proves the box, else the most promising; and the form to go on with.

    Whether a hypothesis fails all over the box is asked first, and always.
    """
    hypotheses = [i for i, each in enumerate(search.compiled) if each.form.kind == "hypothesis"]
    order = hypotheses if entry.favourite is None else [*hypotheses, entry.favourite]
    if entry.favourite is None or entry.depth % DEEP == 0:
        order = [*order, *(i for i in range(len(search.compiled)) if i not in order)]
    best, favourite = Attempt(), entry.favourite
    for index in order:
        found = attempt(search, index, entry.box)
        if found.leaf is not None or found.suspect is not None:
            return found, favourite
        if index not in hypotheses and (found.promise > best.promise or not best.weights):
            best, favourite = found, index
    return best, favourite


def _cut(box: Box, weights: Mapping[str, float]) -> tuple[str, Fraction] | None:
    """Where to split: first at 0, about which quantities are even; then the side of the largest
    weight near its middle; None where that is too narrow."""
    for name, lower, upper in box.sides:
        if lower < 0 < upper and weights.get(name, 1.0) > 0:
            return name, Fraction(0)
    widths = {name: float(width) for name, width in box.widths.items()}
    name = max(widths, key=lambda n: (weights.get(n, widths[n]), widths[n]), default="")
    if widths.get(name, 0.0) <= NARROWEST:
        return None
    return name, middle(*next((low, high) for n, low, high in box.sides if n == name))
