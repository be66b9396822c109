"""The student-teacher map: fixed points, exact limits, the characteristic polynomial's root."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from numerics.precise import overlap, reverse_kl, sdft
from numerics.precise.evaluation import evaluate

Value = Callable[..., Any]
POINT = {
    "phi": "1/2",
    "teacher_logit": "-1/3",
    "tau": "-3/5",
    "delta": "3",
    "anchor_strength": "1/4",
    "step": "1",
}
MAP = {
    "tau": "-3/5",
    "delta": "3",
    "anchor_strength": "1/4",
    "ema_rate": "1/2",
    "step": "1",
}
TARGET = Fraction(3, 4) * Fraction(-1, 3) + Fraction(1, 4) * Fraction(-3, 5)


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(exact: str | Fraction) -> Any:
    return mpmath.mpf(Fraction(exact).numerator) / Fraction(exact).denominator


def larger_root(x: Any, anchor_strength: Any, ema_rate: Any) -> Any:
    """Of [[1-x, x(1-ν)], [ρ(1-x), 1-ρ+ρx(1-ν)]], by its trace and determinant (1-x)(1-ρ)."""
    trace = 2 - x - ema_rate + ema_rate * x * (1 - anchor_strength)
    return (trace + mpmath.sqrt(trace**2 - 4 * (1 - x) * (1 - ema_rate))) / 2


def rate(tau: Any, delta: str, step: Any, value: Value) -> Any:
    """x = h alpha(1-alpha) kappa(tau, delta)."""
    kappa = value(overlap.distinguishability, 30, phi=tau, delta=delta)
    return mp(step) * kappa / ((1 + mpmath.exp(-mp(tau))) * (1 + mpmath.exp(mp(tau))))


def test_a_step_descends_to_the_anchored_target(value: Value) -> None:
    with mpmath.workdps(40):
        slope = value(reverse_kl.weight_gradient, 28, phi="1/2", tau=TARGET, delta="3")
        for h in ("1", "4", "1/16"):
            student = value(sdft.student_step, **{**POINT, "step": h})
            assert close(student, mp("1/2") - mp(h) * slope)


def test_a_small_step_moves_by_what_a_large_one_does(value: Value) -> None:
    """phi = 0 and a step of 10^-12: nothing is left but the gradient."""
    with mpmath.workdps(40):
        here = {**POINT, "phi": "0"}
        one = value(sdft.student_step, **here)
        assert close(value(sdft.student_step, **{**here, "step": "1e-12"}) * 10**12, one)


@pytest.mark.parametrize("ema_rate", ["1", "1/2", "1/16"])
def test_the_teacher_averages_towards_the_student(ema_rate: str, value: Value) -> None:
    with mpmath.workdps(40):
        student = value(sdft.student_step, **POINT)
        teacher = value(sdft.teacher_step, **POINT, ema_rate=ema_rate)
        rho = mp(ema_rate)
        assert abs(teacher - ((1 - rho) * mp("-1/3") + rho * student)) < 1e-24


def test_without_an_anchor_every_agreement_is_fixed(value: Value) -> None:
    here = {**POINT, "anchor_strength": "0", "phi": "-1", "teacher_logit": "-1"}
    assert abs(value(sdft.student_step, **here) + 1) < 1e-24
    assert abs(value(sdft.teacher_step, **here, ema_rate="1/3") + 1) < 1e-24
    assert abs(value(sdft.drift_impulse, 15, **here)) < 1e-15


def test_with_a_full_anchor_the_teacher_does_not_matter(value: Value) -> None:
    with mpmath.workdps(40):
        one, other = (
            value(sdft.student_step, **{**POINT, "anchor_strength": "1", "teacher_logit": logit})
            for logit in ("-1/3", "4")
        )
        assert close(one, other)


def test_opposite_teacher_and_anchor_cancel_to_an_exact_target() -> None:
    """(1-ν)χ + ντ = 0 = phi with parts that are not dyadic: the fixed point 0, known to be 0."""
    point = {name: Fraction(text) for name, text in POINT.items()}
    point |= {"phi": Fraction(0), "teacher_logit": Fraction(1, 5), "tau": Fraction(-3, 5)}
    found = evaluate(sdft.student_step, point, 15)
    assert abs(found.value[0]) <= found.error <= 1e-15


@pytest.mark.parametrize("delta", ["1/4", "3", "8"])
def test_drift_impulse_is_a_difference_of_misassignments(delta: str, value: Value) -> None:
    """h beta delta |ε_o(phi) - ε_o(target)|."""
    with mpmath.workdps(40):
        lost, wanted = (
            value(overlap.misassignment_old, 28, phi=logit, delta=delta)
            for logit in (Fraction(1, 2), TARGET)
        )
        right = mp(delta) * abs(lost - wanted) / (1 + mpmath.exp(mp("-1/2")))
        for h in ("1", "4"):
            impulse = value(sdft.drift_impulse, **{**POINT, "delta": delta, "step": h})
            assert close(impulse, mp(h) * right)


@pytest.mark.parametrize("change", [{}, {"step": "4"}, {"delta": "1/4"}, {"tau": "3"}])
def test_spectral_radius_solves_the_characteristic_polynomial(
    change: dict[str, str], value: Value
) -> None:
    here = {**MAP, **change}
    with mpmath.workdps(40):
        x = rate(here["tau"], here["delta"], here["step"], value)
        right = larger_root(x, mp(here["anchor_strength"]), mp(here["ema_rate"]))
        assert close(value(sdft.spectral_radius, **here), right, 24)


def test_spectral_radius_at_a_fifth(value: Value) -> None:
    """x = 1/5, ρ = 1/2, ν = 1/10: .983 (tabulated), and .96 with ν and ρ exchanged."""
    with mpmath.workdps(40):
        x = rate("0", "3", "1", value)
        step = Fraction(int(10**30 / (5 * x)), 10**30)
        at_a_fifth = {**MAP, "tau": "0", "step": step}
        for nu, rho, printed in (("1/10", "1/2", 0.983), ("1/2", "1/10", 0.96)):
            found = value(
                sdft.spectral_radius, **{**at_a_fifth, "anchor_strength": nu, "ema_rate": rho}
            )
            assert abs(found - printed) < 1e-3
            assert close(found, larger_root(mp("1/5"), mp(nu), mp(rho)))


def test_exact_spectral_radii(value: Value) -> None:
    """1 without an anchor; with a full one the larger of 1-x and 1-ρ; 1-x + x(1-ν) at ρ = 1."""
    with mpmath.workdps(40):
        x = rate("-3/5", "3", "1", value)
        assert close(value(sdft.spectral_radius, **{**MAP, "anchor_strength": "0"}), 1, 24)
        for rho in ("1/16", "1/2", "1"):
            full = value(sdft.spectral_radius, **{**MAP, "anchor_strength": "1", "ema_rate": rho})
            assert close(full, max(1 - x, 1 - mp(rho)), 24)
        at_once = value(sdft.spectral_radius, **{**MAP, "ema_rate": "1"})
        assert close(at_once, 1 - x / 4, 24)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("student_step", POINT),
        ("student_step", {**POINT, "phi": "1/3", "step": "1e-20"}),
        ("teacher_step", {**POINT, "ema_rate": "1/2"}),
        ("drift_impulse", {**POINT, "delta": "6"}),
        ("spectral_radius", MAP),
    ],
)
def test_errors_are_honest(
    name: str, point: dict[str, str], consistent: Callable[..., bool]
) -> None:
    assert consistent(getattr(sdft, name), point)


@pytest.mark.parametrize("short_of_full", [Fraction(0), Fraction(1, 10**22)])
def test_nearly_double_eigenvalues_have_honest_errors(short_of_full: Fraction) -> None:
    """ν = 1 and ρ = x: both are 1 - x, and move by the root of what the matrix moves by."""
    full = {name: Fraction(text) for name, text in MAP.items()} | {"anchor_strength": Fraction(1)}
    with mpmath.workdps(60):
        x = 1 - evaluate(sdft.spectral_radius, full, 40).value[0]
        rho = Fraction(int(x * 10**38), 10**38)
        near = {**full, "anchor_strength": 1 - short_of_full, "ema_rate": rho}
        rough, fine = (evaluate(sdft.spectral_radius, near, digits) for digits in (12, 35))
        assert abs(rough.value[0] - fine.value[0]) <= rough.error
        assert abs(fine.value[0] - (1 - x)) < 1e-11
