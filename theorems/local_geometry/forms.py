r"""Part (c): D - H as a quadratic form, between 0 and its bound in operator norm.

In R^d the form is the sum of that along \mu_n - \mu_o and of those in the coordinates across, so
that a bound of either is a bound of all.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Expr,
    Link,
    Substitution,
    Use,
    bound,
    identity,
)
from theorems.local_geometry.eigenvalues import coefficient, form_of_three, form_of_two, square
from theorems.local_geometry.hessian import ACROSS, TAKEN
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import (
    PAIRS,
    D,
    U,
    W,
    across_heads,
    along_heads,
    loss,
    s_new,
    s_old,
    spread,
    target,
    v,
)
from theorems.mixture import DELTA, L, along, alpha, delta, line, normal, tau, y
from theorems.overlap.quantities import decay

RANGE = {DELTA: (sp.Rational(1, 4), sp.Integer(10))}
larger = sp.Max(alpha, 1 - alpha)
SIZE = sp.sqrt(spread) / 2 * decay * sp.Max(2, 1 + delta**2 / 2)  # of D - H, at most

form_along, form_across = form_of_three(along_heads, U), form_of_two(across_heads, W)
plain_along = sum(D[i, i] * each**2 for i, each in enumerate(U))
plain_across = sum(D[i + 1, i + 1] * each**2 for i, each in enumerate(W))


# along

_v_u = sum(a * b for a, b in zip(v, U, strict=True))
_overlap = target * s_old * s_new
TAKEN_FORM = identity(
    "local_geometry.c.taken_form",
    "u^T (D - H) u = E[s_o s_n (u.v)^2], v = (1, z_o, -z_n).",
    plain_along - form_along,
    line(_overlap * _v_u**2, along),
    (
        Link(
            "entry by entry",
            sum(coefficient(ij, U) * TAKEN[ij].right for ij in PAIRS),
            Combination(tuple(Use(TAKEN[ij], times=coefficient(ij, U)) for ij in PAIRS)),
        ),
        Link("one integral", line(_overlap * _v_u**2, along), Algebra()),
    ),
    source=SOURCE,
)
NOT_NEGATIVE = bound(
    "local_geometry.c.below_diagonal",
    "H <= D: overlap only takes from the curvature.",
    sp.S.Zero,
    "<=",
    plain_along - form_along,
    (
        Link(
            "a mean of squares",
            plain_along - form_along,
            Combination(
                (Use(TAKEN_FORM, times=sp.S.NegativeOne),), line(_overlap * _v_u**2, along)
            ),
            "<=",
        ),
    ),
    source=SOURCE,
)
_seen = _v_u.subs(along, delta / 2 - y)
_sech = sp.sech((tau + L) / 2)
_bulk = (1, delta / 2, delta / 2)
_first = sum(a * b for a, b in zip(_bulk, U, strict=True))
_second = U[2] - U[1]
_third = -delta * U[0] + U[1] + U[2]
_widest = 1 + delta**2 / 2
_sum_of_squares = (
    sp.Max(0, 2 - _widest) / _widest * _first**2
    + sp.Max(0, _widest - 2) / 2 * _second**2
    + sp.Max(2, _widest) / (2 + delta**2) * _third**2
)
SIZE_ALONG = bound(
    "local_geometry.c.size",
    "u^T (D - H) u <= (1/2) sqrt(alpha (1 - alpha)) e^(-delta^2/8) max(2, 1 + delta^2/2) |u|^2: "
    "the bound in operator norm, along mu_n - mu_o.",
    plain_along - form_along,
    "<=",
    SIZE * square(U),
    (
        Link("a mean", TAKEN_FORM.right, Combination((Use(TAKEN_FORM),))),
        Link(
            "from the midpoint",
            line((_overlap * _v_u**2).subs(along, delta / 2 - y)),
            Substitution(along, y, delta / 2 - y),
        ),
        Link(
            "s_o s_n p_alpha <= (1/2) sqrt(alpha (1 - alpha) p_o p_n)",
            loss * line(normal(y) * _seen**2),
            Combination(
                remainder=2
                * loss
                * line(normal(y) * _sech * sp.sinh((tau + L) / 4) ** 2 * _seen**2)
            ),
            "<=",
        ),
        Link("Gaussian moments", loss * (_first**2 + _second**2), Algebra()),
        Link(
            "squares of three orthogonal combinations",
            SIZE * square(U),
            Combination(remainder=loss * _sum_of_squares),
            "<=",
        ),
    ),
    box=RANGE,
    source=SOURCE,
)

# across

_taken_across = line(_overlap, along)
TAKEN_FORM_ACROSS = identity(
    "local_geometry.c.taken_form_across",
    "In a coordinate across w^T (D - H) w = E[s_o s_n] (w_o - w_n)^2.",
    plain_across - form_across,
    _taken_across * (W[0] - W[1]) ** 2,
    (
        Link(
            "entry by entry",
            _taken_across * (W[0] - W[1]) ** 2,
            Combination(
                tuple(
                    Use(taken, times=coefficient((ij[0] - 1, ij[1] - 1), W))
                    for ij, (_, taken, _) in ACROSS.items()
                )
            ),
        ),
    ),
    source=SOURCE,
)
NOT_NEGATIVE_ACROSS = bound(
    "local_geometry.c.below_diagonal_across",
    "H <= D across as well.",
    sp.S.Zero,
    "<=",
    plain_across - form_across,
    (
        Link(
            "a square",
            plain_across - form_across,
            Combination((Use(TAKEN_FORM_ACROSS, times=sp.S.NegativeOne),), TAKEN_FORM_ACROSS.right),
            "<=",
        ),
    ),
    source=SOURCE,
)
SIZE_ACROSS = bound(
    "local_geometry.c.size_across",
    "The same bound across, where 2 alone would do: w^T (D - H) w is at most it times |w|^2.",
    plain_across - form_across,
    "<=",
    SIZE * square(W),
    (
        Link("a mean", TAKEN_FORM_ACROSS.right, Combination((Use(TAKEN_FORM_ACROSS),))),
        Link(
            "from the midpoint",
            line(_overlap.subs(along, delta / 2 - y)) * (W[0] - W[1]) ** 2,
            Substitution(along, y, delta / 2 - y),
        ),
        Link(
            "s_o s_n p_alpha <= (1/2) sqrt(alpha (1 - alpha) p_o p_n)",
            loss * (W[0] - W[1]) ** 2,
            Combination(
                remainder=2
                * loss
                * line(normal(y) * _sech * sp.sinh((tau + L) / 4) ** 2)
                * (W[0] - W[1]) ** 2
            ),
            "<=",
        ),
        Link(
            "(w_o - w_n)^2 <= 2 |w|^2",
            SIZE * square(W),
            Combination(remainder=loss * ((W[0] + W[1]) ** 2 + sp.Max(0, _widest - 2) * square(W))),
            "<=",
        ),
    ),
    box=RANGE,
    source=SOURCE,
)

# the form of H itself


def _largest(slug: str, lemma: Claim, form: Expr, u: tuple[Expr, ...], remainder: Expr) -> Claim:
    return bound(
        f"local_geometry.c.{slug}",
        f"The Hessian is at most max(alpha, 1 - alpha){slug.removeprefix('above')}.".replace(
            "_", ", "
        ),
        form,
        "<=",
        larger * square(u),
        (
            Link(
                "H <= D <= max(alpha, 1 - alpha)",
                larger * square(u),
                Combination((Use(lemma),), remainder),
                "<=",
            ),
        ),
        source=SOURCE,
    )


def _least(slug: str, lemma: Claim, form: Expr, u: tuple[Expr, ...], remainder: Expr) -> Claim:
    return bound(
        f"local_geometry.c.{slug}",
        "The Hessian is at least alpha (1 - alpha) less the bound of D - H"
        f"{slug.removeprefix('below').replace('_', ', ')}.",
        (spread - SIZE) * square(u),
        "<=",
        form,
        (
            Link(
                "D >= alpha (1 - alpha)",
                form,
                Combination((Use(lemma),), remainder),
                "<=",
            ),
        ),
        box=RANGE,
        source=SOURCE,
    )


_old_excess, _new_excess = sp.Max(0, 1 - 2 * alpha), sp.Max(0, 2 * alpha - 1)
ABOVE = _largest(
    "above",
    NOT_NEGATIVE,
    form_along,
    U,
    (alpha**2 + _old_excess) * U[0] ** 2 + _old_excess * U[1] ** 2 + _new_excess * U[2] ** 2,
)
ABOVE_ACROSS = _largest(
    "above_across",
    NOT_NEGATIVE_ACROSS,
    form_across,
    W,
    _old_excess * W[0] ** 2 + _new_excess * W[1] ** 2,
)
BELOW = _least(
    "below", SIZE_ALONG, form_along, U, alpha**2 * U[1] ** 2 + (1 - alpha) ** 2 * U[2] ** 2
)
BELOW_ACROSS = _least(
    "below_across",
    SIZE_ACROSS,
    form_across,
    W,
    alpha**2 * W[0] ** 2 + (1 - alpha) ** 2 * W[1] ** 2,
)

CLAIMS = (
    TAKEN_FORM,
    NOT_NEGATIVE,
    SIZE_ALONG,
    TAKEN_FORM_ACROSS,
    NOT_NEGATIVE_ACROSS,
    SIZE_ACROSS,
    ABOVE,
    ABOVE_ACROSS,
    BELOW,
    BELOW_ACROSS,
)
