r"""The quantities of two logits over boxes: W, R, and both rescaled by powers of phi - tau.

Built on `ranges`: between tau and phi everything is an integral of kappa, or of 1 - kappa.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flint import arb

from numerics.certified.intervals import (
    NOTHING,
    ZERO,
    Ball,
    Interval,
    add,
    clip,
    decreasing,
    exact,
    hull,
    increasing,
    inverse,
    meet,
    multiply,
    negative,
    point,
    size,
    subtract,
)
from numerics.certified.overlap_table import Corners
from numerics.certified.ranges import (
    HALF,
    HEADS,
    Found,
    Head,
    Wanted,
    complement,
    distinguishability,
    sigma,
    spread_rate,
)


def _bell(x: Ball) -> Ball:
    """sigma(x) sigma(-x)."""
    return (x / 2).sech() ** 2 / 4


def accumulated(
    corners: Corners, wanted: Wanted, phi: Interval, tau: Interval, delta: Interval
) -> Found:
    """W, the integral of kappa from tau to phi: slopes kappa(phi), -kappa(tau)."""
    x, t, d = exact(phi), exact(tau), exact(delta)

    def at(a: Ball, b: Ball, e: Ball) -> Ball:
        return a - b - corners.A(a, e) + corners.A(-a, e) + corners.A(b, e) - corners.A(-b, e)

    # beyond the diagonal W is negative and falls with delta
    low = at(x.lo, t.hi, d.lo if x.lo >= t.hi else d.hi)
    high = at(x.hi, t.lo, d.hi if x.hi >= t.lo else d.lo)
    if x.lo >= t.hi:
        low = low.max(ZERO)
    if x.hi <= t.lo:
        high = high.min(ZERO)
    rise = distinguishability(corners, (False, False), x, d)[0] if wanted[0] else None
    fall = negative(distinguishability(corners, (False, False), t, d)[0]) if wanted[1] else None
    in_delta = None
    if wanted[2]:
        e = [spread_rate(corners, side, d) for side in (x, negative(t), negative(x), t)]
        in_delta = subtract(add(e[0], e[1]), add(e[2], e[3]))
        in_delta = _signed(in_delta, x, t)
    return Interval(low, high), (rise, fall, in_delta), False


def _signed(value: Interval, x: Interval, t: Interval) -> Interval:
    """The part of the sign of x - t."""
    if x.lo >= t.hi:
        return clip(value, lo=ZERO)
    return clip(value, hi=ZERO) if x.hi <= t.lo else value


def reverse_kl_at(corners: Corners, a: Ball, b: Ball, e: Ball) -> Ball:
    """R at exact arguments: KL(Bern beta || Bern alpha) less the deficit."""
    if a == b:
        return ZERO
    with_old = a - b + corners.A(-a, e) - corners.A(-b, e)
    with_new = corners.A(a, e) - corners.A(b, e)
    weight = sigma(a)
    return weight * with_old + sigma(-a) * with_new + b.exp().log1p() - a.exp().log1p()


def reverse_kl(
    corners: Corners, wanted: Wanted, phi: Interval, tau: Interval, delta: Interval
) -> Found:
    """R grows away from phi = tau, and with delta.

    R_phi = beta (1 - beta) W, R_tau = (alpha - beta) kappa(tau), and R_delta = delta {beta
    [E2(-tau) - E2(-phi)] + (1 - beta)[E2(tau) - E2(phi)]} >= 0.
    """
    x, t, d = exact(phi), exact(tau), exact(delta)
    ends = _away(lambda a, b, e: reverse_kl_at(corners, a, b, e), x, t, d)
    rise = fall = grow = None
    if wanted[0]:
        total = accumulated(corners, (False, False, False), x, t, d)[0]
        rise = multiply(_bell_range(x), total)
    if wanted[1]:
        gap = subtract(increasing(sigma, t), increasing(sigma, x))
        kappa = distinguishability(corners, (False, False), t, d)[0]
        fall = multiply(negative(_signed(negative(gap), x, t)), kappa)
    if wanted[2]:
        e = [spread_rate(corners, side, d) for side in (negative(t), negative(x), t, x)]
        old = multiply(increasing(sigma, x), subtract(e[0], e[1]))
        new = multiply(decreasing(lambda a: sigma(-a), x), subtract(e[2], e[3]))
        grow = clip(add(old, new), lo=ZERO)
    return ends, (rise, fall, grow), False


def _away(f: Callable[[Ball, Ball, Ball], Ball], x: Interval, t: Interval, d: Interval) -> Interval:
    """The range of f >= 0 that is 0 at x = t, and grows away from it and with d."""
    if x.lo >= t.hi:
        ends = Interval(f(x.lo, t.hi, d.lo), f(x.hi, t.lo, d.hi))
    elif x.hi <= t.lo:
        ends = Interval(f(x.hi, t.lo, d.lo), f(x.lo, t.hi, d.hi))
    else:
        ends = Interval(ZERO, f(x.hi, t.lo, d.hi).max(f(x.lo, t.hi, d.hi)))
    return clip(ends, lo=ZERO)


def _bell_range(x: Interval) -> Interval:
    return decreasing(_bell, size(x))


def mean_distinguishability(
    corners: Corners, wanted: Wanted, phi: Interval, tau: Interval, delta: Interval
) -> Found:
    """K = W/(phi - tau) = int_0^1 kappa(tau + t w) dt, w = phi - tau.

    Across the diagonal from kappa between tau and phi, with int t dt = 1/2; away from it also from
    W and the quotient rule.
    """
    x, t, d = exact(phi), exact(tau), exact(delta)
    value, (turn, grow), _ = distinguishability(corners, (True, True), hull(x, t), d)
    half = multiply(turn, point(HALF)) if turn else None
    rates = [half, half, grow]
    w = subtract(x, t)
    if w.lo > 0 or w.hi < 0:
        inner = inverse(w)
        total, slopes, _ = accumulated(corners, wanted, x, t, d)
        value = meet(value, multiply(total, inner))
        once = multiply(value, inner)
        rates = _quotients(rates, slopes, inner, once)
    return value, (rates[0], rates[1], rates[2]), False


def _quotients(
    rates: Sequence[Interval | None],
    slopes: Sequence[Interval | None],
    scale: Interval,
    loss: Interval,
) -> list[Interval | None]:
    """Each rate, met with scale times a slope, less the loss in phi, more it in tau."""
    losses = (negative(loss), loss, NOTHING)
    return [
        rate if rate is None or slope is None else meet(rate, add(multiply(slope, scale), lost))
        for rate, slope, lost in zip(rates, slopes, losses, strict=True)
    ]


def per_square(
    corners: Corners, wanted: Wanted, phi: Interval, tau: Interval, delta: Interval
) -> Found:
    """G = R/w^2 = int_0^1 int_0^s bell(tau + s w) kappa(tau + t w) dt ds, w = phi - tau."""
    x, t, d = exact(phi), exact(tau), exact(delta)
    kappa, (turn, grow), _ = distinguishability(corners, (True, True), hull(x, t), d)
    return _over_triangle(x, t, kappa, turn, grow, reverse_kl(corners, wanted, x, t, d))


def deficit_per_square(
    corners: Corners, wanted: Wanted, phi: Interval, tau: Interval, delta: Interval
) -> Found:
    """H = (KL_Bern - R)/(phi - tau)^2, which is G with 1 - kappa for kappa."""
    x, t, d = exact(phi), exact(tau), exact(delta)
    _, (turn, grow), _ = distinguishability(corners, (True, True), hull(x, t), d)
    rest = _rest_range(corners, hull(x, t), d)
    turn, grow = (negative(rate) if rate else None for rate in (turn, grow))
    return _over_triangle(x, t, rest, turn, grow, _deficit(corners, wanted, x, t, d))


def _rest_range(corners: Corners, x: Interval, d: Interval) -> Interval:
    """1 - kappa, relatively accurate where it is tiny."""
    near, far = size(x)
    return Interval(complement(corners, near, d.hi), complement(corners, far, d.lo))


def _deficit(corners: Corners, wanted: Wanted, x: Interval, t: Interval, d: Interval) -> Found:
    """KL_Bern - R grows away from phi = tau and falls with delta; its slopes are those of R, with
    1 - kappa for kappa."""

    def at(a: Ball, b: Ball, e: Ball) -> Ball:
        old = corners.A(-b, e) - corners.A(-a, e)
        return sigma(a) * old + sigma(-a) * (corners.A(b, e) - corners.A(a, e))

    value = _away(at, x, t, Interval(d.hi, d.lo))
    _, (_, _, grow), _ = reverse_kl(corners, (False, False, wanted[2]), x, t, d)
    rise = fall = None
    if wanted[0]:
        total, _, _ = accumulated(corners, (False,) * 3, x, t, d)
        rise = multiply(_bell_range(x), _signed(subtract(subtract(x, t), total), x, t))
    if wanted[1]:
        gap = _signed(subtract(increasing(sigma, x), increasing(sigma, t)), x, t)
        fall = negative(multiply(gap, _rest_range(corners, t, d)))
    return value, (rise, fall, negative(grow) if grow else None), False


def _over_triangle(
    x: Interval,
    t: Interval,
    kappa: Interval,
    turn: Interval | None,
    grow: Interval | None,
    whole: Found,
) -> Found:
    """The mean of bell = sigma(1 - sigma) times kappa, whose slopes are turn and grow.

    Across the diagonal from both between tau and phi, with the moments 1/2, 1/3, 1/6 of the
    triangle; away from it also from `whole`, which is it times (phi - tau)^2, and the quotient
    rule.
    """
    between = hull(x, t)
    bell = _bell_range(between)
    value = multiply(multiply(bell, kappa), point(HALF))
    bent = multiply(bell, negative(increasing(lambda a: (a / 2).tanh(), between)))
    along, across = multiply(bent, kappa), multiply(bell, turn or NOTHING)
    third, sixth = point(1 / arb(3)), point(1 / arb(6))
    rates: list[Interval | None] = [
        add(multiply(third, along), multiply(sixth, across)),
        add(multiply(sixth, along), multiply(third, across)),
        multiply(multiply(bell, grow), point(HALF)) if grow else None,
    ]
    w = subtract(x, t)
    if w.lo > 0 or w.hi < 0:
        inner = inverse(w)
        square = multiply(inner, inner)
        value = meet(value, multiply(whole[0], square))
        twice = multiply(multiply(point(arb(2)), value), inner)
        rates = _quotients(rates, whole[1], square, twice)
    return value, (rates[0], rates[1], rates[2]), False


ALL_HEADS: Mapping[str, Head] = {
    **HEADS,
    "KL_reverse": reverse_kl,
    "W": accumulated,
    "K": mean_distinguishability,
    "G": per_square,
    "H": deficit_per_square,
}
