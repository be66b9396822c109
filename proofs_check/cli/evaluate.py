"""`forgetting eval`: one quantity at one exact point, by every lane."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from numerics.point import Logit, Point
from proofs_check import catalogue
from proofs_check.errors import InputError
from proofs_check.inputs import DIGITS, DIMENSIONS, SEEDS, read_count, read_matrix, read_point

DEFAULT_DIMENSION = 3


def evaluate(
    name: Annotated[str, typer.Argument(metavar="THEOREM.QUANTITY")],
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter: a decimal or a fraction."),
    ] = None,
    digits: Annotated[int, typer.Option(help="Significant digits, 2 to 10,000.")] = 30,
    samples: Annotated[int, typer.Option(help="Monte Carlo draws.")] = 10**6,
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    dimension: Annotated[
        int | None, typer.Option("--dimension", "-d", help="1 to 128; 3 unless a covariance says.")
    ] = None,
    covariance: Annotated[
        str | None, typer.Option(metavar="ROWS", help='A covariance, such as "2 1; 1 3".')
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """A quantity at a point: derived, certified, precise and Monte Carlo.

    Example: forgetting eval overlap.misassignment_old --set beta=1/2 --set delta=4
    """
    theorems = catalogue.load()
    theorem, quantity = catalogue.quantity(theorems, name)
    point = read_point(assignments or (), quantity.parameters)
    read_count("digits", digits, *DIGITS)
    read_count("samples", samples, 1, 10**12)
    read_count("seed", seed, *SEEDS)
    matrix = None if covariance is None else read_matrix("covariance", covariance)
    size = len(matrix) if matrix is not None else DEFAULT_DIMENSION
    dimension = read_count("dimension", size if dimension is None else dimension, *DIMENSIONS)
    if matrix is not None and dimension != size:
        raise InputError(
            f"dimension: {dimension} is not allowed; the covariance is {size} by {size}"
        )

    from proofs_check.agreement import LEAST_DIGITS, judge, threshold
    from proofs_check.expressions import components
    from proofs_check.lanes import Draws, measure
    from proofs_check.report.lanes import lane_records, reasons
    from proofs_check.verdict import Verdict

    working = max(digits, LEAST_DIGITS)
    try:
        draws = Draws(samples, seed, dimension, matrix)
        measured = measure(theorem, quantity, point, working, draws, theorems)
    except ValueError as wrong:
        raise InputError(str(wrong)) from None
    opinions = judge(measured, working, threshold(len(components(quantity.formula))))
    independent = [opinions[lane].agrees for lane in ("precise", "monte_carlo")]
    if any(opinion.agrees is False for opinion in opinions.values()):
        verdict = Verdict.REFUTED
    else:
        verdict = Verdict.SUPPORTED if True in independent else Verdict.UNDECIDED
    record = {
        "theorem": theorem.name,
        "quantity": quantity.name,
        "parameters": _parameters(point),
        "lanes": lane_records(measured, digits),
        "reasons": reasons(measured),
        "notes": {lane: opinion.note for lane, opinion in opinions.items()},
        "verdict": verdict.name,
    }
    typer.echo(json.dumps(record, ensure_ascii=False) if as_json else _plain(record))
    return {Verdict.REFUTED: 1, Verdict.UNDECIDED: 3}.get(verdict, 0)


def _parameters(point: Point) -> dict[str, str]:
    return {
        name: f"logit({value.weight})" if isinstance(value, Logit) else str(value)
        for name, value in point.items()
    }


def _plain(record: dict[str, Any]) -> str:
    at = ", ".join(f"{name} = {value}" for name, value in record["parameters"].items())
    lines = [f"{record['theorem']}.{record['quantity']} at {at}"]
    for lane, found in record["lanes"].items():
        if found is None:
            lines.append(f"  {lane:<12} -  {record['reasons'][lane]}")
            continue
        fields = ", ".join(f"{key} {_join(value)}" for key, value in found.items())
        lines.append(f"  {lane:<12} {fields}")
        if lane in record["notes"]:
            lines.append(f"  {'':<12} {record['notes'][lane]}")
    return "\n".join([*lines, f"  verdict      {record['verdict']}"])


def _join(value: Any) -> str:
    return f"({', '.join(value)})" if isinstance(value, list) else str(value)
