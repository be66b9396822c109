"""`forgetting compare`: every method from one start, in one table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofs_check import catalogue
from proofs_check.cli.simulate import LONGEST, SCHEMA, shown_point
from proofs_check.errors import InputError
from proofs_check.inputs import read_number

if TYPE_CHECKING:
    from proofs_check.simulation.runs import Setting
    from proofs_check.simulation.suite import Point, Suite

_MOST_STEPS = 100_000
_DIGITS = 12
_SHOWN = 4
_TOLERANCE = 1e-8
_ROUNDING = 1e-12  # of a map in double precision
_WIDTH = 160


def compare(
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter: a decimal or a fraction."),
    ] = None,
    end: Annotated[str, typer.Option("--t", help="How long each method trains.")] = "1000",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Trains by every method from one start, both means free, and shows what each forgets.

    What is not set takes a default, which is shown.

    Example: forgetting compare --set beta=9/10 --set delta=4 --set anchor=1/20
    """
    from proofs_check.simulation.suite import Suite

    last = read_number("t", end)
    if not 0 < last <= LONGEST:
        raise InputError(f"t: {end} is not allowed; it must lie in (0, 1e100]")
    suite = Suite.of(catalogue.load(), _DIGITS)
    point = _point(suite, assignments or ())
    rows: list[dict[str, str]] = []
    interrupted = False
    try:
        for row in _rows(suite, point, last):
            rows.append(row)
            typer.echo(f"{row['method']} done", err=True)
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        record = {
            "schema": SCHEMA,
            "parameters": shown_point(point),
            "t": end,
            "rows": rows,
            "interrupted": interrupted,
        }
        typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        _print(point, end, rows)
    return 130 if interrupted else 0


def _point(suite: Suite, assignments: Iterable[str]) -> Point:
    """Every parameter of every method, the defaults filled in."""
    from numerics.point import Logit
    from proofs_check.cli.simulate import DEFAULTS
    from proofs_check.simulation.methods import MEANS, METHODS, parameters
    from proofs_check.simulation.reading import read_setting

    known = {
        name: parameter
        for method in METHODS.values()
        for name, parameter in parameters(suite, method).items()
    } | suite.parameters("reverse_replay.starvation", "ttt_discover.critical_anchor")
    usual = {
        **DEFAULTS,
        "phi": Logit(Fraction(9, 10)),
        "tau": Logit(Fraction(1, 2)),
        "delta": Fraction(3),
        "replay": Fraction(1, 4),
        "batch": Fraction(32),
        "anchor_strength": Fraction(1, 4),
        "ema_rate": Fraction(1, 2),
        "anchor": Fraction(1, 4),
        "inverse_temperature": Fraction(1),
        "reward_old": Fraction(1),
        "reward_new": Fraction(2),
        "temperature": Fraction(1, 2),
    }
    return read_setting(assignments, [*known.values(), *MEANS], usual)


def _rows(suite: Suite, point: Point, last: Fraction) -> Iterator[dict[str, str]]:
    from numerics.point import Unreachable
    from proofs_check.simulation.method import brief
    from proofs_check.simulation.methods import METHODS
    from proofs_check.simulation.runs import Setting

    start = {name: float(suite.number(point[name])) for name in ("old_mean", "new_mean")}
    for name, method in METHODS.items():
        try:
            end = _end(Setting(suite, method, point), last)
            condition = method.condition(suite, point)
        except Unreachable as reason:
            raise InputError(f"{name}: {reason}") from None
        numbers = {
            "beta": end["beta"],
            "old_side": end["old_side"],
            "old_mean_moved": end["old_mean"] - start["old_mean"],
            "new_mean_moved": end["new_mean"] - start["new_mean"],
            "error": end.get("error", _ROUNDING),
        }
        texts = {key: brief(value, _DIGITS) for key, value in numbers.items()}
        yield {"method": name, **texts, "condition": condition}


def _end(setting: Setting, last: Fraction) -> Mapping[str, Any]:
    """Where a run ends; a map takes as many steps as fit into the time."""
    from proofs_check.simulation.runs import free_flow, free_map

    if not setting.method.discrete:
        return [*free_flow(setting, [last], _TOLERANCE)][-1]
    steps = int(last / setting.suite.logit(setting.point["step"]))
    if not 0 < steps <= _MOST_STEPS:
        raise InputError(
            f"t: {last} is not allowed; t/step must lie in [1, {_MOST_STEPS}], the steps of "
            f"{setting.method.name}"
        )
    return [*free_map(setting, [steps])][-1]


def _print(point: Point, end: str, rows: list[dict[str, str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from proofs_check.simulation.method import brief

    screen = Console(width=None if sys.stdout.isatty() else _WIDTH)
    at = ", ".join(f"{name} = {value}" for name, value in shown_point(point).items())
    table = Table(title=f"t = {end}, {at}", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for name in ("method", "beta", "old side", "old mean moved", "new mean moved", "what decides"):
        table.add_column(name, overflow="fold")
    for row in rows:
        method, beta, side, *moved, error, condition = row.values()
        # a mean that moved by less than the error has not been seen to move
        moves = (x if abs(float(x)) > float(error) else None for x in moved)
        shown = [
            brief(x, _SHOWN) if x else f"below {brief(error, 1)}" for x in (beta, side, *moves)
        ]
        table.add_row(method, *shown, condition)
    screen.print(table)
    typer.echo("Old side: the learner's mass nearer to the old mode than to the new one.")
