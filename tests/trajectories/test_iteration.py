"""Maps iterated: exactly on fractions, and with an honest estimate where they round."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any

from mpmath.ctx_mp import MPContext

from numerics.trajectories.iteration import iterate


def test_a_moving_average_stays_in_fractions() -> None:
    # the teacher after k steps is 1 − (1−ρ)^k, and after none where it started
    rho = Fraction(1, 3)

    def step(state: Any, digits: int) -> tuple[Fraction, ...]:
        return state[0], (1 - rho) * state[1] + rho * state[0]

    orbit = islice(iterate(step, (Fraction(1), Fraction(0)), 20), 40)
    for k, (state, error) in enumerate(orbit):
        assert state[1] == 1 - (1 - rho) ** k
        assert error == 0


def test_the_estimate_holds_what_chaos_makes_of_rounding() -> None:
    # x → 4x(1 − x) doubles errors; sin² gives the orbit from x_0 = sin²(1)
    ctx = MPContext()
    ctx.dps = 60
    start = ctx.sin(1) ** 2

    def step(state: Any, digits: int) -> tuple[Any, ...]:
        x = ctx.mpf(state[0].numerator) / state[0].denominator
        return (4 * x * (1 - x),)

    exact_start = Fraction(*(ctx.mpf(start).man_exp[0], 2 ** -ctx.mpf(start).man_exp[1]))
    for k, (state, error) in enumerate(islice(iterate(step, (exact_start,), 20), 50)):
        right = ctx.sin(ctx.mpf(2) ** k) ** 2
        found = ctx.mpf(state[0].numerator) / state[0].denominator
        assert abs(found - right) <= ctx.mpf(error.numerator) / error.denominator + ctx.mpf("1e-24")
    assert error > Fraction(1, 10**12)
