"""`compare`: every method from one start, and what decides whether it forgets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from proofs_check.catalogue import load
from proofs_check.cli import compare as command
from proofs_check.simulation.methods import METHODS
from proofs_check.simulation.suite import Suite


@pytest.fixture
def compare(forgetting: Callable[..., Any]) -> Callable[..., Any]:
    def run(*arguments: str) -> Any:
        found = forgetting("compare", "--json", *arguments)
        assert found.code == 0, found.err
        record = json.loads(found.out)
        return record, {row["method"]: row for row in record["rows"]}

    return run


def test_which_methods_forget_is_read_off(compare: Callable[..., Any]) -> None:
    record, rows = compare("--set", "beta=1/2", "--set", "delta=4", "--t", "400")
    assert list(rows) == list(METHODS)
    keys = ["method", "beta", "old_side", "old_mean_moved", "new_mean_moved", "error", "condition"]
    assert all(list(row) == keys for row in rows.values())
    # what is not set is shown with its default, the reference and the teacher are the start
    assert record["parameters"]["delta"] == "4"
    assert record["parameters"]["tau"] == record["parameters"]["reference_logit"] == "logit(1/2)"
    for name in ("forward_kl", "forward_replay.denominator"):
        assert float(rows[name]["old_side"]) < 0.1
    for name in ("reverse_kl", "reverse_replay", "sdft", "oapl"):
        assert float(rows[name]["beta"]) == pytest.approx(0.5, abs=1e-6)
        assert abs(float(rows[name]["old_mean_moved"])) < 1e-6
    assert float(rows["forward_replay.numerator"]["beta"]) == pytest.approx(0.25, abs=1e-6)
    assert "gamma_c" in rows["ttt_discover"]["condition"]
    assert "without replay" in rows["reverse_replay"]["condition"]


@pytest.mark.parametrize(("anchor", "says"), [("1/20", "collapses"), ("1", "is kept")])
def test_the_critical_anchor_decides(anchor: str, says: str) -> None:
    suite = Suite.of(load(), 12)
    point = command._point(suite, ["beta=1/2", f"anchor={anchor}"])
    assert says in METHODS["ttt_discover"].condition(suite, point)


def test_a_run_that_is_interrupted_keeps_its_rows(
    forgetting: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*arguments: Any) -> Any:
        yield {"method": "forward_kl", "beta": "0.5", "condition": ""}
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_rows", cut)
    found = forgetting("compare", "--json")
    assert found.code == 130
    record = json.loads(found.out)
    assert (len(record["rows"]), record["interrupted"]) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--t", "-1"), "t: -1 is not allowed"),
        (("--set", "gama=1"), "parameter 'gama' is unknown"),
        (("--set", "replay=2"), "replay: 2 is not allowed"),
        (("--set", "delta=40"), "means 40 standard deviations apart"),
    ],
)
def test_bad_input_is_one_sentence(
    forgetting: Callable[..., Any], arguments: tuple[str, ...], says: str
) -> None:
    found = forgetting("compare", *arguments)
    assert found.code == 2
    assert says in found.err
    assert len(found.err.strip().splitlines()) == 1
