"""The checker's bounds of the quantities of two logits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import arb

from proofs_check.boxes.bounds import Ball, Span, around, falling, number, rising
from proofs_check.boxes.heads import (
    HALF,
    HEADS,
    Found,
    Head,
    Values,
    between,
    complement,
    kappa,
    pull,
    weight,
)


def _accumulated(values: Values, x: Ball, t: Ball, d: Ball) -> Ball:
    A = values.A
    return (x - A(x, d) + A(-x, d)) - (t - A(t, d) + A(-t, d))


def W(values: Values, x: Span, t: Span, d: Span) -> Found:
    """The integral of kappa from t to x."""
    rate = pull(values, x, d) + pull(values, -t, d) - pull(values, -x, d) - pull(values, t, d)
    rate = _sided(rate, bool(x.lo >= t.hi), bool(x.hi <= t.lo))
    return _total(values, x, t, d), (between(values, x, d), -between(values, t, d), rate), False


def _total(values: Values, x: Span, t: Span, d: Span) -> Span:
    """The range of W, whose size grows with delta."""
    above, below = bool(x.lo >= t.hi), bool(x.hi <= t.lo)
    low = _accumulated(values, x.lo, t.hi, d.lo if above else d.hi)
    high = _accumulated(values, x.hi, t.lo, d.lo if below else d.hi)
    return _sided(around(low, high), above, below)


def _sided(x: Span, above: bool, below: bool) -> Span:
    """What is known to have a sign."""
    lo = x.lo.max(arb(0)) if above else x.lo
    return Span(lo, x.hi.min(arb(0)) if below else x.hi)


def _reverse(values: Values, x: Ball, t: Ball, d: Ball) -> Ball:
    """R, from the label divergence's complement: beta ell_o + (1 - beta) ell_n."""
    if x == t:
        return arb(0)
    A, b = values.A, weight(x)
    ell_n = (1 + t.exp()).log() - (1 + x.exp()).log() + A(x, d) - A(t, d)
    ell_o = (1 + (-t).exp()).log() - (1 + (-x).exp()).log() + A(-x, d) - A(-t, d)
    return b * ell_o + (1 - b) * ell_n


def KL_reverse(values: Values, x: Span, t: Span, d: Span) -> Found:
    above, below = bool(x.lo >= t.hi), bool(x.hi <= t.lo)
    value = _apart(lambda a, b, e: _reverse(values, a, b, e), x, t, (d.lo, d.hi))
    bell = _bell(x)
    gap = _sided(rising(weight, x) - rising(weight, t), above, below)
    rise = bell * _total(values, x, t, d)
    fall = -(gap * between(values, t, d))
    old = rising(weight, x) * (pull(values, -t, d) - pull(values, -x, d))
    new = falling(lambda a: weight(-a), x) * (pull(values, t, d) - pull(values, x, d))
    grow = _sided(old + new, True, False)
    return value, (rise, fall, grow), False


def _bell(x: Span) -> Span:
    return falling(lambda a: weight(a) * weight(-a), around(x.near, x.far))


def K(values: Values, x: Span, t: Span, d: Span) -> Found:
    """W/(x - t): the mean of kappa between t and x."""
    value, (turn, grow), _ = kappa(values, _path(x, t), d)
    rates: tuple[Span, ...] = (turn * number(HALF), turn * number(HALF), grow)
    w = x - t
    if not w.lo <= 0 <= w.hi:
        total, (W_x, W_t, W_d), _ = W(values, x, t, d)
        value = value.within(total / w)
        loss = value / w
        quotients = (W_x / w - loss, W_t / w + loss, W_d / w)
        rates = tuple(a.within(b) for a, b in zip(rates, quotients, strict=True))
    return value, rates, False


def _path(x: Span, t: Span) -> Span:
    return Span(x.lo.min(t.lo), x.hi.max(t.hi))


def G(values: Values, x: Span, t: Span, d: Span) -> Found:
    """R/(x - t)^2: a mean of sigma(1 - sigma) kappa between t and x."""
    return _triangle(x, t, kappa(values, _path(x, t), d), KL_reverse(values, x, t, d))


def _deficit(values: Values, x: Ball, t: Ball, d: Ball) -> Ball:
    A, b = values.A, weight(x)
    return b * (A(-t, d) - A(-x, d)) + (1 - b) * (A(t, d) - A(x, d))


def H(values: Values, x: Span, t: Span, d: Span) -> Found:
    """(KL_Bern - R)/(x - t)^2: the same with 1 - kappa, which falls with d."""
    above, below = bool(x.lo >= t.hi), bool(x.hi <= t.lo)
    value = _apart(lambda a, b, e: _deficit(values, a, b, e), x, t, (d.hi, d.lo))
    total = _sided((x - t) - _total(values, x, t, d), above, below)
    gap = _sided(rising(weight, x) - rising(weight, t), above, below)
    grow = KL_reverse(values, x, t, d)[1][2]
    slopes = (_bell(x) * total, -(gap * complement(values, t, d)), -grow)
    turn, growth = kappa(values, _path(x, t), d)[1]
    rest = (complement(values, _path(x, t), d), (-turn, -growth), False)
    return _triangle(x, t, rest, (value, slopes, False))


def _apart(f: Callable[[Ball, Ball, Ball], Ball], x: Span, t: Span, d: tuple[Ball, Ball]) -> Span:
    """The range of f >= 0 that is 0 at x = t and grows away from it, and from d[0] to d[1]."""
    low = arb(0)
    if x.lo >= t.hi or x.hi <= t.lo:
        low = f(*((x.lo, t.hi) if x.lo >= t.hi else (x.hi, t.lo)), d[0]).max(arb(0))
    return around(low, f(x.hi, t.lo, d[1]).max(f(x.lo, t.hi, d[1])))


def _triangle(x: Span, t: Span, inner: Found, whole: Found) -> Found:
    """A mean of sigma(1 - sigma) times `inner`; `whole` is (x - t)^2 times that."""
    share, (turn, grow), _ = inner
    path = _path(x, t)
    bell = _bell(path)
    bent, turned = -(bell * rising(lambda a: (a / 2).tanh(), path)) * share, bell * turn
    third, sixth, half = (number(arb(1) / n) for n in (3, 6, 2))
    value = bell * share * half
    rates: tuple[Span, ...] = (
        third * bent + sixth * turned,
        sixth * bent + third * turned,
        bell * grow * half,
    )
    w = x - t
    if not w.lo <= 0 <= w.hi:
        square, (f_x, f_t, f_d) = w * w, whole[1]
        value = value.within(whole[0] / square)
        twice = (value + value) / w
        quotients = (f_x / square - twice, f_t / square + twice, f_d / square)
        rates = tuple(a.within(b) for a, b in zip(rates, quotients, strict=True))
    return value, rates, False


ALL_HEADS: Mapping[str, Head] = {
    **HEADS,
    **{f.__name__: f for f in (KL_reverse, W, K, G, H)},
}
