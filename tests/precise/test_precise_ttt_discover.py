"""The entropic objective, its collapse constant and its drift, against tabulated values, closed
forms and mpmath.quad."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.point import Logit
from numerics.precise import overlap, reverse_kl, ttt_discover

Value = Callable[..., Any]
Mean = Callable[..., Any]
REWARDS = {"inverse_temperature": "1", "reward_old": "1", "reward_new": "2"}
REFERENCE = {"reference_logit": "-3/5", "delta": "3"}
POINT = {"phi": "1/2", **REFERENCE, **REWARDS, "anchor": "1"}
DRIFT = {"phi": "1/2", **REFERENCE, "inverse_temperature": "1", "gap": "1"}


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(exact: str | Fraction) -> Any:
    return mpmath.mpf(Fraction(exact).numerator) / Fraction(exact).denominator


@pytest.mark.parametrize(
    ("reference", "delta", "printed"),
    [  # tabulated elsewhere, to the digits printed
        (Logit(Fraction(1, 5)), "3/2", "0.6275873316"),
        (Logit(Fraction(1, 20)), "4", "5.318436117"),
        (Fraction(1), "2", "2.5395"),
    ],
)
def test_tabulated_collapse_constants(
    reference: Fraction | Logit, delta: str, printed: str, value: Value
) -> None:
    found = value(ttt_discover.collapse_constant, reference_logit=reference, delta=delta)
    assert abs(found - mpmath.mpf(printed)) <= mpmath.mpf(10) ** -len(printed.split(".")[1]) / 2


@pytest.mark.parametrize("delta", ["3", "1/10", "12"])
def test_even_reference_collapses_at_half_the_squared_distance(delta: str, value: Value) -> None:
    found = value(ttt_discover.collapse_constant, reference_logit="0", delta=delta)
    with mpmath.workdps(40):
        assert close(found, mp(delta) ** 2 / 2, 24)


@pytest.mark.parametrize(("logit", "delta"), [("-3/5", "3"), ("4", "1/2"), ("-8", "1")])
def test_collapse_constant_is_two_expectations(
    logit: str, delta: str, value: Value, mean: Mean
) -> None:
    with mpmath.workdps(32):
        alpha, d = mpmath.sigmoid(mp(logit)), mp(delta)

        def log_loss(x: Any) -> Any:  # log p_n/q_ref
            return -mpmath.log(1 - alpha + alpha * mpmath.exp(d * (d / 2 - x)))

        right = mean(log_loss, d) - mean(log_loss, mpmath.mpf(0))
        found = value(ttt_discover.collapse_constant, reference_logit=logit, delta=delta)
        assert abs(found - right) < 1e-26


def test_a_lost_reference_has_its_chi_squared(value: Value) -> None:
    """α_0 = e^-60: D_0 = α_0 (e^{delta²} - 1) up to a factor 1 + O(α_0)."""
    found = value(ttt_discover.collapse_constant, reference_logit="-60", delta="1")
    with mpmath.workdps(40):
        assert close(found, mpmath.sigmoid(-60) * mpmath.expm1(1), 24)


def test_the_critical_anchor(value: Value) -> None:
    even = {"reference_logit": "0", "delta": "2"}
    with mpmath.workdps(40):
        assert close(value(ttt_discover.critical_anchor, **even, **REWARDS), mp("1/4"), 24)
        constant = value(ttt_discover.collapse_constant, 28, **REFERENCE)
        scaled = {"inverse_temperature": "2", "reward_old": "3/2", "reward_new": "5"}
        found = value(ttt_discover.critical_anchor, **REFERENCE, **scaled)
        assert close(found, mp("7/20") / constant)


@pytest.mark.parametrize("side", [-1, 1])
def test_around_the_critical_anchor_the_boundary_attracts_or_repels(
    side: int, value: Value
) -> None:
    """At beta = e^-30 the slope in phi is negative below the critical anchor, positive above."""
    critical = value(ttt_discover.critical_anchor, **REFERENCE, **REWARDS)
    anchor = Fraction(int(critical * 10**20), 10**20) * (1 + side * Fraction(1, 10**6))
    slope = value(ttt_discover.weight_gradient, 10, **{**POINT, "phi": "-30", "anchor": anchor})
    assert (slope > 0) == (side > 0)


def test_at_the_reference_only_the_reward_counts(value: Value) -> None:
    here = {**POINT, "phi": "-3/5", "inverse_temperature": "2"}
    with mpmath.workdps(40):
        beta = mpmath.sigmoid(mp("-3/5"))
        assert close(value(ttt_discover.objective, **here), mpmath.log(2 - beta) / 2)
        slope = -beta * (1 - beta) / (2 - beta) / 2
        assert close(value(ttt_discover.weight_gradient, **here), slope)


@pytest.mark.parametrize("gamma", ["1/8", "1", "4"])
def test_the_anchor_costs_reverse_kl(gamma: str, value: Value) -> None:
    with mpmath.workdps(40):
        R = value(reverse_kl.objective, 30, phi="1/2", tau="-3/5", delta="3")
        right = mpmath.log(2 - mpmath.sigmoid(mp("1/2"))) - mp(gamma) * R
        found = value(ttt_discover.objective, **{**POINT, "anchor": gamma})
        assert abs(found - right) < 1e-24


@given(
    phi=st.fractions(-5, 5, max_denominator=20),
    anchor=st.fractions("1/8", 4, max_denominator=20),
)
@settings(max_examples=4)
def test_the_weight_gradient_is_the_slope_of_the_objective(
    phi: Fraction, anchor: Fraction, value: Value
) -> None:
    here, step = {**POINT, "anchor": anchor}, Fraction(1, 10**8)
    ahead, behind = (
        value(ttt_discover.objective, 35, **{**here, "phi": phi + side * step}) for side in (1, -1)
    )
    with mpmath.workdps(40):
        slope = value(ttt_discover.weight_gradient, **{**here, "phi": phi})
        assert abs((ahead - behind) * 10**8 / 2 - slope) < 1e-15


def test_an_old_mode_paid_no_less_leaves_only_the_anchor(value: Value) -> None:
    """A_o = A_n: dJ = -γ dR."""
    here = {**POINT, "reward_old": "2", "anchor": "3"}
    with mpmath.workdps(40):
        slope = value(reverse_kl.weight_gradient, phi="1/2", tau="-3/5", delta="3")
        assert close(value(ttt_discover.weight_gradient, **here), -3 * slope)


@pytest.mark.parametrize("change", [{}, {"inverse_temperature": "2", "gap": "2"}, {"phi": "-4"}])
def test_entropic_drift_by_quadrature(change: dict[str, str], value: Value, mean: Mean) -> None:
    """beta E_{p_o}[e^{bv} ∂v]/E_q[e^{bv}], ∂v = G delta s_o s_n."""
    here = {**DRIFT, **change}
    with mpmath.workdps(32):
        b, G = mp(here["inverse_temperature"]), mp(here["gap"])
        beta, d, tau = mpmath.sigmoid(mp(here["phi"])), mpmath.mpf(3), mp("-3/5")

        def s_o(x: Any) -> Any:
            return mpmath.sigmoid(tau - d * (x - d / 2))

        def paid(x: Any) -> Any:
            return mpmath.exp(-b * G * s_o(x))

        pull = mean(lambda x: paid(x) * G * d * s_o(x) * (1 - s_o(x)), mpmath.mpf(0))
        level = beta * mean(paid, mpmath.mpf(0)) + (1 - beta) * mean(paid, d)
        assert close(value(ttt_discover.entropic_drift, **here), beta * pull / level)


def test_a_weak_reward_drifts_by_its_slope(value: Value) -> None:
    """bG -> 0: beta G delta E_{p_o}[s_o s_n], whatever b."""
    with mpmath.workdps(40):
        one, other = (
            value(
                ttt_discover.entropic_drift, **{**DRIFT, "gap": "1e-20", "inverse_temperature": b}
            )
            for b in ("1/4", "2")
        )
        assert close(one, other, 19)
        square = value(overlap.responsibility_second_moment, phi="-3/5", delta="3")
        odds = mpmath.exp(mp("-3/5"))  # E_{p_n}[s_o²] = odds E_{p_o}[s_o s_n]
        right = mpmath.sigmoid(mp("1/2")) * 3 * square / odds * mpmath.mpf(10) ** -20
        assert close(one, right, 19)


@pytest.mark.parametrize("delta", ["6", "12"])
def test_the_drift_stays_below_its_bound(delta: str, value: Value) -> None:
    with mpmath.workdps(30):
        drift = value(ttt_discover.entropic_drift, 12, **{**DRIFT, "delta": delta})
        d, odds = mp(delta), mpmath.exp(mp("3/5"))
        cubic = 3 * mpmath.sqrt(3 * odds) / 16
        bound = cubic * mpmath.sigmoid(mp("1/2")) * d * mpmath.e * mpmath.exp(-(d**2) / 8)
        assert 0 < drift < bound


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("objective", POINT),
        ("weight_gradient", POINT),
        ("collapse_constant", {"reference_logit": "-5", "delta": "1/2"}),
        ("critical_anchor", {**REFERENCE, **REWARDS}),
        ("entropic_drift", {**DRIFT, "inverse_temperature": "2", "gap": "2"}),
    ],
)
def test_errors_are_honest(
    name: str, point: dict[str, str], consistent: Callable[..., bool]
) -> None:
    assert consistent(getattr(ttt_discover, name), point)
