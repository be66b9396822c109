r"""Part (b): the map of student and teacher, linearised at (\tau, \tau), and its eigenvalues.

The entries come from second derivatives of the objective; x = h\alpha(1 - \alpha)\kappa(\tau).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Expr,
    Link,
    Use,
    by_algebra,
    identity,
)
from theorems.overlap.quantities import kappa
from theorems.sdft.one_step import SOURCE
from theorems.sdft.quantities import (
    determinant_of,
    discriminant_of,
    jacobian,
    linear_map,
    nu,
    pull,
    rho,
    slopes,
    spectral_radius,
    student,
    teacher,
    trace_of,
)

ROOT = "nonnegative numbers with equal squares are equal"

# the entries

SLOPES = tuple(
    identity(
        f"sdft.b.{each.symbol}",
        f"The {each.text}, is {value}.",
        each.head,
        each.formula,
        by_algebra("differentiate under the integral", each.formula, each, student, teacher, kappa),
        source=SOURCE,
    )
    for each, value in zip(
        slopes, ("1 - x", "x (1 - nu)", "rho (1 - x)", "1 - rho + rho x (1 - nu)"), strict=True
    )
)


def put_in(*times: Expr) -> tuple[Use, ...]:
    """The entries' formulas in their places, each times a factor; 0 leaves an entry out."""
    return tuple(Use(claim, times=each) for claim, each in zip(SLOPES, times, strict=True) if each)


DETERMINANT = identity(
    "sdft.b.determinant",
    "The determinant of the linearised map is (1 - x)(1 - rho).",
    determinant_of(jacobian),
    (1 - pull) * (1 - rho),
    (
        Link(
            "put the entries in",
            (1 - pull) * (1 - rho),
            Combination(put_in(jacobian[3], -jacobian[2], -linear_map[1], linear_map[0])),
        ),
    ),
    source=SOURCE,
)
AT_ONE = identity(
    "sdft.b.characteristic_at_one",
    "The characteristic polynomial at 1 is x rho nu.",
    1 - trace_of(jacobian) + determinant_of(jacobian),
    pull * rho * nu,
    (
        Link(
            "trace and determinant",
            pull * rho * nu,
            Combination((Use(DETERMINANT), *put_in(-1, 0, 0, -1))),
        ),
    ),
    source=SOURCE,
)
_apart = linear_map[0] - linear_map[3] + jacobian[0] - jacobian[3]
DISCRIMINANT = identity(
    "sdft.b.discriminant",
    "The discriminant of the characteristic polynomial, from the entries.",
    discriminant_of(jacobian),
    discriminant_of(linear_map),
    (
        Link(
            "put the entries in",
            discriminant_of(linear_map),
            Combination(put_in(_apart, 4 * jacobian[2], 4 * linear_map[1], -_apart)),
        ),
    ),
    source=SOURCE,
)

# the spectral radius

root = sp.sqrt(discriminant_of(linear_map))
RADIUS = identity(
    "sdft.b.radius",
    "The spectral radius is half the trace and half the root of the discriminant.",
    spectral_radius.head,
    spectral_radius.formula,
    (
        Link("the larger eigenvalue", spectral_radius.definition, Algebra((spectral_radius,))),
        Link("take the root", (trace_of(jacobian) + root) / 2, Cited(ROOT, (DISCRIMINANT,))),
        Link(
            "put the entries in",
            spectral_radius.formula,
            Combination(put_in(sp.S.Half, 0, 0, sp.S.Half)),
        ),
    ),
    source=SOURCE,
)
radius = spectral_radius.formula
EIGENVALUE = identity(
    "sdft.b.eigenvalue",
    "The spectral radius is a root of the characteristic polynomial.",
    radius**2 + determinant_of(linear_map),
    trace_of(linear_map) * radius,
    by_algebra("quadratic formula", trace_of(linear_map) * radius),
    source=SOURCE,
)

CLAIMS = (*SLOPES, DETERMINANT, AT_ONE, DISCRIMINANT, RADIUS, EIGENVALUE)
