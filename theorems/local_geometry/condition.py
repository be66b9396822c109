r"""Part (c): the largest eigenvalue of the Hessian in R^d, and its condition number."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.local_geometry.blocks import curvature
from theorems.local_geometry.eigenvalues import square
from theorems.local_geometry.forms import (
    ABOVE,
    ABOVE_ACROSS,
    RANGE,
    SIZE,
    SIZE_ALONG,
    form_across,
    form_along,
    larger,
)
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import (
    U,
    W,
    along_heads,
    greatest_across,
    greatest_along,
    lambda_max,
    least_along,
    spread,
)
from theorems.local_geometry.rayleigh import (
    RAYLEIGH,
    RAYLEIGH_OF_TWO,
    SINGULAR,
    SINGULAR_OF_TWO,
)
from theorems.local_geometry.spectrum import (
    EXTREMUM,
    LOWER,
    RAYLEIGH_RITZ,
    SMALLEST,
    UPPER_ALONG,
    at_across,
    at_along,
    at_basis,
)
from theorems.mixture import alpha, phi, tau
from theorems.overlap.identities import KAPPA_COUPLED

# the largest eigenvalue

_negated = tuple({entry: -head for entry, head in each.items()} for each in (at_along, at_across))
_blocks = (greatest_along, greatest_across)
LARGEST_ALONG, LARGEST_ACROSS = (
    bound(
        f"local_geometry.c.greatest{'_across' if which else ''}",
        "The Hessian is at most lambda_max" + (" across." if which else " along mu_n - mu_o."),
        form,
        "<=",
        lambda_max.head * square(u),
        (
            Link(
                "Rayleigh quotient of -H",
                _blocks[which] * square(u),
                Combination((Use(rayleigh, _negated[which]),)),
                "<=",
            ),
            Link(
                "the larger of both blocks",
                lambda_max.definition * square(u),
                Combination(remainder=sp.Max(0, _blocks[1 - which] - _blocks[which]) * square(u)),
                "<=",
            ),
            Link("definition", lambda_max.head * square(u), Algebra((lambda_max,))),
        ),
        source=SOURCE,
    )
    for which, (form, u, rayleigh) in enumerate(
        ((form_along, U, RAYLEIGH), (form_across, W, RAYLEIGH_OF_TWO))
    )
)
LARGEST_ABOVE = bound(
    "local_geometry.c.largest_above",
    "lambda_max <= max(alpha, 1 - alpha).",
    lambda_max.head,
    "<=",
    larger,
    (
        Link(
            "it bounds every Rayleigh quotient, and lambda_max is one",
            larger,
            Cited(RAYLEIGH_RITZ, (ABOVE, ABOVE_ACROSS, SINGULAR, SINGULAR_OF_TWO)),
            "<=",
        ),
    ),
    source=SOURCE,
)


def _component(k: int, words: str) -> Claim:
    weight, entry = (alpha, along_heads[3]) if k == 1 else (1 - alpha, along_heads[5])
    return bound(
        f"local_geometry.c.largest_{words}",
        f"lambda_max is at least the {words} component's weight less the bound of D - H.",
        weight - SIZE,
        "<=",
        lambda_max.head,
        (
            Link(
                "the Rayleigh quotient of one mean",
                entry,
                Combination((Use(SIZE_ALONG, at_basis(k)),)),
                "<=",
            ),
            Link(
                "lambda_max", lambda_max.head, Combination((Use(LARGEST_ALONG, at_basis(k)),)), "<="
            ),
        ),
        box=RANGE,
        source=SOURCE,
    )


LARGEST_OLD, LARGEST_NEW = _component(1, "old"), _component(2, "new")
LARGEST_BELOW = bound(
    "local_geometry.c.largest_below",
    "max(alpha, 1 - alpha) less the bound of D - H is at most lambda_max.",
    larger - SIZE,
    "<=",
    lambda_max.head,
    (
        Link(
            "the larger weight",
            lambda_max.head,
            Cited(EXTREMUM, (LARGEST_OLD, LARGEST_NEW)),
            "<=",
        ),
    ),
    box=RANGE,
    source=SOURCE,
)

# condition number

_separated = (spread >= SIZE,)
_excess = alpha**2 + sp.Max(0, 1 - 2 * alpha)  # max(alpha, 1 - alpha) - alpha (1 - alpha)
CONDITION_ABOVE = bound(
    "local_geometry.c.condition_above",
    "lambda_max/lambda_min <= max(alpha, 1 - alpha)/(alpha (1 - alpha) - b), b the bound of D - H: "
    "multiplied out, where b <= alpha (1 - alpha).",
    lambda_max.head * (spread - SIZE),
    "<=",
    larger * least_along,
    (
        Link(
            "lambda_max from above, lambda_min from below",
            larger * least_along,
            Combination(
                (
                    Use(LARGEST_ABOVE, times=spread - SIZE),
                    Use(LOWER, times=larger),
                    Use(SMALLEST, times=-larger),
                )
            ),
            "<=",
        ),
    ),
    kind="limit",
    where=_separated,
    box=RANGE,
    source=SOURCE,
)
CONDITION_BELOW = bound(
    "local_geometry.c.condition_below",
    "lambda_max/lambda_min >= (max(alpha, 1 - alpha) - b)/(alpha (1 - alpha) kappa): multiplied "
    "out, where b <= alpha (1 - alpha). Since b -> 0 and kappa -> 1 the condition number tends to "
    "max(alpha, 1 - alpha)/(alpha (1 - alpha)).",
    (larger - SIZE) * least_along,
    "<=",
    curvature * lambda_max.head,
    (
        Link(
            "lambda_min from above, lambda_max from below",
            curvature * lambda_max.head,
            Combination(
                (
                    Use(UPPER_ALONG, times=spread - SIZE),
                    Use(UPPER_ALONG, times=_excess),
                    Use(LARGEST_BELOW, times=spread * KAPPA_COUPLED.right.subs(phi, tau)),
                    Use(
                        KAPPA_COUPLED,
                        {phi: tau},
                        -spread * (lambda_max.head - larger + SIZE),
                    ),
                ),
            ),
            "<=",
        ),
    ),
    kind="limit",
    where=_separated,
    box=RANGE,
    source=SOURCE,
)
CONDITION_LIMIT = identity(
    "local_geometry.c.condition_limit",
    "max(alpha, 1 - alpha)/(alpha (1 - alpha)) = 1/min(alpha, 1 - alpha).",
    larger / spread,
    1 / sp.Min(alpha, 1 - alpha),
    by_algebra("the product of both weights", 1 / sp.Min(alpha, 1 - alpha)),
    source=SOURCE,
)

CLAIMS = (
    LARGEST_ALONG,
    LARGEST_ACROSS,
    LARGEST_ABOVE,
    LARGEST_OLD,
    LARGEST_NEW,
    LARGEST_BELOW,
    CONDITION_ABOVE,
    CONDITION_BELOW,
    CONDITION_LIMIT,
)
