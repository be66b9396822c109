"""The free-mean objective and its Hessian, against Fisher information by mpmath.quad, the other
theorems' quantities and exact symmetries."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from numerics.point import Logit
from numerics.precise import local_geometry, old_drift, overlap, reverse_kl

TYPICAL = {"tau": "-3/5", "delta": "3"}
MOVED = {**TYPICAL, "phi": "1/2", "old_mean": "1/10", "new_mean": "16/5"}
POINTS = [("-3/5", "3"), ("3", "1/2")]
Value = Callable[..., Any]


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(text: str) -> Any:
    return mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator


def fisher(tau: Any, delta: Any) -> tuple[Any, Any]:
    """E_{p_alpha}[psi psiᵀ] along (phi, m_o, m_n) and in one coordinate across (m_o, m_n)."""
    alpha, rest = 1 / (1 + mpmath.exp(-tau)), 1 / (1 + mpmath.exp(tau))

    def mean(f: Callable[[Any, Any, Any], Any]) -> Any:
        def integrand(x: Any) -> Any:
            old, new = alpha * mpmath.npdf(x), rest * mpmath.npdf(x, delta)
            return (old + new) * f(old / (old + new), new / (old + new), x)

        return mpmath.quad(integrand, mpmath.linspace(-14, 14 + delta, 17))

    psi = (
        lambda s_o, s_n, x: s_o - alpha,
        lambda s_o, s_n, x: s_o * x,
        lambda s_o, s_n, x: s_n * (x - delta),
    )
    along = mpmath.matrix(3)
    for i in range(3):
        for j in range(i, 3):
            along[i, j] = along[j, i] = mean(lambda *at, i=i, j=j: psi[i](*at) * psi[j](*at))
    both = mean(lambda s_o, s_n, x: s_o * s_n)
    across = [[mean(lambda s_o, s_n, x: s_o**2), both], [both, mean(lambda s_o, s_n, x: s_n**2)]]
    return along, mpmath.matrix(across)


@pytest.mark.parametrize(("tau", "delta"), POINTS)
def test_the_hessian_is_the_fisher_information(tau: str, delta: str, value: Value) -> None:
    with mpmath.workdps(32):
        along, across = fisher(mp(tau), mp(delta))
        found = value(local_geometry.hessian_along, tau=tau, delta=delta)
        right = [along[i, j] for i in range(3) for j in range(i, 3)]
        assert all(abs(a - b) < 1e-23 for a, b in zip(found, right, strict=True))
        found = value(local_geometry.hessian_across, tau=tau, delta=delta)
        right = [across[0, 0], across[0, 1], across[1, 1]]
        assert all(abs(a - b) < 1e-23 for a, b in zip(found, right, strict=True))
        lowest = min(min(mpmath.eigsy(block, eigvals_only=True)) for block in (along, across))
        found = value(local_geometry.smallest_eigenvalue, 18, tau=tau, delta=delta)
        assert close(found, lowest, 17)


@pytest.mark.parametrize(("tau", "delta"), [*POINTS, ("-2", "5"), ("0", "1/10"), ("-20", "2")])
def test_weight_curvature_is_the_gate_times_the_bernoulli_variance(
    tau: str, delta: str, value: Value
) -> None:
    with mpmath.workdps(40):
        variance = 1 / (1 + mpmath.exp(-mp(tau))) / (1 + mpmath.exp(mp(tau)))
        kappa = value(overlap.distinguishability, phi=tau, delta=delta)
        found = value(local_geometry.weight_curvature, tau=tau, delta=delta)
        assert close(found, variance * kappa, 24)


def test_far_apart_the_hessian_is_diagonal(value: Value) -> None:
    with mpmath.workdps(40):
        along = value(local_geometry.hessian_along, tau=Logit(Fraction(1, 4)), delta="40")
        right = ["3/16", "0", "0", "1/4", "0", "3/4"]
        assert all(abs(a - mpmath.mpf(b)) < 1e-24 for a, b in zip(along, right, strict=True))
        across = value(local_geometry.hessian_across, tau=Logit(Fraction(1, 4)), delta="40")
        right = ["1/4", "0", "3/4"]
        assert all(abs(a - mpmath.mpf(b)) < 1e-24 for a, b in zip(across, right, strict=True))


def test_nearly_one_mode_still_has_a_smallest_eigenvalue_with_its_digits(value: Value) -> None:
    """At delta = 1/20 it is 3e-11, and swapping the labels does not change it."""
    near = value(local_geometry.smallest_eigenvalue, 15, tau="-3/5", delta="1/20")
    with mpmath.workdps(30):
        assert 3e-11 < near < 4e-11
        swapped = value(local_geometry.smallest_eigenvalue, 15, tau="3/5", delta="1/20")
        assert close(near, swapped, 14)


def test_correct_means_give_reverse_kl(value: Value) -> None:
    here = {**TYPICAL, "phi": "1/2"}
    means = {"old_mean": "0", "new_mean": "3"}
    with mpmath.workdps(40):
        R = value(reverse_kl.objective, **here)
        assert close(value(local_geometry.objective, **here, **means), R, 24)
        slopes = value(local_geometry.gradient, **here, **means)
        assert close(slopes[0], value(reverse_kl.weight_gradient, **here))


def test_mean_gradients_are_those_on_the_plane(value: Value) -> None:
    """Theorem 2.3's, where the old mean is correct."""
    here = {**TYPICAL, "phi": "1/2"}
    _, old, new = value(local_geometry.gradient, **here, old_mean="0", new_mean="16/5")
    plane = {**here, "new_mean_along": "16/5", "new_mean_across": "0"}
    with mpmath.workdps(30):
        assert close(old, value(old_drift.old_mean_gradient, 12, **plane)[0], 11)
        assert close(new, value(old_drift.new_mean_gradient, 12, **plane)[0], 11)


