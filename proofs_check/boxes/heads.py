r"""The checker's bounds of the suite's quantities, from values at corners by another quadrature.

The search sums a trigonometric polynomial; here S and A come from `overlap_functions`. Derivatives
come from values alone: S is log-concave in phi, so that difference quotients of log S bound its
slope from both sides; and S_t = S_phiphi in t = delta^2/2, |S_tt| <= (5/16) S.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flint import arb

from numerics.certified.overlap_functions import sech_overlap, softplus_mean
from proofs_check.boxes.bounds import Ball, Inconclusive, Span, around, number, rising

Found: TypeAlias = tuple[Span, tuple[Span, ...], bool]
"""A range, a slope per argument, and whether they are those of the logarithm."""
Head: TypeAlias = Callable[..., Found]
STEP = arb(2) ** -40
HALF, ONE = arb(1) / 2, arb(1)


@dataclass(frozen=True, slots=True)
class Values:
    """What was evaluated at corners, kept."""

    sech: dict[Any, Ball] = field(default_factory=dict)
    softplus: dict[Any, Ball] = field(default_factory=dict)
    slopes: dict[Any, Span] = field(default_factory=dict)
    ratios: dict[Any, Span] = field(default_factory=dict)

    def S(self, x: Ball, d: Ball) -> Ball:
        x = abs(x)
        if (x, d) not in self.sech:
            self.sech[x, d] = sech_overlap(x, d)
        return self.sech[x, d]

    def A(self, c: Ball, d: Ball) -> Ball:
        if (c, d) not in self.softplus:
            self.softplus[c, d] = softplus_mean(c, d)
        return self.softplus[c, d]

    def slope(self, x: Ball, d: Ball) -> Span:
        """S_phi/S at x >= 0."""
        if x == 0:
            return number(arb(0))
        if (x, d) not in self.slopes:
            here = self.S(x, d)
            after, before = sech_overlap(x + STEP, d), sech_overlap(x - STEP, d)
            self.slopes[x, d] = around((after / here).log() / STEP, (here / before).log() / STEP)
        return self.slopes[x, d]

    def ratio(self, x: Ball, d: Ball) -> Span:
        """rho = 2(1/4 - S_phiphi/S) at x >= 0; e^{-t/4} S decreases in t."""
        if (x, d) not in self.ratios:
            later = sech_overlap(x, (d**2 + 2 * STEP).sqrt())
            curvature = (later / self.S(x, d) - 1) / STEP
            curvature += arb(0, (STEP / 2 * (STEP / 4).exp() * arb(5) / 16).upper())
            self.ratios[x, d] = number(HALF - 2 * curvature)
        return self.ratios[x, d]


@dataclass(frozen=True, slots=True)
class Overlap:
    """S and what is made of it over x times d, d > 0."""

    values: Values
    x: Span
    d: Span

    def S(self) -> Span:
        """From delta S, which increases, and e^{-delta^2/8} S, which decreases in delta."""
        d, scale, grow = self.d, self._scale(), self._growth()
        near, far, S = self.x.near, self.x.far, self.values.S
        by_scale = around(S(far, d.lo) / scale, S(near, d.hi) * scale)
        by_decay = around(S(far, d.hi) / grow, S(near, d.lo) * grow)
        return by_scale.within(by_decay)

    def slope(self) -> Span:
        """S_phi/S: odd and decreasing in phi, and towards 0 in delta."""
        x, d, slope = self.x, self.d, self.values.slope
        low = slope(x.hi, d.lo).lo if x.hi >= 0 else -slope(-x.hi, d.hi).hi
        high = slope(x.lo, d.hi).hi if x.lo >= 0 else -slope(-x.lo, d.lo).lo
        return Span(low.max(-HALF), high.min(HALF))

    def rho(self) -> Span:
        """E[sech^3]/S: it decreases in |phi|; and delta E[sech^3] increases, e^{-9 delta^2/8}
        E[sech^3] decreases in delta."""
        d, scale, grow = self.d, self._scale(), self._growth()
        S, ratio = self.values.S, self.values.ratio

        def cubes(x: Ball) -> tuple[Ball, Ball, Ball, Ball]:
            early, late = ratio(x, d.lo), ratio(x, d.hi)
            before, after = S(x, d.lo), S(x, d.hi)
            return early.lo * before, early.hi * before, late.lo * after, late.hi * after

        near, far = self.x.near, self.x.far
        _, early, _, late = cubes(near)
        top = (late * scale / S(near, d.lo)).min(
            (early * grow**9).min(late * scale) / (S(near, d.lo) / scale).max(S(near, d.hi) / grow)
        )
        early, _, late, _ = cubes(far)
        bottom = (early / scale / S(far, d.hi)).max(
            (early / scale).max(late / grow**9) / (S(far, d.lo) * grow).min(S(far, d.hi) * scale)
        )
        return around(bottom.max(arb(0)), top.min(ONE))

    def _scale(self) -> Ball:
        return self.d.hi / self.d.lo

    def _growth(self) -> Ball:
        return ((self.d.hi**2 - self.d.lo**2) / 8).exp()

    def curvature(self) -> Span:
        """S_phiphi/S, at least -1/delta^2."""
        rho = self.rho()
        found = around(arb("0.25") - rho.hi / 2, arb("0.25") - rho.lo / 2)
        return Span(found.lo.max((-1 / self.d.lo**2).lower()), found.hi)

    def decay(self) -> Span:
        """-delta rho/2."""
        return -(self.d * self.rho() * number(HALF))


def _overlap(values: Values, x: Span, d: Span) -> Overlap:
    if not d.lo > 0:
        raise Inconclusive("delta may not be positive")
    return Overlap(values, x, d)


def S(values: Values, x: Span, d: Span) -> Found:
    o = _overlap(values, x, d)
    return o.S(), (o.slope(), d * o.curvature()), True


def T(values: Values, x: Span, d: Span) -> Found:
    """delta S."""
    o = _overlap(values, x, d)
    ends = around(d.lo * values.S(x.far, d.lo), d.hi * values.S(x.near, d.hi))
    rate = number(ONE) / d + d * o.curvature()
    return ends, (o.slope(), Span(rate.lo.max(arb(0)), rate.hi)), True


def _damped(values: Values, x: Ball, d: Ball) -> Ball:
    return (-(d**2) / 8).exp() * values.S(x, d)


def D(values: Values, x: Span, d: Span) -> Found:
    """e^{-delta^2/8} S."""
    o = _overlap(values, x, d)
    ends = around(_damped(values, x.far, d.hi), _damped(values, x.near, d.lo))
    return ends, (o.slope(), o.decay()), True


def eps_n(values: Values, x: Span, d: Span) -> Found:
    o = _overlap(values, x, d)
    return leak(values, x, d), (number(HALF) + o.slope(), o.decay()), True


def leak(values: Values, x: Span, d: Span) -> Span:
    """The range of eps_n = e^{phi/2} e^{-delta^2/8} S/2: increasing in phi, decreasing in delta."""
    low = (x.lo / 2).exp() * _damped(values, x.lo, d.hi) / 2
    high = (x.hi / 2).exp() * _damped(values, x.hi, d.lo) / 2
    return around(low, high)


def eps_o(values: Values, x: Span, d: Span) -> Found:
    value, (rate, decay), positive = eps_n(values, -x, d)
    return value, (-rate, decay), positive


def complement(values: Values, x: Span, d: Span) -> Span:
    """1 - kappa."""
    return around(
        (x.near / 2).cosh() * _damped(values, x.near, d.hi),
        (x.far / 2).cosh() * _damped(values, x.far, d.lo),
    )


def kappa(values: Values, x: Span, d: Span) -> Found:
    o, rest = _overlap(values, x, d), complement(values, x, d)
    turn = rising(lambda t: (t / 2).tanh() / 2, x) + o.slope()
    if x.lo >= 0:
        turn = Span(turn.lo.max(arb(0)), turn.hi)
    if x.hi <= 0:
        turn = Span(turn.lo, turn.hi.min(arb(0)))
    return between(values, x, d), (-(rest * turn), -(rest * o.decay())), False


def between(values: Values, x: Span, d: Span) -> Span:
    """The range of kappa, in (0, 1)."""
    value = number(ONE) - complement(values, x, d)
    return Span(value.lo.max(arb(0)), value.hi)


def E2(values: Values, x: Span, d: Span) -> Found:
    """eps_n (1/2 - S_phi/S); the slope's change in delta has the sign of phi, at most delta rho."""
    o = _overlap(values, x, d)
    share, rho = number(HALF) - o.slope(), o.rho()
    lost = leak(values, x, d)
    turn = (d.hi * rho.hi).upper()
    drift = Span(arb(0) if x.lo >= 0 else -turn, arb(0) if x.hi <= 0 else turn)
    return lost * share, (lost * rho * number(HALF), lost * (o.decay() * share - drift)), False


