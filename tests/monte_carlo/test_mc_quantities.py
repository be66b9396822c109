"""Every estimator against values from elsewhere: published digits, and a trapezoid in the plane.

The trapezoid sums the definition on a grid of whitened coordinates (step 1/10, ten standard
deviations around every mean: 12 digits); gradients are fourth-order differences of the objective,
good to 9 digits. A standard error is at least a thousand times larger.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from numerics.monte_carlo import forward_kl, old_drift, overlap, reverse_kl
from numerics.monte_carlo.judgement import Sample
from numerics.monte_carlo.sampling import estimate
from numerics.monte_carlo.scheme import Estimator
from numerics.point import Exact, Logit

Grid = NDArray[np.float64]
STEP = 0.1
Z = 6.0


def sample_at(estimator: Estimator, point: dict[str, Exact], samples: int = 200_000) -> Sample:
    return estimate(estimator, point, samples=samples, seed=3, dimension=3)


def assert_agrees(sample: Sample, value: Any, worst_relative: float = 0.05) -> None:
    """Within six standard errors, which are small enough for this to mean something."""
    assert sample.informative, sample.note
    expected = np.atleast_1d(value)
    error = np.array(sample.standard_error)
    assert len(sample.mean) == len(expected)
    assert np.all(np.abs(np.array(sample.mean) - expected) < Z * error)
    assert np.linalg.norm(error) < worst_relative * np.linalg.norm(expected)


def weight(p: str) -> Logit:
    return Logit(Fraction(p))


# right values to the digits given, by quadrature with the small factor e^{−δ²/8} taken out
KNOWN: list[tuple[Estimator, dict[str, Exact], float]] = [
    (overlap.misassignment_old, {"phi": weight("1/2"), "delta": Fraction(1)},
     0.3979728671832498437186),
    (overlap.misassignment_old, {"phi": weight("1/2"), "delta": Fraction(4)},
     0.03429870439536940701190),
    (overlap.misassignment_old, {"phi": weight("1/10"), "delta": Fraction(4)},
     0.09282739394438562264945),
    (overlap.misassignment_new, {"phi": weight("9/10"), "delta": Fraction(4)},
     0.09282739394438562264945),
    (overlap.misassignment_old, {"phi": weight("1/2"), "delta": Fraction(40)},
     4.322870798554705924522e-89),
    (overlap.distinguishability, {"phi": Fraction(30), "delta": Fraction(1)},
     1.60790335049148468e-13),
    (overlap.distinguishability, {"phi": Fraction(0), "delta": Fraction(1, 10)},
     0.0024937758738578599472),
    (overlap.sech_overlap, {"phi": Fraction(13, 10), "delta": Fraction(30)}, 0.0830251319299489241),
    (overlap.sech_overlap, {"phi": Fraction(-5), "delta": Fraction(8)}, 0.246618517385093073),
    (forward_kl.objective, {"phi": Fraction(-7, 10), "delta": Fraction(13, 10)},
     0.08718863254786871690399),
    (reverse_kl.objective, {"phi": Fraction(-7, 10), "tau": Fraction(2, 5),
     "delta": Fraction(13, 10)}, 0.04444479425349083596792),
    (reverse_kl.objective, {"phi": weight("1/2"), "tau": weight("9/10"), "delta": Fraction(4)},
     0.46744389351786963523),
    (reverse_kl.objective, {"phi": weight("9/10"), "tau": weight("1/2"), "delta": Fraction(4)},
     0.34106092242629288483),
]  # fmt: skip


@pytest.mark.parametrize(("estimator", "point", "value"), KNOWN)
def test_known_values(estimator: Estimator, point: dict[str, Exact], value: float) -> None:
    assert_agrees(sample_at(estimator, point, samples=10**6), value, worst_relative=0.01)


def test_a_misassignment_below_the_smallest_double_is_scaled() -> None:
    sample = sample_at(overlap.misassignment_old, {"phi": weight("1/2"), "delta": Fraction(100)})
    log_value = math.log(1.697240767118658158809) - 545 * math.log(10)  # ε_o(½, 100), 22 digits
    assert sample.log_scale != 0
    assert_agrees(sample, math.exp(log_value - sample.log_scale))


def test_reverse_kl_is_not_its_own_mirror() -> None:
    right, wrong = 0.46744389351786963523, 0.34106092242629288483
    point: dict[str, Exact] = {
        "phi": weight("1/2"),
        "tau": weight("9/10"),
        "delta": Fraction(4),
    }
    sample = sample_at(reverse_kl.objective, point)
    assert_agrees(sample, right)
    assert abs(sample.mean[0] - wrong) > 100 * sample.standard_error[0]


def test_gradients_of_a_drifting_learner() -> None:
    point: dict[str, Exact] = {
        "phi": Fraction(-3, 10),
        "tau": weight("35/100"),
        "delta": Fraction(2),
        "new_mean_along": Fraction(7, 5),
        "new_mean_across": Fraction(-4, 5),
    }
    # differences of the objective on a plane, 22 digits
    old = (-0.0562485893536026262448, -0.1139718267447635729306)
    new = (-0.2046796629577814310484, -0.345582186704563616791)
    assert_agrees(sample_at(old_drift.old_mean_gradient, point), old)
    assert_agrees(sample_at(old_drift.new_mean_gradient, point), new)


class Plane:
    """The definitions on a grid. Means are (along, across); p(m) is the density of N(m, I)."""

    def __init__(self, phi: float, tau: float, delta: float, along: float, across: float) -> None:
        self.phi, self.tau, self.delta = phi, tau, delta
        self.old, self.new, self.free = (0.0, 0.0), (delta, 0.0), (along, across)
        reach = 10.0 + max(abs(along), abs(across), delta)
        line = np.arange(-reach, reach + STEP, STEP)
        self.x, self.y = np.meshgrid(line, line, indexing="ij")
        self.p_o, self.p_n = self.p(self.old), self.p(self.new)

    def p(self, mean: tuple[float, float]) -> Grid:
        square = (self.x - mean[0]) ** 2 + (self.y - mean[1]) ** 2
        return np.asarray(np.exp(-0.5 * square) / (2 * math.pi))

    def mix(self, logit: float, old: Any = None, new: Any = None) -> Grid:
        w = 1 / (1 + math.exp(-logit))
        return w * self.p(old or self.old) + (1 - w) * self.p(new or self.new)

    @staticmethod
    def total(f: Grid) -> float:
        return float(np.sum(f)) * STEP**2

    def kl(self, a: Grid, b: Grid) -> float:
        return self.total(a * np.log(a / b))

    def responsibility(self, logit: float, new: Any = None) -> Grid:
        w = 1 / (1 + math.exp(-logit))
        return np.asarray(w * self.p_o / self.mix(logit, new=new))


def slope(f: Callable[[float], float], h: float = 1e-2) -> float:
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def shifted(mean: tuple[float, float], along: float, across: float) -> tuple[float, float]:
    return mean[0] + along, mean[1] + across


def mean_gradient(p: Plane, which: str) -> tuple[float, float]:
    """∇R with respect to m_o or m_n at m_o = μ_o, m_n free."""

    def objective(along: float, across: float) -> float:
        means = {"old": p.old, "new": p.free}
        means[which] = shifted(means[which], along, across)
        return p.kl(p.mix(p.phi, **means), p.mix(p.tau))

    return slope(lambda h: objective(h, 0)), slope(lambda h: objective(0, h))


def curvature(p: Plane) -> float:
    """Second derivative of R in β, by fourth-order differences."""
    beta, h = 1 / (1 + math.exp(-p.phi)), 2e-3
    f = [
        p.kl((beta + k * h) * p.p_o + (1 - beta - k * h) * p.p_n, p.mix(p.tau))
        for k in (-2, -1, 0, 1, 2)
    ]
    return (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h**2)


def softplus_mean(p: Plane) -> float:
    return p.total(p.p_n * np.log1p(math.exp(p.phi) * p.p_o / p.p_n))


def sech_overlap(p: Plane) -> float:
    log_odds = p.phi + np.log(p.p_o / p.p_n)
    return p.total(p.p((p.delta / 2, 0.0)) / np.cosh(log_odds / 2))


def bayes_error(p: Plane) -> float:
    """Φ by erfc: the kink spoils the trapezoid."""
    a, b = -p.delta / 2 - p.phi / p.delta, -p.delta / 2 + p.phi / p.delta
    beta = 1 / (1 + math.exp(-p.phi))
    return 0.5 * (beta * math.erfc(-a / math.sqrt(2)) + (1 - beta) * math.erfc(-b / math.sqrt(2)))


DEFINITIONS: list[tuple[Estimator, Callable[[Plane], Any]]] = [
    (overlap.bhattacharyya, lambda p: p.total(np.sqrt(p.p_o * p.p_n))),
    (overlap.misassignment_old, lambda p: p.total(p.p_o * (1 - p.responsibility(p.phi)))),
    (overlap.misassignment_new, lambda p: p.total(p.p_n * p.responsibility(p.phi))),
    (overlap.sech_overlap, sech_overlap),
    (overlap.distinguishability, lambda p: p.total((p.p_o - p.p_n) * p.responsibility(p.phi))),
    (overlap.responsibility_second_moment,
     lambda p: p.total(p.p_n * p.responsibility(p.phi) ** 2)),
    (overlap.softplus_mean, softplus_mean),
    (overlap.bayes_error, bayes_error),
    (overlap.total_variation, lambda p: math.erf(p.delta / math.sqrt(8))),
    (overlap.chi_squared, lambda p: p.total(p.p_o**2 / p.p_n) - 1),
    (overlap.component_kl, lambda p: p.kl(p.p_n, p.p_o)),
    (forward_kl.objective, lambda p: p.kl(p.p_n, p.mix(p.phi))),
    (forward_kl.weight_gradient, lambda p: slope(lambda h: p.kl(p.p_n, p.mix(p.phi + h)))),
    (forward_kl.old_mean_gradient,
     lambda p: slope(lambda h: p.kl(p.p_n, p.mix(p.phi, old=(h, 0.0))))),
    (reverse_kl.objective, lambda p: p.kl(p.mix(p.phi), p.mix(p.tau))),
    (reverse_kl.weight_gradient,
     lambda p: slope(lambda h: p.kl(p.mix(p.phi + h), p.mix(p.tau)))),
    (reverse_kl.weight_curvature, curvature),
    (reverse_kl.new_data_gradient, lambda p: slope(lambda h: p.kl(p.mix(p.phi + h), p.p_n))),
    (reverse_kl.mass_covering_gradient,
     lambda p: slope(lambda h: p.kl(p.mix(p.tau), p.mix(p.phi + h)))),
    (old_drift.learner_misassignment,
     lambda p: p.total(p.p_o * (1 - p.responsibility(p.phi, new=p.free)))),
    (old_drift.target_misassignment, lambda p: p.total(p.p_o * (1 - p.responsibility(p.tau)))),
    (old_drift.target_leakage,
     lambda p: p.total(p.p((p.free[0], 0.0)) * p.responsibility(p.tau))),
    (old_drift.learner_leakage,
     lambda p: p.total(p.p(p.free) * p.responsibility(p.phi, new=p.free))),
    (old_drift.old_mean_gradient, lambda p: mean_gradient(p, "old")),
    (old_drift.new_mean_gradient, lambda p: mean_gradient(p, "new")),
]  # fmt: skip
POINTS = [
    ("-7/10", "2/5", "13/10", "7/5", "-4/5"),
    ("11/10", "-3/5", "3", "1/2", "3/2"),
    ("-2", "-1/2", "1/2", "-3/4", "1/4"),
]


def name(estimator: Estimator) -> str:
    return f"{estimator.__module__.rsplit('.')[-1]}.{estimator.__name__}"


@pytest.mark.parametrize("coordinates", POINTS)
@pytest.mark.parametrize(
    ("estimator", "definition"), DEFINITIONS, ids=[name(e) for e, _ in DEFINITIONS]
)
def test_definitions(
    estimator: Estimator, definition: Callable[[Plane], Any], coordinates: tuple[str, ...]
) -> None:
    exact = [Fraction(text) for text in coordinates]
    phi, tau, delta, along, across = exact
    point: dict[str, Exact] = {
        "phi": phi, "c": phi, "tau": tau, "delta": delta,
        "new_mean_along": along, "new_mean_across": across,
    }  # fmt: skip
    names = estimator.__code__.co_varnames[: estimator.__code__.co_argcount]
    sample = sample_at(estimator, {key: point[key] for key in names})
    assert_agrees(sample, definition(Plane(*map(float, exact))))


def test_every_estimator_is_tested() -> None:
    modules = (overlap, forward_kl, reverse_kl, old_drift)
    public = {
        value
        for module in modules
        for key, value in vars(module).items()
        if not key.startswith("_")
        and getattr(value, "__annotations__", {}).get("return") == "Scheme"
    }
    assert public == {estimator for estimator, _ in DEFINITIONS}


@settings(max_examples=15)
@given(
    phi=st.fractions(-4, 4, max_denominator=100),
    delta=st.fractions(Fraction(1, 4), 6, max_denominator=100),
    dimension=st.integers(1, 8),
    seed=st.integers(0, 2**63 - 1),
)
def test_balance_and_agreement_hold_everywhere(
    phi: Fraction, delta: Fraction, dimension: int, seed: int
) -> None:
    """β ε_o = (1−β) ε_n, and both are what a trapezoid on a line gives."""
    point: dict[str, Exact] = {"phi": phi, "delta": delta}
    z = np.arange(-14, 14, 0.02)
    log_odds = float(phi) + float(delta) ** 2 / 2 + float(delta) * z
    eps_o = (
        float(np.sum(np.exp(-(z**2) / 2) / (1 + np.exp(log_odds)))) * 0.02 / math.sqrt(2 * math.pi)
    )
    for estimator, value in (
        (overlap.misassignment_old, eps_o),
        (overlap.misassignment_new, eps_o * math.exp(float(phi))),
    ):
        sample = estimate(estimator, point, samples=20_000, seed=seed, dimension=dimension)
        if sample.informative:
            assert abs(sample.mean[0] - value) < 6.5 * sample.standard_error[0]


@pytest.mark.parametrize(("phi", "delta"), [(-10, 2), (30, 4)])
def test_a_kink_far_in_the_tail_is_not_missed(phi: int, delta: int) -> None:
    """B falls short of its smaller weight by 1e-5 and 1e-8 of it, which plain draws never see."""
    sample = sample_at(
        overlap.bayes_error, {"phi": Fraction(phi), "delta": Fraction(delta)}, 20_000
    )
    value = bayes_error(Plane(phi, 0, delta, 0, 0))
    assert abs(sample.mean[0] - value) < Z * sample.standard_error[0]
