r"""Part (d): what a starved batch sees of the old mean is leakage.

In R^d a draw lies at some distance \rho from the line through both means, E\rho^2 = d - 1, and the
responsibility depends on its coordinate along that line alone: a bound linear in \rho^2 at every
distance, averaged, is the bound in R^d.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import L, delta, line, normal, phi, y, z
from theorems.overlap.quantities import decay
from theorems.reverse_replay.quantities import RADIUS, SOURCE, leaked_score, norm, radius

dimension = sp.Symbol("dimension", integer=True, positive=True)
DIMENSION = Parameter(
    "dimension",
    dimension,
    sp.Range(1, sp.oo),
    (sp.Integer(1), sp.Integer(8)),
    "dimension d of the space",
    typical=sp.Integer(3),
)
APART = {RADIUS: (sp.Rational(1, 2), sp.Integer(4))}  # where the norm is smooth on a wide strip
_half_odds = sp.exp(phi / 2) * decay / 2  # (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8)
_size = sp.sqrt(1 + delta**2 / 4 + radius**2)
_scale = sp.sqrt(dimension + delta**2 / 4)


def _tangent(squared: Expr, extra: Expr) -> Expr:
    """The tangent of the root, at d + delta^2/4, for a squared distance and d - 1 = extra."""
    return _scale + (squared - extra) / (2 * _scale)


FORMULA = identity(
    "reverse_replay.d.score",
    "The leaked score as a mean under the midpoint density.",
    leaked_score.head,
    leaked_score.formula,
    by_algebra("complete the square", leaked_score.formula, leaked_score),
    box=APART,
    source="ours",
)
_mean_norm = line(normal(y) * norm)
AT_DISTANCE = bound(
    "reverse_replay.d.at_distance",
    "At the distance rho from the axis the leaked score is at most "
    "(1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) sqrt(1 + delta^2/4 + rho^2).",
    leaked_score.head,
    "<=",
    _half_odds * _size,
    (
        Link("as a mean", leaked_score.formula, Combination((Use(FORMULA),))),
        Link(
            "sech is at most 1",
            _half_odds * _mean_norm,
            Combination(
                remainder=_half_odds * line(normal(y) * norm * (1 - sp.sech((phi + L) / 2)))
            ),
            "<=",
        ),
        Link(
            "the mean of a size is at most the root of the mean square",
            _half_odds * _size,
            Combination(remainder=_half_odds * line(normal(y) * (norm - _size) ** 2) / (2 * _size)),
            "<=",
        ),
    ),
    box=APART,
    source=SOURCE,
)
_in_space = _half_odds * _tangent(radius**2, dimension - 1)
IN_SPACE = bound(
    "reverse_replay.d.in_space",
    "For every d it is at most (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) "
    "(s + (rho^2 - (d - 1))/(2 s)) with s = sqrt(d + delta^2/4): linear in rho^2, whose mean is "
    "d - 1, so that in R^d the mean size is at most (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) s.",
    leaked_score.head,
    "<=",
    _in_space,
    (
        Link("at a distance", _half_odds * _size, Combination((Use(AT_DISTANCE),)), "<="),
        Link(
            "tangent of the root",
            _in_space,
            Combination(remainder=_half_odds * (_size - _scale) ** 2 / (2 * _scale)),
            "<=",
        ),
    ),
    box=APART,
    source=SOURCE,
)
COORDINATE = identity(
    "reverse_replay.d.coordinate",
    "A coordinate z across adds z^2 to rho^2 and has variance 1: averaging the bound over it "
    "lowers d - 1 by one. After all of them, rho = 0 and d - 1 = 0, s is left.",
    line(normal(z) * _tangent(radius**2 + z**2, dimension), z),
    _tangent(radius**2, dimension - 1),
    by_algebra("variance of a normal", _tangent(radius**2, dimension - 1)),
    source=SOURCE,
)
CLAIMS = (FORMULA, AT_DISTANCE, IN_SPACE, COORDINATE)
