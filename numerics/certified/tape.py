"""An integrand recorded once and played at many points: the walk costs more than its balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from numerics.expression import fold
from numerics.point import Unreachable

Ball: TypeAlias = Any
Operations: TypeAlias = Callable[[str], Callable[..., Ball]]


@dataclass(frozen=True, slots=True)
class Recorder:
    """Folds a tree into positions: 0 the variable, then the constants, then one a step."""

    names: frozenset[str]
    constants: list[Ball]
    steps: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    @property
    def functions(self) -> Mapping[str, Callable[..., int]]:
        return {name: partial(self._step, name) for name in self.names}

    def _step(self, name: str, *operands: int) -> int:
        self.steps.append((name, operands))
        return len(self.constants) + len(self.steps)

    def call(self, head: str, arguments: tuple[int, ...]) -> int:
        return self._step(head, *arguments)

    def rational(self, p: int, q: int) -> int:
        raise AssertionError(f"{p}/{q} is among the constants")

    def constant(self, name: str) -> int:
        raise AssertionError(f"{name} is among the constants")

    def integral(self, *_: Any) -> int:
        raise Unreachable("an integral that depends on the variable of another has no rule")


@dataclass(frozen=True, slots=True)
class Tape:
    """The steps of a function of one variable, and the position of its value."""

    constants: tuple[Ball, ...]
    steps: tuple[tuple[str, tuple[int, ...]], ...]
    result: int

    def player(self, operations: Operations) -> Callable[[Ball], Ball]:
        """The function recorded, each step done by the operation of its name."""
        steps = [(operations(name), operands) for name, operands in self.steps]

        def play(z: Ball) -> Ball:
            values = [z, *self.constants]
            for operation, operands in steps:
                values.append(operation(*[values[i] for i in operands]))
            return values[self.result]

        return play


def record(body: Any, variable: str, constants: Mapping[Any, Ball], names: frozenset[str]) -> Tape:
    """`body` as a function of the variable; `constants` values every largest subtree free of it.

    `names` are those of the elementary functions; any other function is recorded as a head.
    """
    recorder = Recorder(names, list(constants.values()))
    known = {part: position for position, part in enumerate(constants, start=1)}
    result = fold(body, {variable: 0}, recorder, known)
    return Tape(tuple(recorder.constants), tuple(recorder.steps), result)
