"""Branch and bound: a box is done when any form of the claim proves it, else it is split.

A form proves a box by its range; on the faces where its slopes have a known sign; by the mean value
theorem from the centre of what is left; or because it is identically 0 on such a face.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from numerics.certified.intervals import Interval, Unbounded, point
from numerics.certified.jets import Jet, slopes
from numerics.certified.overlap_table import Corners
from numerics.certified.program import Program, compile_steps
from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.boxes.forms import TYPED, Form, computable, forms, unfold
from proofs_check.boxes.identity import vanishes
from proofs_check.conjectures.box import Box
from proofs_check.draws import rational
from proofs_check.symbolic.normal_form import manifestly_positive
from theorems.language import Claim, Expr

Ball: TypeAlias = Any
Sides: TypeAlias = dict[str, tuple[Fraction, Fraction]]
BITS = 128
NARROWEST = 2.0**-40
DEEP = 4  # every so many levels all forms are tried


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of the box that one form proves; on `faces` (name, end) it may be identically 0.

    margin: a lower bound of the form, relative where the form is a quotient or a logarithm;
    tightest: a point where it is smallest, or near one.
    """

    box: Box
    form: int
    margin: float
    tightest: dict[str, Fraction]
    faces: tuple[tuple[str, Fraction], ...] = ()


@dataclass(slots=True)
class State:
    """What is decided and what is still to be; a search may stop at any time and go on later.

    stuck: a box as narrow as any may be; suspect: a point where the claim seems false.
    """

    waiting: list[tuple[Box, int]]
    leaves: list[Leaf] = field(default_factory=list)
    stuck: Box | None = None
    suspect: dict[str, Fraction] | None = None

    @property
    def done(self) -> bool:
        """Whether the leaves cover the whole box."""
        return not self.waiting and self.stuck is None

    @property
    def decided(self) -> Fraction:
        """The volume that the leaves cover, relative to a search's whole box."""
        done = sum((leaf.box.volume for leaf in self.leaves), Fraction(0))
        rest = sum((box.volume for box, _ in self.waiting), Fraction(0))
        rest += self.stuck.volume if self.stuck else 0
        return done / (done + rest) if done + rest else Fraction(1)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A form, ready to be evaluated; where its factor is positive it is 0 only with the gap."""

    form: Form
    program: Program
    positive: bool


@dataclass(frozen=True, slots=True)
class Search:
    """Everything that stays the same while a box is searched."""

    claim: Claim
    compiled: tuple[Compiled, ...]
    sides: tuple[Program, Program]
    definitions: Definitions
    corners: Corners = field(default_factory=Corners)
    equal: dict[Any, bool] = field(default_factory=dict)

    @property
    def strict(self) -> bool:
        return self.claim.relation == "<"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one form makes of a box: a leaf; or |slope| times width of every side, and a suspect."""

    leaf: Leaf | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    suspect: dict[str, Fraction] | None = None


def prepare(claim: Claim, box: Box, definitions: Definitions) -> Search:
    """The forms of an order, compiled. Raises Unreachable where a side has no range over a box."""
    left, right = (
        compile_steps(computable(unfold(side, definitions, TYPED)), box.names)
        for side in (claim.left, claim.right)
    )
    compiled = []
    for form in forms(claim, definitions):
        program = compile_steps(computable(form.expr), box.names)
        compiled.append(Compiled(form, program, manifestly_positive(form.factor)))
    return Search(claim, tuple(compiled), (left, right), definitions)


def run(
    search: Search,
    state: State,
    deadline: float,
    progress: Callable[[State], None] = lambda state: None,
) -> None:
    """Works until nothing waits, a box is stuck, a point is suspect, or time.monotonic() passes."""
    favourite = 0
    with ctx.workprec(BITS):
        while not (state.done or state.stuck or state.suspect or time.monotonic() > deadline):
            box, depth = state.waiting[-1]
            found, favourite = _first(search, box, depth, favourite)
            cut = None if found.leaf else _cut(box, found.weights)
            state.waiting.pop()
            if found.leaf is not None:
                state.leaves.append(found.leaf)
            elif cut is None:
                state.stuck = box
            else:
                state.waiting += [(part, depth + 1) for part in reversed(box.split(*cut))]
            state.suspect = found.suspect
            progress(state)


def _first(search: Search, box: Box, depth: int, favourite: int) -> tuple[Attempt, int]:
    """The first attempt that proves the box, else the first that says anything; and its form."""
    order = [favourite]
    if depth % DEEP == 0:
        order += [i for i in range(len(search.compiled)) if i != favourite]
    best = Attempt()
    for index in order:
        found = attempt(search, index, box)
        if found.leaf is not None or found.suspect is not None:
            return found, index
        if found.weights and not best.weights:
            best, favourite = found, index
    return best, favourite


