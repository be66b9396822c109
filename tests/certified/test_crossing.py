"""Zeros isolated by proved signs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from numerics.certified.crossing import isolate
from numerics.point import Unreachable

WIDTH = Fraction(1, 2**20)


def falling(zero: Fraction) -> Callable[[Fraction], arb]:
    def f(x: Fraction) -> arb:
        gap = zero - x
        return arb(fmpq(gap.numerator, gap.denominator)).sinh()

    return f


@given(st.fractions(-300, 300), st.fractions(-50, 50, max_denominator=64))
def test_the_zero_lies_between_the_ends(zero: Fraction, start: Fraction) -> None:
    try:
        low, high = isolate(falling(zero), start, WIDTH)
    except Unreachable:
        return  # the search came upon the zero itself
    assert low < zero < high
    assert high - low <= WIDTH


def test_a_zero_that_is_met_exactly_is_not_passed_over() -> None:
    with pytest.raises(Unreachable, match="not decided"):
        isolate(falling(Fraction(1, 2)), Fraction(-1), WIDTH)


def test_a_function_that_keeps_its_sign_has_no_zero() -> None:
    with pytest.raises(Unreachable, match="no change of sign"):
        isolate(lambda x: arb(1), Fraction(0), WIDTH)
