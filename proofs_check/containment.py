"""How often enclosures contain what they must: at random points, and over random boxes.

At a point: the enclosures at several precisions overlap, and contain the value that a generic
quadrature of the definition in balls encloses. Over a box: the ranges contain enclosed values at
points, and difference quotients, which are derivatives somewhere between.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from numerics.certified.enclosure import enclose
from numerics.certified.intervals import Interval, Unbounded
from numerics.certified.jets import slopes
from numerics.certified.overlap_table import Corners
from numerics.certified.program import compile_steps
from numerics.expression import Definitions
from proofs_check.boxes.auxiliary import QUANTITIES, extended
from proofs_check.boxes.rewriting import computable
from proofs_check.catalogue import definitions, load
from theorems.forward_kl.quantities import KL_forward
from theorems.language import Quantity
from theorems.overlap.quantities import E2, A, S, eps_n, eps_o, kappa
from theorems.reverse_kl.quantities import KL_reverse

AT_POINTS = (S, A, eps_o, kappa, KL_forward, KL_reverse)
OVER_BOXES = (S, A, E2, eps_o, eps_n, kappa, KL_forward, KL_reverse, *QUANTITIES)
DIGITS = (8, 30, 50, 120)
TRUE_DIGITS = 250
RANGES = {"phi": (-12, 12), "tau": (-8, 8), "c": (-12, 12), "delta": (0, 30)}
GRID = 96  # boxes and points are multiples of 1/96, so that ends are not dyadic
STEP = Fraction(1, 10**20)


def at_points(count: int, seed: int = 0) -> dict[str, int]:
    """How many points were tried, and at how many an enclosure missed the value or another one."""
    generator, table = random.Random(seed), definitions(load())
    missed = 0
    for quantity in _cycle(AT_POINTS, count):
        point = _point(quantity, generator)
        (value,) = enclose(quantity.head, point, TRUE_DIGITS, table)
        found = [enclose(quantity.head, point, digits, table)[0] for digits in DIGITS]
        with ctx.workprec(2_000):
            whole = all(ball.contains(value) for ball in found)
            together = all(a.overlaps(b) for a in found for b in found)
        missed += not (whole and together)
    return {"points": count, "missed": missed}


def against_definitions(count: int, seed: int = 0) -> dict[str, int]:
    """The same of the definition's own integral in balls, to as many digits as that affords."""
    generator, table = random.Random(seed), definitions(load())
    missed = 0
    for quantity in _cycle((S, A, eps_o), count):
        point = _point(quantity, generator)
        (value,) = enclose(quantity.definition, point, TRUE_DIGITS if quantity is S else 30, table)
        (ours,) = enclose(quantity.head, point, TRUE_DIGITS, table)
        missed += not value.overlaps(ours)
    return {"points": count, "missed": missed}


def over_boxes(count: int, seed: int = 0) -> dict[str, int]:
    """How many boxes were tried, how many have a range, and how many ranges missed something."""
    generator, table = random.Random(seed), definitions(extended(load()))
    corners = Corners()
    missed = bounded = 0
    for quantity in _cycle(OVER_BOXES, count):
        names = tuple(p.name for p in quantity.parameters)
        program = compile_steps(computable(quantity.head), names)
        box = {name: _side(name, generator) for name in names}
        with ctx.workprec(128):
            try:
                jet = program(corners, [Interval(_ball(a), _ball(b)) for a, b in box.values()])
            except Unbounded:
                continue
        bounded += 1
        tried = _tried(quantity, box, generator, table)
        missed += not all(_within(x, r) for x, r in tried(jet.range, slopes(jet)))
    return {"boxes": count, "bounded": bounded, "missed": missed}


def _tried(
    quantity: Quantity,
    box: dict[str, tuple[Fraction, Fraction]],
    generator: random.Random,
    table: Definitions,
) -> Callable[[Interval, Any], Iterator[tuple[Any, Interval]]]:
    """Values and difference quotients inside the box, each with the range it must lie in."""
    point = {name: _between(*side, generator) for name, side in box.items()}

    def value(at: dict[str, Fraction]) -> Any:
        return enclose(quantity.head, at, 60, table)[0]

    def pairs(whole: Interval, rates: Any) -> Iterator[tuple[Any, Interval]]:
        here = value(point)
        yield here, whole
        for (name, (_, high)), rate in zip(box.items(), rates, strict=True):
            if point[name] + STEP <= high:
                with ctx.workprec(400):
                    there = value(point | {name: point[name] + STEP})
                    yield (there - here) / _ball(STEP), rate

    return pairs


def _within(x: Any, range_: Interval) -> bool:
    """Whether a ball may lie between the ends: False is a proof that it does not."""
    return not (x < range_.lo or x > range_.hi)


def _cycle(quantities: tuple[Quantity, ...], count: int) -> Iterator[Quantity]:
    return (quantities[i % len(quantities)] for i in range(count))


def _point(quantity: Quantity, generator: random.Random) -> dict[str, Any]:
    return {p.name: _between(*RANGES[p.name], generator) for p in quantity.parameters}


def _between(low: Fraction | int, high: Fraction | int, generator: random.Random) -> Fraction:
    return low + (high - low) * Fraction(generator.randrange(1, 2 * GRID), 2 * GRID)


def _side(name: str, generator: random.Random) -> tuple[Fraction, Fraction]:
    low, high = RANGES[name]
    cells = (high - low) * GRID
    start = generator.randrange(1, cells)
    width = generator.choice((1, 3, 20, 200))
    return Fraction(start, GRID) + low, min(Fraction(start + width, GRID) + low, Fraction(high))


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))