def attempt(search: Search, index: int, box: Box) -> Attempt:
    """What the form of that index makes of a box, at the precision of the context."""
    compiled = search.compiled[index]
    sides: Sides = {name: (lower, upper) for name, lower, upper in box.sides}
    faces: dict[str, Fraction] = {}
    try:
        jet = _jet(search, compiled, sides)
        weights = _weights(box, jet)
        while not _holds(jet.range.lo, search.strict) and (fixed := _known_signs(sides, jet)):
            faces |= fixed
            sides |= {name: (end, end) for name, end in fixed.items()}
            jet = _jet(search, compiled, sides)
        lower = jet.range.lo
        centre = {name: _centre(*side) for name, side in sides.items()}
        if not _holds(lower, search.strict):
            there = _jet(search, compiled, {n: (x, x) for n, x in centre.items()}).range
            if there.hi < 0:
                return Attempt(None, weights, centre)
            lower = _mean_value(there.lo, centre, sides, jet)
    except (Unbounded, Unreachable):
        return Attempt()
    if _holds(lower, search.strict):
        return Attempt(Leaf(box, index, float(lower.lower()), centre), weights)
    if faces and compiled.positive and not search.strict:
        on = _equal_face(search, faces)
        if on is not None:
            return Attempt(Leaf(box, index, 0.0, centre, on), weights)
    return Attempt(None, weights)


def slack(search: Search, at: Mapping[str, Fraction]) -> float | None:
    """(right - left)/max(|left|, |right|) at a point, nearly; None where there is no telling."""
    with ctx.workprec(BITS):
        place = [point(ball(x)) for x in at.values()]
        try:
            left, right = (side(search.corners, place).range for side in search.sides)
        except (Unbounded, Unreachable):
            return None
        gap, size = right.lo - left.hi, abs(left.hi).max(abs(right.lo))
        found = float((gap / size).mid()) if size > 0 else 0.0
    return found if abs(found) > 2.0**-80 else 0.0


def _holds(lower: Ball, strict: bool) -> bool:
    """Whether a lower bound is finite and certainly not negative."""
    return bool(lower.is_finite() and (lower > 0 if strict else lower >= 0))


def _jet(search: Search, compiled: Compiled, sides: Sides) -> Jet:
    return compiled.program(search.corners, [_interval(*side) for side in sides.values()])


def _interval(lower: Fraction, upper: Fraction) -> Interval:
    low = ball(lower)
    return point(low) if lower == upper else Interval(low, ball(upper))


def ball(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))


def _weights(box: Box, jet: Jet) -> dict[str, float]:
    """|slope| times width, side by side."""
    found = {}
    for (name, lower, upper), slope in zip(box.sides, slopes(jet), strict=True):
        size = 0.0 if slope is None else float((-slope.lo).max(slope.hi).upper())
        found[name] = size * float(upper - lower)
    return found


def _known_signs(sides: Sides, jet: Jet) -> dict[str, Fraction]:
    """The sides along which the form is monotone, each at the end where it is least."""
    fixed = {}
    for (name, (lower, upper)), slope in zip(sides.items(), slopes(jet), strict=True):
        if lower == upper:
            continue
        if slope is None or slope.lo >= 0:
            fixed[name] = lower
        elif slope.hi <= 0:
            fixed[name] = upper
    return fixed


def _mean_value(lower: Ball, centre: Mapping[str, Fraction], sides: Sides, jet: Jet) -> Ball:
    """A lower bound at the centre less the sum of |slope| times the distance to an end."""
    for (name, side), slope in zip(sides.items(), slopes(jet), strict=True):
        if slope is not None:
            reach = max(side[1] - centre[name], centre[name] - side[0])
            lower = lower - (-slope.lo).max(slope.hi) * ball(reach)
    return lower


def _centre(lower: Fraction, upper: Fraction) -> Fraction:
    """A number of few bits near the middle."""
    if lower == upper:
        return lower
    unit = _unit(upper - lower)
    return round((lower + upper) / 2 / unit) * unit


def _unit(width: Fraction) -> Fraction:
    """A power of two between 1/16 and 1/64 of the width."""
    shift = width.denominator.bit_length() - width.numerator.bit_length() + 5
    return Fraction(1, 2**shift) if shift > 0 else Fraction(2**-shift)


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
    return name, _centre(*next((low, high) for n, low, high in box.sides if n == name))


def _equal_face(
    search: Search, faces: Mapping[str, Fraction]
) -> tuple[tuple[str, Fraction], ...] | None:
    """The faces on which both sides are the same expression, if they are."""
    on = tuple(sorted(faces.items()))
    for part in _subsets(on):
        if part not in search.equal:
            gap = _at(search.claim.right - search.claim.left, part)
            search.equal[part] = vanishes(gap, search.definitions)
        if search.equal[part]:
            return part
    return None


def _subsets(
    faces: tuple[tuple[str, Fraction], ...],
) -> Iterator[tuple[tuple[str, Fraction], ...]]:
    """One face alone, then all of them."""
    yield from ((face,) for face in faces)
    if len(faces) > 1:
        yield faces


def _at(expr: Expr, faces: tuple[tuple[str, Fraction], ...]) -> Expr:
    values = {name: rational(end) for name, end in faces}
    return expr.subs({s: values[s.name] for s in expr.free_symbols if s.name in values})
