"""Objectives with free means in double precision, against the suite's quantities in balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numerics.point import Unreachable
from numerics.trajectories.mean_flow import floats
from proofs_check.catalogue import load
from proofs_check.simulation.line import line_of
from proofs_check.simulation.method import Method
from proofs_check.simulation.methods import METHODS
from proofs_check.simulation.runs import Setting
from proofs_check.simulation.suite import Suite

SUITE = Suite.of(load(), 15)
POINT = {
    "phi": Fraction(-2, 5),
    "tau": Fraction(7, 10),
    "delta": Fraction(5, 2),
    "replay": Fraction(3, 10),
    "old_mean": Fraction(0),
    "new_mean": Fraction(5, 2),
    "teacher_logit": Fraction(7, 10),  # so that the teacher's target is the anchor
    "anchor_strength": Fraction(1, 4),
    "ema_rate": Fraction(1, 2),
    "step": Fraction(1),
    "reference_logit": Fraction(3, 10),
    "anchor": Fraction(1, 2),
    "inverse_temperature": Fraction(3, 2),
    "reward_old": Fraction(1),
    "reward_new": Fraction(2),
    "temperature": Fraction(1, 2),
    "offset": Fraction(0),
    "new_mean_along": Fraction(5, 2),
    "new_mean_across": Fraction(0),
}


def at(method: Method, **moved: Fraction) -> tuple[Any, Any]:
    setting = Setting(SUITE, method, {**POINT, **moved})
    value, *gradient = setting.line().at(np.array(setting.start()))
    return setting.sign * value, setting.sign * np.array(gradient)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_at_correct_means_it_is_the_suites_objective_and_its_gradients(method: Method) -> None:
    value, gradient = at(method)
    assert value == pytest.approx(float(SUITE.value(method.objective, POINT)), rel=1e-12)
    if method.discrete:  # a step of length 1 along the gradient
        moved = POINT["phi"] - float(gradient[0])
        assert moved == pytest.approx(float(SUITE.value(method.moves, POINT)), rel=1e-12)
    else:
        slope = float(SUITE.value(method.moves, POINT))
        assert gradient[0] == pytest.approx(slope, rel=1e-11)
    if method.pull:
        pull = float(SUITE.value(method.pull, POINT))
        assert gradient[1] == pytest.approx(pull, rel=1e-11)


def test_with_means_free_it_is_the_reverse_kl_of_the_precise_lane() -> None:
    # `eval local_geometry.objective` and `.gradient` here, 16 digits of the precise lane
    value, gradient = at(METHODS["reverse_kl"], old_mean=Fraction(1, 10), new_mean=Fraction(16, 5))
    assert value == pytest.approx(0.2932564419840951, rel=1e-12)
    right = [-0.3195392283414632, 0.05383080347737088, 0.4134615668919560]
    assert gradient == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_the_gradient_is_the_slope_of_the_objective(method: Method) -> None:
    place = {"old_mean": Fraction(1, 5), "new_mean": Fraction(17, 10)}
    h = Fraction(1, 2**14)
    _, gradient = at(method, **place)
    for index, name in enumerate(("phi", "old_mean", "new_mean")):
        here = {**POINT, **place}[name]
        up, down = (at(method, **{**place, name: here + side * h})[0] for side in (1, -1))
        assert (up - down) / (2 * float(h)) == pytest.approx(gradient[index], abs=2e-8)


def test_means_too_far_apart_are_refused() -> None:
    with pytest.raises(Unreachable, match="30 standard deviations apart"):
        line_of(METHODS["forward_kl"].free, {"delta": 4.0, "phi": 0.0}, (0.0, 30.0))


def test_a_generic_flow_ends_at_the_rate_of_the_smallest_eigenvalue() -> None:
    place = {"phi": Fraction(3, 10), "tau": Fraction(0), "delta": Fraction(3)}
    means = {"old_mean": Fraction(1, 10), "new_mean": Fraction(16, 5)}
    setting = Setting(SUITE, METHODS["reverse_kl"], {**POINT, **place, **means})
    line = setting.line()
    target = np.array([0.0, 0.0, 3.0])
    reached = floats(lambda state: -line.at(state)[1:], setting.start(), [30.0, 60.0], 1e-12)
    early, late = (np.linalg.norm(each.state - target) for each in reached)
    rate = np.log(early / late) / 30
    smallest = SUITE.value("local_geometry.smallest_eigenvalue", place)
    assert rate == pytest.approx(float(smallest), rel=0.01)
