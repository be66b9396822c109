"""What a method is to a run: the quantities that move its weight, its objective with the means
free, the law of its batches, and what a run of it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from numerics.point import Logit
from numerics.trajectories.batches import Law
from proofs_check.multiprecision import context_of, read
from proofs_check.simulation.suite import Point, Suite
from theorems.language import Expr

Numbers: TypeAlias = Mapping[str, float]
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a run shows: numbers by name, and the sentence that says them."""

    numbers: Mapping[str, Any]
    sentence: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its findings see it: where it was set and the rows it came to."""

    suite: Suite
    point: Point
    rows: tuple[Row, ...]

    @property
    def last(self) -> Row:
        return self.rows[-1]


def _nothing(run: Run) -> Iterator[Finding]:
    yield from ()


def _no_more(suite: Suite, point: Point) -> Numbers:
    return {}


@dataclass(frozen=True, slots=True)
class Method:
    """A method of training.

    moves: the quantity that moves the weight at correct means, the gradient in phi of `objective`
    (climbed where `ascent`), or the step of a map. pull: the gradient in the old mean at correct
    means, where the suite has it. free: what is minimised with both means free on the line, an
    expression in phi, old_mean, new_mean and the settings; more: settings that follow from the
    parameters. law: of its batches. condition: what decides whether it forgets, in one phrase.
    findings: what its runs show beyond those of any method. settings: quantities that hold
    further parameters of it.
    """

    name: str
    text: str
    moves: str
    objective: str
    free: Expr
    law: Callable[[Numbers], Law]
    condition: Callable[[Suite, Point], str]
    findings: Callable[[Run], Iterator[Finding]] = _nothing
    pull: str = ""
    ascent: bool = False
    more: Callable[[Suite, Point], Numbers] = _no_more
    settings: tuple[str, ...] = ()
    discrete: bool = False


def brief(value: Any, digits: int = 4) -> str:
    """A number in so many significant digits, a count in full."""
    if isinstance(value, int):
        return str(value)
    ctx = context_of(digits + 6)
    number = read(ctx, value) if isinstance(value, Fraction) else ctx.mpf(value)
    mantissa, power, exponent = str(ctx.nstr(number, digits)).partition("e")
    return mantissa.removesuffix(".0") + power + exponent


def approach(run: Run, what: str, goal: Any) -> Finding:
    """How far the weight still is from where the method takes it."""
    aim = run.suite.number(goal)
    distance = abs(run.last["beta"] - aim)
    return Finding(
        {"goal": aim, "distance": distance},
        f"{what}, beta = {brief(aim)}, is {brief(distance)} away",
    )


def target_weight(suite: Suite, point: Point, name: str = "tau") -> Any:
    """A weight of the point that is given by its logit."""
    given = point[name]
    return suite.number(given.weight) if isinstance(given, Logit) else suite.weight(given)
