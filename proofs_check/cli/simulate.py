"""`forgetting simulate`: a method of training set in motion, and what comes of it."""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofs_check import catalogue
from proofs_check.errors import InputError
from proofs_check.inputs import SEEDS, read_count, read_number

if TYPE_CHECKING:
    from proofs_check.simulation.method import Method, Row
    from proofs_check.simulation.reading import Defaults
    from proofs_check.simulation.runs import Batches, Setting
    from proofs_check.simulation.suite import Suite

SCHEMA = 1
_METHODS = (  # as proofs_check.simulation.methods names them, which takes long to load
    "forward_kl",
    "forward_replay.numerator",
    "forward_replay.denominator",
    "reverse_kl",
    "reverse_replay",
    "sdft",
    "ttt_discover",
    "oapl",
)
MEANS = ("held", "free")
LONGEST = 10**100
_DEFAULT_TIME, _DEFAULT_STEPS, _DEFAULT_BATCH_STEPS = Fraction(1000), 200, 1000
_DEFAULT_BATCH_STEP = "1/10"
DEFAULTS: Defaults = {
    "old_mean": Fraction(0),
    "new_mean": "delta",
    "teacher_logit": "phi",
    "reference_logit": "phi",
    "offset": Fraction(0),
    "step": Fraction(1),
}
_WIDTH = 160  # of a table that is not read on a terminal
_EVERY = 0.5  # seconds between two lines of progress
_SHOWN = 6  # significant digits in the table


def simulate(
    name: Annotated[str, typer.Argument(metavar="METHOD", help=", ".join(_METHODS))],
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter: a decimal or a fraction."),
    ] = None,
    end: Annotated[str | None, typer.Option("--t", help="How long a flow runs; 1000.")] = None,
    steps: Annotated[
        int | None, typer.Option(help="How many steps of a map (200) or batches (1000).")
    ] = None,
    means: Annotated[
        str | None, typer.Option(help="held at their correct values, or free; free in batches.")
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="Learn from batches of so many draws.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the batches; 0.")] = None,
    step: Annotated[
        str | None, typer.Option(help="Step size: of batches (1/10), of sdft (1).")
    ] = None,
    rows: Annotated[int, typer.Option(help="Rows of the table, 1 to 10,000.")] = 12,
    digits: Annotated[int, typer.Option(help="Digits where the means are held.")] = 12,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write rows as CSV as they come.")] = None,
) -> int:
    """Trains by a method and shows the weight, the means and the objective on the way.

    Example: forgetting simulate forward_kl --set beta=1/2 --set delta=2 --t 1e6
    """
    from numerics.point import Unreachable
    from proofs_check.simulation.findings import findings
    from proofs_check.simulation.method import Run
    from proofs_check.simulation.methods import find
    from proofs_check.simulation.suite import Suite

    method = find(name)
    read_count("rows", rows, 1, 10_000)
    read_count("digits", digits, 6, 30)
    free = _are_free(means, batch_size)
    if step is not None and method.discrete:
        assignments = [*(assignments or ()), f"step={step}"]
    suite = Suite.of(catalogue.load(), digits)
    setting = _setting(suite, method, assignments or (), free)
    plan = _plan(setting, batch_size, step, seed, free)
    stops = _stops(method, plan, end, steps, rows)
    file = _Csv(out)
    found: list[Row] = []
    interrupted = False
    try:
        for row in _watched(_rows(setting, plan, free, stops), len(stops)):
            found.append(row)
            file.write(_texts(row, digits))
    except KeyboardInterrupt:
        interrupted = True
    except Unreachable as reason:
        raise InputError(f"{name}: {reason}") from None
    shown = list(findings(setting, Run(suite, setting.point, tuple(found)), plan)) if found else []
    if as_json:
        record = {
            "schema": SCHEMA,
            "method": name,
            "parameters": shown_point(setting.point),
            "means": "free" if free else "held",
            "rows": [_texts(row, digits) for row in found],
            "summary": _texts({k: v for each in shown for k, v in each.numbers.items()}, digits),
            "sentences": [each.sentence for each in shown],
            "interrupted": interrupted,
        }
        typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        _print(f"{name}: {method.text}", found, [each.sentence for each in shown])
    if interrupted:
        typer.echo(f"interrupted: {len(found)} of {len(stops)} rows are kept", err=True)
        return 130
    return 0


def _are_free(means: str | None, batch_size: int | None) -> bool:
    """Whether the means learn: in batches unless held, else only if asked."""
    if means is not None and means not in MEANS:
        raise InputError(f"means: {means!r} is not one of {', '.join(MEANS)}")
    return means == "free" or (means is None and batch_size is not None)