def Q(values: Values, x: Span, d: Span) -> Found:
    """E2/eps_n = 1/2 - S_phi/S, which increases in phi."""
    o = _overlap(values, x, d)
    slope, bent = o.slope(), o.curvature()
    squares = around(slope.near**2, slope.far**2)
    rise = squares - bent
    most = (d.hi * o.rho().hi).upper()
    turn = Span(arb(0) if x.hi <= 0 else -most, arb(0) if x.lo >= 0 else most)
    share = number(HALF) - slope
    return Span(share.lo.max(arb(0)), share.hi), (Span(rise.lo.max(arb(0)), rise.hi), turn), False


def A(values: Values, c: Span, d: Span) -> Found:
    if not d.lo > 0:
        raise Inconclusive("delta may not be positive")
    ends = around(values.A(c.lo, d.hi), values.A(c.hi, d.lo))
    return ends, (leak(values, c, d), -pull(values, c, d)), False


def pull(values: Values, c: Span, d: Span) -> Span:
    """The range of delta E2."""
    return d * leak(values, c, d) * (number(HALF) - _overlap(values, c, d).slope())


def weight(x: Ball) -> Ball:
    """sigma."""
    return 1 / (1 + (-x).exp())


def KL_forward(values: Values, x: Span, d: Span) -> Found:
    ends = around(*((a.exp() + 1).log() - values.A(a, e) for a, e in ((x.lo, d.lo), (x.hi, d.hi))))
    rise = rising(weight, x) * between(values, x, d)
    return Span(ends.lo.max(arb(0)), ends.hi), (rise, pull(values, x, d)), False


HEADS: Mapping[str, Head] = {
    f.__name__: f for f in (S, T, D, eps_o, eps_n, kappa, E2, Q, A, KL_forward)
}
