r"""Parts (a) and (c): the Hessian's form is a mean of squares, and why it is positive."""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Combination, Link, Use, bound, identity
from theorems.local_geometry.eigenvalues import coefficient, determinant
from theorems.local_geometry.forms import form_along
from theorems.local_geometry.hessian import FISHER
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import PAIRS, U, psi, spread, target
from theorems.mixture import along, delta, line, normal
from theorems.overlap.quantities import decay

_psi_u = sum(a * b for a, b in zip(psi, U, strict=True))
FISHER_FORM = identity(
    "local_geometry.a.fisher_form",
    "u^T H u = E[(u.psi)^2], psi = (s_o - alpha, s_o z_o, s_n z_n).",
    form_along,
    line(target * _psi_u**2, along),
    (
        Link(
            "entry by entry",
            sum(coefficient(ij, U) * FISHER[ij].right for ij in PAIRS),
            Combination(tuple(Use(FISHER[ij], times=coefficient(ij, U)) for ij in PAIRS)),
        ),
        Link("one integral", line(target * _psi_u**2, along), Algebra()),
    ),
    source=SOURCE,
)
SEMIDEFINITE_FISHER = bound(
    "local_geometry.a.semidefinite",
    "u^T H u >= 0.",
    sp.S.Zero,
    "<=",
    form_along,
    (
        Link(
            "a mean of squares",
            form_along,
            Combination((Use(FISHER_FORM, times=sp.S.NegativeOne),), FISHER_FORM.right),
            "<=",
        ),
    ),
    source=SOURCE,
)
_places = (0, 1, 2)  # distances from the midpoint towards the old mode
_alternant = determinant(
    *(tuple(score.subs(along, delta / 2 - place) for place in _places) for score in psi)
)
_alternant_formula = (
    4
    * delta
    * spread**2
    * sp.sinh(delta / 2) ** 3
    * sp.Mul(*(decay * normal(place) / target.subs(along, delta / 2 - place) for place in _places))
)
INDEPENDENT = bound(
    "local_geometry.c.independent",
    "The three scores are linearly independent: their determinant at the midpoint of the modes and "
    "at distances 1 and 2 from it, towards the old mode, is positive.",
    sp.S.Zero,
    "<",
    _alternant,
    (
        Link("a product", _alternant_formula, Combination(remainder=_alternant_formula), "<"),
        Link("odd and even parts about the midpoint", _alternant, Algebra()),
    ),
    kind="sign",
    source=SOURCE,
)

CLAIMS = (FISHER_FORM, SEMIDEFINITE_FISHER, INDEPENDENT)
