"""`forgetting verify`: the suite on the whole theory, or on the theorems named."""

from __future__ import annotations

import dataclasses
import gc
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from proofs_check import catalogue
from proofs_check.errors import InputError
from proofs_check.inputs import SEEDS, read_count

VERIFY_DIGITS = (12, 200)
WIDTH = 120


def verify(
    names: Annotated[list[str] | None, typer.Argument(help="Theorems; all when none.")] = None,
    profile: Annotated[str, typer.Option(help="quick, default or paper.")] = "default",
    digits: Annotated[int | None, typer.Option(help="Digits of the numeric lanes.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of points and draws.")] = 0,
    jobs: Annotated[int, typer.Option(help="Worker processes.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write JSON lines as they come.")] = None,
    resume: Annotated[bool, typer.Option(help="Keep what --out FILE already holds.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Every proof step.")] = False,
) -> int:
    """Checks every claim in every lane and refutes every control.

    Exit code 0: all as claimed; 1: something refuted, or a control survived; 3: undecided.

    Example: forgetting verify overlap old_drift --out result.jsonl
    """
    from rich.console import Console

    from proofs_check.environment import describe
    from proofs_check.report.journal import Journal
    from proofs_check.report.table import summary_line, theorem_table
    from proofs_check.results import SCHEMA, exit_code, summary, to_json
    from proofs_check.runner import PARTS, PROFILES, run

    started = time.monotonic()
    if profile not in PROFILES:
        raise InputError(f"profile: {profile!r} is not one of {', '.join(PROFILES)}")
    settings = dataclasses.replace(PROFILES[profile], seed=read_count("seed", seed, *SEEDS))
    if digits is not None:
        read_count("digits", digits, *VERIFY_DIGITS)
        settings = dataclasses.replace(settings, digits=digits)
    read_count("jobs", jobs, 1, 1024)
    if resume and out is None:
        raise InputError("resume: nothing to go on from; name the file with --out FILE")
    theorems = catalogue.pick(catalogue.load(), names or ())
    header = {"theorems": list(theorems), "environment": describe()}
    journal = Journal.open(out, dataclasses.asdict(settings) | header, resume)

    # off a terminal rich assumes 80 columns, which would break the names that people search for
    screen, progress = Console(width=None if sys.stdout.isatty() else WIDTH), Console(stderr=True)

    def report(theorem: str, part: str, done: int, parts: int) -> None:
        progress.print(f"{done} of {parts}: {part} of {theorem}")

    found = {result.name: result for result in journal.kept}
    waiting = [theorem for name, theorem in theorems.items() if name not in found]
    if not as_json:
        for result in found.values():
            screen.print(theorem_table(result, verbose))
    interrupted = False
    try:
        with workers(min(jobs, len(PARTS) * len(waiting))) as executor:
            for result in run(waiting, list(theorems), settings, executor, report):
                found[result.name] = result
                journal.write({"theorem": to_json(result)})
                progress.print(f"{result.name} done, {len(found)} of {len(theorems)}")
                if not as_json:
                    screen.print(theorem_table(result, verbose))
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.monotonic() - started
    ordered = [found[name] for name in theorems if name in found]
    counts = summary(ordered)
    if not interrupted:
        journal.write({"summary": counts, "seconds": round(seconds, 1)})
    if as_json:
        record: dict[str, Any] = {
            "schema": SCHEMA,
            "environment": describe(),
            "profile": profile,
            "seed": seed,
            "theorems": [to_json(result) for result in ordered],
            "summary": counts,
            "seconds": round(seconds, 1),
        }
        typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        screen.print(summary_line(counts, seconds), highlight=False)
    if interrupted:
        progress.print(f"interrupted: {len(found)} of {len(theorems)} theorems are kept")
        return 130
    return exit_code(counts)


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that leave Ctrl-C to their parent and end with it."""
    executor = ProcessPoolExecutor(
        max(jobs, 1),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=gc.set_threshold,  # SymPy's trees are many and seldom in cycles
        initargs=(200_000, 50, 50),
    )
    try:
        with _held_back(signal.SIGINT):  # the processes started here inherit it
            for _ in range(jobs):
                executor.submit(int)
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    executor.shutdown()


@contextmanager
def _held_back(wanted: signal.Signals) -> Iterator[None]:
    """A signal that comes within is delivered after."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {wanted})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {wanted})
