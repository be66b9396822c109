"""Ranges over boxes contain values and slopes, whose second source is another quadrature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.certified.intervals import Interval, Unbounded
from numerics.certified.overlap_functions import sech_overlap, softplus_mean
from numerics.certified.overlap_table import Corners
from numerics.certified.pair_ranges import ALL_HEADS
from numerics.certified.range_lemmas import LEMMAS
from proofs_check.boxes.auxiliary import QUANTITIES
from proofs_check.boxes.bounds import Span
from proofs_check.boxes.heads import Values
from proofs_check.boxes.pair_heads import ALL_HEADS as CHECKER_HEADS
from proofs_check.catalogue import load
from theorems.language import Claim

Ball = Any
BITS = 128
STEP = arb(2) ** -24
CORNERS, VALUES = Corners(), Values()


def sigma(x: Ball) -> Ball:
    return 1 / (1 + (-x).exp())


def D(x: Ball, d: Ball) -> Ball:
    return (-(d**2) / 8).exp() * sech_overlap(x, d)


def eps_n(x: Ball, d: Ball) -> Ball:
    return (x / 2).exp() * D(x, d) / 2


def E2(x: Ball, d: Ball) -> Ball:
    """From A_delta = -delta E2, by a central difference: about 1e-13 off."""
    step = arb(2) ** -30
    return (softplus_mean(x, d - step) - softplus_mean(x, d + step)) / (2 * step * d)


def W(x: Ball, t: Ball, d: Ball) -> Ball:
    A = softplus_mean
    return (x - A(x, d) + A(-x, d)) - (t - A(t, d) + A(-t, d))


def bernoulli(x: Ball, t: Ball) -> Ball:
    return sigma(x) * (x - t) + t.exp().log1p() - x.exp().log1p()


def R(x: Ball, t: Ball, d: Ball) -> Ball:
    A = softplus_mean
    old, new = A(-x, d) - A(-t, d), A(x, d) - A(t, d)
    return bernoulli(x, t) + sigma(x) * old + sigma(-x) * new


TRUE: Mapping[str, Callable[..., Ball]] = {
    "S": sech_overlap,
    "T": lambda x, d: d * sech_overlap(x, d),
    "D": D,
    "eps_n": eps_n,
    "eps_o": lambda x, d: eps_n(-x, d),
    "kappa": lambda x, d: 1 - (x / 2).cosh() * D(x, d),
    "E2": E2,
    "Q": lambda x, d: E2(x, d) / eps_n(x, d),
    "A": softplus_mean,
    "KL_forward": lambda x, d: x.exp().log1p() - softplus_mean(x, d),
    "KL_reverse": R,
    "W": W,
    "K": lambda x, t, d: W(x, t, d) / (x - t),
    "G": lambda x, t, d: R(x, t, d) / (x - t) ** 2,
    "H": lambda x, t, d: (bernoulli(x, t) - R(x, t, d)) / (x - t) ** 2,
}
ARITY = {name: 3 if name in ("KL_reverse", "W", "K", "G", "H") else 2 for name in TRUE}
COARSE = ("E2", "Q")


def rational(low: int, high: int, denominator: int) -> st.SearchStrategy[Fraction]:
    numerators = st.integers(low * denominator, high * denominator)
    return numerators.map(lambda n: Fraction(n, denominator))


@st.composite
def places(draw: st.DrawFn) -> tuple[str, tuple[tuple[Fraction, Fraction], ...], tuple[int, ...]]:
    """A head, a box for its arguments, and where in the box, in eighths of each side."""
    name = draw(st.sampled_from(sorted(TRUE)))
    sides = []
    for i in range(ARITY[name]):
        distance = i == ARITY[name] - 1
        low = draw(rational(1, 12, 8) if distance else rational(-8, 8, 16))
        width = draw(st.sampled_from([Fraction(4), Fraction(1), Fraction(1, 8), Fraction(1, 512)]))
        sides.append((low, low + width))
    return name, tuple(sides), tuple(draw(st.integers(0, 8)) for _ in sides)


def ball(x: Fraction) -> Ball:
    return arb(fmpq(x.numerator, x.denominator))


def at(sides: tuple[tuple[Fraction, Fraction], ...], eighths: tuple[int, ...]) -> list[Ball]:
    return [ball(low + (high - low) * k / 8) for (low, high), k in zip(sides, eighths, strict=True)]


def slope(f: Callable[..., Ball], place: list[Ball], i: int) -> Ball:
    up, down = list(place), list(place)
    up[i], down[i] = place[i] + STEP, place[i] - STEP
    return (f(*up) - f(*down)) / (2 * STEP)


DIAGONAL = ("G", ((Fraction(-1), Fraction(1)),) * 2 + ((Fraction(1), Fraction(5)),), (8, 0, 4))


NEAR = (Fraction(2), Fraction(129, 64)), (Fraction(127, 64), Fraction(257, 128))
FLAT = (Fraction(8), Fraction(8) + Fraction(1, 512)), (Fraction(1, 8), Fraction(1, 4))


@settings(max_examples=150)
@given(places())
@example(DIAGONAL)
@example(("K", DIAGONAL[1], DIAGONAL[2]))
@example(("H", DIAGONAL[1], DIAGONAL[2]))
@example(("Q", ((Fraction(-1), Fraction(3)), (Fraction(1, 8), Fraction(4))), (1, 7)))
@example(("G", (*NEAR, (Fraction(2), Fraction(33, 16))), (8, 0, 4)))
@example(("H", (*NEAR, (Fraction(2), Fraction(33, 16))), (8, 0, 4)))
@example(("K", (*NEAR, (Fraction(2), Fraction(33, 16))), (8, 0, 4)))
@example(("D", FLAT, (0, 8)))
@example(("D", FLAT, (8, 0)))
@example(("S", ((Fraction(-40), Fraction(40)), (Fraction(1, 4), Fraction(200))), (3, 1)))
def test_ranges_contain_values_and_slopes(
    drawn: tuple[str, tuple[tuple[Fraction, Fraction], ...], tuple[int, ...]],
) -> None:
    name, sides, eighths = drawn
    with ctx.workprec(BITS):
        place = at(sides, eighths)
        if ARITY[name] == 3 and abs(place[0] - place[1]) < arb(2) ** -8:
            return
        value = TRUE[name](*place)
        rates = [slope(TRUE[name], place, i) for i in range(len(place))]
        box = [Interval(ball(low), ball(high)) for low, high in sides]
        spans = [Span(ball(low), ball(high)) for low, high in sides]
        found = ALL_HEADS[name](CORNERS, (True,) * len(box), *box)
        checker = CHECKER_HEADS[name](VALUES, *spans)
        off = abs(value) * arb(10) ** (-9 if name in COARSE else -25)
        for range_, slopes, logarithmic in (found, checker):
            assert not value + off < range_.lo
            assert not value - off > range_.hi
            for rate, true in zip(slopes, rates, strict=True):
                assert rate is not None
                true = true / value if logarithmic else true
                slack = (1 + abs(true)) * arb(10) ** (-4 if name in COARSE else -9)
                assert not true + slack < rate.lo
                assert not true - slack > rate.hi


@given(rational(-40, 40, 8), rational(1, 30, 8))
@example(Fraction(40), Fraction(1, 4))
@example(Fraction(0), Fraction(200))
def test_table_and_series_agree_at_points(x: Fraction, d: Fraction) -> None:
    with ctx.workprec(BITS):
        found = CORNERS.overlap(abs(ball(x)), ball(d))
        assert found.S.rel_accuracy_bits() > 80
        assert found.S.overlaps(sech_overlap(ball(x), ball(d)))
        assert CORNERS.A(ball(x), ball(d)).overlaps(softplus_mean(ball(x), ball(d)))


def test_delta_must_be_positive() -> None:
    with pytest.raises(Unbounded):
        ALL_HEADS["S"](CORNERS, (True, True), Interval(arb(0), arb(1)), Interval(arb(0), arb(1)))


def test_every_head_is_checked_and_rests_on_declared_claims() -> None:
    names = {lemma.partition(".")[0] for lemmas in LEMMAS.values() for lemma in lemmas}
    declared = {claim.id: claim for theorem in load(names).values() for claim in theorem.claims}
    assert set(ALL_HEADS) == set(CHECKER_HEADS) == set(LEMMAS) == set(TRUE)
    assert {quantity.symbol for quantity in QUANTITIES} <= set(ALL_HEADS)
    for lemmas in LEMMAS.values():
        for lemma in lemmas:
            claim = declared[lemma]
            assert isinstance(claim, Claim)
            assert claim.proof, lemma
