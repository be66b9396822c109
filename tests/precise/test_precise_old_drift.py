"""The plane: gradient vectors of the full objective against tabulated and closed-form values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.point import Logit, Point, Unreachable
from numerics.precise import old_drift
from numerics.precise.evaluation import Evaluator, evaluate

TABULATED: Point = {  # the two vectors below were obtained elsewhere, to the digits printed
    "tau": Logit(Fraction(35, 100)),
    "phi": Fraction("-0.3"),
    "delta": Fraction(2),
    "new_mean_along": Fraction("1.4"),
    "new_mean_across": Fraction("-0.8"),
}


@pytest.mark.parametrize(
    ("evaluator", "right"),
    [
        (
            old_drift.old_mean_gradient,
            ("-0.0562485893536026262448", "-0.1139718267447635729306"),
        ),
        (
            old_drift.new_mean_gradient,
            ("-0.2046796629577814310484", "-0.345582186704563616791"),
        ),
    ],
)
def test_gradient_vectors_to_their_last_digit(evaluator: Evaluator, right: tuple[str, str]) -> None:
    found = evaluate(evaluator, TABULATED, 25)
    with mpmath.workdps(40):
        for component, printed in zip(found.value, right, strict=True):
            decimals = len(printed.split(".")[1])
            assert abs(component - mpmath.mpf(printed)) <= mpmath.mpf(10) ** -decimals
        assert found.error <= mpmath.norm(found.value) * mpmath.mpf(10) ** -25


@given(
    st.fixed_dictionaries(
        {
            **dict.fromkeys(("phi", "tau"), st.fractions(-2, 2, max_denominator=20)),
            "delta": st.fractions("1/2", 3, max_denominator=20),
            **dict.fromkeys(
                ("new_mean_along", "new_mean_across"), st.fractions(-2, 2, max_denominator=20)
            ),
        }
    )
)
@settings(max_examples=4)
def test_gradients_are_combinations_of_the_misassignments(point: dict[str, Fraction]) -> None:
    """Theorem 2.3: the plane integral against four integrals on lines, 12 digits."""
    digits = 12

    def part(evaluator: Evaluator, *names: str) -> Any:
        return evaluate(evaluator, {name: point[name] for name in names}, 20).value[0]

    eps_q = part(old_drift.learner_misassignment, "phi", "new_mean_along", "new_mean_across")
    eps_p = part(old_drift.target_misassignment, "tau", "delta")
    leak_q = part(old_drift.learner_leakage, "phi", "new_mean_along", "new_mean_across")
    leak_p = part(old_drift.target_leakage, "tau", "delta", "new_mean_along")
    old = evaluate(old_drift.old_mean_gradient, point, digits)
    new = evaluate(old_drift.new_mean_gradient, point, digits)
    with mpmath.workdps(30):
        delta, along, across, phi = (
            mpmath.mpf(point[name].numerator) / point[name].denominator
            for name in ("delta", "new_mean_along", "new_mean_across", "phi")
        )
        beta, rest = 1 / (1 + mpmath.exp(-phi)), 1 / (1 + mpmath.exp(phi))
        right_old = (beta * (eps_q * along - eps_p * delta), beta * eps_q * across)
        right_new = (
            rest * (along - delta - leak_q * along + leak_p * delta),
            rest * (1 - leak_q) * across,
        )
        for found, right in ((old, right_old), (new, right_new)):
            for component, value in zip(found.value, right, strict=True):
                assert abs(component - value) <= found.error + mpmath.mpf(10) ** -19


def test_coinciding_learner_means_are_no_special_case() -> None:
    """With m_n = μ_o the learner is one Gaussian: ε_q = 1 - beta and no wall of zeros."""
    point = {**TABULATED, "new_mean_along": Fraction(0), "new_mean_across": Fraction(0)}
    learner = {name: point[name] for name in ("phi", "new_mean_along", "new_mean_across")}
    eps_q = evaluate(old_drift.learner_misassignment, learner, 20)
    with mpmath.workdps(30):
        assert abs(eps_q.value[0] - 1 / (1 + mpmath.exp(mpmath.mpf(-3) / 10))) <= eps_q.error
    assert evaluate(old_drift.old_mean_gradient, point, 10).value[1] == 0


def test_the_gradient_vanishes_at_the_target() -> None:
    point = {**TABULATED, "phi": TABULATED["tau"]}
    at_target = {**point, "new_mean_along": Fraction(2), "new_mean_across": Fraction(0)}
    found = evaluate(old_drift.new_mean_gradient, at_target, 10)
    assert mpmath.norm(found.value) <= found.error <= mpmath.mpf(10) ** -10


def test_the_plane_declines_what_would_take_minutes() -> None:
    with pytest.raises(Unreachable, match="nodes"):
        evaluate(old_drift.old_mean_gradient, TABULATED, 200)
