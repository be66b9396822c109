r"""The suite's quantities over boxes: from the shape lemmas, with balls at corners only.

Each head gives its range for arguments in intervals with exact ends, and the ranges of its partial
derivatives, or of those of its logarithm. `range_lemmas` names the claims that each rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from flint import arb

from numerics.certified.intervals import (
    ONE,
    ZERO,
    Ball,
    Interval,
    Unbounded,
    add,
    clip,
    exact,
    increasing,
    inverse,
    multiply,
    negative,
    size,
    subtract,
)
from numerics.certified.overlap_table import Corners, Overlap

Wanted: TypeAlias = tuple[bool, ...]
Found: TypeAlias = tuple[Interval, tuple[Interval | None, ...], bool]
"""A range, one slope per argument (None where not wanted), and whether they are logarithmic."""
Head: TypeAlias = Callable[..., Found]
QUARTER, HALF = arb("0.25"), arb("0.5")


class Cell(NamedTuple):
    """What a box (phi, delta) knows of S: S itself, S_phi/S, rho = 2(1/4 - S_phiphi/S)."""

    phi: Interval
    delta: Interval
    S: Interval
    slope: Interval
    rho: Interval


def cell(corners: Corners, phi: Interval, delta: Interval) -> Cell:
    """S, its slope and rho over a box. Raises Unbounded unless delta > 0."""
    x, d = exact(phi), exact(delta)
    if not d.lo > 0:
        raise Unbounded("delta may not be positive")
    near, far = size(x)
    n0, n1 = corners.overlap(near, d.lo), corners.overlap(near, d.hi)
    f0, f1 = (n0, n1) if far is near else (corners.overlap(far, d.lo), corners.overlap(far, d.hi))
    S, rho = _sech_mean(n0, n1, f0, f1, d)
    return Cell(x, d, S, _slope(corners, x, d), rho)


def _sech_mean(
    n0: Overlap, n1: Overlap, f0: Overlap, f1: Overlap, d: Interval
) -> tuple[Interval, Interval]:
    """S and rho from their values nearest to phi = 0 and farthest, at both ends of delta.

    delta S and delta E[sech^3] increase, e^{-delta^2/8} S and e^{-9 delta^2/8} E[sech^3] decrease
    in delta; S, E[sech^3] and rho, their quotient, decrease in |phi|.
    """
    if d.lo == d.hi:
        return Interval(f0.S, n0.S), Interval(f0.rho, n0.rho)
    ratio, grow = d.hi / d.lo, ((d.hi**2 - d.lo**2) / 8).exp()
    cube = grow**9
    S = Interval((f0.S / ratio).max(f1.S / grow), (n0.S * grow).min(n1.S * ratio))
    n0_cube, n1_cube, f0_cube, f1_cube = (o.S * o.rho for o in (n0, n1, f0, f1))
    high = n1_cube * ratio / n0.S
    high = high.min((n0_cube * cube).min(n1_cube * ratio) / (n0.S / ratio).max(n1.S / grow))
    low = f0_cube / ratio / f1.S
    low = low.max((f0_cube / ratio).max(f1_cube / cube) / (f0.S * grow).min(f1.S * ratio))
    return S, Interval(low.max(ZERO), high.min(ONE.hi))


def _slope(corners: Corners, x: Interval, d: Interval) -> Interval:
    """S_phi/S decreases in phi; it is odd, and increases in delta where phi > 0."""

    def at(phi: Ball, toward: Ball, away: Ball) -> Ball:
        if phi >= 0:
            return corners.overlap(phi, toward).slope
        return -corners.overlap(-phi, away).slope

    return clip(Interval(at(x.hi, d.lo, d.hi), at(x.lo, d.hi, d.lo)), -HALF, HALF)


def _curvature(c: Cell) -> Interval:
    """S_phiphi/S = 1/4 - rho/2, at least -1/delta^2 since delta S increases."""
    found = Interval(QUARTER - c.rho.hi / 2, QUARTER - c.rho.lo / 2)
    return clip(found, lo=-1 / c.delta.lo**2)


def sech_overlap(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """S."""
    c = cell(corners, phi, delta)
    return c.S, (c.slope, multiply(c.delta, _curvature(c)) if wanted[1] else None), True


def scaled_overlap(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """T = delta S, which increases in delta: T_delta/T = 1/delta + delta S_phiphi/S."""
    c = cell(corners, phi, delta)
    near, far = size(c.phi)
    ends = Interval(
        c.delta.lo * corners.overlap(far, c.delta.lo).S,
        c.delta.hi * corners.overlap(near, c.delta.hi).S,
    )
    rate = None
    if wanted[1]:
        rate = add(inverse(c.delta), multiply(c.delta, _curvature(c)))
        rate = clip(rate, lo=ZERO)
    return ends, (c.slope, rate), True


def _damped(corners: Corners, phi: Ball, delta: Ball) -> Ball:
    """e^{-delta^2/8} S at a point."""
    return (-(delta**2) / 8).exp() * corners.overlap(abs(phi), delta).S


def _fall(c: Cell) -> Interval:
    """The logarithmic slope -delta rho/2 of e^{-delta^2/8} S in delta."""
    return negative(multiply(c.delta, Interval(c.rho.lo / 2, c.rho.hi / 2)))


def damped_overlap(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """D = e^{-delta^2/8} S, which decreases in delta."""
    c = cell(corners, phi, delta)
    near, far = size(c.phi)
    ends = Interval(_damped(corners, far, c.delta.hi), _damped(corners, near, c.delta.lo))
    return ends, (c.slope, _fall(c)), True


def misassignment_new(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """eps_n = e^{phi/2} D/2 increases in phi and decreases in delta."""
    c = cell(corners, phi, delta)

    def at(x: Ball, d: Ball) -> Ball:
        return (x / 2).exp() * _damped(corners, x, d) / 2

    ends = Interval(at(c.phi.lo, c.delta.hi), at(c.phi.hi, c.delta.lo))
    return ends, (Interval(HALF + c.slope.lo, HALF + c.slope.hi), _fall(c)), True


def misassignment_old(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """eps_o is eps_n at -phi."""
    ends, (rate, fall), _ = misassignment_new(corners, wanted, negative(phi), delta)
    return ends, (negative(rate) if rate else None, fall), True


def complement(corners: Corners, phi: Ball, delta: Ball) -> Ball:
    """1 - kappa = cosh(phi/2) D at a point."""
    return (phi / 2).cosh() * _damped(corners, phi, delta)


def distinguishability(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """kappa falls away from phi = 0 and increases in delta."""
    c = cell(corners, phi, delta)
    near, far = size(c.phi)
    rest = Interval(complement(corners, near, c.delta.hi), complement(corners, far, c.delta.lo))
    ends = clip(Interval(1 - rest.hi, 1 - rest.lo), lo=ZERO)
    in_delta = negative(multiply(rest, _fall(c))) if wanted[1] else None
    return ends, (_kappa_slope(c, rest), in_delta), False


def _kappa_slope(c: Cell, rest: Interval) -> Interval:
    """kappa_phi = -(1 - kappa)(tanh(phi/2)/2 + S_phi/S), of the sign of -phi."""
    pull = add(increasing(lambda x: (x / 2).tanh() / 2, c.phi), c.slope)
    if c.phi.lo >= 0:
        pull = clip(pull, lo=ZERO)
    elif c.phi.hi <= 0:
        pull = clip(pull, hi=ZERO)
    return negative(multiply(rest, pull))


def second_moment_share(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """Q = E2/eps_n = 1/2 - S_phi/S: Q_phi = (S_phi/S)^2 - S_phiphi/S >= 0, S being log-concave.

    Q_delta has the sign of -phi and at most the size delta rho.
    """
    c = cell(corners, phi, delta)
    steep, bent = size(c.slope), _curvature(c)
    square = Interval(steep.lo**2, steep.hi**2)
    rise = clip(subtract(square, bent), lo=ZERO)
    share = Interval(HALF - c.slope.hi, HALF - c.slope.lo)
    return clip(share, lo=ZERO), (rise, negative(_turn(c))), False


def _turn(c: Cell) -> Interval:
    """(S_phi/S)_delta."""
    most = c.delta.hi * c.rho.hi
    return Interval(ZERO if c.phi.lo >= 0 else -most, ZERO if c.phi.hi <= 0 else most)


def second_moment(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """E2 = eps_n (1/2 - S_phi/S), which increases in phi: E2_phi = eps_n rho/2.

    In delta: E2_delta/eps_n = -delta rho/2 (1/2 - S_phi/S) - (S_phi/S)_delta, and the last has the
    sign of phi and at most the size delta rho.
    """
    c = cell(corners, phi, delta)
    eps, *_ = misassignment_new(corners, wanted, phi, delta)
    share = Interval(HALF - c.slope.hi, HALF - c.slope.lo)
    fall = None
    if wanted[1]:
        fall = multiply(eps, subtract(multiply(_fall(c), share), _turn(c)))
    rise = multiply(eps, Interval(c.rho.lo / 2, c.rho.hi / 2))
    return multiply(eps, share), (rise, fall), False


def softplus_mean(corners: Corners, wanted: Wanted, c: Interval, delta: Interval) -> Found:
    """A increases in c with slope eps_n and decreases in delta with slope -delta E2."""
    x, d = exact(c), exact(delta)
    if not d.lo > 0:
        raise Unbounded("delta may not be positive")
    ends = Interval(corners.A(x.lo, d.hi), corners.A(x.hi, d.lo))
    rise = misassignment_new(corners, wanted, x, d)[0] if wanted[0] else None
    fall = negative(spread_rate(corners, x, d)) if wanted[1] else None
    return ends, (rise, fall), False


def spread_rate(corners: Corners, c: Interval, delta: Interval) -> Interval:
    """delta E2(c, delta)."""
    return multiply(delta, second_moment(corners, (False, False), c, delta)[0])


def forward_kl(corners: Corners, wanted: Wanted, phi: Interval, delta: Interval) -> Found:
    """F = log(1 + e^phi) - A(phi) increases: slopes beta kappa in phi, delta E2 in delta."""
    x, d = exact(phi), exact(delta)
    if not d.lo > 0:
        raise Unbounded("delta may not be positive")
    ends = Interval(*(a.exp().log1p() - corners.A(a, e) for a, e in ((x.lo, d.lo), (x.hi, d.hi))))
    rise = None
    if wanted[0]:
        weight = increasing(sigma, x)
        rise = multiply(weight, distinguishability(corners, (False, False), x, d)[0])
    return clip(ends, lo=ZERO), (rise, spread_rate(corners, x, d) if wanted[1] else None), False


def sigma(x: Ball) -> Ball:
    """1/(1 + e^-x)."""
    return 1 / (1 + (-x).exp())


HEADS: Mapping[str, Head] = {
    "S": sech_overlap,
    "T": scaled_overlap,
    "D": damped_overlap,
    "eps_o": misassignment_old,
    "eps_n": misassignment_new,
    "kappa": distinguishability,
    "E2": second_moment,
    "Q": second_moment_share,
    "A": softplus_mean,
    "KL_forward": forward_kl,
}
