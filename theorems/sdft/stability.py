r"""Part (b): the linearised map contracts, its spectral radius being below 1, if and only if
\nu > 0; at \nu = 0 it is 1."""

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
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import alpha, phi, tau
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_COUPLED, KAPPA_POSITIVE
from theorems.sdft.contraction import DOMAIN
from theorems.sdft.linear import AT_ONE, DETERMINANT, EIGENVALUE, RADIUS, ROOT, put_in, radius, root
from theorems.sdft.one_step import AVERAGED, MIXED, SHORT, SOURCE, WHOLE_STEP
from theorems.sdft.quantities import (
    determinant_of,
    discriminant_of,
    jacobian,
    linear_map,
    nu,
    pull,
    rho,
    spectral_radius,
    step,
    trace_of,
)

JURY = "Jury's criterion for a real 2 x 2 matrix"

# the entries are not negative, and the spectral radius is the larger eigenvalue in modulus

_unit = step * alpha * (1 - alpha)
PULL_BELOW_ONE = bound(
    "sdft.b.pull_below_one",
    "x = h alpha (1 - alpha) kappa(tau) is below 1.",
    pull,
    "<",
    sp.S.One,
    (
        Link(
            "kappa < 1",
            _unit,
            Combination((Use(KAPPA_BELOW_ONE, {phi: tau}, _unit),)),
            "<",
        ),
        Link("h <= 4", sp.S.One, Combination((Use(WHOLE_STEP, {phi: tau}),)), "<="),
    ),
    where=SHORT,
    source=SOURCE,
)


def _pull_times(factor: Expr) -> Use:
    """x is positive, times a factor."""
    return Use(KAPPA_POSITIVE, {phi: tau}, _unit * factor)


_bent = 4 * rho * (1 - nu) * _unit
DISCRIMINANT_NONNEGATIVE = bound(
    "sdft.b.discriminant_nonnegative",
    "No entry is negative, so the discriminant is not, and both eigenvalues are real.",
    sp.S.Zero,
    "<=",
    discriminant_of(linear_map),
    (
        Link(
            "0 < x < 1",
            discriminant_of(linear_map),
            Combination(
                (
                    Use(PULL_BELOW_ONE, times=_bent * KAPPA_COUPLED.right.subs(phi, tau)),
                    Use(KAPPA_COUPLED, {phi: tau}, -_bent * (1 - pull)),
                ),
                (linear_map[0] - linear_map[3]) ** 2,
            ),
            "<=",
        ),
    ),
    where=(*SHORT, *MIXED),
    source=SOURCE,
)
TRACE_POSITIVE = positive(
    "sdft.b.trace_positive",
    "The trace is positive.",
    trace_of(linear_map),
    (
        Link(
            "x < 1 and rho <= 1",
            trace_of(linear_map),
            Combination((Use(PULL_BELOW_ONE), _pull_times(rho * (1 - nu))), 1 - rho),
            "<",
        ),
    ),
    where=DOMAIN,
    source=SOURCE,
)
HALF_THE_TRACE = bound(
    "sdft.b.half_the_trace",
    "The spectral radius is at least half the trace.",
    trace_of(linear_map) / 2,
    "<=",
    radius,
    (Link("a root is not negative", radius, Combination(remainder=root / 2), "<="),),
    source=SOURCE,
)
LARGEST = bound(
    "sdft.b.largest",
    "The other eigenvalue, the trace less the spectral radius, is no larger in modulus.",
    sp.Abs(trace_of(linear_map) - radius),
    "<=",
    radius,
    (
        Link(
            "their sum is positive, and so is what the spectral radius is larger by",
            radius,
            Cited(
                "definition of the absolute value",
                (DISCRIMINANT_NONNEGATIVE, TRACE_POSITIVE, HALF_THE_TRACE),
            ),
            "<=",
        ),
    ),
    where=DOMAIN,
    source=SOURCE,
)

# below 1 if and only if the anchor holds

