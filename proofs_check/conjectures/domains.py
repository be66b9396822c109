"""Whether an argument stays in its parameter's domain over a box, in ball arithmetic."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from numerics.certified.balls import RealBalls
from numerics.expression import Definitions, evaluate
from numerics.point import Unreachable
from proofs_check.conjectures.box import Box
from proofs_check.draws import rational, show
from theorems.language import Expr, Parameter

Ball: TypeAlias = Any
MOST_PARTS = 400
_BITS = 64


def outside(argument: Expr, parameter: Parameter, box: Box, definitions: Definitions) -> str | None:
    """None where the argument lies in the parameter's domain all over the box; else why not.

    The box is halved until balls tell, or a corner of a part falls outside.
    """
    domain = parameter.domain
    if argument.is_Rational:
        return None if argument in domain else f"it is {argument}"
    if parameter.symbol.is_integer:
        return "give it as a number"
    if domain.start.is_infinite and domain.end.is_infinite:
        return None
    if argument.is_Symbol:  # exactly: balls cannot tell where the box ends with the domain
        ends = next(side for side in box.sides if side[0] == argument.name)[1:]
        beyond = [end for end in ends if rational(end) not in domain]
        return f"it does not at {argument.name} = {beyond[0]}" if beyond else None
    waiting = deque([box])
    for _ in range(MOST_PARTS):
        if not waiting:
            return None
        part = waiting.popleft()
        for corner in part.corners():
            if _lies(argument, corner, domain, definitions) is False:
                return f"it does not at {show(corner)}"
        if _lies(argument, part, domain, definitions) is not True:
            widest = max(part.names, key=lambda name: part.widths[name])
            waiting.extend(part.split(widest))
    return "that is not certain all over the box"


def _lies(
    argument: Expr, place: Box | Mapping[str, Fraction], domain: Expr, definitions: Definitions
) -> bool | None:
    """Whether the argument lies in an interval at a point, or all over a box."""
    sides = place.sides if isinstance(place, Box) else [(n, x, x) for n, x in place.items()]
    with ctx.workprec(_BITS):
        bindings = {name: _ball(lower).union(_ball(upper)) for name, lower, upper in sides}
        try:
            value = evaluate(argument, bindings, RealBalls(definitions))
        except Unreachable:
            return None
        distances = [
            (sign * (value - _ball(Fraction(int(end.p), int(end.q)))), is_open)
            for sign, end, is_open in (
                (1, domain.start, domain.left_open),
                (-1, domain.end, domain.right_open),
            )
            if end.is_finite
        ]
        if any(d < 0 or (is_open and d <= 0) for d, is_open in distances):
            return False
        return True if all(d > 0 or (not is_open and d >= 0) for d, is_open in distances) else None


def _ball(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))
