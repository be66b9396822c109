r"""What the trapezoidal sums of `overlap_functions` share: steps, sequences, and their tails.

For f meromorphic in a strip |Im z| <= a, decaying there, and a grid of step h through c,

    integral of f = h sum_j f(c + jh) + 2 Re sum_k (-2 pi i) R_k q_k/(1 - q_k) + error,
    q_k = e^{2 pi i (z_k - c)/h},  |error| <= (M_+ + M_-)/(e^{2 pi a/h} - 1),

over the poles z_k of residue R_k between the real axis and Im z = a (f real on the axis), M_+-
the integrals of |f| along Im z = +-a. Floats choose steps and numbers of terms; all they decide
is proved again in balls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from flint import acb, arb

Ball: TypeAlias = Any
WIDEST = 0.45  # of the distance between two poles: as near to the first pole as a line may pass


@dataclass(frozen=True, slots=True)
class Line:
    """The line Im z = height that bounds the strip, the poles below it, the step it allows."""

    height: float
    poles: int
    step: float


def line(nats: float, curvature: float, slope: float, spacing: float, residues: bool) -> Line:
    """The line with the widest step h: 2 pi a/h - curvature a^2/2 - slope a >= nats.

    Poles lie at half-integer multiples of `spacing`; lines pass below the first one, or midway
    between two where the residues are known.
    """
    best = math.sqrt(2 * nats / curvature)
    below = min(best, WIDEST * spacing)
    poles = max(1, round(best / spacing)) if residues and best > below else 0

    def step(a: float) -> float:
        return 2 * math.pi * a / (nats + curvature * a * a / 2 + slope * a)

    lines = [Line(below, 0, step(below))]
    if poles:
        lines.append(Line(poles * spacing, poles, step(poles * spacing)))
    return max(lines, key=lambda found: found.step)


def gaussian(first: Ball, ratio: Ball, growth: Ball) -> Iterator[Ball]:
    """first, first ratio, first ratio^2 growth, first ratio^3 growth^3, ...: e^{quadratic}."""
    while True:
        yield first
        first = first * ratio
        ratio = ratio * growth


def geometric(first: Ball, ratio: Ball) -> Iterator[Ball]:
    """first, first ratio, first ratio^2, ..."""
    while True:
        yield first
        first = first * ratio


def rotations(angle: Ball, count: int) -> Iterator[Ball]:
    """e^{i j angle}, j = 0, 1, ...: few products deep, as each widens a box by up to sqrt 2."""
    block = math.isqrt(count) + 1
    small = list(islice(geometric(acb(1), acb(0, angle).exp()), block))
    for giant in geometric(acb(1), acb(0, block * angle).exp()):
        for turn in small:
            yield giant * turn


def log_concave_sum(terms: Iterable[Ball]) -> Ball:
    """Sum of an infinite positive log-concave sequence from its first terms.

    The ratios fall, so what follows the last term t is at most t r/(1 - r), r its ratio to the one
    before; not finite where r < 1 is not certain.
    """
    total = previous = last = arb(0)
    for term in terms:
        previous, last = last, term
        total = total + term
    ratio = (last / previous).upper()
    return total + unsigned(last * ratio / (1 - ratio)) if ratio < 1 else arb.nan()


def unsigned(bound: Ball) -> Ball:
    """The ball [0, bound]."""
    return arb(0).union(bound.upper())


def symmetric(bound: Ball) -> Ball:
    """The ball [-bound, bound]."""
    return arb(0, bound.upper())
