"""`forgetting certify` and `forgetting recheck`: output, exit codes, sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

CLAIM = "delta*S(phi, delta) <= sqrt(2*pi)"
BOX = ["--box", "phi=-4:4", "--box", "delta=1/4:40"]
KEYS = {"verdict", "leaves", "margin", "worst", "seconds", "witness", "stuck", "lemmas"}


@pytest.mark.parametrize(
    ("statement", "code", "verdict"),
    [
        (CLAIM, 0, "CERTIFIED"),
        ("delta*S(phi, delta) <= 2", 1, "REFUTED"),
        ("S(phi, delta) == S(-phi, delta)", 0, "PROVED"),
        ("0*delta + phi^2 >= 2*phi - 1", 3, "UNDECIDED"),
    ],
)
def test_exit_codes_tell_the_verdict(
    statement: str, code: int, verdict: str, forgetting: Callable[..., tuple[int, str, str]]
) -> None:
    found, out, _ = forgetting("certify", statement, *BOX, "--json")
    record = json.loads(out)
    assert (found, record["verdict"]) == (code, verdict)
    assert set(record) >= KEYS
    assert (record["witness"] is not None) == (verdict == "REFUTED")
    assert (record["stuck"] is not None) == (verdict == "UNDECIDED")


def test_a_certificate_goes_round(
    tmp_path: Path, forgetting: Callable[..., tuple[int, str, str]]
) -> None:
    path = tmp_path / "scaled.json"
    code, out, _ = forgetting("certify", CLAIM, *BOX, "--out", str(path))
    assert code == 0
    assert "lemmas" in out
    arguments = ["recheck", str(path), "--claim", CLAIM, "--json"]
    code, out, _ = forgetting(*arguments)
    record = json.loads(out)
    assert code == 0
    assert record["accepted"]
    arguments[3] = "overlap.d.classical_old"
    code, out, _ = forgetting(*arguments[:-1])
    assert code == 1
    resumed = ["certify", CLAIM, *BOX, "--resume", str(path)]
    assert forgetting(*resumed)[0] == 0
    other = ["certify", "S(phi, delta) <= 1", *BOX, "--resume", str(path)]
    code, _, err = forgetting(*other)
    assert code == 1
    assert "another claim" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["certify", CLAIM],
        ["certify", "overlap.d.classical_odd"],
        ["certify", "overlap.f.decreasing"],
        ["certify", CLAIM, *BOX, "--time-limit", "0"],
        ["certify", CLAIM, *BOX, "--out", "/nowhere/at/all.json"],
        ["certify", CLAIM, *BOX, "--resume", "/nowhere.json"],
        ["recheck", "/nowhere.json"],
    ],
)
def test_wrong_input_is_one_sentence(
    arguments: list[str], forgetting: Callable[..., tuple[int, str, str]]
) -> None:
    code, out, err = forgetting(*arguments)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1


def test_a_claim_without_variables_needs_no_box(
    forgetting: Callable[..., tuple[int, str, str]],
) -> None:
    assert forgetting("certify", "3 < pi")[0] == 0
    assert forgetting("certify", "22/7 <= pi")[0] == 1
