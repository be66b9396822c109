r"""Part (c): the block of the Hessian in a coordinate across exceeds the weight's curvature."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Combination, Link, Use, bound, identity, positive
from theorems.local_geometry.eigenvalues import block
from theorems.local_geometry.hessian import ACROSS, MISASSIGNED
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import across_heads, least_across, spread
from theorems.local_geometry.rayleigh import SINGULAR_OF_TWO
from theorems.mixture import alpha, delta, phi, tau
from theorems.overlap.identities import KAPPA_FORMULA, KAPPA_POSITIVE
from theorems.overlap.quantities import eps_o, kappa

_MINUS = sp.S.NegativeOne
_a, _b, _c = across_heads
curvature = spread * kappa(tau, delta)

_formulas = {pair: claims[2] for pair, claims in ACROSS.items()}
_fa, _fb, _fc = (claim.right for claim in _formulas.values())
DETERMINANT_ACROSS = identity(
    "local_geometry.c.determinant_across",
    "The determinant of the block across is alpha (1 - alpha) kappa, the weight's curvature.",
    _a * _c - _b**2,
    curvature,
    (
        Link(
            "entries through S",
            _fa * _fc - _fb**2,
            Combination(
                (
                    Use(_formulas[1, 1], times=_c),
                    Use(_formulas[2, 2], times=_fa),
                    Use(_formulas[1, 2], times=-_b - _fb),
                )
            ),
        ),
        Link(
            "sech form of kappa",
            curvature,
            Combination((Use(KAPPA_FORMULA, {phi: tau}, -spread),)),
        ),
    ),
    source=SOURCE,
)
TRACE_ACROSS = identity(
    "local_geometry.c.trace_across",
    "The trace of the block across is 1 - 2 alpha eps_o.",
    _a + _c,
    1 - 2 * _b,
    (
        Link(
            "entries through S",
            _fa + _fc,
            Combination((Use(_formulas[1, 1]), Use(_formulas[2, 2]))),
        ),
        Link("again", 1 - 2 * _b, Combination((Use(_formulas[1, 2], times=sp.Integer(2)),))),
    ),
    source=SOURCE,
)
_corner = ACROSS[1, 1][0]
CORNER_POSITIVE = positive(
    "local_geometry.c.corner_across",
    "The first entry of the block across is positive.",
    _a,
    (
        Link(
            "a mean of squares",
            _a,
            Combination((Use(_corner, times=_MINUS),), _corner.right),
            "<",
        ),
    ),
    source=SOURCE,
)
DETERMINANT_POSITIVE = positive(
    "local_geometry.c.determinant_across_positive",
    "The determinant of the block across is positive.",
    _a * _c - _b**2,
    (
        Link(
            "kappa is positive",
            _a * _c - _b**2,
            Combination(
                (
                    Use(DETERMINANT_ACROSS, times=_MINUS),
                    Use(KAPPA_POSITIVE, {phi: tau}, spread),
                )
            ),
            "<",
        ),
    ),
    source=SOURCE,
)
POSITIVE_ACROSS = positive(
    "local_geometry.c.least_across_positive",
    "The block across is positive definite.",
    least_across,
    (
        Link(
            "leading minors",
            least_across,
            Cited(
                "Sylvester's criterion", (CORNER_POSITIVE, DETERMINANT_POSITIVE, SINGULAR_OF_TWO)
            ),
            "<",
        ),
    ),
    source=SOURCE,
)
ACROSS_ABOVE = bound(
    "local_geometry.c.across_above",
    "The smaller eigenvalue across exceeds the weight's curvature alpha (1 - alpha) kappa.",
    curvature,
    "<",
    least_across,
    (
        Link(
            "lambda - alpha (1 - alpha) kappa = lambda^2 + 2 alpha eps_o lambda",
            least_across,
            Combination(
                (
                    Use(POSITIVE_ACROSS, times=2 * alpha * eps_o(tau, delta)),
                    Use(SINGULAR_OF_TWO, dict(zip(block, across_heads, strict=True))),
                    Use(DETERMINANT_ACROSS, times=_MINUS),
                    Use(TRACE_ACROSS, times=least_across),
                    Use(MISASSIGNED[1], times=-2 * least_across),
                ),
                least_across**2,
            ),
            "<",
        ),
    ),
    source=SOURCE,
)

CLAIMS = (
    DETERMINANT_ACROSS,
    TRACE_ACROSS,
    CORNER_POSITIVE,
    DETERMINANT_POSITIVE,
    POSITIVE_ACROSS,
    ACROSS_ABOVE,
)
