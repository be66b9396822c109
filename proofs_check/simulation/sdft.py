"""SDFT: reverse KL to a moving-average teacher that is anchored at demonstrations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from numerics.trajectories.batches import Law, Weight
from proofs_check.simulation.line import divergence, learner, truth
from proofs_check.simulation.method import (
    Finding,
    Method,
    Numbers,
    Run,
    approach,
    brief,
    target_weight,
)
from proofs_check.simulation.suite import Point, Suite
from theorems.mixture import tau

_ACCURATE = 1000  # a distance this many times its error still shows its rate
_nu, _teacher = sp.symbols("anchor_strength teacher_logit", real=True)


def _law(numbers: Numbers) -> Law:
    return Law(
        Weight.LOG_RATIO,
        learner=1.0,
        old=1.0,
        target=numbers["tau"],
        anchor_strength=numbers["anchor_strength"],
        ema_rate=numbers["ema_rate"],
    )


def _findings(run: Run) -> Iterator[Finding]:
    suite, point = run.suite, run.point
    yield approach(run, "the anchor", target_weight(suite, point))
    radius = suite.value("sdft.spectral_radius", point)
    numbers, sentence = {"spectral_radius": radius}, f"the spectral radius is {brief(radius, 6)}"
    observed = _observed_rate(run) if "error" in run.last else None
    if observed is not None:
        numbers["observed_rate"] = observed
        sentence += f"; the last steps shrink the distance by {brief(observed, 6)} each"
    yield Finding(numbers, sentence)
    if "drift" in run.last:
        drift = run.last["drift"]
        yield Finding(
            {"drift": drift}, f"the impulses on the old mean add up to {brief(drift)} at most"
        )


def _observed_rate(run: Run) -> Any:
    """The factor a step, between the last two rows that are far enough from the anchor."""
    suite = run.suite
    tau = suite.number(suite.logit(run.point["tau"]))
    far = [
        (row["step"], max(abs(row["phi"] - tau), abs(row["teacher"] - tau)), row["error"])
        for row in run.rows
    ]
    usable = [(step, size) for step, size, error in far if size > _ACCURATE * error]
    if len(usable) < 2:
        return None
    (before, larger), (after, smaller) = usable[-2:]
    return (smaller / larger) ** (suite.context.one / (after - before))


def _condition(suite: Suite, point: Point) -> str:
    if not point["anchor_strength"]:
        return "nu = 0: no anchor, the limit depends on the start"
    radius = suite.value("sdft.spectral_radius", point)
    return f"nu = {point['anchor_strength']} > 0: spectral radius {brief(radius)} < 1"


METHOD = Method(
    "sdft",
    "reverse KL to a moving-average teacher anchored at demonstrations",
    "sdft.student_step",
    "reverse_kl.objective",
    divergence(learner, truth((1 - _nu) * _teacher + _nu * tau)),
    _law,
    _condition,
    _findings,
    settings=("sdft.teacher_step",),
    discrete=True,
)
