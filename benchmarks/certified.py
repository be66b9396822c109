"""What a certified value costs, against mpmath.quad with split points and against acb.integral.

quad integrates the definition in y, split where its bells and its step are; its value carries no
proof, and how many of its digits are right is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from flint import acb, arb, ctx, fmpq

from benchmarks.timing import LOGIT, best
from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from proofs_check.catalogue import definitions, load
from theorems.language import Expr
from theorems.mixture import delta, phi
from theorems.overlap.quantities import S, eps_o
from theorems.reverse_kl.quantities import KL_reverse

DISTANCES = ("1/2", "3", "10", "30")
SWEPT = ("1/2", "3/4", "1", "3/2", "2", "5/2", "3", "4", "5", "7", "10", "14", "20", "30")
TARGET = Fraction(-1, 3)  # the logit of the target
BITS_A_DIGIT = math.log2(10)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """A quantity, its integrand for quad (context, y, delta), where it is compared (digits and
    distances), and the factor that makes it of S, where it is that."""

    value: Expr
    in_mpmath: Callable[[Any, Any, Any], Any]
    digits: tuple[int, ...]
    distances: tuple[str, ...]
    factor: Callable[[Any], Any] | None = None


def _s(m: Any, y: Any, d: Any) -> Any:
    return m.npdf(y) * m.sech((_exact(m, LOGIT) + d * y) / 2)


def _eps(m: Any, y: Any, d: Any) -> Any:
    return m.npdf(y, d / 2) / (1 + m.exp(_exact(m, LOGIT) + d * y))


def _kl(m: Any, y: Any, d: Any) -> Any:
    """The learner's density times the log-ratio to the target's."""
    b, a = (1 / (1 + m.exp(-_exact(m, x))) for x in (LOGIT, TARGET))
    old, new = m.npdf(y, d / 2), m.npdf(y, -d / 2)
    q, p = b * old + (1 - b) * new, a * old + (1 - a) * new
    return q * m.log(q / p) if q else m.mpf(0)


def _sech_balls(z: Any, d: Any) -> Any:
    return (-z * z / 2).exp() / ((_ball(LOGIT) + d * z) / 2).cosh()


def _decay_balls(d: Any) -> Any:
    """What turns S into eps_o: relative digits are out of reach for acb.integral otherwise."""
    return (-_ball(LOGIT) / 2 - d * d / 8).exp() / 2


RIVALRIES: Mapping[str, Rivalry] = {
    "S": Rivalry(S(phi, delta), _s, (50, 200), DISTANCES, lambda d: arb(1)),
    "eps_o": Rivalry(eps_o(phi, delta), _eps, (50, 200), DISTANCES, _decay_balls),
    "KL_reverse": Rivalry(KL_reverse(phi, TARGET, delta), _kl, (50,), ("3", "10", "30")),
}


def _exact(m: Any, x: Fraction) -> Any:
    return m.mpf(x.numerator) / x.denominator


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


def by_quad(rivalry: Rivalry, distance: Fraction, digits: int) -> Any:
    """mpmath.quad, split at the modes, in the middle and at the step of the responsibilities."""
    context = mpmath.mp.clone()
    context.dps = digits
    d = _exact(context, distance)
    split = sorted({-context.inf, -d / 2, -_exact(context, LOGIT) / d, 0, d / 2, context.inf})
    return context.quad(lambda y: rivalry.in_mpmath(context, y, d), split)


def by_acb(factor: Callable[[Any], Any], distance: Fraction, digits: int) -> Any:
    """S by acb.integral, over a range beyond which the bell is below the target; times a factor."""
    bits = math.ceil(digits * BITS_A_DIGIT) + 16
    with ctx.workprec(bits):
        d, reach = _ball(distance), arb(math.ceil(math.sqrt(2 * math.log(2) * bits)))
        total = acb.integral(lambda z, _: _sech_balls(z, d), acb(-reach), acb(reach))
        return factor(d) * total.real / (2 * arb.pi()).sqrt()


def compared(table: Definitions) -> list[dict[str, Any]]:
    """A record for every quantity, number of digits and distance: milliseconds and ratios."""
    records = []
    for name, rivalry in RIVALRIES.items():
        for digits in rivalry.digits:
            for text in rivalry.distances:
                distance = Fraction(text)
                point = {"phi": LOGIT, "delta": distance}
                ours = best(lambda: enclose(rivalry.value, point, digits, table))  # noqa: B023
                quad = best(lambda: by_quad(rivalry, distance, digits), 1)  # noqa: B023
                factor = rivalry.factor
                balls = factor and best(lambda: by_acb(factor, distance, digits), 1)  # noqa: B023
                records.append(
                    {
                        "quantity": name,
                        "digits": digits,
                        "delta": text,
                        "milliseconds": 1e3 * ours,
                        "quad_right_digits": _right_digits(rivalry, distance, digits, table),
                        "times_quad": quad / ours,
                        "times_acb_integral": balls / ours if balls else None,
                    }
                )
    return records


def _right_digits(rivalry: Rivalry, distance: Fraction, digits: int, table: Definitions) -> float:
    """How many digits of what quad returns are right."""
    (ball,) = enclose(rivalry.value, {"phi": LOGIT, "delta": distance}, digits + 10, table)
    with mpmath.workdps(digits + 10):
        right = mpmath.mpf(ball.mid().str(digits + 10, radius=False))
        error = abs(by_quad(rivalry, distance, digits) / right - 1)
        return float(-mpmath.log10(error)) if error else float(digits)


def certified() -> dict[str, Any]:
    """The comparison, and eps_o at 50 digits over delta: milliseconds, worst over best."""
    table = definitions(load())

    def balls(text: str) -> float:
        point = {"phi": LOGIT, "delta": Fraction(text)}
        return 1e3 * best(lambda: enclose(eps_o.head, point, 50, table))

    swept = {text: balls(text) for text in SWEPT}
    return {
        "compared": compared(table),
        "swept": swept,
        "worst_over_best": max(swept.values()) / min(swept.values()),
    }
