r"""Part (c): the smallest eigenvalue of the Hessian in R^d, by Rayleigh quotients."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Expr,
    Link,
    Use,
    bound,
    identity,
    positive,
)
from theorems.local_geometry.blocks import ACROSS_ABOVE, curvature
from theorems.local_geometry.eigenvalues import block, matrix, square
from theorems.local_geometry.fisher import FISHER_FORM, INDEPENDENT
from theorems.local_geometry.forms import (
    BELOW,
    BELOW_ACROSS,
    RANGE,
    SIZE,
    form_across,
    form_along,
)
from theorems.local_geometry.hessian import WEIGHT_CURVATURE
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import (
    H_phi,
    U,
    W,
    across_heads,
    along_heads,
    lambda_min,
    least_across,
    least_along,
    spread,
)
from theorems.local_geometry.rayleigh import RAYLEIGH, RAYLEIGH_OF_TWO, SINGULAR
from theorems.mixture import DELTA

RAYLEIGH_RITZ = "Rayleigh-Ritz theorem"
EXTREMUM = "definition of the minimum and the maximum"
_MINUS = sp.S.NegativeOne
at_along = dict(zip(matrix, along_heads, strict=True))
at_across = dict(zip(block, across_heads, strict=True))


def at_basis(k: int) -> dict[Expr, Expr]:
    """The direction of one coordinate along."""
    return {each: sp.Integer(i == k) for i, each in enumerate(U)}


ALONG_BELOW = bound(
    "local_geometry.c.along_below",
    "The smallest eigenvalue along is at most the weight's curvature.",
    least_along,
    "<=",
    H_phi.head,
    (
        Link(
            "the Rayleigh quotient of the weight alone",
            H_phi.head,
            Combination((Use(RAYLEIGH, at_along | at_basis(0)),)),
            "<=",
        ),
    ),
    source=SOURCE,
)
SMALLEST = identity(
    "local_geometry.c.smallest",
    "The smallest eigenvalue of the Hessian is that of the block along mu_n - mu_o.",
    least_along,
    lambda_min.head,
    (
        Link(
            "the block along has the smaller",
            lambda_min.definition,
            Cited(EXTREMUM, (ALONG_BELOW, WEIGHT_CURVATURE, ACROSS_ABOVE)),
        ),
        Link("definition", lambda_min.head, Algebra((lambda_min,))),
    ),
    source=SOURCE,
)
UPPER_ALONG = bound(
    "local_geometry.c.along_above",
    "The smallest eigenvalue along is at most alpha (1 - alpha) kappa(tau, delta).",
    least_along,
    "<=",
    curvature,
    (
        Link("the weight alone", H_phi.head, Combination((Use(ALONG_BELOW),)), "<="),
        Link("its curvature", curvature, Combination((Use(WEIGHT_CURVATURE),))),
    ),
    source=SOURCE,
)
UPPER = bound(
    "local_geometry.c.smallest_above",
    "lambda_min <= alpha (1 - alpha) kappa(tau, delta).",
    lambda_min.head,
    "<=",
    curvature,
    (
        Link("along", least_along, Combination((Use(SMALLEST, times=_MINUS),))),
        Link("the weight alone", curvature, Combination((Use(UPPER_ALONG),)), "<="),
    ),
    box={DELTA: (sp.Rational(1, 4), sp.Integer(2))},
    source=SOURCE,
)
LEAST = bound(
    "local_geometry.c.least",
    "lambda_min |u|^2 <= u^T H u along mu_n - mu_o.",
    least_along * square(U),
    "<=",
    form_along,
    (
        Link(
            "Rayleigh quotient",
            form_along,
            Combination((Use(RAYLEIGH, at_along),)),
            "<=",
        ),
    ),
    source=SOURCE,
)
LEAST_ACROSS = bound(
    "local_geometry.c.least_across",
    "lambda_min |w|^2 <= w^T H w in every coordinate across.",
    least_along * square(W),
    "<=",
    form_across,
    (
        Link(
            "below the weight's curvature",
            curvature * square(W),
            Combination((Use(UPPER_ALONG, times=square(W)),)),
            "<=",
        ),
        Link(
            "which is below",
            least_across * square(W),
            Combination((Use(ACROSS_ABOVE, times=square(W)),)),
            "<=",
        ),
        Link(
            "Rayleigh quotient",
            form_across,
            Combination((Use(RAYLEIGH_OF_TWO, at_across),)),
            "<=",
        ),
    ),
    source=SOURCE,
)
LOWER = bound(
    "local_geometry.c.smallest_below",
    "alpha (1 - alpha) less the bound of D - H is at most lambda_min.",
    spread - SIZE,
    "<=",
    lambda_min.head,
    (
        Link(
            "it bounds every Rayleigh quotient, and lambda_min is one",
            lambda_min.head,
            Cited(RAYLEIGH_RITZ, (BELOW, BELOW_ACROSS, SMALLEST, SINGULAR)),
            "<=",
        ),
    ),
    box=RANGE,
    source=SOURCE,
)
POSITIVE = positive(
    "local_geometry.c.smallest_positive",
    "lambda_min > 0 for every delta > 0: the scores are linearly independent.",
    least_along,
    (
        Link(
            "the form is E[(u.psi)^2]",
            least_along,
            Cited(
                "a Gram matrix of linearly independent continuous functions is positive definite",
                (FISHER_FORM, INDEPENDENT, SMALLEST, SINGULAR),
            ),
            "<",
        ),
    ),
    source=SOURCE,
)

CLAIMS = (
    ALONG_BELOW,
    SMALLEST,
    UPPER_ALONG,
    UPPER,
    LEAST,
    LEAST_ACROSS,
    LOWER,
    POSITIVE,
)
