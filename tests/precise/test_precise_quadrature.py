"""The trapezoidal sums on integrals with known values: far peaks, thin peaks, kinks, planes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath.ctx_mp import MPContext

from numerics.point import Unreachable
from numerics.precise.derivative import first, second
from numerics.precise.line import boundary, gaussian, responsibility
from numerics.precise.plane import Separable, integrate_disc
from numerics.precise.quadrature import Pole, integrate, integrate_beyond


def context(digits: int = 50) -> Any:
    ctx = MPContext()
    ctx.dps = digits
    return ctx


@given(st.integers(-(10**6), 10**6))
@settings(max_examples=20)
def test_a_density_has_mass_one_wherever_it_sits(mean: int) -> None:
    ctx = context()
    total = integrate(ctx, gaussian(ctx, ctx.mpf(mean)), [ctx.zero, ctx.mpf(mean)])
    assert abs(total.value[0] - 1) <= total.error < ctx.mpf(10) ** -30


def test_two_distant_peaks_are_both_seen() -> None:
    ctx = context()
    near, far = gaussian(ctx, ctx.zero), gaussian(ctx, ctx.mpf(10**5))
    both = integrate(ctx, lambda x: near(x) + 3 * far(x), [ctx.zero, ctx.mpf(10**5)])
    assert abs(both.value[0] - 4) <= both.error < ctx.mpf(10) ** -30


def test_translation_changes_nothing() -> None:
    ctx = context()

    def misassigned(shift: int) -> Any:
        old, new = ctx.mpf(shift), ctx.mpf(shift + 3)
        p_o, r_n = gaussian(ctx, old), responsibility(ctx, ctx.one, new, old)
        (pole,) = boundary(ctx, -ctx.one, ctx.mpf(3))
        moved = Pole(shift + pole.centre, pole.half_width)
        return integrate(ctx, lambda x: p_o(x) * r_n(x), [old, new, moved.centre], [moved])

    here, there = misassigned(0), misassigned(1000)
    assert abs(here.value[0] - there.value[0]) <= here.error + there.error


def test_a_pole_near_the_line_is_respected_and_the_estimate_knows_it() -> None:
    """∫ e^{-x²}/(x² + a²) dx = (π/a) e^{a²} erfc(a)."""
    ctx = context()
    a = ctx.mpf(1) / 5
    right = ctx.pi / a * ctx.exp(a**2) * ctx.erfc(a)

    def peak(x: Any) -> Any:
        return ctx.exp(-(x**2)) / (x**2 + a**2)

    told = integrate(ctx, peak, [ctx.zero], [Pole(ctx.zero, a)])
    assert abs(told.value[0] - right) <= told.error < ctx.mpf(10) ** -30
    untold = integrate(ctx, peak, [ctx.zero])
    assert abs(untold.value[0] - right) <= untold.error
    assert untold.error > ctx.mpf(10) ** -10


@pytest.mark.parametrize("kink", ["-9", "0", "1/3", "12", "70000"])
def test_one_side_of_a_kink(kink: str) -> None:
    ctx = context()
    edge = ctx.mpf(kink) if "/" not in kink else ctx.one / 3
    above = integrate_beyond(ctx, gaussian(ctx, ctx.zero), edge, 1, [ctx.zero])
    right = ctx.erfc(edge / ctx.sqrt(2)) / 2
    assert abs(above.value[0] - right) <= above.error <= right * ctx.mpf(10) ** -27
    below = integrate_beyond(ctx, gaussian(ctx, ctx.zero), edge, -1, [ctx.zero])
    assert abs(below.value[0] - (1 - right)) <= below.error + above.error


def test_nothing_integrates_to_nothing() -> None:
    ctx = context()
    assert integrate(ctx, lambda x: 0 * x, [ctx.zero]).value == (0,)
    assert integrate_beyond(ctx, lambda x: 0 * x, ctx.zero, 1, [ctx.zero]).value == (0,)


def test_a_sum_that_would_take_minutes_is_declined() -> None:
    ctx = context()
    with pytest.raises(Unreachable, match="nodes"):
        integrate(ctx, gaussian(ctx, ctx.zero), [ctx.zero], [Pole(ctx.zero, ctx.mpf(10) ** -9)])


def test_complex_steps_lose_nothing() -> None:
    """Derivatives of e^{px} in p are x e^{px} and x² e^{px}."""
    ctx = context()
    p, x = ctx.mpf(2) / 7, ctx.mpf(5) / 3

    def family(parameter: Any) -> Any:
        return lambda y: ctx.exp(parameter * y)

    slope = first(ctx, family, p)(x)
    curvature, _ = second(ctx, family, p, ctx.one)
    assert abs(slope / (x * ctx.exp(p * x)) - 1) < ctx.mpf(10) ** -48
    assert abs(curvature(x) / (x**2 * ctx.exp(p * x)) - 1) < ctx.mpf(10) ** -48


def test_a_product_over_the_disc() -> None:
    """E[cos(X) Y²] = e^{-1/2} cos(1)(1 + 4) for means (1, 2)."""
    ctx = context(30)
    along, across = gaussian(ctx, ctx.one), gaussian(ctx, ctx.mpf(2))
    integrand = Separable(
        lambda x: (along(x) * ctx.cos(x),),
        lambda y: (across(y) * y**2,),
        lambda at_x, at_y: at_x[0] * at_y[0],
    )
    found = integrate_disc(ctx, integrand, (ctx.one, ctx.mpf(2)), ctx.mpf(3), ())
    right = 5 * ctx.exp(-ctx.mpf(1) / 2) * ctx.cos(1)
    assert abs(found.value[0] - right) <= found.error < ctx.mpf(10) ** -18
