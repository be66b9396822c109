"""TTT-Discover: an entropic objective with a KL anchor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from numerics.certified.crossing import isolate
from numerics.point import Unreachable
from numerics.trajectories.batches import Law, Weight
from proofs_check.simulation.line import divergence, learner, true_old, truth
from proofs_check.simulation.method import Finding, Method, Numbers, Run, brief
from proofs_check.simulation.suite import Point, Suite
from theorems.mixture import line, sigma

_reference, _b, _gamma = sp.symbols("reference_logit inverse_temperature anchor", real=True)
_soft_old, _soft_new = sp.symbols("soft_old soft_new", positive=True)
_s_o = sigma(_reference) * true_old / truth(_reference)
_WIDTH = Fraction(1, 2**32)  # of the interval of logits that holds the maximiser
_exp_reward = _soft_old * _s_o + _soft_new * (1 - _s_o)


def _soft(suite: Suite, point: Point) -> Numbers:
    """e^{bv} as a mean of two values under the reference's responsibilities, so that its means
    under the two modes are the rewards asked for."""
    at = {"phi": point["reference_logit"], "delta": point["delta"]}
    kappa = suite.value("overlap.distinguishability", at)
    leak = suite.value("overlap.misassignment_old", at)
    old, new = (suite.number(point[name]) for name in ("reward_old", "reward_new"))
    gap = (new - old) / kappa
    if old <= leak * gap:
        least = brief(leak * new / (kappa + leak))
        raise Unreachable(
            f"reward_old = {point['reward_old']} is not above {least}, the least that a reward "
            "which depends on the draw alone can pay where the modes overlap so much"
        )
    return {"soft_old": float(old - leak * gap), "soft_new": float(old + (1 - leak) * gap)}


def _law(numbers: Numbers) -> Law:
    return Law(
        Weight.REWARDED,
        learner=1.0,
        old=1.0,
        target=numbers["reference_logit"],
        factor=numbers["anchor"],
        rewards=(numbers["soft_old"], numbers["soft_new"]),
        inverse_temperature=numbers["inverse_temperature"],
    )


def _verdict(suite: Suite, point: Point) -> tuple[Finding, str]:
    critical = suite.value("ttt_discover.critical_anchor", point)
    anchor = suite.number(point["anchor"])
    collapses = anchor <= critical
    relation, end = ("<=", "the old mass collapses") if collapses else (">", "old mass is kept")
    phrase = f"gamma = {brief(anchor)} {relation} gamma_c = {brief(critical)}: {end}"
    return Finding({"anchor": anchor, "critical_anchor": critical}, phrase), phrase


def _findings(run: Run) -> Iterator[Finding]:
    verdict, _ = _verdict(run.suite, run.point)
    yield verdict
    if verdict.numbers["anchor"] > verdict.numbers["critical_anchor"]:
        yield _maximiser(run.suite, run.point)


def _maximiser(suite: Suite, point: Point) -> Finding:
    """J is strictly concave in beta, so where proved signs of its slope change is the maximiser."""

    def slope(logit: Fraction) -> Any:
        return suite.ball("ttt_discover.weight_gradient", {**point, "phi": logit})

    low, high = isolate(slope, suite.logit(point["reference_logit"]), _WIDTH)
    ends = [suite.weight(end) for end in (low, high)]
    return Finding(
        {"maximiser_low": ends[0], "maximiser_high": ends[1]},
        f"the maximiser of the objective is beta = {brief(ends[0], 8)}, certified to lie between "
        f"the logits {brief(low, 12)} and {brief(high, 12)}",
    )


METHOD = Method(
    "ttt_discover",
    "entropic reward with a KL anchor at the reference",
    "ttt_discover.weight_gradient",
    "ttt_discover.objective",
    _gamma * divergence(learner, truth(_reference)) - sp.log(line(learner * _exp_reward)) / _b,
    _law,
    lambda suite, point: _verdict(suite, point)[1],
    _findings,
    ascent=True,
    more=_soft,
)
