"""Runs, row by row: at correct means by the suite's quantities, with free means on the line, and
in finite batches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from numerics.trajectories.batches import Learner, train
from numerics.trajectories.interpolation import interpolated
from numerics.trajectories.iteration import State, iterate
from numerics.trajectories.mean_flow import floats
from numerics.trajectories.scalar_flow import exact
from numerics.trajectories.scalar_states import states
from proofs_check.simulation.line import Line, line_of
from proofs_check.simulation.method import Method, Row
from proofs_check.simulation.suite import Point, Suite

_AT_ONCE = 4096  # batches, between which an interrupt is heard
_SPARE = 4  # digits of velocities beyond those of the states


@dataclass(frozen=True, slots=True)
class Setting:
    """A method at a point; point holds its parameters and the learner's means at the start."""

    suite: Suite
    method: Method
    point: Point

    def numbers(self) -> dict[str, float]:
        """Every setting in double precision."""
        plain = {name: float(self.suite.number(value)) for name, value in self.point.items()}
        return {**plain, **self.method.more(self.suite, self.point)}

    def line(self) -> Line:
        """The objective with free means at this point."""
        numbers = self.numbers()
        means = numbers["old_mean"], numbers["new_mean"]
        changing = ("teacher_logit",) if self.method.discrete else ()
        return line_of(self.method.free, numbers, means, changing)

    def start(self) -> tuple[float, float, float]:
        numbers = self.numbers()
        return numbers["phi"], numbers["old_mean"], numbers["new_mean"]

    @property
    def sign(self) -> int:
        """+1 where training descends the objective, −1 where it climbs."""
        return -1 if self.method.ascent else 1

    def velocity(self, phi: Fraction) -> Any:
        """Of the weight's logit at correct means."""
        return -self.sign * self.suite.value(
            self.method.moves, {**self.point, "phi": phi}, self.suite.digits + _SPARE
        )


def held_flow(setting: Setting, times: Sequence[Fraction]) -> Iterator[Row]:
    """The flow of the weight at correct means, to the suite's digits."""
    suite, point = setting.suite, setting.point
    velocity = interpolated(setting.velocity, suite.digits + _SPARE)
    for reached in states(velocity, suite.logit(point["phi"]), times, suite.digits):
        yield {
            "t": reached.time,
            **_held(setting, exact(reached.state)),
            "error": reached.error,
        }


def _held(setting: Setting, phi: Fraction) -> Row:
    """What a row says of a weight at correct means."""
    suite, method = setting.suite, setting.method
    delta = setting.point["delta"]
    correct = {"new_mean_along": delta, "new_mean_across": Fraction(0)}
    place = {**setting.point, **correct, "phi": phi}
    row = {
        "phi": suite.number(phi),
        "beta": suite.weight(phi),
        "old_mean": suite.context.zero,
        "new_mean": suite.number(delta),
        "objective": suite.value(method.objective, place),
    }
    return row | ({"old_mean_gradient": suite.value(method.pull, place)} if method.pull else {})


def held_map(setting: Setting, steps: Sequence[int]) -> Iterator[Row]:
    """Student and teacher of SDFT at correct means, and the sum of the impulses on the old mean."""
    suite, point = setting.suite, setting.point

    def at(state: State) -> Point:
        return {**point, "phi": state[0], "teacher_logit": state[1]}

    def step(state: State, digits: int) -> tuple[Any, Any]:
        place = at(state)
        student = suite.value("sdft.student_step", place, digits)
        return student, suite.value("sdft.teacher_step", place, digits)

    start = (suite.logit(point["phi"]), suite.logit(point["teacher_logit"]))
    drift = suite.context.zero
    orbit = iterate(step, start, suite.digits)
    for index in range(steps[-1] + 1):
        state, error = next(orbit)
        if index in steps:
            yield {
                "step": index,
                **_held(setting, state[0]),
                "teacher": suite.number(state[1]),
                "drift": drift,
                "error": suite.number(error),
            }
        drift += suite.value("sdft.drift_impulse", at(state))


