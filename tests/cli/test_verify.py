"""`verify`: the main job, its exit codes, what it keeps when it is interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from proofs_check import runner
from proofs_check.catalogue import load
from proofs_check.cli import verify
from proofs_check.results import ClaimResult, ControlResult, Evidence, TheoremResult
from proofs_check.verdict import Verdict

THEOREM = load()["old_drift"]
COMMAND = [sys.executable, "-c", "from proofs_check.cli import main; main()"]
WAIT = 120


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[Any], str]:
    """One real run, worker processes and all: its JSON, its journal, its progress."""
    path = tmp_path_factory.mktemp("verify") / "run.jsonl"
    arguments = ["verify", "old_drift", "--profile", "quick", "--json", "--out", str(path)]
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=WAIT
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return json.loads(done.stdout), lines, done.stderr


def test_the_record_of_a_run(run: tuple[Any, list[Any], str]) -> None:
    record, _, progress = run
    assert list(record) == [
        "schema",
        "environment",
        "profile",
        "seed",
        "theorems",
        "summary",
        "seconds",
    ]
    assert (record["profile"], record["seed"]) == ("quick", 0)
    assert "python" in record["environment"]
    assert "old_drift done, 1 of 1" in progress
    (theorem,) = record["theorems"]
    assert (theorem["name"], theorem["source"]) == ("old_drift", "Theorem 2.3")
    for claim in theorem["claims"]:
        keys = {"id", "kind", "verdict", "evidence", "slack", "worst"}
        assert keys <= claim.keys()
    for control in theorem["controls"]:
        assert {"id", "verdict", "witness"} <= control.keys()


def test_every_claim_is_as_claimed_and_every_control_refuted(
    run: tuple[Any, list[Any], str],
) -> None:
    record, _, _ = run
    (theorem,) = record["theorems"]
    claimed = [claim.id for claim in THEOREM.claims]
    quantities = [f"old_drift.agreement.{quantity.name}" for quantity in THEOREM.quantities]
    assert [claim["id"] for claim in theorem["claims"]] == claimed + quantities
    found = {claim["id"]: claim["verdict"] for claim in theorem["claims"]}
    assert {found[id] for id in claimed} == {"PROVED"}
    assert {found[id] for id in quantities} == {"SUPPORTED"}
    assert {control["verdict"] for control in theorem["controls"]} == {"REFUTED"}
    assert record["summary"] == {
        "claims": len(claimed) + len(quantities),
        "refuted": 0,
        "undecided": 0,
        "controls": len(THEOREM.controls),
        "survivors": 0,
    }


def test_the_journal_holds_settings_theorem_and_summary(run: tuple[Any, list[Any], str]) -> None:
    record, (header, theorem, last), _ = run
    assert header["settings"]["profile"] == "quick"
    assert header["settings"]["environment"] == record["environment"]
    assert theorem == {"theorem": record["theorems"][0]}
    assert last["summary"] == record["summary"]


def test_a_finished_run_is_resumed_without_being_run_again(
    run: tuple[Any, list[Any], str],
    forgetting: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    _, lines, _ = run
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(runner, "run_part", None)
    arguments = ("verify", "old_drift", "--profile", "quick", "--out", str(path), "--resume")
    found = forgetting(*arguments)
    assert found.code == 0
    assert "old_drift: A correct old mean" in found.out
    assert f"{lines[2]['summary']['claims']} claims: 0 refuted, 0 undecided" in found.out
    # another seed, or another set over which the level of the z-tests is divided
    for change in (("--seed", "1"), ("overlap",)):
        other = forgetting(*arguments, *change)
        assert (other.code, other.out) == (2, "")
        assert "these settings" in other.err


# the command around a run that is only acted


def acted(verdict: Verdict, control: Verdict = Verdict.REFUTED, name: str = "overlap") -> Any:
    claims = (ClaimResult(f"{name}.a.b", "bound", "", (Evidence("certified", verdict, "now"),)),)
    controls = (ControlResult(f"{name}.control.c", "", control, "delta = 1"),)
    return TheoremResult(name, "Acted", "ours", claims, controls)


@pytest.fixture
def act(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts results in place of a run; KeyboardInterrupt among them is raised."""

    @contextmanager
    def nobody(jobs: int) -> Iterator[None]:
        yield None

    def set_up(*results: Any) -> None:
        def played(*_: Any) -> Iterator[Any]:
            for result in results:
                if result is KeyboardInterrupt:
                    raise KeyboardInterrupt
                yield result

        monkeypatch.setattr(runner, "run", played)
        monkeypatch.setattr(verify, "workers", nobody)

    return set_up


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (acted(Verdict.PROVED), 0),
        (acted(Verdict.SUPPORTED), 0),
        (acted(Verdict.REFUTED), 1),
        (acted(Verdict.PROVED, Verdict.UNDECIDED), 1),
        (acted(Verdict.UNDECIDED), 3),
    ],
)
def test_exit_codes(
    forgetting: Callable[..., Any], act: Callable[..., None], result: Any, code: int
) -> None:
    act(result)
    assert forgetting("verify", "overlap").code == code
    act(result)
    assert forgetting("verify", "overlap", "--json").code == code


