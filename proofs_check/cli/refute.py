"""`forgetting refute`: a certified counterexample of a conjecture over a box."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from proofs_check import catalogue
from proofs_check.inputs import SEEDS, read_count

_DIGITS = 12


def refute(
    conjecture: Annotated[
        str, typer.Argument(metavar="CONJECTURE", help="See `forgetting list --functions`.")
    ],
    sides: Annotated[
        list[str] | None,
        typer.Option("--box", metavar="NAME=LO:HI", help="A variable's range: exact numbers."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Searches a counterexample; a witness is a point where two enclosures are disjoint.

    Exit code 1: a witness was found; 3: none was, which proves nothing.

    Example: forgetting refute "delta*S(phi, delta) <= 2" --box phi=-4:4 --box delta=1/4:40
    """
    started = time.monotonic()
    from proofs_check.conjectures.box import read_box
    from proofs_check.conjectures.functions import theorems_of
    from proofs_check.conjectures.parser import parse

    read_count("seed", seed, *SEEDS)
    box = read_box(sides or ())
    theorems = theorems_of((conjecture, *box.names))
    claim = parse(conjecture, box, theorems)

    from numerics.certified.enclosure import bounds
    from proofs_check.conjectures.refuter import as_typed, refuse_undefined
    from proofs_check.conjectures.refuter import refute as search

    definitions = catalogue.definitions(theorems)
    witness = search(claim, box, definitions, seed)
    if witness is None:
        refuse_undefined(claim, box, definitions)
    record: dict[str, Any] = {"conjecture": conjecture, "verdict": "UNDECIDED"}
    if witness is not None:
        left, right = (bounds(ball, _DIGITS) for ball in as_typed(claim, witness))
        record |= {
            "verdict": "REFUTED",
            "witness": {name: str(value) for name, value in witness.point.items()},
            "left": list(left),
            "right": list(right),
        }
    record["seconds"] = round(time.monotonic() - started, 2)
    typer.echo(json.dumps(record, ensure_ascii=False) if as_json else _plain(record))
    return 3 if witness is None else 1


def _plain(record: dict[str, Any]) -> str:
    lines = [f"{record['verdict']}: {record['conjecture']}"]
    if record["verdict"] == "REFUTED":
        point = ", ".join(f"{name} = {value}" for name, value in record["witness"].items())
        lines.append(f"  at     {point}")
        lines += [f"  {side:<6} in [{', '.join(record[side])}]" for side in ("left", "right")]
    else:
        lines.append("  no counterexample was found, which proves nothing")
    return "\n".join([*lines, f"  {record['seconds']} s"])