def free_flow(
    setting: Setting, times: Sequence[Fraction], tolerance: float = 1e-9
) -> Iterator[Row]:
    """The flow of the weight and both means on the line, in double precision."""
    line, clock = setting.line(), map(float, times)
    reached = floats(
        lambda state: -line.at(state)[1:], setting.start(), clock, tolerance, stiff=True
    )
    for time, found in zip(times, reached, strict=True):
        yield {"t": time, **_free(setting, line, found.state), "error": found.error}


def _free(setting: Setting, line: Line, state: Any, **more: float) -> Row:
    phi, old_mean, new_mean = state
    return {
        "phi": phi,
        "beta": setting.suite.weight(phi),
        "old_mean": old_mean,
        "new_mean": new_mean,
        "old_side": _old_side(setting, *map(float, state)),
        "objective": setting.sign * line.at(state, **more)[0],
    }


def _old_side(setting: Setting, phi: float, old_mean: float, new_mean: float) -> float:
    """The learner's mass nearer to the old mode than to the new one: what is left of the old
    behaviour, whichever component holds it."""
    half = float(setting.suite.number(setting.point["delta"])) / 2
    beta = float(setting.suite.weight(phi))
    below = [math.erfc((mean - half) / math.sqrt(2)) / 2 for mean in (old_mean, new_mean)]
    return beta * below[0] + (1 - beta) * below[1]


def free_map(setting: Setting, steps: Sequence[int]) -> Iterator[Row]:
    """SDFT with the student's means free, in double precision; the teacher's are correct."""
    line, numbers = setting.line(), setting.numbers()
    state, teacher = np.array(setting.start()), numbers["teacher_logit"]
    for index in range(steps[-1] + 1):
        found = line.at(state, teacher_logit=teacher)
        if index in steps:
            row = _free(setting, line, state, teacher_logit=numbers["tau"])
            yield {"step": index, **row, "teacher": teacher}
        state = state - numbers["step"] * found[1:]
        teacher += numbers["ema_rate"] * (state[0] - teacher)


@dataclass(frozen=True, slots=True)
class Batches:
    """How a finite-batch run goes: draws a batch, step size, seed, whether the means learn."""

    size: int
    step: Fraction
    seed: int
    free: bool


def in_batches(setting: Setting, plan: Batches, steps: Sequence[int]) -> Iterator[Row]:
    """Training in batches, beside the population run of the same length."""
    numbers = setting.numbers()
    line, law = setting.line(), setting.method.law(numbers)
    phi, *means = setting.start()
    old, new = (np.array([mean]) for mean in means)
    learner = Learner(0, phi, numbers.get("teacher_logit", phi), old, new)
    for index, beside in zip(steps, _population(setting, plan, steps), strict=True):
        while learner.steps < index:
            learner = train(
                law,
                learner,
                numbers["delta"],
                steps=min(index - learner.steps, _AT_ONCE),
                size=plan.size,
                step=float(plan.step),
                seed=plan.seed,
                free=plan.free,
            )
        state = np.array([learner.phi, learner.old_mean[0], learner.new_mean[0]])
        teaching = {"teacher_logit": numbers["tau"]} if setting.method.discrete else {}
        yield {
            "step": index,
            **_free(setting, line, state, **teaching),
            **({"teacher": learner.teacher} if teaching else {}),
            "population_beta": beside["beta"],
            "population_old_mean": beside["old_mean"],
            "starved": learner.starved,
            "starved_expected": learner.expected,
            "starved_deviation": learner.variance**0.5,
        }


def _population(setting: Setting, plan: Batches, steps: Sequence[int]) -> Iterator[Row]:
    """The population run at the times that the steps add up to."""
    if setting.method.discrete:
        return (free_map if plan.free else held_map)(setting, steps)
    times = [index * plan.step for index in steps]
    return (free_flow if plan.free else held_flow)(setting, times)
