"""Finite batches: unbiased steps, starvation as often as the binomials say, one seed one run."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numerics.point import Unreachable
from numerics.trajectories.batches import Law, Learner, Weight, train
from proofs_check.simulation.divergences import METHODS as DIVERGENCES
from proofs_check.simulation.line import line_of
from proofs_check.simulation.method import Method
from proofs_check.simulation.oapl import METHOD as OAPL
from proofs_check.simulation.sdft import METHOD as SDFT
from proofs_check.simulation.ttt_discover import METHOD as TTT_DISCOVER

NUMBERS = {
    "phi": -0.4,
    "tau": 0.7,
    "delta": 2.0,
    "replay": 0.3,
    "old_mean": 0.2,
    "new_mean": 1.7,
    "teacher_logit": -0.9,
    "anchor_strength": 0.25,
    "ema_rate": 0.5,
    "reference_logit": 0.3,
    "anchor": 0.5,
    "inverse_temperature": 1.5,
    "soft_old": 0.8,
    "soft_new": 2.4,
    "temperature": 0.5,
}
STATE = np.array([NUMBERS[name] for name in ("phi", "old_mean", "new_mean")])
EVERY = (*DIVERGENCES, SDFT, TTT_DISCOVER, OAPL)


def learner(phi: float, dimension: int = 1, **more: Any) -> Learner:
    old, new = np.zeros(dimension), np.zeros(dimension)
    old[0], new[0] = NUMBERS["old_mean"], NUMBERS["new_mean"]
    return Learner(0, phi, NUMBERS["teacher_logit"], old, new, **more)


@pytest.mark.parametrize("method", EVERY, ids=lambda method: method.name)
def test_a_step_is_the_gradient_of_the_objective_on_average(method: Method) -> None:
    gradient = line_of(method.free, NUMBERS, (STATE[1], STATE[2])).at(STATE)[1:]
    steps = []
    for seed in range(100):
        after = train(
            method.law(NUMBERS), learner(NUMBERS["phi"]), NUMBERS["delta"],
            steps=1, size=10_000, step=1.0, seed=seed, free=True,
        )  # fmt: skip
        steps.append(STATE - [after.phi, after.old_mean[0], after.new_mean[0]])
    mean, deviation = np.mean(steps, axis=0), np.std(steps, axis=0, ddof=1) / 10
    assert np.all(np.abs(mean - gradient) < 5 * deviation), (mean, gradient, deviation)
    assert np.all(deviation < 0.02)


def test_across_the_line_the_means_stay_on_average_in_every_dimension() -> None:
    law = Law(Weight.LOG_RATIO, learner=1.0, old=1.0, target=0.7)
    runs = [
        train(law, learner(-0.4, 5), 2.0, steps=1, size=4096, step=1.0, seed=seed, free=True)
        for seed in range(64)
    ]
    across = np.array([run.old_mean[1:] for run in runs])
    assert across.shape == (64, 4)
    assert np.all(np.abs(across.mean(axis=0)) < 5 * across.std(axis=0, ddof=1) / 8)


STILL = {"steps": 20_000, "size": 32, "step": 1e-9, "free": False}


@pytest.mark.parametrize(
    ("law", "fed"),
    [
        (Law(Weight.LOG_RATIO, learner=0.9, old=1.0), Fraction(1, 10) + Fraction(9, 10_000)),
        (Law(Weight.LOG_RATIO, learner=1.0, old=1.0), Fraction(1, 1000)),
        (Law(Weight.LIKELIHOOD, learner=0.0, old=0.01), Fraction(1, 100)),
    ],
    ids=["replay", "no replay", "replayed data"],
)
def test_batches_starve_as_often_as_the_exact_binomial_says(law: Law, fed: Fraction) -> None:
    chance = float((1 - fed) ** 32)
    run = train(law, learner(math.log(1 / 999)), 4.0, seed=3, **STILL)  # type: ignore[arg-type]
    deviation = math.sqrt(20_000 * chance * (1 - chance))
    assert abs(run.starved - 20_000 * chance) < 4 * deviation
    assert run.expected == pytest.approx(20_000 * chance, rel=1e-6)
    assert run.variance == pytest.approx(deviation**2, rel=1e-6)
    assert law.starvation(1e-3, 32) == pytest.approx(chance, rel=1e-12)


def test_draws_of_new_data_alone_starve_every_batch() -> None:
    law = Law(Weight.LIKELIHOOD, learner=0.0, old=0.0)
    run = train(law, learner(0.0), 2.0, steps=50, size=8, step=0.1, seed=0, free=True)
    assert (run.starved, run.expected, run.variance) == (50, 50.0, 0.0)


def test_a_run_is_a_function_of_its_seed_and_not_of_how_it_is_cut() -> None:
    law = Law(Weight.LOG_RATIO, learner=0.75, old=1.0, target=0.7)

    def run(seed: int, *pieces: int) -> Learner:
        now = learner(-0.4, 3)
        for steps in pieces:
            now = train(law, now, 2.0, steps=steps, size=7, step=0.1, seed=seed, free=True)
        return now

    whole, again, cut, other = run(5, 60), run(5, 60), run(5, 1, 24, 35), run(6, 60)
    for each in (again, cut):
        assert each.phi == whole.phi
        assert np.array_equal(each.old_mean, whole.old_mean)
        assert np.array_equal(each.new_mean, whole.new_mean)
        assert each.starved == whole.starved
    assert other.phi != whole.phi


def test_held_means_do_not_move_and_the_teacher_follows() -> None:
    law = SDFT.law({**NUMBERS, "ema_rate": 0.2})
    start = learner(-0.4)
    run = train(law, start, 2.0, steps=1, size=64, step=1.0, seed=0, free=False)
    assert np.array_equal(run.old_mean, start.old_mean)
    assert run.teacher == pytest.approx(0.2 * run.phi + 0.8 * start.teacher)


def test_steps_that_are_too_long_end_in_a_sentence() -> None:
    law = Law(Weight.LOG_RATIO, learner=1.0, old=1.0)
    with pytest.raises(Unreachable, match="too long"):
        train(law, learner(0.0), 2.0, steps=1000, size=4, step=1e200, seed=0, free=True)
