"""`forgetting certify` and `forgetting recheck`: output, exit codes, sentences."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from proofs_check.cli import main

CLAIM = "delta*S(phi, delta) <= sqrt(2*pi)"
BOX = ["--box", "phi=-4:4", "--box", "delta=1/4:40"]
KEYS = {"verdict", "leaves", "margin", "worst", "seconds", "witness", "stuck", "lemmas"}


def run(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    monkeypatch.setattr(sys, "argv", ["forgetting", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, said.out, said.err


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
    statement: str,
    code: int,
    verdict: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, out, _ = run(["certify", statement, *BOX, "--json"], monkeypatch, capsys)
    record = json.loads(out)
    assert (found, record["verdict"]) == (code, verdict)
    assert set(record) >= KEYS
    assert (record["witness"] is not None) == (verdict == "REFUTED")
    assert (record["stuck"] is not None) == (verdict == "UNDECIDED")


def test_a_certificate_goes_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scaled.json"
    code, out, _ = run(["certify", CLAIM, *BOX, "--out", str(path)], monkeypatch, capsys)
    assert code == 0
    assert "lemmas" in out
    arguments = ["recheck", str(path), "--claim", CLAIM, "--json"]
    code, out, _ = run(arguments, monkeypatch, capsys)
    record = json.loads(out)
    assert code == 0
    assert record["accepted"]
    arguments[3] = "overlap.d.classical_old"
    code, out, _ = run(arguments[:-1], monkeypatch, capsys)
    assert code == 1
    resumed = ["certify", CLAIM, *BOX, "--resume", str(path)]
    assert run(resumed, monkeypatch, capsys)[0] == 0
    other = ["certify", "S(phi, delta) <= 1", *BOX, "--resume", str(path)]
    code, _, err = run(other, monkeypatch, capsys)
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
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(arguments, monkeypatch, capsys)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1


def test_a_claim_without_variables_needs_no_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["certify", "3 < pi"], monkeypatch, capsys)[0] == 0
    assert run(["certify", "22/7 <= pi"], monkeypatch, capsys)[0] == 1
