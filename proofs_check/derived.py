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
_GUARD = 15
_ROUNDS = 6


def derive(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Any, ...]:
    """The components of `expr` to `digits` relative digits of the largest one. Two precisions
    must agree; what proves a value is its ball.

    Raises Unreachable past MOST_DIGITS, or where cancellation eats every digit tried.
    """
    if digits > MOST_DIGITS:
        raise Unreachable(f"the derived lane goes up to {MOST_DIGITS} digits")
    working = digits + _GUARD
    before = _at(expr, point, working, definitions)
    for _ in range(_ROUNDS):
        working += working // 2
        values = _at(expr, point, working, definitions)
        largest = max(abs(value) for value in values)
        change = max(abs(new - old) for new, old in zip(values, before, strict=True))
        if change <= largest * largest.context.mpf(10) ** -(digits + 2):
            return values
        before = values
    raise Unreachable(f"no {digits} digits are left after cancellation at {working} digits")


def _at(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Any, ...]:
    def by_formula(numbers: Multiprecision, head: str, arguments: tuple[Any, ...]) -> Any:
        return expand(head, arguments, definitions, numbers)

    numbers = arithmetic(digits, by_formula)
    bindings = {name: read(numbers.context, value) for name, value in point.items()}
    values = evaluate(expr, bindings, numbers)
    return values if isinstance(values, tuple) else (values,)
