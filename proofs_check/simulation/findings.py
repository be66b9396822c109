"""What the runs of every method show: where the weight went, how fast, and what starved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from numerics.point import Unreachable
from numerics.trajectories.scalar_flow import elapsed, exact
from proofs_check.simulation.method import Finding, Run, brief
from proofs_check.simulation.runs import Batches, Setting


def findings(setting: Setting, run: Run, plan: Batches | None) -> Iterator[Finding]:
    """In the order in which they are read."""
    yield _weight(run)
    if "t" in run.last and "error" in run.last and not _moves_means(run):
        yield from _halving(setting, run)
    if _moves_means(run):
        yield _drift(run)
    if plan is not None:
        yield from _beside(setting, run, plan)
    yield from setting.method.findings(run)


def _weight(run: Run) -> Finding:
    first, last = run.rows[0], run.last
    clock = "t" if "t" in last else "step"
    return Finding(
        {clock: last[clock], "beta_start": first["beta"], "beta": last["beta"]},
        f"by {clock} = {brief(last[clock], 7)} the old weight has gone from "
        f"{brief(first['beta'])} to {brief(last['beta'])}, the objective from "
        f"{brief(first['objective'])} to {brief(last['objective'])}",
    )


def _moves_means(run: Run) -> bool:
    return "old_side" in run.last


def _halving(setting: Setting, run: Run) -> Iterator[Finding]:
    """The time to half the weight, where the flow gets there."""
    suite, start = setting.suite, run.rows[0]
    half = start["beta"] / 2
    if run.last["beta"] > half:
        return
    phi = exact(suite.context.log(half / (1 - half)))

    try:
        time, error = elapsed(setting.velocity, exact(start["phi"]), phi, suite.digits)
    except Unreachable:
        return
    yield Finding(
        {"halving_time": time, "halving_time_error": error},
        f"the weight is halved at t = {brief(time, 6)}",
    )


def _drift(run: Run) -> Finding:
    moved = {name: run.last[name] - run.rows[0][name] for name in ("old_mean", "new_mean")}
    way = "towards" if moved["old_mean"] >= 0 else "away from"
    return Finding(
        {f"{name}_moved": distance for name, distance in moved.items()}
        | {"old_side": run.last["old_side"]},
        f"the old mean has moved by {brief(abs(moved['old_mean']))} {way} the new mode, "
        f"{brief(run.point['delta'])} off, and the learner's new mean to "
        f"{brief(run.last['new_mean'])}; of the learner's mass {brief(run.last['old_side'])} is "
        f"nearer the old mode, after {brief(run.rows[0]['old_side'])} at the start",
    )


def _beside(setting: Setting, run: Run, plan: Batches) -> Iterator[Finding]:
    """Batches against the population, and starved batches against the exact binomials."""
    last = run.last
    yield Finding(
        {"population_beta": last["population_beta"]},
        f"the population's run is at weight {brief(last['population_beta'])} by then",
    )
    steps, starved = last["step"], last["starved"]
    if not steps:
        return
    law = setting.method.law(setting.numbers())
    beta = float(run.rows[0]["beta"])
    chance, plain = (each.starvation(beta, plan.size) for each in (law, replace(law, learner=1.0)))
    replayed = setting.method.name == "reverse_replay"
    beside = f" with replay, {_percent(plain)} without it" if replayed else ""
    yield Finding(
        {
            "starved": starved,
            "starved_expected": last["starved_expected"],
            "starved_deviation": last["starved_deviation"],
            "starvation": chance,
            **({"starvation_without_replay": plain} if replayed else {}),
        },
        f"{starved} of {steps} batches were starved (no draw of {plan.size} from the old mode), "
        f"{_percent(starved / steps)}; the exact binomials along this run give "
        f"{brief(last['starved_expected'])} with deviation {brief(last['starved_deviation'], 2)}, "
        f"and at the start's weight a chance of {_percent(chance)}{beside}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
