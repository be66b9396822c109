"""A velocity interpolated: as good as the digits asked for, at few values of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath.ctx_mp import MPContext

from numerics.point import Unreachable
from numerics.trajectories.interpolation import interpolated

mp: Any = MPContext()
mp.dps = 50
DIGITS = 20
CALLS: list[Fraction] = []


def real(value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def steep(state: Fraction) -> Any:
    """Poles at ± iπ, and ten orders of magnitude on the box."""
    CALLS.append(state)
    x = real(state)
    return mp.exp(x) / (1 + mp.exp(-x)) - mp.mpf(1) / 3


CHEAP = interpolated(steep, DIGITS)


@given(st.fractions(Fraction(-12), Fraction(12)))
def test_it_agrees_to_the_digits_of_the_largest_value_nearby(state: Fraction) -> None:
    scale = max(abs(steep(state + shift)) for shift in (-2, 0, 2))
    assert abs(mp.mpf(CHEAP(state)) - steep(state)) <= scale * mp.mpf(10) ** (2 - DIGITS)


def test_a_panel_is_paid_for_once() -> None:
    cheap = interpolated(steep, DIGITS)
    CALLS.clear()
    for k in range(200):
        cheap(Fraction(k, 100))
    assert len(CALLS) == 30


def test_a_narrow_step_is_resolved_by_halving() -> None:
    cheap = interpolated(lambda state: mp.tanh(20 * real(state)), DIGITS)
    for k in range(-9, 10):
        state = Fraction(k, 30)
        assert abs(mp.mpf(cheap(state)) - mp.tanh(20 * real(state))) < mp.mpf("1e-18")


def test_a_kink_is_refused() -> None:
    cheap = interpolated(lambda state: abs(real(state) - mp.mpf(1) / 3), DIGITS)
    with pytest.raises(Unreachable, match="not smooth"):
        cheap(Fraction(1, 3))
