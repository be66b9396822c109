r"""Part (j), continued: E[sech^3], which carries the curvature of S.

The ranges of derivatives over boxes rest on these claims. rho = E[sech^3]/S = 2(1/4 - S_phiphi/S).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Divergence,
    Expr,
    Link,
    Use,
    bound,
    identity,
    positive,
)
from theorems.mixture import L, across, along, delta, line, normal, phi, sigma, tau, y
from theorems.overlap.distinguishability import COSH_ORDER
from theorems.overlap.quantities import S, sech_kernel
from theorems.overlap.reasons import REFLECTION, positive_integral
from theorems.overlap.shape import HEAT, S_delta, S_phi, S_phi_phi

_sech, _tanh = sp.sech((phi + L) / 2), sp.tanh((phi + L) / 2)
_kernel = normal(y) * _sech**3
cube = line(_kernel)
_S = S.definition
S_phi_phi_phi = sp.diff(S_phi_phi, phi)

# E[sech^3] in phi

CUBE_EVEN = identity(
    "overlap.j.cube_even",
    "E[sech^3] is even in phi.",
    cube.subs(phi, -phi),
    cube,
    (Link("reflect the line", line(_kernel), REFLECTION),),
    source="ours",
)


def _concavity() -> Claim:
    form = sum(
        -u * v * sp.diff(sp.log(_kernel), a, b)
        for a, u in ((phi, along), (y, across))
        for b, v in ((phi, along), (y, across))
    )
    square = across**2 + 3 * (_sech * (along + delta * across) / 2) ** 2
    return bound(
        "overlap.j.cube_jointly_log_concave",
        "The integrand of E[sech^3] is log-concave in (phi, y).",
        sp.S.Zero,
        "<=",
        form,
        (
            Link("a sum of squares", square, Combination(remainder=square), "<="),
            Link("differentiate", form, Algebra()),
        ),
        kind="shape",
        source="ours",
    )


CUBE_JOINTLY_LOG_CONCAVE = _concavity()
_farther = (sp.Abs(tau) <= sp.Abs(phi),)
CUBE_DECREASING = bound(
    "overlap.j.cube_decreasing",
    "E[sech^3] does not grow with |phi|.",
    cube,
    "<=",
    cube.subs(phi, tau),
    (
        Link(
            "marginals of log-concave functions are log-concave, and even ones fall away from 0",
            cube.subs(phi, tau),
            Cited("Prekopa's theorem", (CUBE_EVEN, CUBE_JOINTLY_LOG_CONCAVE)),
            "<=",
        ),
    ),
    where=_farther,
    kind="shape",
    source="ours",
)


def _bounded_slope(id: str, text: str, left: Expr, right: Expr, remainder: Expr) -> Claim:
    return bound(
        id,
        text,
        left,
        "<",
        right,
        (Link("1 - tanh^2 is positive", right, Combination(remainder=remainder), "<"),),
        kind="shape",
        source="ours",
    )


_cube_phi = sp.diff(cube, phi)
CUBE_SLOPE_ABOVE = _bounded_slope(
    "overlap.j.cube_slope_above",
    "E[sech^3]_phi < (3/2) E[sech^3].",
    _cube_phi,
    3 * cube / 2,
    3 * line(_kernel * sigma(phi + L)),
)
CUBE_SLOPE_BELOW = _bounded_slope(
    "overlap.j.cube_slope_below",
    "-(3/2) E[sech^3] < E[sech^3]_phi.",
    -3 * cube / 2,
    _cube_phi,
    3 * line(_kernel * sigma(-phi - L)),
)

# E[sech^3] in delta

_cube_delta = sp.diff(cube, delta)
_growth = cube + delta * _cube_delta
CUBE_SCALED_INCREASING = positive(
    "overlap.j.cube_scaled_increasing",
    "delta E[sech^3] increases strictly in delta.",
    _growth,
    (
        Link(
            "a positive integral",
            line(y**2 * _kernel),
            positive_integral("overlap.j.cube_scaled", y**2 * _kernel),
            "<",
        ),
        Link("integrate by parts", _growth, Divergence(((y, -y * _kernel),), (y,))),
    ),
    kind="shape",
    source="ours",
)
CUBE_HEAT = identity(
    "overlap.j.cube_heat",
    "Heat equation: E[sech^3]_delta = delta E[sech^3]_phiphi.",
    _cube_delta,
    delta * sp.diff(cube, phi, 2),
    (
        Link(
            "integrate by parts",
            delta * sp.diff(cube, phi, 2),
            Divergence(((y, -normal(y) * sp.diff(_sech**3, phi)),), (y,)),
        ),
    ),
    source="ours",
)
_fall = 9 * delta / 4 * cube - _cube_delta
_fifth = 3 * delta * line(normal(y) * _sech**5)
CUBE_DAMPED_DECREASING = positive(
    "overlap.j.cube_damped_decreasing",
    "e^(-9 delta^2/8) E[sech^3] decreases strictly in delta.",
    _fall,
    (
        Link("a positive integrand", _fifth, Combination(remainder=_fifth), "<"),
        Link(
            "heat equation, and 4 (sech^3)'' = 9 sech^3 - 12 sech^5",
            _fall,
            Combination((Use(CUBE_HEAT),)),
        ),
    ),
    kind="shape",
    source="ours",
)

# rho

CUBE_FORMULA = identity(
    "overlap.j.cube_formula",
    "E[sech^3] = S/2 - 2 S_phiphi.",
    cube,
    _S / 2 - 2 * S_phi_phi,
    (Link("4 (sech)'' = sech - 2 sech^3", _S / 2 - 2 * S_phi_phi, Algebra()),),
    source="ours",
)
CUBE_FORMULA_SLOPE = identity(
    "overlap.j.cube_formula_slope",
    "Its derivative in phi.",
    _cube_phi,
    S_phi / 2 - 2 * S_phi_phi_phi,
    (Link("differentiate", S_phi / 2 - 2 * S_phi_phi_phi, Algebra()),),
    source="ours",
)
_FOLDED = positive(
    "overlap.j.folded_increasing",
    "x tanh(x) increases on the half-line.",
    sp.diff(delta * sp.tanh(delta), delta),
    (
        Link(
            "both terms are positive",
            sp.tanh(delta) + delta * sp.sech(delta) ** 2,
            Combination(remainder=sp.tanh(delta) + delta * sp.sech(delta) ** 2),
            "<",
        ),
        Link("differentiate", sp.diff(delta * sp.tanh(delta), delta), Algebra()),
    ),
    source="ours",
)
RATIO_DECREASING = bound(
    "overlap.j.ratio_decreasing",
    "E[sech^3]/S does not grow with |phi|: under the weight of S it is the mean of sech^2, and a "
    "larger |phi| tilts that weight, folded at phi + L = 0, away from 0.",
    cube * _S.subs(phi, tau),
    "<=",
    cube.subs(phi, tau) * _S,
    (
        Link(
            "sech^2 falls in |x| where x tanh(x phi/delta^2) rises",
            cube.subs(phi, tau) * _S,
            Cited("Chebyshev's association inequality", (COSH_ORDER, _FOLDED)),
            "<=",
        ),
    ),
    where=_farther,
    kind="shape",
    source="ours",
)
HEAT_SLOPE = identity(
    "overlap.j.heat_slope",
    "The heat equation, differentiated in phi.",
    sp.diff(S_delta, phi),
    delta * S_phi_phi_phi,
    (
        Link(
            "integrate by parts",
            delta * S_phi_phi_phi,
            Divergence(((y, -normal(y) * sp.diff(sp.sech((phi + L) / 2), phi, 2)),), (y,)),
        ),
    ),
    source="ours",
)
_turn = delta * (cube * S_phi - _S * _cube_phi) / 2
SLOPE_IN_DELTA = identity(
    "overlap.j.slope_in_delta",
    "(S_phi/S)_delta = -(delta/2) rho_phi, which has the sign of phi (times S^2 on both sides).",
    sp.diff(S_delta, phi) * _S - S_phi * S_delta,
    _turn,
    (
        Link(
            "heat equation",
            delta * (S_phi_phi_phi * _S - S_phi * S_phi_phi),
            Combination((Use(HEAT_SLOPE, times=_S), Use(HEAT, times=-S_phi))),
        ),
        Link(
            "S_phiphi through E[sech^3]",
            _turn,
            Combination(
                (
                    Use(CUBE_FORMULA, times=-delta * S_phi / 2),
                    Use(CUBE_FORMULA_SLOPE, times=delta * _S / 2),
                )
            ),
        ),
    ),
    source="ours",
)

# the fourth derivative

fourth = sp.diff(S_phi_phi, phi, 2)


def _fourth_bound(id: str, text: str, left: Expr, right: Expr, remainder: Expr) -> Claim:
    return bound(
        id,
        text,
        left,
        "<=",
        right,
        (
            Link(
                "16 (sech)'''' = sech - 20 sech^3 + 24 sech^5",
                right,
                Combination(remainder=remainder),
                "<=",
            ),
        ),
        kind="shape",
        source="ours",
    )


FOURTH_ABOVE = _fourth_bound(
    "overlap.j.fourth_above",
    "S_phiphiphiphi <= (5/16) S.",
    fourth,
    5 * _S / 16,
    line(sech_kernel() * _tanh**2 * (1 + 6 * _sech**2)) / 4,
)
FOURTH_BELOW = _fourth_bound(
    "overlap.j.fourth_below",
    "-(5/16) S <= S_phiphiphiphi.",
    -5 * _S / 16,
    fourth,
    line(sech_kernel() * (24 * (_sech**2 - sp.Rational(5, 12)) ** 2 + sp.Rational(11, 6))) / 16,
)

CLAIMS = (
    CUBE_EVEN,
    CUBE_JOINTLY_LOG_CONCAVE,
    CUBE_DECREASING,
    CUBE_SLOPE_ABOVE,
    CUBE_SLOPE_BELOW,
    CUBE_SCALED_INCREASING,
    CUBE_HEAT,
    CUBE_DAMPED_DECREASING,
    CUBE_FORMULA,
    CUBE_FORMULA_SLOPE,
    RATIO_DECREASING,
    HEAT_SLOPE,
    SLOPE_IN_DELTA,
    FOURTH_ABOVE,
    FOURTH_BELOW,
)