AT_ONE_POSITIVE = positive(
    "sdft.b.jury_at_one",
    "For nu > 0 the characteristic polynomial is positive at 1.",
    1 - trace_of(jacobian) + determinant_of(jacobian),
    (
        Link("x is positive", pull * rho * nu, Combination((_pull_times(rho * nu),)), "<"),
        Link(
            "its value",
            1 - trace_of(jacobian) + determinant_of(jacobian),
            Combination((Use(AT_ONE, times=sp.S.NegativeOne),)),
        ),
    ),
    where=(nu > 0,),
    source=SOURCE,
)
AT_MINUS_ONE = positive(
    "sdft.b.jury_at_minus_one",
    "The characteristic polynomial is positive at -1.",
    1 + trace_of(jacobian) + determinant_of(jacobian),
    (
        Link(
            "x < 1 and rho <= 1",
            1 + trace_of(linear_map) + (1 - pull) * (1 - rho),
            Combination((Use(TRACE_POSITIVE), Use(PULL_BELOW_ONE, times=1 - rho)), sp.S.One),
            "<",
        ),
        Link(
            "trace and determinant",
            1 + trace_of(jacobian) + determinant_of(jacobian),
            Combination((Use(DETERMINANT, times=sp.S.NegativeOne), *put_in(-1, 0, 0, -1))),
        ),
    ),
    where=DOMAIN,
    source=SOURCE,
)
BELOW_ONE = bound(
    "sdft.b.jury_determinant",
    "The determinant is below 1.",
    determinant_of(jacobian),
    "<",
    sp.S.One,
    (
        Link("its value", (1 - pull) * (1 - rho), Combination((Use(DETERMINANT),))),
        Link(
            "x and rho are positive",
            sp.S.One,
            Combination((_pull_times(1 - rho),), rho),
            "<",
        ),
    ),
    where=AVERAGED,
    source=SOURCE,
)
STABLE = bound(
    "sdft.b.stable",
    "For nu > 0 the spectral radius is below 1.",
    spectral_radius.head,
    "<",
    sp.S.One,
    (
        Link(
            "the eigenvalues lie in the unit disc",
            sp.S.One,
            Cited(JURY, (RADIUS, EIGENVALUE, LARGEST, AT_ONE_POSITIVE, AT_MINUS_ONE, BELOW_ONE)),
            "<",
        ),
    ),
    where=(nu > 0, *DOMAIN),
    source=SOURCE,
)
_without = {nu: sp.S.Zero}
_square = rho + pull * (1 - rho)
SQUARE_WITHOUT = identity(
    "sdft.b.square_without_anchor",
    "At nu = 0 the discriminant is a square, that of rho + x (1 - rho).",
    discriminant_of(linear_map).subs(_without),
    _square**2,
    by_algebra("expand", _square**2),
    source=SOURCE,
)
ROOT_WITHOUT = positive(
    "sdft.b.root_without_anchor",
    "rho + x (1 - rho) is positive.",
    _square,
    (Link("x and rho are", _square, Combination((_pull_times(1 - rho),), rho), "<"),),
    where=AVERAGED,
    source=SOURCE,
)
NEUTRAL = identity(
    "sdft.b.neutral",
    "At nu = 0 the spectral radius is 1: the anchor is what makes the map contract.",
    spectral_radius.head.subs(_without),
    sp.S.One,
    (
        Link(
            "formula", spectral_radius.formula.subs(_without), Combination((Use(RADIUS, _without),))
        ),
        Link(
            "take the root",
            (trace_of(linear_map).subs(_without) + _square) / 2,
            Cited(ROOT, (SQUARE_WITHOUT, ROOT_WITHOUT)),
        ),
        Link("add up", sp.S.One, Algebra()),
    ),
    where=AVERAGED,
    source=SOURCE,
)

CLAIMS = (
    PULL_BELOW_ONE,
    DISCRIMINANT_NONNEGATIVE,
    TRACE_POSITIVE,
    HALF_THE_TRACE,
    LARGEST,
    AT_ONE_POSITIVE,
    AT_MINUS_ONE,
    BELOW_ONE,
    STABLE,
    SQUARE_WITHOUT,
    ROOT_WITHOUT,
    NEUTRAL,
)
