"""What one form makes of one box: a proof, or what stands in its way.

A form proves a box by its range; on the faces where its slopes have a known sign; by the mean value
theorem from the centre of what is left; or because it is identically 0 on such a face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from proofs_check.boxes.forms import TYPED, Form, failures, forms
from proofs_check.boxes.identity import vanishes
from proofs_check.boxes.rewriting import computable, on_diagonal, unfold
from proofs_check.conjectures.box import Box
from proofs_check.draws import rational
from proofs_check.symbolic.normal_form import manifestly_positive
from theorems.language import Claim, Expr

Ball: TypeAlias = Any
Sides: TypeAlias = dict[str, tuple[Fraction, Fraction]]
Faces: TypeAlias = tuple[tuple[str, Fraction], ...]
BITS = 128


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
    faces: Faces = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A form, ready to be evaluated. positive: its factor is, so that it is 0 only with the gap."""

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


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one form makes of a box: a leaf; or |slope| times width of every side, and a suspect.

    promise: the value at the centre against the sum of the weights, the same for any multiple of
    the form; the form of the largest promise is the likeliest to prove the parts of the box.
    """

    leaf: Leaf | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    suspect: dict[str, Fraction] | None = None
    promise: float = -float("inf")


def prepare(claim: Claim, box: Box, definitions: Definitions) -> Search:
    """The forms of an order, compiled. Raises Unreachable where a side has no range over a box."""
    left, right = (
        compile_steps(computable(unfold(side, definitions, TYPED)), box.names)
        for side in (claim.left, claim.right)
    )
    compiled = []
    for form in (*failures(claim, definitions), *forms(claim, definitions)):
        program = compile_steps(computable(form.expr), box.names)
        compiled.append(Compiled(form, program, manifestly_positive(form.factor)))
    return Search(claim, tuple(compiled), (left, right), definitions)


def attempt(search: Search, index: int, box: Box) -> Attempt:
    """What the form of that index makes of a box, at the precision of the context."""
    compiled = search.compiled[index]
    strict = compiled.form.strict
    sides: Sides = {name: (lower, upper) for name, lower, upper in box.sides}
    faces: dict[str, Fraction] = {}
    try:
        jet = _jet(search, compiled, sides)
        weights = _weights(box, jet)
        while not _holds(jet.range.lo, strict) and (fixed := _known_signs(sides, jet)):
            faces |= fixed
            sides |= {name: (end, end) for name, end in fixed.items()}
            jet = _jet(search, compiled, sides)
        lower = jet.range.lo
        centre = {name: middle(*side) for name, side in sides.items()}
        promise, zero = 0.0, False
        if not _holds(lower, strict):
            there = _jet(search, compiled, {n: (x, x) for n, x in centre.items()}).range
            if there.hi < 0 and _is_point_of_claim(search, compiled.form, centre):
                return Attempt(None, weights, centre)
            zero = not there.lo > 0
            promise = float(there.lo.lower()) / (sum(weights.values()) or 1.0)
            lower = _mean_value(there.lo, centre, sides, jet)
    except (Unbounded, Unreachable):
        return Attempt()
    if _holds(lower, strict):
        return Attempt(Leaf(box, index, float(lower.lower()), centre), weights)
    if zero and faces and not strict and compiled.form.kind != "hypothesis":
        on = _equal_face(search, compiled, faces)
        if on is not None:
            return Attempt(Leaf(box, index, 0.0, centre, on), weights)
    return Attempt(None, weights, None, promise)


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


def _is_point_of_claim(search: Search, form: Form, at: Mapping[str, Fraction]) -> bool:
    """Whether a negative form at a point speaks against the claim: the hypotheses hold there."""
    if form.kind == "hypothesis":
        return False
    place = {name: (x, x) for name, x in at.items()}
    others = (each for each in search.compiled if each.form.kind == "hypothesis")
    return all(bool(_jet(search, each, place).range.hi < 0) for each in others)


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


def middle(lower: Fraction, upper: Fraction) -> Fraction:
    """A number of few bits near the middle."""
    if lower == upper:
        return lower
    unit = _unit(upper - lower)
    return round((lower + upper) / 2 / unit) * unit


def _unit(width: Fraction) -> Fraction:
    """A power of two between 1/16 and 1/64 of the width."""
    shift = width.denominator.bit_length() - width.numerator.bit_length() + 5
    return Fraction(1, 2**shift) if shift > 0 else Fraction(2**-shift)


def _equal_face(search: Search, compiled: Compiled, faces: Mapping[str, Fraction]) -> Faces | None:
    """The faces on which the form is identically 0, if it is."""
    on = tuple(sorted(faces.items()))
    for part in _subsets(on):
        key = (compiled.form.expr, part)
        if key not in search.equal:
            search.equal[key] = _identical(search, compiled, part)
        if search.equal[key]:
            return part
    return None


def _identical(search: Search, compiled: Compiled, on: Faces) -> bool:
    """By the sides of the claim where the factor is positive, else by the form itself."""
    gap = search.claim.right - search.claim.left
    if compiled.positive and vanishes(_at(gap, on), search.definitions):
        return True
    return vanishes(on_diagonal(_at(compiled.form.expr, on)), search.definitions)


def _subsets(faces: Faces) -> Iterator[Faces]:
    """One face alone, then all of them."""
    yield from ((face,) for face in faces)
    if len(faces) > 1:
        yield faces


def _at(expr: Expr, faces: Faces) -> Expr:
    values = {name: rational(end) for name, end in faces}
    return expr.subs({s: values[s.name] for s in expr.free_symbols if s.name in values})
