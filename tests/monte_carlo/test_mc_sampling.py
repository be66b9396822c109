"""An estimate is reproducible, free of Σ and threads, sharp enough, and admits its limits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numerics.monte_carlo import forward_kl, moments, old_drift, overlap, reverse_kl
from numerics.monte_carlo.judgement import Sample
from numerics.monte_carlo.sampling import estimate
from numerics.monte_carlo.scheme import Estimator, Scheme
from numerics.monte_carlo.space import space
from numerics.point import Exact, Logit, Unreachable

HALF = Logit(Fraction(1, 2))
EPS_O = 0.03429870439536940701190  # ε_o(½, 4): quadrature with e^{−δ²/8} factored out, 22 digits
DRIFT: dict[str, Exact] = {
    "phi": Fraction(-3, 10),
    "tau": Logit(Fraction(7, 20)),
    "delta": Fraction(2),
    "new_mean_along": Fraction(7, 5),
    "new_mean_across": Fraction(-4, 5),
}


def at(
    estimator: Estimator, samples: int = 20_000, seed: int = 1, dimension: int = 3, **point: Any
) -> Sample:
    exact = {k: v if isinstance(v, Logit) else Fraction(str(v)) for k, v in point.items()}
    return estimate(estimator, exact, samples=samples, seed=seed, dimension=dimension)


@pytest.mark.parametrize(("samples", "dimension"), [(30_001, 3), (1_023, 40), (1, 1)])
def test_threads_do_not_change_a_bit(samples: int, dimension: int) -> None:
    point: dict[str, Exact] = DRIFT if dimension > 1 else {**DRIFT, "new_mean_across": Fraction(0)}
    runs = {
        estimate(
            old_drift.new_mean_gradient,
            point,
            samples=samples,
            seed=2**63 - 1,
            dimension=dimension,
            threads=threads,
        )
        for threads in (1, 2, 3)
    }
    assert len(runs) == 1


def test_seed_and_samples_change_the_draws() -> None:
    runs = [
        at(overlap.misassignment_old, phi=0, delta=2, seed=seed, samples=n).mean
        for seed, n in ((0, 1000), (1, 1000), (2**32, 1000), (0, 1001))
    ]
    assert len(set(runs)) == len(runs)


def test_merged_moments_are_those_of_the_whole() -> None:
    x = np.cos(np.arange(1000.0) ** 2).reshape(1, -1)
    parts = [
        moments.summarise(np.ascontiguousarray(part)) for part in np.split(x, [1, 17, 500, 998], 1)
    ]
    merged = moments.merge_all(parts)[0]
    expected = [1000, x.mean(), 1000 * x.var(), np.abs(x).mean(), x.min(), x.max()]
    assert merged == pytest.approx(expected, rel=1e-13)


def test_a_sum_of_equal_summands_does_not_drift() -> None:
    value = 1 - 1.2e-13
    assert moments.summarise(np.full((1, 8192), value))[0, moments.MEAN] == value


@pytest.mark.parametrize("dimension", [1, 2, 17, 128])
def test_the_plane_is_placed_in_space_with_the_right_distances(dimension: int) -> None:
    setting = space(dimension)
    across = 0.0 if dimension == 1 else -0.8
    gap = setting.whitened((1.4, across)) - setting.whitened((0.0, 0.0))
    assert float(gap @ gap) == pytest.approx(1.4**2 + across**2, rel=1e-12)
    direct = setting.place((2.0, 0.0)) - setting.place((0.0, 0.0))
    covariance = setting.factor @ setting.factor.T
    assert float(direct @ np.linalg.solve(covariance, direct)) == pytest.approx(4.0, rel=1e-12)
    if dimension > 1:
        assert np.all(np.abs(covariance) > 0)
        assert np.linalg.norm(setting.origin) > 0
        assert np.max(np.abs(setting.axes[0])) < 0.99


def test_the_estimate_is_invariant_under_a_change_of_covariance() -> None:
    skew = np.array([[4.0, -1.0, 0.5], [-1.0, 1.0, 0.2], [0.5, 0.2, 9.0]])
    for estimator in (old_drift.old_mean_gradient, old_drift.new_mean_gradient):
        plain = estimate(estimator, DRIFT, samples=5000, seed=0, dimension=3)
        for covariance in (skew, 1e-6 * np.eye(3), 1e8 * skew):
            other = estimate(
                estimator, DRIFT, samples=5000, seed=0, dimension=3, covariance=covariance
            )
            assert other.mean == pytest.approx(plain.mean, rel=1e-7)


@pytest.mark.parametrize("dimension", [1, 2, 16, 128])
def test_the_value_does_not_depend_on_the_dimension(dimension: int) -> None:
    sample = at(overlap.misassignment_old, phi=HALF, delta=4, dimension=dimension)
    assert sample.informative
    assert abs(sample.mean[0] - EPS_O) < 6 * sample.standard_error[0]


def test_a_planted_error_of_one_percent_is_caught() -> None:
    sample = at(overlap.misassignment_old, samples=10**6, seed=0, phi=HALF, delta=4)
    error = sample.standard_error[0]
    assert error < 0.0015 * EPS_O
    assert abs(sample.mean[0] - EPS_O) < 6 * error
    for planted in (1.01 * EPS_O, 0.99 * EPS_O):
        assert abs(sample.mean[0] - planted) > 6 * error


def test_the_standard_error_is_the_spread_over_seeds() -> None:
    runs = [at(overlap.misassignment_old, samples=2000, seed=s, phi=1, delta=3) for s in range(200)]
    spread = np.std([run.mean[0] for run in runs], ddof=1)
    # a standard deviation of 200 normals is off by 5 % in the mean: 6 sigma is 30 %
    assert spread == pytest.approx(np.mean([run.standard_error[0] for run in runs]), rel=0.3)


def total_weight(phi: float, delta: float) -> Scheme:
    """E_m[p_n/m] = 1 from the very proposals that the reverse KL objective is drawn from."""
    scheme = reverse_kl.objective(phi, 0.4, delta)
    return Scheme(lambda new, proposal, *_: new - proposal, scheme.arguments, scheme.means,
                  scheme.proposals, logarithmic=True)  # fmt: skip


def test_importance_weights_have_mean_one() -> None:
    sample = at(total_weight, phi="-0.7", delta="1.3", samples=100_000)
    assert sample.informative
    assert abs(sample.mean[0] - 1) < 6 * sample.standard_error[0]


@pytest.mark.parametrize(
    ("estimator", "point", "word"),
    [
        (overlap.distinguishability, {"phi": 0, "delta": 100}, "no spread"),
        (overlap.total_variation, {"delta": 100}, "no spread"),
        (reverse_kl.objective, {"phi": 1, "tau": 1, "delta": 2}, "no spread"),
        (forward_kl.objective, {"phi": -700, "delta": 1}, "rounding"),
        (overlap.component_kl, {"delta": "1/1000"}, "relative"),
        (overlap.misassignment_old, {"phi": 30, "delta": 4}, "single draw"),
        (overlap.misassignment_old, {"phi": 0, "delta": 1000000}, "single draw"),
    ],
)
def test_what_a_sample_cannot_tell_is_not_informative(
    estimator: Estimator, point: dict[str, Any], word: str
) -> None:
    sample = at(estimator, **point)
    assert not sample.informative
    assert word in sample.note


def test_few_draws_are_not_informative() -> None:
    for samples in (1, 2, 50):
        sample = at(overlap.misassignment_old, samples=samples, phi=0, delta=4)
        assert not sample.informative
        assert sample.note


def test_plain_sampling_of_a_rare_event_is_not_informative() -> None:
    def plain(phi: float, delta: float) -> Scheme:
        scheme = overlap.misassignment_old(phi, delta)
        return Scheme(scheme.integrand, scheme.arguments, scheme.means, ((0.0, 0.0),),
                      logarithmic=True)  # fmt: skip

    assert not at(plain, phi=0, delta=10).informative
    assert at(overlap.misassignment_old, phi=0, delta=10).informative


def log_value(sample: Sample) -> float:
    return sample.log_scale + math.log(sample.mean[0])


def test_extreme_weights_are_right_in_the_logarithm() -> None:
    tail = at(overlap.misassignment_old, phi=700, delta=1)  # ε_o → e^{−φ} E_{p_o}[e^{−L}] = e^{−φ}
    assert log_value(tail) == pytest.approx(-700, abs=1e-9)
    beyond = at(overlap.misassignment_new, phi=-5000, delta=1)
    assert log_value(beyond) == pytest.approx(-5000, abs=1e-8)
    assert at(overlap.misassignment_old, phi=-700, delta=1).mean[0] == pytest.approx(1, abs=1e-9)
    slope = at(forward_kl.weight_gradient, samples=100_000, phi=-700, delta="0.5")
    # dF/dφ → β² (e^{δ²} − 1), here e^{−1400}·0.284: below the smallest double, and said so
    assert slope.mean == (0.0,)
    assert not slope.informative
    for estimator in (old_drift.old_mean_gradient, old_drift.new_mean_gradient):
        for phi, tau in ((700, -700), (-700, 700)):
            point: dict[str, Any] = {**DRIFT, "phi": phi, "tau": tau}
            sample = at(estimator, **point)
            assert all(map(math.isfinite, sample.mean + sample.standard_error))


@pytest.mark.parametrize(
    ("changed", "parameter"),
    [
        ({"samples": 0}, "samples"),
        ({"samples": 1.5}, "samples"),
        ({"samples": True}, "samples"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"dimension": 0}, "dimension"),
        ({"dimension": 129}, "dimension"),
        ({"threads": 0}, "threads"),
        ({"covariance": np.diag([1.0, -1.0, 1.0])}, "covariance"),
        ({"covariance": np.ones((3, 3))}, "covariance"),
        ({"covariance": np.eye(2)}, "covariance"),
        ({"covariance": np.triu(np.ones((3, 3)))}, "covariance"),
        ({"covariance": np.full((3, 3), np.nan)}, "covariance"),
    ],
)
def test_an_argument_outside_its_set_is_refused_by_name(
    changed: dict[str, Any], parameter: str
) -> None:
    arguments: dict[str, Any] = {"samples": 10, "seed": 0, "dimension": 3, **changed}
    with pytest.raises(ValueError, match=f"^{parameter} must be") as refusal:
        estimate(overlap.bhattacharyya, {"delta": Fraction(1)}, **arguments)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("point", [{"delta": 0}, {"delta": -1}, {}, {"delta": 1, "phi": 0}])
def test_a_point_outside_the_domain_is_refused(point: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"delta|parameters"):
        at(overlap.bhattacharyya, **point)


@pytest.mark.parametrize(
    ("estimator", "dimension", "point", "word"),
    [
        (overlap.bhattacharyya, 3, {"delta": Fraction(10**400)}, "double precision"),
        (overlap.bhattacharyya, 3, {"delta": 10**7}, "beyond"),
        (overlap.bhattacharyya, 3, {"delta": "1e-20"}, "rounding"),
        (old_drift.old_mean_gradient, 1, DRIFT, "dimension 1"),
    ],
)
def test_what_double_precision_or_a_line_cannot_hold_is_unreachable(
    estimator: Estimator, dimension: int, point: dict[str, Any], word: str
) -> None:
    with pytest.raises(Unreachable, match=word):
        at(estimator, dimension=dimension, **point)


def test_a_weight_gives_the_same_draws_as_its_logit() -> None:
    by_weight = at(overlap.misassignment_old, phi=HALF, delta=2)
    assert by_weight == at(overlap.misassignment_old, phi=0, delta=2)
    for weight in (
        Fraction(1, 10**400),
        1 - Fraction(1, 10**400),
        Fraction(10**20 + 1, 2 * 10**20),
    ):
        sample = at(overlap.misassignment_new, phi=Logit(weight), delta=1)
        assert math.isfinite(log_value(sample))
    tiny = at(overlap.misassignment_new, phi=Logit(Fraction(1, 10**400)), delta=1)
    assert log_value(tiny) == pytest.approx(-400 * math.log(10), rel=1e-12)


@pytest.mark.parametrize("samples", [1, 5461, 12_345])
def test_as_many_draws_are_used_as_were_asked_for(samples: int) -> None:
    seen: list[int] = []

    def counting(delta: float) -> Scheme:
        def integrand(new: Any, proposal: Any) -> Any:
            seen.append(new.shape[1])
            return new - proposal

        return Scheme(integrand, (), ((delta, 0.0),), ((delta, 0.0),))

    at(counting, samples=samples, delta=1)
    assert sum(seen) == samples + 1  # and the centre of the proposal, for the scale


def test_baselines_keep_the_gradients_sharp() -> None:
    """Without its baseline the first error is 6.0e-4, the second 1.10e-2, the third 3.3e-4."""
    point: dict[str, Any] = {**DRIFT, "phi": -3, "tau": 0, "delta": "1/2"}
    assert at(old_drift.old_mean_gradient, **point).standard_error[0] < 5e-4
    assert at(old_drift.new_mean_gradient, **point).standard_error[0] < 1.04e-2
    assert at(forward_kl.old_mean_gradient, phi=-3, delta="1/2").standard_error[0] < 5e-5