def _setting(suite: Suite, method: Method, assignments: Iterable[str], free: bool) -> Setting:
    from proofs_check.simulation.methods import MEANS as OWN_MEANS
    from proofs_check.simulation.methods import parameters
    from proofs_check.simulation.reading import read_setting
    from proofs_check.simulation.runs import Setting

    allowed = [*parameters(suite, method).values(), *OWN_MEANS]
    point = read_setting(assignments, allowed, DEFAULTS)
    correct = {"old_mean": 0, "new_mean": point["delta"]}
    for name, value in correct.items():
        if not free and point[name] != value:
            raise InputError(
                f"{name}: {point[name]} is not allowed; means are held at their correct values, "
                "add --means free to let them learn"
            )
    return Setting(suite, method, point)


def _plan(
    setting: Setting, size: int | None, step: str | None, seed: int | None, free: bool
) -> Batches | None:
    from proofs_check.simulation.runs import Batches

    if size is None:
        if seed is not None:
            raise InputError("seed: only batches are drawn; add --batch-size N")
        if step is not None and not setting.method.discrete:
            raise InputError("step: a flow has none; add --batch-size N to train in steps")
        return None
    if setting.method.discrete:
        length = setting.point["step"]
    else:
        length = read_number("step", step or _DEFAULT_BATCH_STEP)
    assert isinstance(length, Fraction)
    if not 0 < length <= LONGEST:
        raise InputError(f"step: {length} is not allowed; it must be positive")
    return Batches(
        read_count("batch-size", size, 2, 10**6),
        length,
        read_count("seed", seed or 0, *SEEDS),
        free,
    )


def _stops(
    method: Method, plan: Batches | None, end: str | None, steps: int | None, rows: int
) -> list[Any]:
    """The times or the numbers of steps at which rows stand."""
    from proofs_check.simulation.reading import evenly, spread

    if plan is not None or method.discrete:
        if end is not None:
            raise InputError("t: this run goes in steps; say how many with --steps N")
        usual = _DEFAULT_STEPS if plan is None else _DEFAULT_BATCH_STEPS
        return evenly(read_count("steps", usual if steps is None else steps, 1, 10**8), rows)
    if steps is not None:
        raise InputError(
            "steps: this run is a flow; say how long with --t T, or add --batch-size N"
        )
    last = _DEFAULT_TIME if end is None else read_number("t", end)
    if not 0 < last <= LONGEST:
        raise InputError(f"t: {end} is not allowed; it must lie in (0, 1e100]")
    return list(spread(last, rows))


def _rows(
    setting: Setting, plan: Batches | None, free: bool, stops: Sequence[Any]
) -> Iterator[Row]:
    from proofs_check.simulation import runs

    if plan is not None:
        return runs.in_batches(setting, plan, stops)
    if setting.method.discrete:
        return (runs.free_map if free else runs.held_map)(setting, stops)
    return (runs.free_flow if free else runs.held_flow)(setting, stops)


def _watched(rows: Iterable[Row], count: int) -> Iterator[Row]:
    """The rows, with a line on stderr now and then."""
    last = time.monotonic()
    for number, row in enumerate(rows, 1):
        now = time.monotonic()
        if now - last > _EVERY:
            last = now
            clock = "t" if "t" in row else "step"
            where = f"{clock} = {float(row[clock]):.6g}, beta = {float(row['beta']):.6g}"
            typer.echo(f"{number} of {count} rows: {where}", err=True)
        yield row


class _Csv:
    """The file that rows are appended to as they come, if one is asked for."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.fresh = path, True
        if path is not None:
            self._append("w", [])

    def write(self, row: Mapping[str, str]) -> None:
        if self.path is not None:
            self._append("a", [*([list(row)] if self.fresh else []), list(row.values())])
            self.fresh = False

    def _append(self, mode: str, lines: list[list[str]]) -> None:
        assert self.path is not None
        try:
            with self.path.open(mode, encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(lines)
        except OSError as problem:
            raise InputError(f"out: {self.path} cannot be written ({problem.strerror})") from None


def _texts(row: Mapping[str, Any], digits: int) -> dict[str, str]:
    from proofs_check.simulation.method import brief

    return {name: brief(value, digits) for name, value in row.items()}


def shown_point(point: Mapping[str, Any]) -> dict[str, str]:
    """An exact point as text."""
    return {
        name: str(value) if isinstance(value, Fraction) else f"logit({value.weight})"
        for name, value in point.items()
    }


def _print(title: str, rows: Sequence[Row], sentences: Sequence[str]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    screen = Console(width=None if sys.stdout.isatty() else _WIDTH)
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for name in rows[0] if rows else ():
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*_texts(row, _SHOWN).values())
    screen.print(table)
    for sentence in sentences:
        typer.echo(sentence[0].upper() + sentence[1:] + ".")
