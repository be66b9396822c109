"""Integrals of a tree in balls: `acb.integral` on a finite range, a proved tail beyond it.

An infinite range is cut where the majorant of the tree falls below the target, and the majorant's
integral beyond the cut widens the result. Floats steer the cut and the tolerance; they do not
enter the proof.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from flint import acb, arb, ctx

from numerics.certified.complex_balls import NAMES, ComplexBalls
from numerics.certified.majorant import Growth, Majorants, polynomial
from numerics.certified.tape import record
from numerics.certified.trapezoid import symmetric
from numerics.expression import Definitions, fold
from numerics.point import Unreachable

Ball: TypeAlias = Any
MOST_EVALUATIONS = 60_000  # of the integrand, in one integral
MOST_BITS = 4_000
PILOTS = 64  # points at which the size of an integrand is looked up
NOT_FINITE = acb(arb.nan(), arb.nan())


def integrate(
    body: Any,
    variable: str,
    lower: Ball | None,
    upper: Ball | None,
    constants: Mapping[Any, Ball],
    definitions: Definitions,
) -> Ball:
    """The integral of a real `body` over the variable; a limit of None is infinite.

    `constants` holds the value of every largest subtree free of the variable. Raises Unreachable
    where no tail bound is found, past MOST_BITS, and past MOST_EVALUATIONS; else the ball may be
    wide or not finite, and a higher precision is called for.
    """
    if ctx.prec > MOST_BITS:
        raise Unreachable(f"a quadrature in balls is not tried beyond {MOST_BITS} bits")
    tails = [
        None if end is not None else _tail(body, variable, side, constants, definitions)
        for side, end in ((-1, lower), (1, upper))
    ]
    tape = record(body, variable, constants, NAMES)
    players = {
        analytic: tape.player(ComplexBalls(definitions, analytic).operation)
        for analytic in (False, True)
    }
    evaluations: int = 0
    failure: BaseException | None = None

    def integrand(z: Ball, analytic: bool) -> Ball:
        nonlocal evaluations, failure
        evaluations += 1
        if failure is None and evaluations > MOST_EVALUATIONS:
            failure = Unreachable(f"a quadrature takes more than {MOST_EVALUATIONS} evaluations")
        if failure is not None:
            return NOT_FINITE
        try:
            return acb(players[analytic](z))
        except BaseException as error:  # must not cross the C code: kept, and raised after it
            failure = error
            return NOT_FINITE

    goal = -0.7 * ctx.prec
    left, right = _ends(lower, upper, tails, goal)
    pilots = [integrand(acb(left + (right - left) * k / PILOTS), False) for k in range(PILOTS + 1)]
    size = max((p.abs_upper() for p in pilots if p.is_finite()), default=arb(1))
    left, right = _ends(lower, upper, tails, goal + (float(size.log()) if size > 0 else 0.0))
    fine = arb(2) ** -ctx.prec
    value = acb.integral(
        integrand,
        acb(left),
        acb(right),
        rel_tol=fine,
        abs_tol=fine * size * abs(right - left) / PILOTS,
        eval_limit=MOST_EVALUATIONS,
    ).real
    if failure is not None:
        raise failure
    for growth, end in zip(tails, (left, right), strict=True):
        if growth is not None:
            value += symmetric(growth.tail(abs(end)))
    return value


def _tail(
    body: Any, variable: str, side: int, constants: Mapping[Any, Ball], definitions: Definitions
) -> Growth:
    known = {part: polynomial(value) for part, value in constants.items()}
    bindings = {variable: polynomial(arb(0), arb(side))}
    return fold(body, bindings, Majorants(definitions), known).upper


def _ends(
    lower: Ball | None, upper: Ball | None, tails: list[Growth | None], goal: float
) -> tuple[Ball, Ball]:
    """The limits, an infinite one cut where the logarithm of the tail is below the goal."""
    left, right = (None if growth is None else _reach(growth, goal) for growth in tails)
    return (lower if left is None else -left), (upper if right is None else right)


def _reach(growth: Growth, goal: float) -> Ball:
    c0, c1, c2, k = (float(rate) for rate in growth.rates)
    reach = 1.0
    while reach < 1e9:
        slope = c1 + 2 * c2 * reach + k / (1 + reach)
        if slope < -0.25 and c0 + c1 * reach + c2 * reach**2 + k * math.log1p(reach) < goal:
            return arb(reach)
        reach *= 1.0625
    raise Unreachable("no bound on the tail of an integral falls with distance")
