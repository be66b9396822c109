"""Searches a box for a counterexample: floats propose, balls decide.

The search climbs the relative gap, by how much the claim fails beyond the noise of the floats,
from corners and random points; what it finds is rounded to the smallest common denominator that
still fails, and is a witness once both sides, as typed, have disjoint enclosures.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from flint import arb, ctx, fmpq

from numerics.certified.balls import RealBalls
from numerics.expression import Definitions, fold
from numerics.floats import wide
from numerics.floats.arithmetic import values
from numerics.floats.wide import Floats
from numerics.point import Unreachable
from proofs_check.conjectures.box import Box
from proofs_check.errors import InputError
from theorems.language import Claim, Expr

Ball: TypeAlias = Any
Place: TypeAlias = tuple[Fraction, ...]

RANDOM_POINTS = 1_500
MOST_CORNERS = 64
ENOUGH = 24  # points that fail, with which no climb is needed
FEW = 4  # of them, around which finer denominators are tried
STARTS, STEPS, ROUNDS = 12, 16, 36
HALVING = 8  # rounds after which the lower half of the climbs is given up
SHRINK = 0.7  # of the climb's radius, a round
NOISE_BITS = 2.0  # a gap is believed from four times its noise on
MOST_BLIND = 48  # points where floats say nothing that balls look at
SIMPLE = range(1, 9)
FINER = tuple(1 << k for k in range(4, 53, 2))
MOST_TRIED = 16  # places of one denominator that balls look at
BITS = (64, 128, 256, 512)
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Witness:
    """A point of the box where a claim fails, and the enclosures of its two sides there."""

    point: Mapping[str, Fraction]
    left: Ball
    right: Ball


@dataclass(frozen=True, slots=True)
class _Search:
    """What is searched, and until when (a time of the monotonic clock)."""

    claim: Claim
    box: Box
    definitions: Definitions
    until: float

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until


def refute(
    claim: Claim, box: Box, definitions: Definitions, seed: int = 0, seconds: float = 10.0
) -> Witness | None:
    """A certified counterexample, or None where the search found none.

    For one seed the search depends on the claim's text and the box alone, unless it runs out of
    its time. Points where an inequality is an equality are no witnesses, not even of `<`.
    """
    search = _Search(claim, box, definitions, time.monotonic() + seconds)
    generator = np.random.default_rng([seed, zlib.crc32(claim.text.encode())])
    points = np.vstack([_corners(box), _random(box, generator)])
    found = _excess(search, points)
    if np.count_nonzero(found > 0) < ENOUGH:
        climbed, reached = _climb(search, points, found, generator)
        points, found = np.vstack([points, climbed]), np.concatenate([found, reached])
    if not np.any(found > 0):
        points = points[np.isneginf(found)][:MOST_BLIND]
        found = _in_balls(search, points)
    order = np.argsort(-found, kind="stable")
    return _certified(search, points[order][: np.count_nonzero(found > 0)])


def certify(
    claim: Claim, point: Mapping[str, Fraction], definitions: Definitions
) -> Witness | None:
    """The witness at a point, if balls prove the claim, as stated, wrong there."""
    for bits in BITS:
        left, right, *given = _sides(claim, point, definitions, bits)
        if not all(
            low < high or (low <= high and isinstance(order, sp.LessThan))
            for order, low, high in zip(claim.where, given[::2], given[1::2], strict=True)
        ):
            continue
        if left > right or (claim.relation == "=" and left < right):
            return Witness(point, left, right)
        if left < right:
            return None
    return None


def refuse_undefined(claim: Claim, box: Box, definitions: Definitions) -> None:
    """Raises InputError where a side has no value at any of some points of the box."""
    points = np.vstack([_corners(box), _random(box, np.random.default_rng(0))[:MOST_BLIND]])
    for place in points:
        left, *_ = _sides(claim, _exactly(box, place), definitions, BITS[0])
        if left.is_finite():
            return
    raise InputError(f"the conjecture has no value at any of {len(points)} points of its box")


def as_typed(claim: Claim, witness: Witness) -> tuple[Ball, Ball]:
    """The enclosures of what stands left and right in the claim's text."""
    swapped = ">" in claim.text
    return (witness.right, witness.left) if swapped else (witness.left, witness.right)


def _sides(
    claim: Claim, point: Mapping[str, Fraction], definitions: Definitions, bits: int
) -> list[Ball]:
    """Both sides in balls, then those of every hypothesis; nan, which compares with nothing, where
    one has no enclosure."""
    with ctx.workprec(bits):
        bindings = {name: arb(fmpq(x.numerator, x.denominator)) for name, x in point.items()}
        known: dict[Any, Ball] = {}
        try:
            found = [fold(side, bindings, RealBalls(definitions), known) for side in _every(claim)]
        except Unreachable:
            return [arb.nan() for _ in _every(claim)]
        return found if all(x.is_finite() for x in found) else [arb.nan() for _ in found]


def _every(claim: Claim) -> list[Expr]:
    """Left and right of the claim, then of its hypotheses."""
    return [claim.left, claim.right, *(s for order in claim.where for s in (order.lts, order.gts))]


def _exactly(box: Box, place: Floats) -> dict[str, Fraction]:
    return {name: Fraction(float(x)) for name, x in zip(box.names, place, strict=True)}


def _ends(box: Box) -> tuple[Floats, Floats]:
    ends = [(float(lower), float(upper)) for _, lower, upper in box.sides]
    lower, upper = np.array(ends).reshape(len(ends), 2).T
    return lower, upper


