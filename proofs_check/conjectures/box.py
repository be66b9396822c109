"""A box: one closed rational interval per variable, in the order given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from proofs_check.conjectures.syntax import shown
from proofs_check.errors import InputError
from proofs_check.inputs import read_number

LARGEST = 10**100
_SIDE = re.compile(r"\s*([A-Za-z_]\w*)\s*=([^:]*):([^:]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Box:
    """The product of [lower, upper] over its sides (name, lower, upper); a side may be a point.

    Raises ValueError where a name is given twice or a side is reversed.
    """

    sides: tuple[tuple[str, Fraction, Fraction], ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.sides):
            raise ValueError(f"a variable is given twice in {shown(', '.join(self.names))}")
        for name, lower, upper in self.sides:
            if lower > upper:
                side = shown(f"{name}={lower}:{upper}")
                raise ValueError(f"{side} is empty; write the lower end first")

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(name for name, _, _ in self.sides)

    @property
    def widths(self) -> dict[str, Fraction]:
        """The length of every side."""
        return {name: upper - lower for name, lower, upper in self.sides}

    @property
    def volume(self) -> Fraction:
        """The product of the widths; 1 for a box without sides."""
        volume = Fraction(1)
        for width in self.widths.values():
            volume *= width
        return volume

    @property
    def midpoint(self) -> dict[str, Fraction]:
        """The centre."""
        return {name: (lower + upper) / 2 for name, lower, upper in self.sides}

    def corners(self) -> Iterator[dict[str, Fraction]]:
        """Every corner once, a flat side giving one end."""
        ends = [(lower,) if lower == upper else (lower, upper) for _, lower, upper in self.sides]
        return (dict(zip(self.names, corner, strict=True)) for corner in product(*ends))

    def contains(self, point: Mapping[str, Fraction]) -> bool:
        """Whether a point that names every variable lies in the box, its boundary included."""
        return all(lower <= point[name] <= upper for name, lower, upper in self.sides)

    def split(self, name: str, at: Fraction | None = None) -> tuple[Box, Box]:
        """The two parts below and above `at` (the middle, if None) in one variable."""
        index = self.names.index(name)
        _, lower, upper = self.sides[index]
        cut = (lower + upper) / 2 if at is None else at
        below = (*self.sides[:index], (name, lower, cut), *self.sides[index + 1 :])
        above = (*self.sides[:index], (name, cut, upper), *self.sides[index + 1 :])
        return Box(below), Box(above)


def read_box(assignments: Iterable[str]) -> Box:
    """NAME=LO:HI, exact decimals or fractions → a box. Raises InputError."""
    sides = []
    for assignment in assignments:
        found = _SIDE.fullmatch(assignment)
        if found is None:
            got = shown(assignment)
            raise InputError(f"--box takes NAME=LO:HI, such as delta=1/4:12, got {got}")
        name, lower, upper = found.groups()
        low, high = (_end(name, end.strip()) for end in (lower, upper))
        sides.append((name, low, high))
    try:
        return Box(tuple(sides))
    except ValueError as empty:
        raise InputError(f"--box: {empty}") from None


def _end(name: str, text: str) -> Fraction:
    end = read_number(f"--box {name}", text)
    if abs(end) > LARGEST:
        raise InputError(f"--box {name}: {text} is not allowed; it must lie in [-1e100, 1e100]")
    return end
