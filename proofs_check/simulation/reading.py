"""What users set: exact parameters, defaults for those they leave out, and where rows stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from numerics.point import Exact
from proofs_check.inputs import read_point
from theorems.language import Parameter

Defaults: TypeAlias = Mapping[str, Exact | str]
"""By parameter: its value, or the name of the parameter whose value it takes."""

_SHORTEST = Fraction(1, 1000)  # of the whole time, the first row; at most 1


def read_setting(
    assignments: Iterable[str], parameters: Sequence[Parameter], defaults: Defaults
) -> dict[str, Exact]:
    """NAME=VALUE pairs → an exact point. Raises InputError."""
    assignments = list(assignments)
    given = {assignment.partition("=")[0].strip() for assignment in assignments}
    left_out = [
        p for p in parameters if p.name in defaults and not given & {p.name, p.weight or p.name}
    ]
    stand_ins = [f"{p.name}={p.typical}" for p in left_out]
    point = read_point([*assignments, *stand_ins], parameters)
    for parameter in left_out:
        value = defaults[parameter.name]
        point[parameter.name] = point[value] if isinstance(value, str) else value
    return point


def spread(end: Fraction, rows: int) -> list[Fraction]:
    """0 and so many times up to the end, evenly spread in their logarithm, in round numbers."""
    first = min(Fraction(1), end * _SHORTEST)
    ratio = float(end / first) ** (1 / max(rows - 1, 1))
    between = [first * Fraction(f"{ratio**k:.1e}") for k in range(rows - 1)]
    return sorted({Fraction(0), *(time for time in between if time < end), end})


def evenly(end: int, rows: int) -> list[int]:
    """0 and so many steps up to the end, evenly spread."""
    return sorted({end * k // rows for k in range(rows + 1)})
