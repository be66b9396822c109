"""The derived lane: the formula that the theory derives, evaluated with mpmath.

It shares its expression with the certified lane, so that their agreement is no evidence for the
formula; it shares nothing with the precise lane, which starts from the definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mpmath.ctx_mp import MPContext

from numerics.expression import Definitions, evaluate, expand
from numerics.point import Point, Unreachable
from proofs_check.multiprecision import Multiprecision, arithmetic, read

MOST_DIGITS = 400
_GUARD = 10
_MOST_RAISED = 160  # how far the precision is raised against cancellation
_DIGITS_A_BIT = 0.30103


def derive(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Any, ...]:
    """The components of `expr`, each to `digits` relative digits.

    Every sum outside an integral reports the digits it loses, and the precision is raised until
    the worst of them leaves enough; what proves a value is its ball. Raises Unreachable past
    MOST_DIGITS, or where cancellation eats every digit tried.
    """
    if digits > MOST_DIGITS:
        raise Unreachable(f"the derived lane goes up to {MOST_DIGITS} digits")
    working, most = digits + _GUARD, max(_MOST_RAISED, digits + _GUARD)
    while working <= most:
        values, lost = _at(expr, point, working, definitions)
        if values is not None and lost + digits + 2 <= working:
            return values
        working = digits + lost + _GUARD if lost < working else 2 * working
    raise Unreachable(f"no {digits} of {most} digits survive cancellation: it is 0, or nearly")


def _at(
    expr: Any, point: Point, digits: int, definitions: Definitions
) -> tuple[tuple[Any, ...] | None, int]:
    """The values at one working precision, None where a factor that is not 0 is rounded to 0; and
    the digits that the worst sum lost."""

    known: dict[tuple[str, tuple[Any, ...]], Any] = {}

    def by_formula(asking: Multiprecision, head: str, arguments: tuple[Any, ...]) -> Any:
        if asking is not numbers:  # within an integral, where no sum reports
            return expand(head, arguments, definitions, asking)
        if (head, arguments) not in known:
            known[head, arguments] = expand(head, arguments, definitions, numbers)
        return known[head, arguments]

    losses = [0]
    plain = arithmetic(digits, by_formula)
    reporting = _reporting(plain.context, losses)
    numbers = replace(plain, functions={**plain.functions, **reporting})
    bindings = {name: read(numbers.context, value) for name, value in point.items()}
    try:
        values = evaluate(expr, bindings, numbers)
    except ZeroDivisionError:
        return None, digits
    return values if isinstance(values, tuple) else (values,), max(losses)


def _reporting(ctx: MPContext, losses: list[int]) -> dict[str, Callable[..., Any]]:
    """Sums and logarithms that note how many digits they lose: all of them where a sum of numbers
    that are not 0 comes out as 0, or a logarithm does."""

    def note(largest: Any, result: Any) -> Any:
        if result == 0:
            losses.append(int(ctx.dps) if largest > 0 else 0)
        else:
            losses.append(int(_DIGITS_A_BIT * (ctx.mag(largest) - ctx.mag(result))) + 1)
        return result

    def add(*terms: Any) -> Any:
        return note(max(map(abs, terms)), sum(terms, ctx.zero))

    def log(x: Any) -> Any:
        return note(ctx.one, ctx.log(x))

    return {"Add": add, "log": log}
