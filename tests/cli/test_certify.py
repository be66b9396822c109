"""`forgetting certify` and `forgetting recheck`: output, exit codes, sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check import catalogue
from theorems.language import Argument

CLAIM = "delta*S(phi, delta) <= sqrt(2*pi)"
BOX = ["--box", "phi=-4:4", "--box", "delta=1/4:40"]
KEYS = {"verdict", "leaves", "margin", "worst", "seconds", "witness", "stuck", "lemmas"}


@pytest.mark.parametrize(
    ("statement", "code", "verdict"),
    [
        (CLAIM, 0, "CERTIFIED"),
        ("delta*S(phi, delta) <= 2", 1, "REFUTED"),
        ("S(phi, delta) == S(-phi, delta)", 0, "PROVED"),
        ("S(phi, delta)^2 >= S(2*phi, delta)*S(0, delta)", 3, "UNDECIDED"),
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
        ["certify"],
        ["certify", CLAIM, *BOX, "--jobs", "0"],
        ["certify", CLAIM, *BOX, "--jobs", "two"],
        ["certify", CLAIM, *BOX, "--all"],
        ["certify", "log(phi - 9) <= delta", *BOX],
        ["refute", "log(phi - 9) <= delta", *BOX],
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


def test_certificates_of_declared_claims_are_kept_in_a_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forgetting: Callable[..., tuple[int, str, str]],
) -> None:
    overlap = catalogue.load()["overlap"]
    wanted = ("overlap.d.classical_old", "overlap.j.slope_above", "overlap.c.old")
    few = Argument(tuple(c for c in overlap.claims if c.id in wanted), ())
    monkeypatch.setattr(
        catalogue, "load", lambda only=None: {"overlap": replace(overlap, argument=lambda: few)}
    )
    code, out, _ = forgetting("certify", "--all", "--out", str(tmp_path))
    assert code == 0
    assert out.splitlines()[0].startswith("overlap.d.classical_old: CERTIFIED")
    assert "overlap.j.slope_above: none; it holds an integral" in out
    assert "overlap.c.old" not in out  # an equality
    assert [path.name for path in tmp_path.iterdir()] == ["overlap.d.classical_old.json"]


def test_a_folder_of_certificates_is_rechecked(
    tmp_path: Path, forgetting: Callable[..., tuple[int, str, str]]
) -> None:
    kept = tmp_path / "overlap.d.density_bound.json"
    assert forgetting("recheck", str(tmp_path))[0] == 2
    assert forgetting("certify", kept.stem, "--out", str(kept))[0] == 0
    code, out, _ = forgetting("recheck", str(tmp_path), "--json")
    assert code == 0
    assert [record["accepted"] for record in json.loads(out)] == [True]
    assert forgetting("recheck", str(tmp_path), "--claim", kept.stem)[0] == 2
    kept.rename(tmp_path / "overlap.d.at_most_one.json")
    code, _, err = forgetting("recheck", str(tmp_path))
    assert code == 1
    assert "another conjecture" in err


def test_a_claim_that_no_box_decides_is_undecided(
    forgetting: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _ = forgetting("certify", "overlap.j.slope_above", "--json")
    record = json.loads(out)
    assert code == 3
    assert record["verdict"] == "UNDECIDED"
    assert "integral" in record["why"]