def test_the_objective_with_free_means(value: Value) -> None:
    """∫q log(q/p_alpha) by mpmath.quad with split points, and the gradient by differences."""
    with mpmath.workdps(32):
        beta, alpha = 1 / (1 + mpmath.exp(-0.5)), 1 / (1 + mpmath.exp(mpmath.mpf(3) / 5))
        old, new = mpmath.mpf(1) / 10, mpmath.mpf(16) / 5

        def integrand(x: Any) -> Any:
            q = beta * mpmath.npdf(x, old) + (1 - beta) * mpmath.npdf(x, new)
            p = alpha * mpmath.npdf(x) + (1 - alpha) * mpmath.npdf(x, 3)
            return q * mpmath.log(q / p)

        right = mpmath.quad(integrand, mpmath.linspace(-13, 16, 16))
        assert close(value(local_geometry.objective, **MOVED), right)

    step = Fraction(1, 10**8)
    slopes = value(local_geometry.gradient, **MOVED)
    with mpmath.workdps(40):
        for slope, name in zip(slopes, ("phi", "old_mean", "new_mean"), strict=True):
            ahead, behind = (
                value(
                    local_geometry.objective,
                    35,
                    **{**MOVED, name: Fraction(MOVED[name]) + side * step},
                )
                for side in (1, -1)
            )
            assert abs((ahead - behind) * 10**8 / 2 - slope) < 1e-15


@pytest.mark.parametrize(("phi", "old_mean", "new_mean"), [("-3/5", "0", "3"), ("3/5", "3", "0")])
def test_the_target_and_its_label_swap_are_minima(
    phi: str, old_mean: str, new_mean: str, value: Value
) -> None:
    here = {**TYPICAL, "phi": phi, "old_mean": old_mean, "new_mean": new_mean}
    assert abs(value(local_geometry.objective, 15, **here)) < 1e-15
    assert mpmath.norm(value(local_geometry.gradient, 15, **here)) < 1e-15


def test_near_the_target_the_objective_keeps_its_digits(value: Value) -> None:
    """Off by 10^-12 in the old mean R is H_oo/2 10^-24."""
    near = {**TYPICAL, "phi": "-3/5", "old_mean": "1e-12", "new_mean": "3"}
    curvature = value(local_geometry.hessian_along, **TYPICAL)[3]
    with mpmath.workdps(40):
        found = value(local_geometry.objective, 10, **near)
        assert close(found, curvature / 2 * mpmath.mpf(10) ** -24, 10)


def test_the_collapsed_learner_has_one_component(value: Value) -> None:
    """m_o = m_n: the weight gradient vanishes, and the weight does not matter."""
    here = {**TYPICAL, "old_mean": "1", "new_mean": "1"}
    assert abs(value(local_geometry.gradient, 15, **here, phi="1/2")[0]) < 1e-15
    with mpmath.workdps(40):
        one, other = (value(local_geometry.objective, **here, phi=phi) for phi in ("1/2", "-2"))
        assert close(one, other)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("objective", MOVED),
        ("gradient", MOVED),
        ("weight_curvature", TYPICAL),
        ("hessian_along", TYPICAL),
        ("hessian_across", TYPICAL),
        ("smallest_eigenvalue", {"tau": "-3", "delta": "1/2"}),
    ],
)
def test_errors_are_honest(
    name: str, point: dict[str, str], consistent: Callable[..., bool]
) -> None:
    assert consistent(getattr(local_geometry, name), point)
