"""Second derivatives at the target, and R with free means, against differences of R on a plane.

R is summed from its definition on a grid of whitened coordinates (step 1/10, ten standard
deviations around every mean: 12 digits) and differenced to fourth order, twice for a Hessian, good
to 7 digits. No log-likelihood is differentiated, so that the Fisher form is tested, not repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from numerics.monte_carlo import local_geometry
from numerics.monte_carlo.judgement import Sample
from numerics.monte_carlo.sampling import estimate
from numerics.monte_carlo.scheme import Estimator
from numerics.point import Exact, Unreachable

Grid = NDArray[np.float64]
Vector = tuple[float, ...]
STEP = 0.1
Z = 6.0


def sample_at(
    estimator: Estimator,
    samples: int = 2**17,
    threads: int | None = None,
    dimension: int = 3,
    **point: Any,
) -> Sample:
    exact: dict[str, Exact] = {name: Fraction(str(value)) for name, value in point.items()}
    return estimate(estimator, exact, samples=samples, seed=7, dimension=dimension, threads=threads)


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


class Divergence:
    """R = KL(q‖p_α) on the plane, of (φ, m_o along, m_n along, m_o across, m_n across)."""

    def __init__(self, tau: float, delta: float) -> None:
        self.tau, self.delta = tau, delta
        along = np.arange(-11.0, max(delta, 5.0) + 11.0, STEP)
        across = np.arange(-10.0, 10.0, STEP)
        self.x, self.y = np.meshgrid(along, across, indexing="ij", sparse=True)
        self.target = self.mix(tau, 0.0, delta, 0.0, 0.0)

    def mix(self, logit: float, old: float, new: float, old_up: float, new_up: float) -> Grid:
        w = logistic(logit) / (2 * math.pi)
        rest = logistic(-logit) / (2 * math.pi)
        p_o = np.exp(-0.5 * (self.x - old) ** 2) * np.exp(-0.5 * (self.y - old_up) ** 2)
        p_n = np.exp(-0.5 * (self.x - new) ** 2) * np.exp(-0.5 * (self.y - new_up) ** 2)
        return np.asarray(w * p_o + rest * p_n)

    def __call__(self, at: Sequence[float]) -> float:
        q = self.mix(*at)
        return float(np.sum(q * np.log(q / self.target))) * STEP**2

    @property
    def minimum(self) -> Vector:
        return self.tau, 0.0, self.delta, 0.0, 0.0


def moved(at: Vector, axis: int, by: float) -> Vector:
    return (*at[:axis], at[axis] + by, *at[axis + 1 :])


def partial(f: Callable[[Vector], float], axis: int, h: float = 2e-2) -> Callable[[Vector], float]:
    """The derivative along an axis, to fourth order."""

    def derivative(at: Vector) -> float:
        near = f(moved(at, axis, h)) - f(moved(at, axis, -h))
        far = f(moved(at, axis, 2 * h)) - f(moved(at, axis, -2 * h))
        return (8 * near - far) / (12 * h)

    return derivative


def hessian(tau: float, delta: float, axes: Sequence[int]) -> Vector:
    """The upper triangle of the second derivatives at the target, row by row."""
    R = Divergence(tau, delta)
    return tuple(
        partial(partial(R, i), j)(R.minimum) for i, j in combinations_with_replacement(axes, 2)
    )


def assert_agrees(
    sample: Sample, value: Sequence[float], worst_relative: float, truncation: float = 0.0
) -> None:
    """Within six standard errors and what the reference itself leaves out."""
    assert sample.informative, sample.note
    assert len(sample.mean) == len(value)
    gap, error = np.abs(np.array(sample.mean) - value), np.array(sample.standard_error)
    assert np.all(gap < Z * error + truncation)
    assert np.linalg.norm(error) < worst_relative * np.linalg.norm(value)


AXES: list[tuple[Estimator, tuple[int, ...]]] = [
    (local_geometry.weight_curvature, (0,)),
    (local_geometry.hessian_along, (0, 1, 2)),
    (local_geometry.hessian_across, (3, 4)),
]
TARGETS = [("-3/5", "2"), ("3/10", "3"), ("-2", "1/2"), ("3", "5")]
HESSIANS = pytest.mark.parametrize(("estimator", "axes"), AXES, ids=[e.__name__ for e, _ in AXES])


@pytest.mark.parametrize(("tau", "delta"), TARGETS)
@HESSIANS
def test_the_fisher_form_is_the_hessian(
    estimator: Estimator, axes: tuple[int, ...], tau: str, delta: str
) -> None:
    value = hessian(float(Fraction(tau)), float(Fraction(delta)), axes)
    assert_agrees(sample_at(estimator, tau=tau, delta=delta), value, 0.005)


@HESSIANS
def test_a_planted_error_of_one_percent_in_the_largest_entry_is_seen(
    estimator: Estimator, axes: tuple[int, ...]
) -> None:
    value = hessian(0.3, 2.0, axes)
    sample = sample_at(estimator, 2**19, tau="3/10", delta=2)
    assert_agrees(sample, value, 0.002)
    largest = max(range(len(value)), key=lambda k: abs(value[k]))
    for planted in (0.99 * value[largest], 1.01 * value[largest]):
        assert abs(sample.mean[largest] - planted) > Z * sample.standard_error[largest]


def test_far_modes_leave_the_hessian_of_two_gaussians_and_a_coin() -> None:
    """diag(α(1−α), α, 1−α), short of terms of the order of δ² e^{−δ²/8}: 3.3e-12 at δ = 16."""
    alpha, left_out = logistic(0.5), 256 * math.exp(-32)
    along = sample_at(local_geometry.hessian_along, tau="1/2", delta=16)
    across = sample_at(local_geometry.hessian_across, tau="1/2", delta=16)
    assert_agrees(along, (alpha * (1 - alpha), 0, 0, alpha, 0, 1 - alpha), 0.01, left_out)
    assert_agrees(across, (alpha, 0, 1 - alpha), 0.01, left_out)


FREE: list[dict[str, Any]] = [
    {"phi": "-3/10", "tau": "-3/5", "delta": "3", "old_mean": "1/10", "new_mean": "16/5"},
    {"phi": "1", "tau": "-1", "delta": "2", "old_mean": "-1", "new_mean": "5"},
    {"phi": "-2", "tau": "1", "delta": "1/2", "old_mean": "-1", "new_mean": "1"},
    {"phi": "31/100", "tau": "3/10", "delta": "3", "old_mean": "1/100", "new_mean": "151/50"},
]


def free(point: dict[str, Any]) -> tuple[Divergence, Vector]:
    phi, tau, delta, old_mean, new_mean = (float(Fraction(text)) for text in point.values())
    return Divergence(tau, delta), (phi, old_mean, new_mean, 0.0, 0.0)


def partials(R: Divergence, at: Vector) -> Vector:
    return tuple(partial(R, axis)(at) for axis in range(3))


@pytest.mark.parametrize("point", FREE)
def test_the_objective_with_free_means_is_the_relative_entropy(point: dict[str, Any]) -> None:
    R, at = free(point)
    assert_agrees(sample_at(local_geometry.objective, **point), (R(at),), 0.01)


@pytest.mark.parametrize("point", FREE)
def test_the_score_form_is_the_gradient(point: dict[str, Any]) -> None:
    R, at = free(point)
    assert_agrees(sample_at(local_geometry.gradient, **point), partials(R, at), 0.01)


@pytest.mark.parametrize("estimator", [local_geometry.objective, local_geometry.gradient])
def test_a_planted_error_of_one_percent_with_free_means_is_seen(estimator: Estimator) -> None:
    R, at = free(FREE[1])
    value = (R(at),) if estimator is local_geometry.objective else partials(R, at)
    sample = sample_at(estimator, 2**19, **FREE[1])
    assert_agrees(sample, value, 0.003)
    for k, right in enumerate(value):
        if abs(right) > 0.5 * max(map(abs, value)):
            assert abs(sample.mean[k] - 1.01 * right) > Z * sample.standard_error[k]
            assert abs(sample.mean[k] - 0.99 * right) > Z * sample.standard_error[k]


def test_near_the_target_the_objective_keeps_its_digits() -> None:
    """R is half the quadratic form of the Hessian, to a relative error of the order of the step:
    here 1e-6 steps, 12 digits below the terms that a difference of logarithms would cancel."""
    h = 1e-6
    phi_phi, _, phi_new, _, _, new_new = hessian(0.3, 3.0, (0, 1, 2))
    value = 0.5 * h**2 * (phi_phi + 2 * phi_new + new_new)
    sample = sample_at(
        local_geometry.objective,
        phi="0.300001", tau="0.3", delta=3, old_mean=0, new_mean="3.000001",
    )  # fmt: skip
    assert_agrees(sample, (value,), 0.01)


@pytest.mark.parametrize("gap", [1e-8, 9.9e-4, -9.9e-4, 1.01e-3, -1.01e-3, 0.5, -2.0, 3.0])
def test_the_integrand_of_the_objective_loses_no_digits_at_any_gap(gap: float) -> None:
    """Where p_α = p_o and q = e^g p_o it is g e^g − e^g + 1 = Σ (k − 1) g^k/k!, summed exactly."""
    series = sum((k - 1) * Fraction(gap) ** k / math.factorial(k) for k in range(2, 40))
    value = local_geometry._surplus(0.0, gap, gap, 0.0, 0.3, 0.3)
    assert value == pytest.approx(float(series), rel=1e-9, abs=0)


@pytest.mark.parametrize("estimator", [local_geometry.objective, local_geometry.gradient])
def test_at_the_target_there_is_nothing_to_tell(estimator: Estimator) -> None:
    sample = sample_at(estimator, phi="0.3", tau="0.3", delta=3, old_mean=0, new_mean=3)
    assert not any(sample.mean)
    assert not sample.informative


def test_a_learner_far_from_the_target_does_not_overflow() -> None:
    """Modes 60 apart, each of the learner's at distance 1 from one of the target's, equal weights:
    R = 1/2 to the last digit."""
    point: dict[str, Any] = {
        "phi": "0",
        "tau": "0",
        "delta": "60",
        "old_mean": "-1",
        "new_mean": "61",
    }
    sample = sample_at(local_geometry.objective, **point)
    assert_agrees(sample, (0.5,), 0.02)


@pytest.mark.parametrize("samples", [8_193, 20_001])
@HESSIANS
def test_threads_do_not_change_a_bit_of_a_hessian(
    estimator: Estimator, axes: tuple[int, ...], samples: int
) -> None:
    one, two = (sample_at(estimator, samples, n, tau="1/2", delta=2) for n in (1, 2))
    assert one == two
    assert len(one.mean) == len(axes) * (len(axes) + 1) // 2


def test_a_line_has_no_coordinate_across() -> None:
    with pytest.raises(Unreachable, match="dimension 1"):
        sample_at(local_geometry.hessian_across, dimension=1, tau=0, delta=2)
    assert sample_at(local_geometry.hessian_along, dimension=1, tau=0, delta=2).informative


@pytest.mark.parametrize("dimension", [2, 16])
def test_a_hessian_does_not_depend_on_the_dimension(dimension: int) -> None:
    for estimator, axes in AXES[1:]:
        sample = sample_at(estimator, dimension=dimension, tau="3/10", delta=2)
        assert_agrees(sample, hessian(0.3, 2.0, axes), 0.01)
