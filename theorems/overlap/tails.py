r"""Part (g), the tail series of misassignment.

With x = phi + L, A_k = E_{p_o}[e^(-kx); x > 0] and B_k = E_{p_o}[e^(kx); x < 0]; both are Gaussian
tails, and geometric series on either side of the crossing give eps_o.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import delta, line, normal, p_o, phi, y
from theorems.overlap.bayes import CALCULUS, above, below, primitive, tail, x
from theorems.overlap.quantities import eps_o

order = sp.Symbol("order", real=True)
ORDER = Parameter(
    "order",
    order,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Rational(1, 2), sp.Integer(6)),
    "exponent k of the tail moments A_k and B_k",
)


def moment_above(k: Expr) -> Expr:
    """A_k in closed form."""
    size = sp.exp(-k * phi + k * (k - 1) * delta**2 / 2)
    return size * tail(delta * (k - sp.Rational(1, 2)) - phi / delta)


def moment_below(k: Expr) -> Expr:
    """B_k in closed form."""
    size = sp.exp(k * phi + k * (k + 1) * delta**2 / 2)
    return size * tail(delta * (k + sp.Rational(1, 2)) + phi / delta)


_ABOVE = identity(
    "overlap.g.moment_above",
    "A_k in closed form.",
    above(p_o * sp.exp(-order * x)),
    moment_above(order),
    (
        Link(
            "complete the square",
            sp.exp(-order * phi + order * (order - 1) * delta**2 / 2)
            * above(normal(y, delta / 2 - order * delta)),
            Algebra(),
        ),
        Link(
            "Gaussian tail",
            moment_above(order),
            Cited(
                CALCULUS,
                (
                    primitive(
                        "overlap.g.primitive_above",
                        -tail(y - delta / 2 + order * delta),
                        normal(y, delta / 2 - order * delta),
                    ),
                ),
            ),
        ),
    ),
    source="reconstructed",
)
_BELOW = identity(
    "overlap.g.moment_below",
    "B_k in closed form.",
    below(p_o * sp.exp(order * x)),
    moment_below(order),
    (
        Link(
            "complete the square",
            sp.exp(order * phi + order * (order + 1) * delta**2 / 2)
            * below(normal(y, delta / 2 + order * delta)),
            Algebra(),
        ),
        Link(
            "Gaussian tail",
            moment_below(order),
            Cited(
                CALCULUS,
                (
                    primitive(
                        "overlap.g.primitive_below",
                        tail(delta / 2 + order * delta - y),
                        normal(y, delta / 2 + order * delta),
                    ),
                ),
            ),
        ),
    ),
    source="reconstructed",
)
_cut = below(p_o / (1 + sp.exp(x))) + above(p_o * sp.exp(-x) / (1 + sp.exp(-x)))
_CUT = identity(
    "overlap.g.cut",
    "eps_o cut where X changes sign, each part by the exponential that is at most 1.",
    eps_o.head,
    _cut,
    (
        Link("r_n = 1/(1 + e^X)", line(p_o / (1 + sp.exp(x))), Algebra((eps_o,))),
        Link(
            "cut the line",
            below(p_o / (1 + sp.exp(x))) + above(p_o / (1 + sp.exp(x))),
            Cited("additivity of the integral"),
        ),
        Link("multiply through by e^(-X)", _cut, Algebra()),
    ),
    source="reconstructed",
)
TERMS = 4
_t = sp.exp(phi)
_GEOMETRIC = identity(
    "overlap.g.geometric",
    "The remainder of the geometric series of 1/(1 + t), t = e^phi.",
    1 / (1 + _t) - sp.Add(*((-_t) ** k for k in range(TERMS + 1))),
    (-_t) ** (TERMS + 1) / (1 + _t),
    by_algebra("sum the series", (-_t) ** (TERMS + 1) / (1 + _t)),
    source="reconstructed",
)
_series = moment_below(sp.S.Zero) + sp.Add(
    *(
        (-1) ** k * (moment_below(sp.Integer(k)) - moment_above(sp.Integer(k)))
        for k in range(1, TERMS + 1)
    )
)
_next_terms = moment_above(sp.Integer(TERMS + 1)) + moment_below(sp.Integer(TERMS + 1))
TAIL_SERIES = bound(
    "overlap.g.tail_series",
    "eps_o = P(X < 0) + sum over k >= 1 of (-1)^k (B_k - A_k): after 4 terms the error is at most "
    "A_5 + B_5.",
    sp.Abs(eps_o.head - _series),
    "<=",
    _next_terms,
    (
        Link(
            "integrate the geometric series and the bound of its remainder",
            _next_terms,
            Cited("monotonicity of the integral", (_CUT, _ABOVE, _BELOW, _GEOMETRIC)),
            "<=",
        ),
    ),
    source="reconstructed",
)


def _second_difference(moment: Callable[[Expr], Expr]) -> Expr:
    return moment(order) - 2 * moment(order + 1) + moment(order + 2)


def _monotone(
    id: str, text: str, claim: Claim, moment: Callable[[Expr], Expr], shrink: Expr
) -> Claim:
    """The second difference is an integral of (1 - shrink)^2; higher ones likewise."""
    square = sp.Integral(claim.left.function * (1 - shrink) ** 2, *claim.left.limits)
    uses = tuple(
        Use(claim, at={order: order + j}, times=sp.Integer(weight))
        for j, weight in enumerate((1, -2, 1))
    )
    return bound(
        id,
        text,
        sp.S.Zero,
        "<=",
        _second_difference(moment),
        (
            Link("an integral of a square", square, Combination(remainder=square), "<="),
            Link("expand the square", _second_difference(moment), Combination(uses)),
        ),
        kind="shape",
        source="reconstructed",
    )


MONOTONE_ABOVE = _monotone(
    "overlap.g.monotone_above",
    "The A_k are completely monotone: moments of e^(-X) in (0, 1), so that differences of every "
    "order alternate in sign (the second is shown).",
    _ABOVE,
    moment_above,
    sp.exp(-x),
)
MONOTONE_BELOW = _monotone(
    "overlap.g.monotone_below",
    "The B_k are completely monotone: moments of e^X in (0, 1).",
    _BELOW,
    moment_below,
    sp.exp(x),
)
_SLOPE_BOUND = bound(
    "overlap.g.slope_bound",
    "The square of the slope of a Gaussian is at most 1/e, in units of its maximum.",
    y**2,
    "<=",
    sp.exp(y**2 - 1),
    (
        Link(
            "e^u >= 1 + u at u = y^2 - 1",
            sp.exp(y**2 - 1),
            Combination(remainder=sp.exp(y**2 - 1) - y**2),
            "<=",
        ),
    ),
    source="ours",
)
_fall = 2 * sp.exp(-sp.Rational(1, 2)) / (sp.sqrt(2 * sp.pi) * delta**2 * order**2)
TAIL_TERMS = bound(
    "overlap.g.tail_terms",
    "The terms fall like 1/k^2: |B_k - A_k| <= 2 e^(-1/2)/(sqrt(2 pi) delta^2 k^2).",
    sp.Abs(moment_below(order) - moment_above(order)),
    "<=",
    _fall,
    (
        Link(
            "the density of X differs at -x and x by at most 2x times its largest slope",
            _fall,
            Cited("mean value theorem", (_ABOVE, _BELOW, _SLOPE_BOUND)),
            "<=",
        ),
    ),
    where=(order > 0,),
    source="ours",
)

ACCELERATED_TERMS = 8


def _chebyshev(n: int) -> tuple[Expr, Expr]:
    """T_n(1 - 2t), at most 1 in size on [0, 1], and its value T_n(3) at t = -1."""
    return sp.chebyshevt(n, 1 - 2 * _t), sp.chebyshevt(n, 3)


_polynomial, _scale = _chebyshev(ACCELERATED_TERMS)
WEIGHTS = sp.Poly((_scale - _polynomial) / _scale, _t).quo(sp.Poly(1 + _t, _t)).all_coeffs()[::-1]
_CHEBYSHEV = identity(
    "overlap.g.chebyshev",
    "The weights w_k leave the remainder T_8(1 - 2t)/(T_8(3)(1 + t)) of 1/(1 + t), t = e^phi.",
    1 / (1 + _t) - sp.Add(*(weight * _t**k for k, weight in enumerate(WEIGHTS))),
    _polynomial / (_scale * (1 + _t)),
    by_algebra("divide by 1 + t", _polynomial / (_scale * (1 + _t))),
    source="reconstructed",
)
_accelerated = sp.Add(
    *(
        weight * (moment_below(sp.Integer(k)) + moment_above(sp.Integer(k + 1)))
        for k, weight in enumerate(WEIGHTS)
    )
)
ACCELERATED = bound(
    "overlap.g.accelerated",
    "Alternating-series acceleration: with 8 Chebyshev weights the relative error is at most "
    "1/T_8(3) = 1/665857.",
    sp.Abs(eps_o.head - _accelerated),
    "<=",
    eps_o.head / _scale,
    (
        Link(
            "integrate the remainder, in which |T_8| is at most 1",
            eps_o.head / _scale,
            Cited(
                "acceleration of alternating sums of moments (Cohen, Rodriguez Villegas, Zagier)",
                (_CUT, _ABOVE, _BELOW, _CHEBYSHEV),
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
_thirty = sp.chebyshevt(30, 3)
THIRTY_TERMS = bound(
    "overlap.g.thirty_terms",
    "The scale of 30 weights is above 10^22: 30 terms give 22 digits.",
    sp.Integer(10) ** 22,
    "<",
    _thirty,
    (Link("two integers", _thirty, Combination(remainder=_thirty - sp.Integer(10) ** 22), "<"),),
    source="reconstructed",
)

CLAIMS = (
    TAIL_SERIES,
    MONOTONE_ABOVE,
    MONOTONE_BELOW,
    TAIL_TERMS,
    ACCELERATED,
    THIRTY_TERMS,
)
