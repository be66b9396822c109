"""`simulate`: what a run shows, its record, and what it says to bad input."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import mpmath
import pytest

from proofs_check.cli import simulate as command
from proofs_check.simulation.methods import METHODS

HELD = ["t", "phi", "beta", "old_mean", "new_mean", "objective"]
START = ("beta=1/2", "delta=2")
SETTINGS = {
    "forward_kl": START,
    "forward_replay.numerator": (*START, "replay=1/4"),
    "forward_replay.denominator": (*START, "replay=1/4"),
    "reverse_kl": (*START, "alpha=1/4"),
    "reverse_replay": (*START, "alpha=1/4", "replay=1/4"),
    "sdft": (*START, "alpha=1/4", "anchor_strength=1/4", "ema_rate=1/2"),
    "ttt_discover": (
        *START, "inverse_temperature=1", "anchor=1", "reward_old=1", "reward_new=2",
    ),
    "oapl": (*START, "alpha=1/4", "temperature=1/2"),
}  # fmt: skip


def sets(*assignments: str) -> list[str]:
    return [part for assignment in assignments for part in ("--set", assignment)]


@pytest.fixture
def simulate(forgetting: Callable[..., Any]) -> Callable[..., Any]:
    def run(method: str, *arguments: str, settings: tuple[str, ...] | None = None) -> Any:
        given = SETTINGS[method] if settings is None else settings
        found = forgetting("simulate", method, "--json", *sets(*given), *arguments)
        assert found.code == 0, found.err
        return json.loads(found.out)

    return run


def column(record: dict[str, Any], name: str) -> list[float]:
    return [float(row[name]) for row in record["rows"]]


# every method


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_runs_at_correct_means(simulate: Callable[..., Any], method: str) -> None:
    end = ("--steps", "8") if method == "sdft" else ("--t", "8")
    record = simulate(method, *end, "--rows", "2")
    clock = end[0].removeprefix("--").replace("steps", "step")
    assert list(record["rows"][0])[:6] == [clock, *HELD[1:]]
    assert (record["schema"], record["method"], record["means"]) == (1, method, "held")
    assert record["interrupted"] is False
    assert set(column(record, "old_mean")) == {0.0}
    objective = column(record, "objective")
    climbs = METHODS[method].ascent
    assert objective == sorted(objective, reverse=not climbs)
    assert len(record["sentences"]) >= 2


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_learns_from_batches_beside_its_population(
    simulate: Callable[..., Any], method: str
) -> None:
    step = () if method == "sdft" else ("--step", "1/4")
    record = simulate(method, "--batch-size", "4096", "--steps", "12", "--rows", "2", *step)
    last = record["rows"][-1]
    assert record["means"] == "free"
    assert float(last["beta"]) == pytest.approx(float(last["population_beta"]), abs=0.03)
    assert float(last["old_mean"]) == pytest.approx(float(last["population_old_mean"]), abs=0.1)
    assert float(last["population_beta"]) != pytest.approx(0.5, abs=1e-3)


# forward KL


def test_forward_kl_loses_the_old_mass_at_both_speeds(simulate: Callable[..., Any]) -> None:
    record = simulate("forward_kl", "--t", "1e14", "--rows", "6")
    beta = column(record, "beta")
    assert beta == sorted(beta, reverse=True)
    assert float(record["summary"]["beta_root_t"]) == pytest.approx(1, abs=0.01)
    apart = simulate("forward_kl", "--t", "1e4", "--rows", "2", settings=("beta=1/2", "delta=12"))
    assert float(apart["summary"]["beta_t"]) == pytest.approx(1, abs=2e-3)


def test_the_halving_time_is_one_that_halves(simulate: Callable[..., Any]) -> None:
    half = simulate("forward_kl", "--t", "100")["summary"]["halving_time"]
    record = simulate("forward_kl", "--t", str(half), "--rows", "1")
    assert column(record, "beta")[-1] == pytest.approx(0.25, abs=1e-10)


def test_denominator_replay_ends_up_forgetting_faster_than_none(
    simulate: Callable[..., Any],
) -> None:
    plain, replayed = (
        column(simulate(method, "--t", "1e6", "--rows", "3"), "beta")
        for method in ("forward_kl", "forward_replay.denominator")
    )
    assert replayed[1] > plain[1]
    assert replayed[-1] < plain[-1]
    numerator = column(simulate("forward_replay.numerator", "--t", "1e6", "--rows", "3"), "beta")
    assert numerator[-1] == pytest.approx(0.25, abs=1e-12)


def test_free_means_let_the_old_component_leave_the_old_mode(simulate: Callable[..., Any]) -> None:
    record = simulate("forward_kl", "--means", "free", "--t", "300", "--rows", "4")
    assert column(record, "old_mean")[-1] > 1
    assert float(record["summary"]["old_side"]) < 0.25
    assert list(record["rows"][0]) == [*HELD[:5], "old_side", "objective", "error"]
    # the first moment moves as the gradient of the theory says
    held = simulate("forward_kl", "--t", "1e-6", "--rows", "1")
    pull = column(held, "old_mean_gradient")[0]
    brief = simulate("forward_kl", "--means", "free", "--t", "1e-4", "--rows", "1")
    assert column(brief, "old_mean")[-1] / 1e-4 == pytest.approx(-pull, rel=1e-3)


def test_more_digits_are_more_digits(simulate: Callable[..., Any]) -> None:
    few, many = (
        simulate("reverse_kl", "--t", "5", "--rows", "1", "--digits", digits)["rows"][-1]
        for digits in ("12", "25")
    )
    assert len(many["phi"]) > 24
    with mpmath.workdps(40):
        assert abs(mpmath.mpf(few["phi"]) - mpmath.mpf(many["phi"])) < mpmath.mpf("2e-12")
        assert mpmath.mpf(many["error"]) < mpmath.mpf("1e-24")


# SDFT, TTT-Discover, OAPL


def test_sdft_reaches_the_anchor_at_the_rate_of_the_spectral_radius(
    simulate: Callable[..., Any],
) -> None:
    settings = ("beta=1/10", "alpha=1/2", "delta=3", "anchor_strength=1/2", "ema_rate=1", "step=4")
    record = simulate("sdft", "--steps", "60", "--rows", "12", "--digits", "20", settings=settings)
    summary = record["summary"]
    assert abs(float(record["rows"][-1]["phi"])) < 1e-12
    assert float(summary["observed_rate"]) == pytest.approx(
        float(summary["spectral_radius"]), rel=0.01
    )


def test_sdft_without_an_anchor_stays_where_it_starts(simulate: Callable[..., Any]) -> None:
    settings = ("phi=-1", "tau=0", "delta=2", "anchor_strength=0", "ema_rate=1/2")
    record = simulate("sdft", "--steps", "20", "--rows", "2", settings=settings)
    assert set(column(record, "phi")) == set(column(record, "teacher")) == {-1.0}


@pytest.mark.parametrize(("anchor", "kept"), [("1/10", False), ("1/5", True)])
def test_ttt_discover_collapses_below_its_critical_anchor(
    simulate: Callable[..., Any], anchor: str, kept: bool
) -> None:
    # at weight ½ and delta = 3: D_0 = 9/2, gamma_c = (1 − 1/2)/(9/2) = 1/9
    settings = (
        "beta=1/2", "delta=3", "inverse_temperature=1", "reward_old=1", "reward_new=2",
        f"anchor={anchor}",
    )  # fmt: skip
    record = simulate("ttt_discover", "--t", "1e6", "--rows", "2", settings=settings)
    assert float(record["summary"]["critical_anchor"]) == pytest.approx(1 / 9, rel=1e-11)
    assert (float(record["summary"]["beta"]) > 0.01) is kept
    assert any("collapses" in sentence for sentence in record["sentences"]) is not kept
    if kept:
        ends = [float(record["summary"][f"maximiser_{end}"]) for end in ("low", "high")]
        assert ends == pytest.approx([float(record["summary"]["beta"])] * 2, abs=1e-8)


@pytest.mark.parametrize(("anchor", "kept"), [("999999/9000000", False), ("1000001/9000000", True)])
def test_a_millionth_on_either_side_of_the_critical_anchor_decides(
    simulate: Callable[..., Any], anchor: str, kept: bool
) -> None:
    settings = (
        "beta=1/2", "delta=3", "inverse_temperature=1", "reward_old=1", "reward_new=2",
        f"anchor={anchor}",
    )  # fmt: skip
    summary = simulate("ttt_discover", "--t", "1", "--rows", "1", settings=settings)["summary"]
    assert ("maximiser_low" in summary) is kept
    if kept:
        assert 0 < float(summary["maximiser_low"]) < float(summary["maximiser_high"]) < 1e-4


def test_oapl_ends_at_the_ideal_policy(simulate: Callable[..., Any]) -> None:
    record = simulate("oapl", "--t", "1000", "--rows", "2")
    assert float(record["summary"]["beta"]) == pytest.approx(0.25, abs=1e-10)


# starvation

BATCHES = ("--batch-size", "32", "--steps", "3000", "--step", "1/1000", "--rows", "1")
LOST = ("beta=1/1000", "alpha=1/2", "delta=4")


@pytest.mark.parametrize(
    ("method", "settings", "fed"),
    [
        ("reverse_replay", (*LOST, "replay=1/10"), Fraction(1, 10) + Fraction(9, 10_000)),
        ("reverse_kl", LOST, Fraction(1, 1000)),
    ],
)
def test_starved_batches_are_as_many_as_the_exact_binomial_says(
    simulate: Callable[..., Any], method: str, settings: tuple[str, ...], fed: Fraction
) -> None:
    summary = simulate(method, *BATCHES, settings=settings)["summary"]
    chance = float((1 - fed) ** 32)
    assert float(summary["starvation"]) == pytest.approx(chance, rel=1e-10)
    off = abs(float(summary["starved"]) - float(summary["starved_expected"]))
    assert off < 4 * float(summary["starved_deviation"])
    assert float(summary["starved_expected"]) == pytest.approx(3000 * chance, rel=0.02)


def test_replay_names_both_chances(simulate: Callable[..., Any]) -> None:
    record = simulate("reverse_replay", *BATCHES, settings=(*LOST, "replay=1/10"))
    said = next(s for s in record["sentences"] if "starved" in s)
    assert "3.33 %" in said
    assert "96.8 % without" in said


def test_batches_depend_on_the_seed_alone(simulate: Callable[..., Any]) -> None:
    first, again, other = (
        simulate("reverse_kl", "--batch-size", "16", "--steps", "40", "--rows", "3", "--seed", s)
        for s in ("7", "7", "8")
    )
    assert first == again
    assert column(first, "beta") != column(other, "beta")


# output, and Ctrl-C


def test_help_names_every_method() -> None:
    assert tuple(METHODS) == command._METHODS


def test_the_table_and_its_sentences(forgetting: Callable[..., Any]) -> None:
    found = forgetting("simulate", "forward_kl", *sets(*START), "--rows", "3")
    assert found.code == 0
    assert "forward KL on new data alone" in found.out
    assert "By t = 1000 the old weight has gone from 0.5 to" in found.out


def test_rows_go_to_the_file_as_they_come(forgetting: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    options = ("--rows", "3", "--out", str(out), "--json")
    found = forgetting("simulate", "forward_kl", *sets(*START), *options)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == json.loads(found.out)["rows"]
    assert list(rows[0]) == [*HELD, "old_mean_gradient", "error"]
    assert [row["t"] for row in rows] == ["0", "1", "32", "1000"]


def test_what_was_reached_is_kept_when_a_run_is_interrupted(
    forgetting: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = command._rows

    def cut(*arguments: Any) -> Any:
        yield from islice(whole(*arguments), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_rows", cut)
    out = tmp_path / "run.csv"
    found = forgetting("simulate", "forward_kl", *sets(*START), "--out", str(out), "--json")
    record = json.loads(found.out)
    assert found.code == 130
    assert record["interrupted"] is True
    assert len(record["rows"]) == 2
    assert "2 of 13 rows are kept" in found.err
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3


# bad input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("forward_k", *sets(*START)), "did you mean forward_kl?"),
        (("forward_kl", *sets("beta=1/2")), "delta is missing"),
        (("forward_kl", *sets(*START, "alpha=1/2")), "parameter 'alpha' is unknown here"),
        (("forward_kl", *sets("beta=2", "delta=2")), "a weight must lie in (0, 1)"),
        (("forward_kl", *sets(*START), "--t", "0"), "t: 0 is not allowed"),
        (("forward_kl", *sets(*START), "--t", "soon"), "t: 'soon' is not a decimal"),
        (("forward_kl", *sets(*START), "--steps", "9"), "steps: this run is a flow"),
        (("sdft", *sets(*SETTINGS["sdft"]), "--t", "9"), "t: this run goes in steps"),
        (("forward_kl", *sets(*START), "--seed", "1"), "seed: only batches are drawn"),
        (("forward_kl", *sets(*START), "--step", "1"), "step: a flow has none"),
        (("forward_kl", *sets(*START), "--means", "loose"), "means: 'loose' is not one of"),
        (("forward_kl", *sets(*START, "old_mean=1")), "old_mean: 1 is not allowed"),
        (("forward_kl", *sets(*START), "--batch-size", "1"), "batch-size: 1 is not allowed"),
        (("forward_kl", *sets(*START), "--digits", "99"), "digits: 99 is not allowed"),
        (("forward_kl", *sets(*START), "--rows", "0"), "rows: 0 is not allowed"),
        (("forward_kl", *sets(*START), "--out", "/no/such/file"), "out: /no/such/file cannot"),
        (
            ("forward_kl", *sets("beta=1/2", "delta=40"), "--means", "free"),
            "means 40 standard deviations apart",
        ),
        (("sdft", *sets(*SETTINGS["sdft"], "step=1"), "--step", "2"), "step: given twice"),
    ],
)
def test_bad_input_is_one_sentence(
    forgetting: Callable[..., Any], arguments: tuple[str, ...], says: str
) -> None:
    found = forgetting("simulate", *arguments)
    assert found.code == 2
    assert found.out == ""
    assert says in found.err
    assert len(found.err.strip().splitlines()) == 1
