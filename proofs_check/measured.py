"""An expression with every quantity in it measured by the precise lane, from its definition."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath.libmp import to_rational

from numerics.expression import evaluate
from numerics.point import Point, Unreachable
from numerics.precise.evaluation import evaluate as measure_quantity
from proofs_check.catalogue import lane_module
from proofs_check.multiprecision import Multiprecision, arithmetic, read
from theorems.language import Theorem

_GUARD = 8


def measure(
    expr: Any, point: Point, digits: int, catalogue: Mapping[str, Theorem]
) -> tuple[Any, ...]:
    """The components of `expr` at a point. Raises Unreachable where a quantity in it has no
    precise evaluator, or none that reaches this point."""
    evaluators = {
        quantity.symbol: (
            quantity,
            getattr(lane_module("precise", theorem.name), quantity.name, None),
        )
        for theorem in catalogue.values()
        for quantity in theorem.quantities
    }

    def as_measured(numbers: Multiprecision, head: str, arguments: tuple[Any, ...]) -> Any:
        quantity, evaluator = evaluators.get(head, (None, None))
        if quantity is None or evaluator is None:
            raise Unreachable(f"{head} has no evaluator of its own")
        names = (parameter.name for parameter in quantity.parameters)
        place = {
            name: Fraction(*to_rational(value._mpf_))
            for name, value in zip(names, arguments, strict=True)
        }
        return numbers.context.mpf(measure_quantity(evaluator, place, digits + _GUARD).value[0])

    numbers = arithmetic(digits + _GUARD, as_measured)
    bindings = {name: read(numbers.context, value) for name, value in point.items()}
    values = evaluate(expr, bindings, numbers)
    return values if isinstance(values, tuple) else (values,)
