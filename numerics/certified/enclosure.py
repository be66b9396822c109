"""An enclosure of an expression at an exact point, as narrow as asked for, and its decimal ends."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from numerics.certified.balls import PROVED, RealBalls
from numerics.expression import Definitions, evaluate
from numerics.point import Exact, Point, Unreachable

Ball: TypeAlias = Any
BITS_A_DIGIT = math.log2(10)
MOST_EXTRA_BITS = 40_000  # beyond the digits asked for: what cancellation may cost
FLOOR_DIGITS = 400  # a ball around 0 is narrow enough at 10^-(digits + FLOOR_DIGITS),
QUADRATURE_FLOOR_DIGITS = 30  # or where a quadrature was needed at 10^-(2 digits + this)


def enclose(expr: Any, point: Point, digits: int, definitions: Definitions) -> tuple[Ball, ...]:
    """One finite ball a component, each of relative radius at most 10^-digits.

    The precision is raised until this holds. A component whose ball contains 0 without being 0
    stops at an absolute floor instead (see the constants). Raises Unreachable where a part of the
    expression declines or MOST_EXTRA_BITS do not suffice.
    """
    target, extra = math.ceil(digits * BITS_A_DIGIT), 24
    floor = digits + FLOOR_DIGITS
    if _holds_integral(expr, definitions):
        floor = 2 * digits + QUADRATURE_FLOOR_DIGITS
    while extra <= MOST_EXTRA_BITS:
        with ctx.workprec(target + extra):
            bindings = {name: _ball(value) for name, value in point.items()}
            found = evaluate(expr, bindings, RealBalls(definitions))
            balls = found if isinstance(found, tuple) else (found,)
            missing = max(_missing_bits(ball, digits, floor) for ball in balls)
        if missing <= 0:
            return balls
        extra += max(missing + 8, extra // 2)
    raise Unreachable(
        f"{digits} digits are not reached with {MOST_EXTRA_BITS} more bits than they have"
    )


def _holds_integral(expr: Any, definitions: Definitions) -> bool:
    head = expr.func.__name__
    if head == "Integral" or any(_holds_integral(part, definitions) for part in expr.args):
        return True
    return (
        head in definitions
        and head not in PROVED
        and _holds_integral(definitions[head][1], definitions)
    )


def _ball(value: Exact) -> Ball:
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    p, q = value.weight.numerator, value.weight.denominator
    return arb(fmpq(p, q - p)).log()


def _missing_bits(ball: Ball, digits: int, floor: int) -> int:
    """How many more bits this component calls for; 0 where it is narrow enough."""
    spare: int = max(64, ctx.prec // 2)
    if not ball.is_finite():
        return spare
    radius, ten = ball.rad(), arb(10)
    if radius <= ball.abs_lower() * ten**-digits:
        return 0
    if ball.contains(0):
        return 0 if radius <= ten**-floor else spare
    return max(1, math.ceil(digits * BITS_A_DIGIT) - int(ball.rel_accuracy_bits()))


def certainly_less(a: Ball, b: Ball) -> bool | None:
    """a < b: True or False where every choice of points in the balls agrees, else None."""
    if a < b:
        return True
    return False if a >= b else None


def bounds(ball: Ball, digits: int) -> tuple[str, str]:
    """Decimal strings below and above a finite ball, of exactly `digits` significant digits each.

    An end that is 0 is "0". Raises ValueError on a ball that is not finite.
    """
    if not ball.is_finite():
        raise ValueError("a ball that is not finite has no bounds")
    with ctx.workprec(max(ctx.prec, math.ceil(digits * BITS_A_DIGIT)) + 64):
        lower, opposite = _floor(ball.lower(), digits), _floor(-ball.upper(), digits)
    upper = opposite.copy_negate() if opposite else opposite
    return str(lower).lower(), str(upper).lower()


def _floor(end: Ball, digits: int) -> Decimal:
    """A decimal of that many digits at or just below an exact number."""
    if end.is_zero():
        return Decimal(0)
    mantissa, exponent = (int(part) for part in end.man_exp())
    exact = mantissa.bit_length() + 4 * digits + min(4 * abs(exponent), 100_000)
    with ctx.workprec(exact + exponent.bit_length() + 64):
        log10 = (abs(end).log() / arb(10).log()).lower().floor().unique_fmpz()
        place = int(log10) + 1 - digits
        integer = _floor_at(end, place)
        if abs(integer) < 10 ** (digits - 1):
            place -= 1
            integer = _floor_at(end, place)
    if abs(integer) >= 10**digits:
        place, integer = place + 1, integer // 10
    return Decimal((int(integer < 0), Decimal(abs(integer)).as_tuple().digits, place))


def _floor_at(end: Ball, place: int) -> int:
    """An integer n with n 10^place <= end, the greatest one where the ball can tell."""
    scaled = end * arb(10) ** -place if place <= 0 else end / arb(10) ** place
    return int(scaled.lower().floor().unique_fmpz())
