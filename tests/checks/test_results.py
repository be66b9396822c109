"""Results as data: what they add up to, and that nothing is lost on the way to a file and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.errors import InputError
from proofs_check.report.journal import Journal
from proofs_check.results import (
    ClaimResult,
    ControlResult,
    Evidence,
    Step,
    TheoremResult,
    exit_code,
    from_json,
    summary,
    to_json,
)
from proofs_check.verdict import Verdict

texts = st.text(max_size=8)
verdicts = st.sampled_from(Verdict)
steps = st.builds(Step, texts, st.sampled_from(["=", "<=", "<"]), texts, verdicts, texts)
evidence = st.builds(
    Evidence,
    lane=texts,
    verdict=st.none() | verdicts,
    note=texts,
    slack=texts,
    worst=st.dictionaries(texts, texts, max_size=2),
    steps=st.lists(steps, max_size=2).map(tuple),
    cites=st.lists(texts, max_size=2).map(tuple),
)
lanes = st.lists(evidence, max_size=3, unique_by=lambda e: e.lane).map(tuple)
claims = st.builds(ClaimResult, texts, texts, texts, lanes)
controls = st.builds(ControlResult, texts, texts, verdicts, texts)
theorem_results = st.builds(
    TheoremResult,
    texts,
    texts,
    texts,
    st.lists(claims, max_size=3).map(tuple),
    st.lists(controls, max_size=3).map(tuple),
)


def result(name: str = "one", *found: Verdict) -> TheoremResult:
    """A theorem with a claim for every verdict."""
    claimed = tuple(
        ClaimResult(f"{name}.a.{v.name}", "bound", "", (Evidence("certified", v, ""),))
        for v in found
    )
    return TheoremResult(name, "title", "source", claimed, ())


@given(theorem_results)
def test_what_is_written_is_what_is_read(found: TheoremResult) -> None:
    assert from_json(json.loads(json.dumps(to_json(found)))) == found


def test_a_claim_shows_the_slack_of_the_first_lane_that_has_one() -> None:
    lanes = (
        Evidence("symbolic", Verdict.PROVED, "2 steps"),
        Evidence("certified", Verdict.SUPPORTED, "3 points", "0.25", {"delta": "3/2"}),
        Evidence("precise", Verdict.SUPPORTED, "1 point", "0.5", {"delta": "4"}),
    )
    claim = ClaimResult("one.a.claim", "bound", "text", lanes)
    (record,) = to_json(TheoremResult("one", "", "", (claim,), ()))["claims"]
    assert record["verdict"] == "PROVED"
    assert (record["slack"], record["worst"]) == ("0.25", {"delta": "3/2"})
    assert list(record["evidence"]) == ["symbolic", "certified", "precise"]


def test_a_lane_that_is_not_informative_does_not_weaken_a_claim() -> None:
    lanes = (Evidence("symbolic", Verdict.PROVED, ""), Evidence("precise", None, "too dear"))
    claim = ClaimResult("one.a.claim", "bound", "", lanes)
    assert claim.verdict is Verdict.PROVED
    (record,) = to_json(TheoremResult("one", "", "", (claim,), ()))["claims"]
    assert record["evidence"]["precise"]["verdict"] == "NOT INFORMATIVE"


def test_counts_add_up_over_theorems() -> None:
    refuted = ControlResult("one.control.good", "", Verdict.REFUTED, "delta = 1")
    survivor = ControlResult("one.control.blind", "", Verdict.UNDECIDED, "no point was tried")
    first = result("one", Verdict.PROVED, Verdict.REFUTED)
    second = TheoremResult(
        "two", "", "", result("two", Verdict.UNDECIDED).claims, (refuted, survivor, refuted)
    )
    assert summary([first, second]) == {
        "claims": 3,
        "refuted": 1,
        "undecided": 1,
        "controls": 3,
        "survivors": 1,
    }


@pytest.mark.parametrize(
    ("refuted", "undecided", "survivors", "code"),
    [(0, 0, 0, 0), (1, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 3), (1, 1, 0, 1), (0, 1, 1, 1)],
)
def test_undecided_is_never_green_and_refuted_comes_first(
    refuted: int, undecided: int, survivors: int, code: int
) -> None:
    counts = {"refuted": refuted, "undecided": undecided, "survivors": survivors}
    assert exit_code(counts) == code


# the journal

SETTINGS: dict[str, Any] = {"profile": "quick", "environment": {"python": "3"}}


def journal_of(path: Path, *results: TheoremResult) -> None:
    journal = Journal.open(path, SETTINGS, resume=False)
    for each in results:
        journal.write({"theorem": to_json(each)})


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_is_in_the_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = Journal.open(path, SETTINGS, resume=False)
    assert lines(path) == [{"schema": 1, "settings": SETTINGS}]
    journal.write({"summary": {"δ": 1}})
    assert lines(path)[-1] == {"summary": {"δ": 1}}


def test_a_run_that_was_cut_short_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    first, second = result("one", Verdict.PROVED), result("two", Verdict.REFUTED)
    journal_of(path, first, second)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[:-20], encoding="utf-8")
    assert Journal.open(path, SETTINGS, resume=True).kept == (first,)
    assert lines(path) == [{"schema": 1, "settings": SETTINGS}, {"theorem": to_json(first)}]


def test_without_resume_a_file_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal_of(path, result("one", Verdict.PROVED))
    assert Journal.open(path, SETTINGS, resume=False).kept == ()
    assert len(lines(path)) == 1


def test_a_run_with_other_settings_is_not_resumed_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal_of(path, result("one", Verdict.PROVED))
    before = path.read_bytes()
    with pytest.raises(InputError, match="no run with these settings"):
        Journal.open(path, {**SETTINGS, "profile": "paper"}, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"hello world\n", b"\xff\xfe\x00\x01", b"[" * 100_000, b"{}\n"]
)
def test_a_file_of_something_else_is_not_resumed_and_not_touched(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no run with these settings"):
        Journal.open(path, SETTINGS, resume=True)
    assert path.read_bytes() == content


def test_resume_begins_where_there_is_no_file(tmp_path: Path) -> None:
    assert Journal.open(tmp_path / "new.jsonl", SETTINGS, resume=True).kept == ()


def test_a_file_that_cannot_be_written_is_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"out: .* cannot be written"):
        Journal.open(tmp_path / "nowhere" / "run.jsonl", SETTINGS, resume=False)


def test_without_a_path_nothing_is_written() -> None:
    Journal.open(None, SETTINGS, resume=True).write({"summary": {}})
