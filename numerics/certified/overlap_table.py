r"""S with two derivatives, and A, at many shifts for one delta: a table of weights, summed often.

On the Fourier line S^(k) = int (iw)^k e^{iw phi} e^{-delta^2 w^2/2} sech(pi w) dw, k = 0, 1, 2, and
A(c) = e^{c/2 - delta^2/8}/2 int e^{iwc} e^{-delta^2 w^2/2} / ((1/2 + iw) cosh(pi w)) dw. The
trapezoidal sums are trigonometric polynomials in the shift whose coefficients depend on delta
alone. The strip |Im w| <= a < 1/2 lies below the first pole: no residues. As |cosh pi(x +- ia)| >=
cos(pi a) cosh(pi x) and int (|x| + 1/2)^k sech(pi x) dx <= 1, the bounds are the same for every k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, TypeAlias

from flint import arb, arb_mat, ctx

from numerics.certified.trapezoid import WIDEST, gaussian, geometric, rotations, symmetric
from numerics.point import Unreachable

Ball: TypeAlias = Any
MOST_NODES = 20_000
LN2 = math.log(2)


@dataclass(frozen=True, slots=True)
class Table:
    """Weights for one delta and every shift up to some size.

    Matrices stack square blocks, for S, S_phi, S_phiphi and for the even and the odd part of A:
    entry (i, j) of a block stands at the node w = (i block + j) step.
    """

    step: Ball
    block: int
    sech: Any
    softplus: Any
    height: Ball
    image: Ball  # e^{delta^2 a^2/2}/(cos(pi a)(e^{2 pi a/h} - 1))
    tail: Ball


@dataclass(frozen=True, slots=True)
class Overlap:
    """S at a point, S_phi/S, and rho = E[sech^3]/S = 2(1/4 - S_phiphi/S)."""

    S: Ball
    slope: Ball
    rho: Ball


@dataclass(frozen=True, slots=True)
class Corners:
    """Values at exact points, kept; relative accuracy is about `bits` at every shift and delta."""

    bits: int = 96
    tables: dict[Any, Table] = field(default_factory=dict)
    overlaps: dict[Any, Overlap] = field(default_factory=dict)
    softplus: dict[Any, Ball] = field(default_factory=dict)

    def overlap(self, phi: Ball, delta: Ball) -> Overlap:
        """At exact phi and delta > 0; by symmetry at -phi too. Raises Unreachable."""
        key = (phi, delta)
        found = self.overlaps.get(key)
        if found is None:
            found = self.overlaps[key] = self._overlap(phi, delta)
        return found

    def _overlap(self, phi: Ball, delta: Ball) -> Overlap:
        table, bits = self._table(phi, delta)
        with ctx.workprec(bits):
            (even, _), (_, odd), (curved, _) = _sums(table, table.sech, phi)
            error = symmetric(2 * table.image * (table.height * abs(phi)).exp() + table.tail)
            S, first, second = even + error, error - odd, error - curved
            slope, rho = first / S, arb(1) / 2 - 2 * second / S
        return Overlap(+S, +slope, +rho)

    def A(self, c: Ball, delta: Ball) -> Ball:
        """At exact c and delta > 0. Raises Unreachable."""
        key = (c, delta)
        found = self.softplus.get(key)
        if found is None:
            found = self.softplus[key] = self._softplus(c, delta)
        return found

    def _softplus(self, c: Ball, delta: Ball) -> Ball:
        table, bits = self._table(c, delta)
        with ctx.workprec(bits):
            (even, _), (_, odd) = _sums(table, table.softplus, c)
            a, half = table.height, arb(1) / 2
            size = table.image * (a * abs(c)).exp() * (1 / (half - a) + 1 / (half + a))
            total = even + odd + symmetric(size + 2 * table.tail)
            value = (c / 2 - delta**2 / 8).exp() / 2 * total
        return +value

    def _table(self, shift: Ball, delta: Ball) -> tuple[Table, int]:
        """The table for delta that reaches the shift, and the bits to work in."""
        reach = 2 ** max(1, math.ceil(math.log2(max(2.0, float(abs(shift).upper())))))
        d = float(delta)
        nats = self.bits * LN2 + 2 * reach + 4 * max(0.0, -math.log(d))
        bits = math.ceil(nats / LN2) + 48
        key = (delta, reach)
        if key not in self.tables:
            with ctx.workprec(bits):
                self.tables[key] = _table(delta, d, reach, nats)
        return self.tables[key], bits


def _table(delta: Ball, d: float, reach: float, nats: float) -> Table:
    height = min(WIDEST, math.sqrt(2 * nats) / d)
    step = 2 * math.pi * height / (nats + (d * height) ** 2 / 2 + reach * height)
    rate = math.pi - 1
    far = 2 * nats / (rate + math.sqrt(rate * rate + 2 * d * d * nats))
    nodes = math.ceil(far / step) + 1
    if not nodes <= MOST_NODES:
        raise Unreachable(f"S and A at delta {d:.6g} and shift {reach:g} take {nodes} nodes")
    block = math.isqrt(nodes - 1) + 1
    h, a = arb(step), arb(height)
    rows: tuple[list[Ball], ...] = ([], [], [], [], [])
    spread, decay = (delta * h) ** 2, -arb.pi() * h
    top = gaussian(4 * h, (decay - spread / 2).exp(), (-spread).exp())
    bottom = geometric(arb(1), (2 * decay).exp())
    for j in range(block * block):
        w = j * h
        weight = next(top) / (1 + next(bottom))
        if j == 0:
            weight = weight / 2
        moment = w * weight
        even = weight / (2 * w * w + arb(1) / 2)
        for row, entry in zip(rows, (weight, moment, w * moment, even, 2 * w * even), strict=True):
            row.append(entry)
    sech, softplus = (
        arb_mat(len(part) * block, block, list(chain(*part))) for part in (rows[:3], rows[3:])
    )
    end = block * block * h
    ratio = (-(rate + delta**2 * end) * h).exp()
    last = (-(arb.pi() - 1) * end - delta**2 * end**2 / 2).exp()
    tail = (4 * h * last / (1 - ratio)).upper()
    cosine = (arb.pi() * a).cos()
    image = (delta**2 * a**2 / 2).exp() / cosine / (2 * arb.pi() * a / h).expm1()
    return Table(h, block, sech, softplus, a, image.upper(), tail)


def _sums(table: Table, weights: Any, shift: Ball) -> list[tuple[Ball, Ball]]:
    """For each block of weights the sums of weight cos(w shift) and of weight sin(w shift)."""
    n, turn = table.block, table.step * shift
    columns = [part for z in islice(rotations(turn, n), n) for part in (z.real, z.imag)]
    partial = (weights * arb_mat(n, 2, columns)).entries()
    giant = [(z.real, z.imag) for z in islice(rotations(n * turn, n), n)]
    sums = []
    for start in range(0, len(partial), 2 * n):
        cosines = sines = arb(0)
        for k, (cosine, sine) in enumerate(giant):
            c, s = partial[start + 2 * k], partial[start + 2 * k + 1]
            cosines += c * cosine - s * sine
            sines += c * sine + s * cosine
        sums.append((cosines, sines))
    return sums