def _corners(box: Box) -> Floats:
    corners = list(islice(box.corners(), MOST_CORNERS))
    coordinates = [[float(x) for x in corner.values()] for corner in corners]
    return np.array(coordinates).reshape(len(corners), len(box.sides))


def _random(box: Box, generator: np.random.Generator) -> Floats:
    """Points of the box: they crowd at both ends of each side, and some lie on faces."""
    lower, upper = _ends(box)
    shape = (RANDOM_POINTS, len(lower))
    share, way = generator.random(shape), generator.random(shape)
    share = np.where(way < 1 / 3, share**3, np.where(way < 2 / 3, share, 1 - share**3))
    share = np.where(generator.random(shape) < 1 / 8, np.rint(share), share)
    return lower + (upper - lower) * share


def _excess(search: _Search, points: Floats) -> Floats:
    """By how much the claim fails, relative to its larger side; -inf where floats do not tell."""
    excess = np.full(len(points), -np.inf)
    for start in range(0, len(points), _BATCH):
        if search.over:
            break
        batch = points[start : start + _BATCH]
        with suppress(Unreachable):
            excess[start : start + _BATCH] = _in_floats(search, batch)
    return excess


def _in_floats(search: _Search, points: Floats) -> Floats:
    claim = search.claim
    coordinates = dict(zip(search.box.names, points.T, strict=True))
    left, right, *given = values(_every(claim), coordinates, search.definitions)
    with np.errstate(all="ignore"):
        gap = wide.subtract(left, right)
        size = np.maximum(left.size, right.size)
        sign = 1.0 if claim.relation == "=" else np.sign(gap.mantissa)
        known = gap.size > gap.noise + NOISE_BITS
        for low, high in zip(given[::2], given[1::2], strict=True):
            known &= wide.subtract(high, low).mantissa >= 0
        return np.where(known, sign * np.exp2(gap.size - size), -np.inf)


def _in_balls(search: _Search, points: Floats) -> Floats:
    """The same at a few points, where floats do not tell, as far as time allows."""
    claim, excess = search.claim, np.full(len(points), -np.inf)
    for i, place in enumerate(points):
        if search.over:
            break
        point = _exactly(search.box, place)
        left, right, *_ = _sides(claim, point, search.definitions, BITS[0])
        gap = abs(left - right) if claim.relation == "=" else left - right
        size = abs(left).max(abs(right))
        if gap.is_finite() and size > 0:
            excess[i] = float((gap / size).lower())
    return excess


def _climb(
    search: _Search, points: Floats, found: Floats, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """The best points, and those met on the way from them by ever shorter random steps."""
    lower, upper = _ends(search.box)
    best = np.argsort(-found, kind="stable")[:STARTS]
    centres, heights = points[best], found[best]
    met_points, met = [centres], [heights]
    radius = 0.25 * (upper - lower)
    for turn in range(ROUNDS):
        if turn and turn % HALVING == 0:
            kept = np.argsort(-heights, kind="stable")[: (len(centres) + 1) // 2]
            centres, heights = centres[kept], heights[kept]
        steps = generator.uniform(-1, 1, (len(centres), STEPS, len(lower))) * radius
        tried = np.clip(centres[:, None, :] + steps, lower, upper)
        reached = _excess(search, tried.reshape(len(centres) * STEPS, len(lower))).reshape(
            len(centres), STEPS
        )
        choice = np.argmax(reached, axis=1)
        rows = np.arange(len(centres))
        better = reached[rows, choice] > heights
        centres = np.where(better[:, None], tried[rows, choice], centres)
        heights = np.where(better, reached[rows, choice], heights)
        met_points.append(centres)
        met.append(heights)
        radius = SHRINK * radius
    return np.vstack(met_points), np.concatenate(met)


def _certified(search: _Search, failing: Floats) -> Witness | None:
    """A place near one of the points, best first, that balls prove: the simplest they are shown."""
    some = (*failing[:ENOUGH], *failing[ENOUGH :: max(1, len(failing) // ENOUGH)])
    for denominator in (*SIMPLE, *FINER):
        near = some if denominator in SIMPLE else some[:FEW]
        places = set(_places(search.box, near, denominator))
        for place in _promising(search, list(places)):
            if search.over:
                return None
            point = dict(zip(search.box.names, place, strict=True))
            witness = certify(search.claim, point, search.definitions)
            if witness is not None:
                return witness
    return None


def _places(box: Box, points: Iterable[Floats], denominator: int) -> Iterator[Place]:
    """The multiples of 1/denominator in the box around each point; a flat side stays as it is."""
    for point in points:
        choices: list[list[Fraction]] = []
        for x, (_, lower, upper) in zip(point, box.sides, strict=True):
            below = math.floor(Fraction(float(x)) * denominator)
            near = [Fraction(n, denominator) for n in (below, below + 1)]
            inside = [value for value in near if lower <= value <= upper]
            choices.append([lower] if lower == upper else inside)
        yield from islice(product(*choices), MOST_CORNERS)


def _promising(search: _Search, places: Sequence[Place]) -> list[Place]:
    """The simplest of the places where the claim fails by about as much as at the worst."""
    if not places:
        return []
    places = sorted(places, key=_complexity)
    points = np.array(places, dtype=np.float64)
    excess = _excess(search, points)
    if not np.any(excess > 0):
        places, points = places[:MOST_TRIED], points[:MOST_TRIED]
        excess = _in_balls(search, points)
    least = max(excess.max() / 10, 0.0)
    failing = (place for place, size in zip(places, excess, strict=True) if size > least)
    return list(islice(failing, MOST_TRIED))


def _complexity(place: Place) -> tuple[int, Place]:
    return sum(abs(x.numerator) + x.denominator for x in place), place