def test_tables_go_to_stdout_and_progress_to_stderr(
    forgetting: Callable[..., Any], act: Callable[..., None]
) -> None:
    act(acted(Verdict.PROVED))
    found = forgetting("verify", "overlap")
    assert "overlap: Acted (ours)" in found.out
    assert "1 claims: 0 refuted, 0 undecided; 1 controls: 0 survived" in found.out
    assert found.err.strip() == "overlap done, 1 of 1"


def test_an_interrupt_keeps_the_results_so_far(
    forgetting: Callable[..., Any], act: Callable[..., None], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    act(acted(Verdict.PROVED), KeyboardInterrupt)
    found = forgetting("verify", "overlap", "old_drift", "--out", str(path))
    assert found.code == 130
    assert "overlap: Acted" in found.out
    assert "interrupted: 1 of 2 theorems are kept" in found.err
    kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [next(iter(line)) for line in kept] == ["schema", "theorem"]
    act(acted(Verdict.PROVED, name="old_drift"))
    again = forgetting("verify", "overlap", "old_drift", "--out", str(path), "--resume", "--json")
    assert again.code == 0
    assert [t["name"] for t in json.loads(again.out)["theorems"]] == ["overlap", "old_drift"]


def test_workers_never_see_an_interrupt_and_their_parent_does() -> None:
    with verify.workers(1) as executor:
        theirs = executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    assert signal.SIGINT in theirs
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_ctrl_c_in_a_terminal_ends_every_process(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    arguments = ["verify", "--profile", "paper", "--jobs", "1", "--out", str(path)]
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + WAIT
    while not _started(path, process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert re.search(r"interrupted: 0 of \d+ theorems are kept", errors)
    assert "Traceback" not in errors
    while _members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _members(process.pid) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["settings"]["profile"] == "paper"


def _started(path: Path, group: int) -> bool:
    return path.exists() and path.stat().st_size > 0 and _members(group) > 1


def _members(group: int) -> int:
    """How many processes a process group has."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pgid="], capture_output=True, text=True, check=True
    ).stdout
    return sum(int(line) == group for line in listed.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--profile", "slow"], "profile: 'slow' is not one of quick, default, paper"),
        (["--digits", "2"], "digits: 2 is not allowed; it must lie in [12, 200]"),
        (["--seed", "-1"], "seed: -1 is not allowed; it must lie in [0, 9223372036854775807]"),
        (["--jobs", "0"], "jobs: 0 is not allowed; it must lie in [1, 1024]"),
        (["overlapp"], "theorem 'overlapp' is unknown; did you mean overlap?"),
        (
            ["--out", "/nowhere/run.jsonl"],
            "out: /nowhere/run.jsonl cannot be written (No such file or directory)",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    forgetting: Callable[..., Any], arguments: list[str], sentence: str
) -> None:
    found = forgetting("verify", *arguments)
    assert (found.code, found.out, found.err) == (2, "", f"forgetting: {sentence}\n")
