"""Forward and reverse KL, with and without replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from numerics.point import Logit
from numerics.trajectories.batches import Law, Weight
from proofs_check.simulation.line import divergence, learner, true_new, true_old, truth
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
from theorems.mixture import mix

_replay = sp.Symbol("replay", positive=True)


def _regimes(run: Run) -> Iterator[Finding]:
    """Where the end of a flow of forward KL stands between its two regimes."""
    if not run.last.get("t"):
        return
    suite = run.suite
    ctx, beta, time = suite.context, run.last["beta"], suite.number(run.last["t"])
    square = suite.number(run.point["delta"]) ** 2
    early, late = beta * time, beta * ctx.sqrt(2 * ctx.expm1(square) * time)
    yield Finding(
        {"beta_t": early, "beta_root_t": late},
        f"beta t = {brief(early)}, near 1 while the modes are told apart (beta well above "
        f"e^(-delta^2/2) = {brief(ctx.exp(-square / 2))}); beta sqrt(2 (e^(delta^2) - 1) t) = "
        f"{brief(late)}, tending to 1 once beta is below e^(-3 delta^2/2) = "
        f"{brief(ctx.exp(-3 * square / 2))}",
    )


def _imposed(run: Run) -> Iterator[Finding]:
    """What replay in the denominator feigns, and how fast it lets the weight fall."""
    share, beta = run.suite.number(run.point["replay"]), run.last["beta"]
    mass = share + (1 - share) * beta
    yield Finding(
        {"imposed_mass": mass},
        f"the objective sees an old mass of {brief(mass)}, of which replay imposes {brief(share)}",
    )
    if run.last.get("t"):
        speed = 1 / _told_apart(run.suite, run.point)
        yield Finding(
            {"beta_t": beta * run.suite.number(run.last["t"]), "beta_t_limit": speed},
            f"beta t = {brief(beta * run.suite.number(run.last['t']))}, tending to "
            f"1/kappa(logit lambda, delta) = {brief(speed)} where the means are held",
        )


def _told_apart(suite: Suite, point: Point) -> Any:
    """kappa at the weight lambda, which the mixture tends to."""
    share = point["replay"]
    assert isinstance(share, Fraction)
    at = {"phi": Logit(share), "delta": point["delta"]}
    return suite.value("overlap.distinguishability", at)


def _rate(suite: Suite, point: Point) -> str:
    speed = 1 / _told_apart(suite, point)
    return f"the floor lambda = {point['replay']} is imposed; means held, beta t -> {brief(speed)}"


def _towards(what: str, name: str) -> Callable[[Run], Iterator[Finding]]:
    def findings(run: Run) -> Iterator[Finding]:
        point = run.point
        goal = target_weight(run.suite, point) if name == "tau" else point[name]
        yield approach(run, what, goal)

    return findings


def _new_data(numbers: Numbers) -> Law:
    return Law(Weight.LIKELIHOOD, learner=0.0, old=0.0)


def _mixed_data(numbers: Numbers) -> Law:
    return Law(Weight.LIKELIHOOD, learner=0.0, old=numbers["replay"])


def _diluted(numbers: Numbers) -> Law:
    return Law(Weight.DILUTED, learner=0.0, old=0.0, factor=numbers["replay"])


def _own_draws(numbers: Numbers) -> Law:
    return Law(Weight.LOG_RATIO, learner=1.0, old=1.0, target=numbers["tau"])


def _behaviour(numbers: Numbers) -> Law:
    own = 1.0 - numbers["replay"]
    return Law(Weight.LOG_RATIO, learner=own, old=1.0, target=numbers["tau"])


_to_target = _towards("the target", "tau")


def _fed(suite: Suite, point: Point) -> str:
    batch = {name: point[name] for name in ("phi", "batch")}
    with_replay, without = (
        suite.value("reverse_replay.starvation", {**batch, "replay": share})
        for share in (point["replay"], Fraction(0))
    )
    return (
        f"{_weight_of_target(suite, point)}; a batch of {point['batch']} starves at the start with "
        f"chance {brief(with_replay, 3)}, without replay {brief(without, 3)}"
    )


def _weight_of_target(suite: Suite, point: Point) -> str:
    return f"the target keeps alpha = {brief(target_weight(suite, point))}"


METHODS = (
    Method(
        "forward_kl",
        "forward KL on new data alone",
        "forward_kl.weight_gradient",
        "forward_kl.objective",
        divergence(true_new, learner),
        _new_data,
        lambda suite, point: "the data hold no old mass: beta -> 0, or the old mean leaves",
        _regimes,
        "forward_kl.old_mean_gradient",
    ),
    Method(
        "forward_replay.numerator",
        "forward KL with replay among the data",
        "forward_replay.numerator_gradient",
        "forward_replay.numerator_objective",
        divergence(mix(_replay, true_old, true_new), learner),
        _mixed_data,
        lambda suite, point: f"beta -> lambda = {point['replay']}",
        _towards("the replay fraction", "replay"),
        "forward_replay.numerator_old_mean_gradient",
    ),
    Method(
        "forward_replay.denominator",
        "forward KL with replay in the learner's mixture",
        "forward_replay.denominator_gradient",
        "forward_replay.denominator_objective",
        divergence(true_new, mix(_replay, true_old, learner)),
        _diluted,
        _rate,
        _imposed,
        "forward_replay.denominator_old_mean_gradient",
    ),
    Method(
        "reverse_kl",
        "reverse KL to a target that holds the old mode",
        "reverse_kl.weight_gradient",
        "reverse_kl.objective",
        divergence(learner, truth()),
        _own_draws,
        _weight_of_target,
        _to_target,
        "old_drift.old_mean_gradient",
    ),
    Method(
        "reverse_replay",
        "reverse KL with draws replayed from the old mode",
        "reverse_replay.replayed_gradient",
        "reverse_kl.objective",
        divergence(learner, truth()),
        _behaviour,
        _fed,
        _to_target,
        "old_drift.old_mean_gradient",
    ),
)
