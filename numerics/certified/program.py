"""An expression compiled once and evaluated over many boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from flint import arb, fmpq

from numerics.certified.intervals import ONE, Ball, Interval
from numerics.certified.jets import FUNCTIONS, Jet, constant, scaled, slopes, summed
from numerics.certified.overlap_table import Corners
from numerics.certified.pair_ranges import ALL_HEADS
from numerics.certified.ranges import Head
from numerics.expression import fold
from numerics.point import Unreachable

Slot: TypeAlias = tuple[str, int]
"""Where a value will stand: among the inputs, the constants or the steps."""


def head_jet(head: Head, corners: Corners, *arguments: Jet) -> Jet:
    """A head by its lemmas, and the chain rule."""
    wanted = tuple([any(part is not None for part in a.slopes) for a in arguments])
    value, rates, logarithmic = head(corners, wanted, *[a.range for a in arguments])
    parts = [
        scaled(slopes(argument), rate)
        for argument, rate in zip(arguments, rates, strict=True)
        if rate is not None
    ]
    return Jet(value, summed((None,) * len(arguments[0].slopes), *parts), logarithmic)


@dataclass(frozen=True, slots=True)
class Program:
    """An expression as steps: inputs first, then constants, then what each step makes."""

    variables: tuple[str, ...]
    constants: tuple[Callable[[], Ball], ...]
    steps: tuple[tuple[str, tuple[int, ...]], ...]
    result: int

    def __call__(self, corners: Corners, box: Sequence[Interval]) -> Jet:
        """The jet over a box; a side of one number has no slope. Raises Unbounded, Unreachable."""
        n = len(box)
        values = [
            Jet(
                side,
                tuple([ONE if j == i and side.lo is not side.hi else None for j in range(n)]),
            )
            for i, side in enumerate(box)
        ]
        values += [constant(make(), n) for make in self.constants]
        for name, operands in self.steps:
            arguments = [values[i] for i in operands]
            function = FUNCTIONS.get(name)
            values.append(
                function(*arguments) if function else head_jet(ALL_HEADS[name], corners, *arguments)
            )
        return values[self.result]


def compile_steps(expr: Any, variables: Sequence[str]) -> Program:
    """A SymPy expression as a program in these variables. Raises Unreachable on an unknown head."""
    recorder = _Recorder(tuple(variables), [], [])
    bindings = {name: ("input", i) for i, name in enumerate(variables)}
    known: dict[Any, Any] = {}
    result = fold(expr, bindings, recorder, known)
    first, offset = len(variables), len(variables) + len(recorder.constants)

    def place(slot: Slot) -> int:
        kind, i = slot
        return i if kind == "input" else first + i if kind == "constant" else offset + i

    steps = tuple((name, tuple(place(slot) for slot in slots)) for name, slots in recorder.steps)
    return Program(tuple(variables), tuple(recorder.constants), steps, place(result))


@dataclass(frozen=True, slots=True)
class _Recorder:
    """Folds a tree into slots: where a value will stand."""

    variables: tuple[str, ...]
    constants: list[Callable[[], Ball]]
    steps: list[tuple[str, tuple[Slot, ...]]]

    @property
    def functions(self) -> Mapping[str, Callable[..., Slot]]:
        return {name: partial(self._step, name) for name in FUNCTIONS}

    def _step(self, name: str, *slots: Slot) -> Slot:
        self.steps.append((name, slots))
        return "step", len(self.steps) - 1

    def _constant(self, make: Callable[[], Ball]) -> Slot:
        self.constants.append(make)
        return "constant", len(self.constants) - 1

    def rational(self, p: int, q: int) -> Slot:
        return self._constant(lambda: arb(fmpq(p, q)))

    def constant(self, name: str) -> Slot:
        return self._constant(arb.pi if name == "Pi" else arb.const_e)

    def call(self, head: str, arguments: tuple[Slot, ...]) -> Slot:
        if head not in ALL_HEADS:
            raise Unreachable(f"no range is known of {head}")
        return self._step(head, *arguments)

    def integral(self, *_: Any) -> Slot:
        raise Unreachable("an integral has no range over a box")
