"""Replay under forward KL: the stated gradients, exact zeros, and mpmath.quad."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.point import Logit
from numerics.precise import forward_kl, forward_replay, overlap

Value = Callable[..., Any]
Mean = Callable[..., Any]
TYPICAL = {"phi": "1/2", "delta": "3", "replay": "1/4"}
NAMES = [
    f"{side}_{what}"
    for side in ("denominator", "numerator")
    for what in ("objective", "gradient", "old_mean_gradient")
]
points = {
    "phi": st.fractions(-6, 6, max_denominator=30),
    "delta": st.fractions("1/5", 7, max_denominator=30),
    "replay": st.fractions("1/16", "15/16", max_denominator=30),
}


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(exact: str | Fraction) -> Any:
    return mpmath.mpf(Fraction(exact).numerator) / Fraction(exact).denominator


def effective(phi: Fraction, replay: Fraction) -> Fraction:
    """λ + (1-λ)β as a fraction, β = σ(phi) to 50 digits."""
    with mpmath.workdps(60):
        beta = Fraction(int(mpmath.nint(mpmath.sigmoid(mp(phi)) * 10**50)), 10**50)
    return replay + (1 - replay) * beta


@given(**points)
@example(phi=Fraction(-6), delta=Fraction(1, 5), replay=Fraction(1, 16))
@settings(max_examples=5)
def test_replay_in_the_model_only_changes_where_the_gate_is_read(
    phi: Fraction, delta: Fraction, replay: Fraction, value: Value
) -> None:
    """dF/dphi = beta kappa(logit b, delta), b = λ + (1-λ) beta."""
    with mpmath.workdps(40):
        kappa = value(overlap.distinguishability, phi=Logit(effective(phi, replay)), delta=delta)
        slope = value(forward_replay.denominator_gradient, phi=phi, delta=delta, replay=replay)
        assert close(slope, kappa / (1 + mpmath.exp(-mp(phi))))


@given(**points)
@settings(max_examples=5)
def test_replay_in_the_data_moves_the_optimum(
    phi: Fraction, delta: Fraction, replay: Fraction, value: Value
) -> None:
    """(beta - λ) kappa, and the pull on the old mean -delta (1 - λ/beta) E_{p_n}[r_o²]."""
    with mpmath.workdps(40):
        beta, here = 1 / (1 + mpmath.exp(-mp(phi))), {"phi": phi, "delta": delta}
        kappa = value(overlap.distinguishability, **here)
        slope = value(forward_replay.numerator_gradient, **here, replay=replay)
        assert close(slope, (beta - mp(replay)) * kappa)
        moment = value(overlap.responsibility_second_moment, **here)
        pull = value(forward_replay.numerator_old_mean_gradient, **here, replay=replay)
        assert close(pull, -mp(delta) * (1 - mp(replay) / beta) * moment)


@pytest.mark.parametrize("replay", ["1/4", "1/2", "1/1000"])
@pytest.mark.parametrize("what", ["objective", "gradient", "old_mean_gradient"])
def test_at_the_replay_fraction_everything_vanishes(what: str, replay: str, value: Value) -> None:
    evaluator = getattr(forward_replay, f"numerator_{what}")
    found = value(evaluator, 20, phi=Logit(Fraction(replay)), delta="3", replay=replay)
    assert abs(found) < 1e-20


def test_near_the_replay_fraction_the_objective_keeps_its_digits(value: Value) -> None:
    """(β-λ)²/2 ∫(p_o-p_n)²/q, ∫ = κ/(β(1-β)), up to a factor 1 + O(β-λ)."""
    weight = Logit(Fraction(1, 4) + Fraction(1, 10**12))
    found = value(forward_replay.numerator_objective, 10, phi=weight, delta="3", replay="1/4")
    with mpmath.workdps(40):
        kappa = value(overlap.distinguishability, phi=Logit(Fraction(1, 4)), delta="3")
        assert close(found, mpmath.mpf(10) ** -24 / 2 * kappa * 16 / 3, 10)


def test_the_denominator_pulls_the_old_mean_even_at_the_floor(value: Value, mean: Mean) -> None:
    """-(1-λ)β E_{p_n}[x p_o/b], by mpmath.quad."""
    with mpmath.workdps(32):
        beta = 1 / (1 + mpmath.exp(-0.5))
        floor = (1 + 3 * beta) / 4

        def score(x: Any) -> Any:
            old, new = mpmath.npdf(x), mpmath.npdf(x, 3)
            return x * old / (floor * old + (1 - floor) * new)

        right = -3 * beta / 4 * mean(score, mpmath.mpf(3))
        assert close(value(forward_replay.denominator_old_mean_gradient, **TYPICAL), right)


def test_objectives_by_quadrature(value: Value, mean: Mean) -> None:
    with mpmath.workdps(32):
        beta = 1 / (1 + mpmath.exp(-0.5))

        def mixture(weight: Any, x: Any) -> Any:
            return weight * mpmath.npdf(x) + (1 - weight) * mpmath.npdf(x, 3)

        def cost(data: Any, model: Any, x: Any) -> Any:
            return mpmath.log(mixture(data, x) / mixture(model, x))

        floor, quarter = (1 + 3 * beta) / 4, mpmath.mpf(1) / 4
        right = mean(lambda x: cost(0, floor, x), 3)
        assert close(value(forward_replay.denominator_objective, **TYPICAL), right)
        old, new = (mean(lambda x: cost(quarter, beta, x), centre) for centre in (0, 3))
        assert close(value(forward_replay.numerator_objective, **TYPICAL), old / 4 + 3 * new / 4)


@pytest.mark.parametrize("name", NAMES)
def test_a_vanishing_replay_is_forward_kl_on_new_data(name: str, value: Value) -> None:
    what = name.split("_", 1)[1].replace("gradient", "weight_gradient")
    what = what.replace("old_mean_weight_gradient", "old_mean_gradient")
    here = {"phi": "1/2", "delta": "3"}
    with mpmath.workdps(40):
        right = value(getattr(forward_kl, what), **here)
        assert close(value(getattr(forward_replay, name), **here, replay="1e-26"), right)


@pytest.mark.parametrize("name", NAMES)
def test_errors_are_honest(name: str, consistent: Callable[..., bool]) -> None:
    assert consistent(getattr(forward_replay, name), TYPICAL)
