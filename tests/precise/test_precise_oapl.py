"""The regression loss on a frozen reference: its baseline, its zero, its gradients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.point import Logit
from numerics.precise import oapl

Value = Callable[..., Any]
Mean = Callable[..., Any]
REALISABLE = {
    "reference_logit": "-3/5",
    "tau": "1",
    "delta": "3",
    "temperature": "1/2",
    "offset": "3/10",
}
POINT = {"phi": "1/2", **REALISABLE}
SOFT = {"reference_logit": "-3/5", "tau": "1", "delta": "3", "temperature": "1/2"}


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(exact: str | Fraction) -> Any:
    return mpmath.mpf(Fraction(exact).numerator) / Fraction(exact).denominator


@given(
    reference_logit=st.fractions(-4, 4, max_denominator=20),
    tau=st.fractions(-4, 4, max_denominator=20),
    delta=st.fractions("1/4", 6, max_denominator=20),
    temperature=st.sampled_from(["1/4", "1/2", "2"]),
    offset=st.fractions("1/20", 1, max_denominator=20),
)
@settings(max_examples=5)
def test_the_baseline_is_the_offset(
    reference_logit: Fraction,
    tau: Fraction,
    delta: Fraction,
    temperature: str,
    offset: Fraction,
    value: Value,
) -> None:
    found = value(
        oapl.baseline,
        reference_logit=reference_logit,
        tau=tau,
        delta=delta,
        temperature=temperature,
        offset=offset,
    )
    with mpmath.workdps(40):
        assert close(found, mp(offset), 24)


def test_baselines_at_the_corners(value: Value) -> None:
    """α_0 = 1/4, β* = 3/4, T = 1/2, delta = 2, k = 3/10: .3; and 0 where the offset is."""
    weights = {"reference_logit": Logit(Fraction(1, 4)), "tau": Logit(Fraction(3, 4))}
    with mpmath.workdps(40):
        for k in ("3/10", "0"):
            found = value(oapl.baseline, 20, **weights, delta="2", temperature="1/2", offset=k)
            assert abs(found - mp(k)) < 1e-20


def test_the_loss_by_quadrature(value: Value) -> None:
    """T² E_ref[(log q/q_tau)²]: no baseline and no offset is left."""
    with mpmath.workdps(32):

        def mixture(logit: str, x: Any) -> Any:
            weight = mpmath.sigmoid(mp(logit))
            return weight * mpmath.npdf(x) + (1 - weight) * mpmath.npdf(x, 3)

        def integrand(x: Any) -> Any:
            return mixture("-3/5", x) * mpmath.log(mixture("1/2", x) / mixture("1", x)) ** 2

        right = mpmath.quad(integrand, mpmath.linspace(-13, 16, 16))
        for T in ("1/2", "2"):
            found = value(oapl.loss, **{**POINT, "temperature": T})
            assert close(found, mp(T) ** 2 * right)


def test_the_optimum_has_neither_loss_nor_gradient(value: Value) -> None:
    best = {**POINT, "phi": POINT["tau"]}
    assert abs(value(oapl.loss, 20, **best)) < 1e-20
    assert abs(value(oapl.weight_gradient, 20, **best)) < 1e-20


def test_near_the_optimum_the_loss_keeps_its_digits(value: Value) -> None:
    """phi - tau = 10^-15: T² 10^-30 E_ref[(r_o - beta)²], and twice T² 10^-15 of it the slope."""
    tau = Fraction(1)
    near = {**POINT, "phi": tau + Fraction(1, 10**15)}
    loss, slope = value(oapl.loss, 12, **near), value(oapl.weight_gradient, 12, **near)
    with mpmath.workdps(40):
        assert loss > 0
        assert close(slope, 2 * loss * 10**15, 11)


@given(phi=st.fractions(-4, 4, max_denominator=20), temperature=st.sampled_from(["1/4", "2"]))
@settings(max_examples=2)
def test_the_weight_gradient_is_the_slope_of_the_loss(
    phi: Fraction, temperature: str, value: Value
) -> None:
    here, step = {**POINT, "temperature": temperature}, Fraction(1, 10**8)
    ahead, behind = (value(oapl.loss, 35, **{**here, "phi": phi + side * step}) for side in (1, -1))
    with mpmath.workdps(40):
        slope = value(oapl.weight_gradient, **{**here, "phi": phi})
        assert abs((ahead - behind) * 10**8 / 2 - slope) < 1e-14


@pytest.mark.parametrize("offset", ["-1", "0"])
def test_the_offset_drops_out(offset: str, value: Value) -> None:
    with mpmath.workdps(40):
        here = {**POINT, "offset": offset}
        assert close(value(oapl.loss, **here), value(oapl.loss, **POINT))
        assert close(value(oapl.weight_gradient, **here), value(oapl.weight_gradient, **POINT))


@pytest.mark.parametrize("change", [{}, {"tau": "-2", "delta": "1/2"}, {"temperature": "2"}])
def test_the_old_mean_gradient_is_the_rewards_slope(
    change: dict[str, str], value: Value, mean: Mean
) -> None:
    """-2T α_0 E_{p_o}[∂v], ∂v = G delta s_o s_n, by mpmath.quad."""
    here = {**SOFT, **change}
    with mpmath.workdps(32):
        tau, d = mp(here["tau"]), mp(here["delta"])

        def slope(x: Any) -> Any:
            t = tau - d * (x - d / 2)
            return d * mpmath.sigmoid(t) * mpmath.sigmoid(-t)

        right = -2 * mp(here["temperature"]) * mpmath.sigmoid(mp("-3/5")) * mean(slope, 0)
        for G in ("1", "1/4"):
            assert close(value(oapl.old_mean_gradient, **here, gap=G), mp(G) * right)


@pytest.mark.parametrize("change", [{}, {"tau": "-2", "delta": "1/2"}, {"temperature": "2"}])
def test_residual_drift_by_quadrature(change: dict[str, str], value: Value, mean: Mean) -> None:
    """2T(1-α_0)E_{p_n}[tanh((tau + L)/2) r_o x]."""
    here = {**SOFT, **change}
    with mpmath.workdps(32):
        tau, d, logit = mp(here["tau"]), mp(here["delta"]), mp("-3/5")

        def score(x: Any) -> Any:
            L = d * (d / 2 - x)
            return mpmath.tanh((tau + L) / 2) * mpmath.sigmoid(logit + L) * x

        factor = 2 * mp(here["temperature"]) * mpmath.sigmoid(-logit)
        assert close(value(oapl.residual_drift, **here), factor * mean(score, d))


@pytest.mark.parametrize("delta", ["6", "12"])
def test_far_modes_hardly_reach_the_old_mean(delta: str, value: Value) -> None:
    here = {**SOFT, "delta": delta}
    with mpmath.workdps(30):
        d, odds = mp(delta), mpmath.exp(mp("-3/5"))
        overlap, rest = mpmath.exp(-(d**2) / 8), 1 / (1 + odds)
        leak = rest * mpmath.sqrt(odds) / 2 * overlap * mpmath.sqrt(1 + d**2 / 4)
        assert abs(value(oapl.residual_drift, 12, **here)) < leak
        pull = 3 * mpmath.sqrt(3) / 16 * (1 - rest) * d * mpmath.exp(-0.5) * overlap
        assert 0 < -value(oapl.old_mean_gradient, 12, **here, gap="1") < pull


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("baseline", {**REALISABLE, "temperature": "1/4"}),
        ("loss", POINT),
        ("weight_gradient", POINT),
        ("old_mean_gradient", {**SOFT, "gap": "1"}),
        ("residual_drift", SOFT),
    ],
)
def test_errors_are_honest(
    name: str, point: dict[str, str], consistent: Callable[..., bool]
) -> None:
    assert consistent(getattr(oapl, name), point)
