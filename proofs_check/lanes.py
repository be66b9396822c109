"""One quantity at one point, by every lane; a lane without an answer says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import sympy as sp
from flint import arb

from numerics.certified.enclosure import enclose
from numerics.monte_carlo.judgement import Sample
from numerics.monte_carlo.sampling import estimate
from numerics.point import Point, Unreachable
from numerics.precise.evaluation import Estimate
from numerics.precise.evaluation import evaluate as evaluate_precisely
from proofs_check.catalogue import definitions, lane_module
from proofs_check.derived import derive
from theorems.language import Lane, Quantity, Theorem

LANES: tuple[Lane, ...] = ("derived", "certified", "precise", "monte_carlo")
ONCE = "the formula is in the ball"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draws:
    """How the Monte Carlo lane samples: draws, seed, dimension, covariance (None: its own)."""

    samples: int
    seed: int
    dimension: int
    covariance: Any = None


Answer: TypeAlias = "T | str"
"""What a lane gives, or the one-sentence reason why it gives nothing."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A quantity at a point by every lane; a lane is its answer, or the reason it has none."""

    derived: tuple[Any, ...] | str
    certified: tuple[arb, ...] | str
    precise: Estimate | str
    monte_carlo: Sample | str


def measure(
    theorem: Theorem,
    quantity: Quantity,
    point: Point,
    digits: int,
    draws: Draws,
    catalogue: Mapping[str, Theorem],
    *,
    formula_once: bool = False,
) -> Measurement:
    """Every lane's answer, each computed on its own. formula_once: the derived lane is asked only
    where the certified one, which has the same formula, has no answer."""
    table = definitions(catalogue, (quantity,))
    # a scalar by its name, for which a lane may know a better way than its formula
    expr = quantity.formula if isinstance(quantity.formula, sp.Tuple) else quantity.head

    def precise() -> Estimate:
        evaluator = _beside("precise", theorem, quantity)
        return evaluate_precisely(evaluator, point, digits)

    def monte_carlo() -> Sample:
        estimator = _beside("monte_carlo", theorem, quantity)
        return estimate(
            estimator,
            point,
            samples=draws.samples,
            seed=draws.seed,
            dimension=draws.dimension,
            covariance=draws.covariance,
        )

    certified = _answer("certified", quantity, lambda: enclose(expr, point, digits, table))
    spared = formula_once and not isinstance(certified, str)
    return Measurement(
        ONCE
        if spared
        else _answer("derived", quantity, lambda: derive(expr, point, digits, table)),
        certified,
        _answer("precise", quantity, precise),
        _answer("monte_carlo", quantity, monte_carlo),
    )


def _beside(lane: str, theorem: Theorem, quantity: Quantity) -> Any:
    found = getattr(lane_module(lane, theorem.name), quantity.name, None)
    if found is None:
        raise Unreachable(f"numerics/{lane} has nothing for {theorem.name}.{quantity.name}")
    return found


def _answer(lane: Lane, quantity: Quantity, compute: Callable[[], T]) -> T | str:
    if lane in quantity.exempt:
        return quantity.exempt[lane]
    try:
        return compute()
    except Unreachable as reason:
        return str(reason)
