"""`forgetting certify`: a claim over a box, proved, refuted, or undecided and why."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofs_check.errors import InputError
from proofs_check.inputs import read_count

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from proofs_check.boxes.prover import Outcome
    from proofs_check.boxes.search import State

_TIME_LIMITS = (0.1, 1e6)
_MOST_JOBS = 1024
_MOST_BOXES = 800  # looked at for a certificate that is kept in a folder
_EVERY = 0.5  # seconds between two lines of progress


def certify(
    statement: Annotated[
        str,
        typer.Argument(metavar="CLAIM|CONJECTURE", help="A claim's id, or a statement in quotes."),
    ] = "",
    sides: Annotated[
        list[str] | None,
        typer.Option("--box", metavar="NAME=LO:HI", help="A variable's range: exact numbers."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the certificate here; with --all, a folder.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on from a certificate of the same claim.")
    ] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds, 0.1 to 1,000,000.")] = 60.0,
    jobs: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="Every declared order over its box, one after the other.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Proves a claim over a whole box, or finds a counterexample.

    Exit code 0: proved or certified; 1: refuted, or --resume is rejected; 3: undecided.

    Example: forgetting certify "S(phi, delta) <= 1" --box phi=-6:6 --box delta=1/4:12
    """
    started = time.monotonic()
    if not _TIME_LIMITS[0] <= time_limit <= _TIME_LIMITS[1]:
        allowed = "[0.1, 1000000]"
        raise InputError(f"time-limit: {time_limit} is not allowed; it must lie in {allowed}")
    read_count("jobs", jobs, 1, _MOST_JOBS)
    if out is not None and not (out if every else out.parent).is_dir():
        raise InputError(f"out: {str(out)!r} is not allowed; its folder must exist")
    if every == bool(statement):
        raise InputError("certify takes either one statement, or --all")
    if every:
        return _every_claim(out)

    from proofs_check.boxes.certificate import Rejected, read, write
    from proofs_check.boxes.prover import decide
    from proofs_check.boxes.statement import NotOverABox, find

    try:
        question = find(statement, sides or ())
    except NotOverABox as reason:
        record = {"verdict": "UNDECIDED", "claim": statement, "why": str(reason)}
        as_text = f"UNDECIDED: {statement}\n  why     {reason}"
        typer.echo(json.dumps(record, ensure_ascii=False) if as_json else as_text)
        return 3
    resumed = read(resume) if resume else None
    deadline = started + time_limit
    try:
        with _executor(jobs) as executor:
            outcome, interrupted = decide(question, deadline, _Progress(), resumed, executor)
    except Rejected as fault:
        typer.echo(f"forgetting: {fault}", err=True)
        return 1
    if out is not None:
        write(out, outcome.certificate)
    record = _record(outcome, time.monotonic() - started)
    text = question.text
    typer.echo(json.dumps(record, ensure_ascii=False) if as_json else _plain(text, record, outcome))
    if interrupted:
        return 130
    return {"PROVED": 0, "CERTIFIED": 0, "REFUTED": 1, "UNDECIDED": 3}[outcome.verdict.name]


def _every_claim(folder: Path | None) -> int:
    """One line a claim; certificates of moderate size into the folder, in place of those there."""
    from proofs_check.boxes.certificate import Certificate, write
    from proofs_check.boxes.declared import certificates
    from proofs_check.catalogue import load

    for path in folder.glob("*.json") if folder else ():
        path.unlink()
    for id, found in certificates(load(), _MOST_BOXES):
        if isinstance(found, Certificate):
            typer.echo(f"{id}: {found.verdict}, {len(found.leaves)} leaves")
            if folder:
                write(folder / f"{id}.json", found)
        else:
            typer.echo(f"{id}: none; {found}")
    return 0


class _Decided(Exception):
    """Parts that workers are still at are of no use any more."""


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    """Workers that end when the question is decided, whatever they are at; none for one job."""
    from proofs_check.cli.verify import workers

    if jobs == 1:
        yield None
        return
    with suppress(_Decided), workers(jobs) as executor:
        yield executor
        raise _Decided


class _Progress:
    """A line on stderr now and then: the fraction of the box that is decided."""

    def __init__(self) -> None:
        self.started = self.last = time.monotonic()

    def __call__(self, state: State) -> None:
        now = time.monotonic()
        if now - self.last > _EVERY:
            self.last = now
            share = 100 * float(state.decided)
            spent = now - self.started
            text = f"{share:5.1f} % of the box decided, {len(state.leaves)} leaves, {spent:.0f} s"
            typer.echo(text, err=True)


def _record(outcome: Outcome, seconds: float) -> dict[str, Any]:
    witness, stuck = outcome.witness, outcome.stuck
    return {
        "verdict": outcome.verdict.name,
        "leaves": len(outcome.certificate.leaves),
        "margin": outcome.margin,
        "worst": {name: str(value) for name, value in outcome.worst} or None,
        "seconds": round(seconds, 2),
        "decided": round(outcome.decided, 6),
        "witness": {name: str(x) for name, x in witness.point.items()} if witness else None,
        "stuck": {n: [str(a), str(b)] for n, a, b in stuck.sides} if stuck else None,
        "why": outcome.why,
        "lemmas": list(outcome.certificate.lemmas),
    }


def _plain(text: str, record: dict[str, Any], outcome: Outcome) -> str:
    lines = [f"{record['verdict']}: {text}"]
    if record["witness"]:
        lines.append(f"  at      {_point(record['witness'])}")
    if record["leaves"]:
        lines.append(f"  leaves  {record['leaves']}")
    if record["margin"] is not None:
        where = f" at {_point(record['worst'])}" if record["worst"] else ""
        lines.append(f"  margin  {record['margin']:.3g}{where}")
    if record["verdict"] == "UNDECIDED" and record["leaves"]:
        lines.append(f"  decided {100 * record['decided']:.3g} % of the box")
    if record["why"]:
        lines.append(f"  why     {record['why']}")
    if outcome.stuck:
        lines.append(
            f"  stuck   {_point({n: f'{float(a):.12g}' for n, a, _ in outcome.stuck.sides})}"
        )
    if record["lemmas"]:
        lines.append(f"  lemmas  {', '.join(record['lemmas'])}")
    return "\n".join([*lines, f"  {record['seconds']} s"])


def _point(coordinates: dict[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in coordinates.items())
