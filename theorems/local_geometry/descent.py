r"""Part (d): the Polyak-Lojasiewicz inequality of the second-order part of R at the target."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Claim, Combination, Expr, Link, Parameter, Use, bound
from theorems.local_geometry.eigenvalues import square
from theorems.local_geometry.forms import form_across, form_along
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import U, W, across_heads, along_heads, least_along
from theorems.local_geometry.spectrum import LEAST, LEAST_ACROSS, POSITIVE

PRODUCT = "a product of nonnegative numbers is not negative"
share = sp.Symbol("share", positive=True)
SHARE = Parameter(
    "share",
    share,
    sp.Interval.open(0, 1),
    (sp.Rational(1, 8), sp.Rational(7, 8)),
    "a rate over lambda_min",
    typical=sp.Rational(1, 2),
)
_below_one = (share <= 1,)

# the second-order part of the Polyak-Lojasiewicz inequality


def rows(entries: tuple[Expr, ...]) -> tuple[tuple[Expr, ...], ...]:
    """The rows of the symmetric matrix of these entries."""
    if len(entries) == 3:
        a, b, c = entries
        return (a, b), (b, c)
    a, b, c, d, e, f = entries
    return (a, b, c), (b, d, e), (c, e, f)


def image(entries: tuple[Expr, ...], u: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """H u."""
    return tuple(sum(h * x for h, x in zip(row, u, strict=True)) for row in rows(entries))


def _block(
    way: str, entries: tuple[Expr, ...], form: Expr, u: tuple[Expr, ...], least: Claim
) -> tuple[Claim, ...]:
    where = "along mu_n - mu_o" if way == "along" else "in a coordinate across"
    excess = form - least_along * square(u)
    moved = image(entries, u)
    of_form = bound(
        f"local_geometry.d.excess_{way}",
        f"lambda_min (u^T H u - lambda_min |u|^2) >= 0, {where}.",
        sp.S.Zero,
        "<=",
        least_along * excess,
        (Link("both factors", least_along * excess, Cited(PRODUCT, (POSITIVE, least)), "<="),),
        source=SOURCE,
    )
    dominated = bound(
        f"local_geometry.d.dominated_{way}",
        f"lambda_min u^T H u <= |H u|^2, {where}: the Polyak-Lojasiewicz inequality of the "
        "quadratic part of R.",
        least_along * form,
        "<=",
        square(moved),
        (
            Link(
                "|H u|^2 - lambda u^T H u = |H u - lambda u|^2 + lambda (u^T H u - lambda |u|^2)",
                square(moved),
                Combination(
                    (Use(of_form),),
                    square(tuple(a - least_along * b for a, b in zip(moved, u, strict=True))),
                ),
                "<=",
            ),
        ),
        source=SOURCE,
    )
    definite = bound(
        f"local_geometry.d.definite_{way}",
        "For mu = theta lambda_min, theta < 1, the second-order part of |grad R|^2/2 - mu R at the "
        f"target is at least (1 - theta) lambda_min^2 |u|^2/2, {where} (doubled here): a small "
        "enough ball has |grad R|^2/2 >= mu R.",
        (1 - share) * least_along**2 * square(u),
        "<=",
        square(moved) - share * least_along * form,
        (
            Link(
                "both inequalities",
                square(moved) - share * least_along * form,
                Combination((Use(dominated), Use(of_form, times=1 - share))),
                "<=",
            ),
        ),
        where=_below_one,
        source=SOURCE,
    )
    return of_form, dominated, definite


ALONG = _block("along", along_heads, form_along, U, LEAST)
ACROSS = _block("across", across_heads, form_across, W, LEAST_ACROSS)

CLAIMS = (*ALONG, *ACROSS)
