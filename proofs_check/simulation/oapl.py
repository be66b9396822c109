"""OAPL: regression of the log-ratio to a frozen reference on a reward."""

from __future__ import annotations

import math
from collections.abc import Iterator

import sympy as sp

from numerics.trajectories.batches import Law, Weight
from proofs_check.simulation.line import learner, truth
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
from theorems.mixture import line

_reference, _temperature = sp.symbols("reference_logit temperature", real=True)
_frozen = truth(_reference)
# the reward is realisable, so that its baseline V* is its offset, and v − V* is T log of the ratio
_residual = _temperature * (sp.log(learner / _frozen) - sp.log(truth() / _frozen))


def _law(numbers: Numbers) -> Law:
    return Law(
        Weight.REGRESSION,
        learner=0.0,
        old=1.0 / (1.0 + math.exp(-numbers["reference_logit"])),
        target=numbers["tau"],
        factor=numbers["temperature"],
    )


def _findings(run: Run) -> Iterator[Finding]:
    yield approach(run, "the ideal policy", target_weight(run.suite, run.point))


def _condition(suite: Suite, point: Point) -> str:
    shift = suite.number(suite.logit(point["tau"]) - suite.logit(point["reference_logit"]))
    return f"the reward shifts the reference's logit by (V_o - V_n)/T = {brief(shift)}, no further"


METHOD = Method(
    "oapl",
    "regression on the reward from a frozen reference",
    "oapl.weight_gradient",
    "oapl.loss",
    line(_frozen * _residual**2),
    _law,
    _condition,
    _findings,
)
