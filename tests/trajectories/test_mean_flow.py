"""Flows of several coordinates whose solutions are known, precise and in double precision."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath.ctx_mp import MPContext

from numerics.point import Unreachable
from numerics.trajectories.mean_flow import floats, precise

mp: Any = MPContext()
mp.dps = 50


def turning(ctx: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
    """A circle, and beside it x' = −x²."""
    x, y, z = state
    return y, -x, -(z**2)


@pytest.mark.parametrize("digits", [12, 20, 30])
def test_a_known_solution_is_met_to_the_digits_asked_for(digits: int) -> None:
    times = [Fraction(1, 3), Fraction(5), Fraction(30)]
    start = (Fraction(1), Fraction(0), Fraction(1))
    for reached in precise(turning, start, times, digits):
        t = mp.mpf(reached.time.numerator) / reached.time.denominator
        exact = mp.cos(t), -mp.sin(t), 1 / (1 + t)
        error = max(abs(mp.mpf(a) - b) for a, b in zip(reached.state, exact, strict=True))
        assert error <= reached.error
        assert error < mp.mpf(10) ** (2 - digits)


def test_the_estimate_is_no_idle_one() -> None:
    (reached,) = precise(turning, (Fraction(1), Fraction(0), Fraction(1)), [Fraction(30)], 20)
    assert reached.error < mp.mpf("1e-15")


def test_a_flow_that_ends_in_finite_time_is_not_followed_past_it() -> None:
    def explosive(ctx: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
        return (state[0] ** 2,)

    with pytest.raises(Unreachable, match="not resolved"):
        list(precise(explosive, (Fraction(1),), [Fraction(2)], 12))


def test_double_precision_meets_a_plane_flow_with_its_error() -> None:
    def spiral(x: Any) -> Any:
        return np.array([-x[0] / 10 - x[1], x[0] - x[1] / 10])

    for reached in floats(spiral, (1.0, 0.0), [0.0, 1.0, 10.0, 40.0]):
        size = math.exp(-reached.time / 10)
        exact = np.array([size * math.cos(reached.time), size * math.sin(reached.time)])
        assert np.abs(reached.state - exact).max() <= reached.error + 1e-15
        assert reached.error < 1e-8


def test_a_stiff_stretch_is_crossed() -> None:
    def two_speeds(x: Any) -> Any:
        return np.array([-1e4 * (x[0] - x[1]), -x[1]])

    (reached,) = floats(two_speeds, (2.0, 1.0), [20.0], 1e-9, stiff=True)
    slow = math.exp(-20.0)
    right = [slow / (1 - 1e-4), slow]
    assert np.abs(reached.state - right).max() <= reached.error < 1e-6


def test_a_velocity_that_is_not_finite_is_given_up() -> None:
    for stiff in (False, True):
        with pytest.raises(Unreachable, match="gives up"):
            list(floats(lambda x: x * np.nan, (1.0,), [1.0], stiff=stiff))
