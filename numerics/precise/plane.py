"""Product trapezoidal sums in a plane, over the disc where one Gaussian lives.

Everything Gaussian is tabulated along each axis, so a node costs one logarithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import gaussian
from numerics.precise.quadrature import charge, depth, longest_step, nats_within

Position: TypeAlias = tuple[Real, Real]
Factors: TypeAlias = tuple[Real, ...]


@dataclass(frozen=True, slots=True)
class Wall:
    """A line of singularities above the plane: nearest to the disc at `centre`, and half_width
    away in the imaginary direction of each axis."""

    centre: Position
    half_width: Position


@dataclass(frozen=True, slots=True)
class Separable:
    """The integrand term(column(x), row(y)), factors of one coordinate each."""

    column: Callable[[Real], Factors]
    row: Callable[[Real], Factors]
    term: Callable[[Factors, Factors], Real]

    def largest_near(self, centre: Position, reach: Real) -> Real:
        """The largest modulus on nine points around the centre."""
        offsets = (-reach, 0 * reach, reach)
        columns = [self.column(centre[0] + offset) for offset in offsets]
        rows = [self.row(centre[1] + offset) for offset in offsets]
        return max(abs(self.term(column, row)) for column in columns for row in rows)


def integrate_disc(
    ctx: Context, integrand: Separable, centre: Position, reach: Real, walls: Iterable[Wall]
) -> Estimate:
    """∫ integrand over the plane when it carries the factor N(y; centre, 1).

    reach bounds the moduli of all means. The error estimate adds the half-density difference of
    each axis (as on the line) and what ∫N(y; centre, 1) = 1 misses on the same nodes.
    Raises Unreachable when the nodes would take too long.
    """
    nats = nats_within(ctx, reach)
    steps = _steps(ctx, integrand, centre, nats, walls)
    radius = ctx.sqrt(2 * (max(nats, 16) + 8))
    charge(ctx, int(ctx.pi * radius**2 / (steps[0] * steps[1])))
    half = int(radius / steps[0])
    tall = int(radius / steps[1])
    columns = [integrand.column(centre[0] + i * steps[0]) for i in range(-half, half + 1)]
    rows = [integrand.row(centre[1] + j * steps[1]) for j in range(-tall, tall + 1)]
    density = gaussian(ctx, ctx.zero)
    masses = list(accumulate((2 - (j == 0)) * density(j * steps[1]) for j in range(tall + 1)))
    sums = {(even_i, even_j): ctx.zero for even_i in (0, 1) for even_j in (0, 1)}
    moduli = mass = ctx.zero
    for i, column in enumerate(columns, -half):
        height = int(ctx.sqrt(radius**2 - (i * steps[0]) ** 2) / steps[1])
        terms = [integrand.term(column, row) for row in rows[tall - height : tall + height + 1]]
        for offset in (0, 1):
            sums[i % 2, (offset - height) % 2] += ctx.fsum(terms[offset::2])
        moduli += ctx.fsum(terms, absolute=True)
        mass += density(i * steps[0]) * masses[height]
    area = steps[0] * steps[1]
    scale = area * moduli
    if not scale:
        return Estimate((ctx.zero,), ctx.zero)
    gaps = (
        area * (sums[0, 0] + sums[0, 1] - sums[1, 0] - sums[1, 1]),
        area * (sums[0, 0] + sums[1, 0] - sums[0, 1] - sums[1, 1]),
    )
    missed = abs(1 - area * mass) + ctx.exp(-nats)
    error = scale * missed + (gaps[0] ** 2 + gaps[1] ** 2) / scale
    return Estimate((area * sum(sums.values()),), error)


def _steps(
    ctx: Context, integrand: Separable, centre: Position, nats: Real, walls: Iterable[Wall]
) -> Position:
    largest = integrand.largest_near(centre, ctx.one)
    steps = [longest_step(ctx, nats, ctx.inf)] * 2
    for wall in walls:
        there = integrand.largest_near(wall.centre, ctx.mpf(1) / 2)
        remaining = nats - depth(ctx, there, largest)
        for axis in (0, 1):
            steps[axis] = min(steps[axis], longest_step(ctx, remaining, wall.half_width[axis]))
    return steps[0], steps[1]
