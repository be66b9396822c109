"""Two elementary reasons that the overlap lemma uses more than once."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Combination, Expr, Link, Substitution, bound, positive
from theorems.mixture import y

REFLECTION = Substitution(y, y, -y)


def positive_integral(id: str, f: Expr) -> Cited:
    """Why the integral of f over the line is positive: 0 <= f, and 0 < f at y = 1."""
    somewhere = f.subs(y, 1)
    premises = (
        bound(
            f"{id}_nowhere_negative",
            "The integrand is not negative.",
            sp.S.Zero,
            "<=",
            f,
            (Link("read off its factors", f, Combination(remainder=f), "<="),),
        ),
        positive(
            f"{id}_somewhere_positive",
            "The integrand is positive at y = 1.",
            somewhere,
            (Link("read off its factors", somewhere, Combination(remainder=somewhere), "<"),),
        ),
    )
    theorem = "a continuous function that is nonnegative and not 0 has a positive integral"
    return Cited(theorem, premises)
