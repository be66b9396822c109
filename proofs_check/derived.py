"""The derived lane: the formula that the theory derives, evaluated with mpmath.

It shares its expression with the certified lane, so that their agreement is no evidence for the
formula; it shares nothing with the precise lane, which starts from the definition.
"""

from __future__ import annotations

from typing import Any

from numerics.expression import Definitions, evaluate, expand
from numerics.point import Point, Unreachable
from proofs_check.multiprecision import Multiprecision, arithmetic, read

MOST_DIGITS = 400
_GUARD = 10
_SCOUT = 15
_ROUNDS = 8


def derive(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Any, ...]:
    """The components of `expr` to `digits` relative digits of the largest one.

    What cancellation costs is read off two precisions that must agree in what it leaves; what
    proves a value is its ball. Raises Unreachable past MOST_DIGITS, or where cancellation eats
    every digit tried.
    """
    if digits > MOST_DIGITS:
        raise Unreachable(f"the derived lane goes up to {MOST_DIGITS} digits")
    lower, before = _SCOUT, _at(expr, point, _SCOUT, definitions)
    higher = digits + _GUARD
    for _ in range(_ROUNDS):
        values = _at(expr, point, higher, definitions)
        lost = lower - _common_digits(values, before)
        if lost + digits + 2 <= higher and lost < lower - 2:
            return values
        lower, before = higher, values
        higher += max(lost + digits + _GUARD - higher, higher // 2)
    raise Unreachable(f"no {digits} digits are left after cancellation at {lower} digits")


def _common_digits(values: tuple[Any, ...], before: tuple[Any, ...]) -> int:
    context = values[0].context
    largest = max(abs(value) for value in values)
    change = max(abs(new - old) for new, old in zip(values, before, strict=True))
    if change == 0:
        return int(context.dps)
    return int(context.floor(context.log10(largest / change))) if largest > 0 else 0


def _at(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Any, ...]:
    def by_formula(numbers: Multiprecision, head: str, arguments: tuple[Any, ...]) -> Any:
        return expand(head, arguments, definitions, numbers)

    numbers = arithmetic(digits, by_formula)
    bindings = {name: read(numbers.context, value) for name, value in point.items()}
    values = evaluate(expr, bindings, numbers)
    return values if isinstance(values, tuple) else (values,)
