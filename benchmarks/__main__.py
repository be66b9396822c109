"""`make bench`: prints what a value costs, and writes the same as JSON beside this file.

Certified values against mpmath.quad with split points and acb.integral; the Monte Carlo lane on
one thread against numpy; certificates written and rechecked; and, at 1,000 random points and over
1,000 random boxes, whether enclosures contain what they must. Every time is the best of several,
and only the ratios mean anything on another machine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.certified import certified
from benchmarks.monte_carlo import monte_carlo
from benchmarks.proofs import proofs
from benchmarks.timing import LOGIT
from proofs_check.containment import against_definitions, at_points, over_boxes
from proofs_check.environment import describe

RESULTS = Path(__file__).with_name("results.json")
POINTS, BOXES, DEFINITIONS = 1_000, 1_000, 100


def show(title: str, first: str, columns: dict[str, dict[Any, float]]) -> Table:
    """A row per key; a dash where a column has none."""
    table = Table(title=title, title_justify="left")
    for name in (first, *columns):
        table.add_column(name, justify="right")
    keys = max(columns.values(), key=len)
    for key in keys:
        cells = (f"{column[key]:.3g}" if key in column else "-" for column in columns.values())
        table.add_row(str(key), *cells)
    return table


def listed(title: str, records: list[dict[str, Any]]) -> Table:
    """A row per record; a dash where it has no number."""
    table = Table(title=title, title_justify="left")
    for name in records[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for record in records:
        cells = (
            "-" if x is None else f"{x:.3g}" if isinstance(x, float) else str(x)
            for x in record.values()
        )
        table.add_row(*cells)
    return table


def main() -> None:
    console = Console()
    balls = certified()
    console.print(
        listed(f"certified values at phi = {LOGIT}", balls["compared"]),
        show(f"certified eps_o(phi = {LOGIT}, delta), 50 digits", "delta", {"ms": balls["swept"]}),
        f"worst delta over best: {balls['worst_over_best']:.2f}\n",
    )
    draws = monte_carlo()
    console.print(
        show(
            "Monte Carlo eps_o, nanoseconds a draw",
            "dimension",
            {
                "one thread": draws["nanoseconds"],
                "two threads": draws["nanoseconds_on_two_threads"],
                "numpy": draws["numpy_nanoseconds"],
                "times faster": draws["times_faster"],
            },
        )
    )
    boxes = proofs()
    console.print(listed("claims over boxes, start-up not included", boxes))
    contained = {
        "points": at_points(POINTS),
        "definitions": against_definitions(DEFINITIONS),
        "boxes": over_boxes(BOXES),
    }
    console.print(listed("enclosures that missed", [contained["points"]]))
    console.print(
        listed("against the definition by a generic quadrature", [contained["definitions"]])
    )
    console.print(listed("ranges that missed", [contained["boxes"]]))
    record = {
        "environment": describe(),
        "certified": balls,
        "monte_carlo": draws,
        "proofs": boxes,
        "contained": contained,
    }
    RESULTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {RESULTS.name}")


if __name__ == "__main__":
    main()
