r"""The closed form is the smallest eigenvalue: H less it is singular and positive semidefinite,
which the coefficients of its characteristic polynomial tell; and Rayleigh quotients."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.local_geometry.eigenvalues import (
    MATRIX,
    angle,
    block,
    cosine,
    determinant,
    form_of_three,
    form_of_two,
    lambda_2,
    lambda_3,
    matrix,
    parts,
    square,
)
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import U, W

_ratio, _x = sp.symbols("ratio number", real=True)
PARAMETERS = (
    *MATRIX,
    Parameter(
        "ratio",
        _ratio,
        sp.Interval(-1, 1),
        (sp.S.NegativeOne, sp.S.One),
        "det(H - m)/(2 p^3) of a symmetric matrix",
        typical=sp.Rational(1, 3),
    ),
    Parameter(
        "number",
        _x,
        sp.Interval(-sp.oo, sp.oo),
        (sp.Integer(-4), sp.Integer(4)),
        "any real number",
    ),
)

TRIPLE_ANGLE = identity(
    "local_geometry.c.triple_angle",
    "4 cos^3 x - 3 cos x = cos 3x.",
    4 * sp.cos(_x) ** 3 - 3 * sp.cos(_x),
    sp.cos(3 * _x),
    (
        Link(
            "twice",
            sp.cos(3 * _x),
            Cited("addition theorem of the cosine"),
        ),
    ),
    source=SOURCE,
)
COSINE_LOW = bound(
    "local_geometry.c.lowest_branch",
    "cos(acos(r)/3 + 2 pi/3) <= -1/2: the angle lies in [2 pi/3, pi].",
    cosine(_ratio),
    "<=",
    -sp.Rational(1, 2),
    (
        Link(
            "at least 2 pi/3",
            -sp.Rational(1, 2),
            Cited("acos takes values in [0, pi], where the cosine falls"),
            "<=",
        ),
    ),
    source=SOURCE,
)

_mean, _size, _of_three = parts(*matrix)
_lowest = lambda_3.head
_low = cosine(_of_three)
_a, _b, _c, _d, _e, _f = matrix


def _less(x: Expr) -> tuple[tuple[Expr, ...], ...]:
    """The rows of H - x."""
    return (_a - x, _b, _c), (_b, _d - x, _e), (_c, _e, _f - x)


_polynomial = determinant(*_less(_mean)) + 3 * _size**2 * _x - _x**3
_at = {_x: 2 * _size * _low}
CHARACTERISTIC = identity(
    "local_geometry.c.characteristic",
    "det(H - m - x) = det(H - m) + 3 p^2 x - x^3, m the mean of the eigenvalues and 6 p^2 the sum "
    "of their squared deviations.",
    determinant(*_less(_mean + _x)),
    _polynomial,
    by_algebra("H - m has trace 0", _polynomial),
    source=SOURCE,
)
SINGULAR = identity(
    "local_geometry.c.root_of_three",
    "The closed form m + 2 p c of the smallest eigenvalue is a root of the characteristic "
    "polynomial.",
    determinant(*_less(_lowest)),
    sp.S.Zero,
    (
        Link(
            "x = 2 p c",
            _polynomial.subs(_at),
            Combination((Use(CHARACTERISTIC, _at),), unfold=(lambda_3,)),
        ),
        Link(
            "det(H - m) = 2 p^3 r", 2 * _size**3 * (_of_three + 3 * _low - 4 * _low**3), Algebra()
        ),
        Link(
            "three times the angle is acos(r) + 2 pi",
            sp.S.Zero,
            Combination((Use(TRIPLE_ANGLE, {_x: angle(_of_three)}, -2 * _size**3),)),
        ),
    ),
    source=SOURCE,
)
_trace = _a + _d + _f - 3 * _lowest
TRACE = bound(
    "local_geometry.c.trace_of_three",
    "The trace of H less its smallest eigenvalue is not negative.",
    sp.S.Zero,
    "<=",
    _trace,
    (
        Link(
            "it is -6 p cos",
            _trace,
            Combination((Use(COSINE_LOW, {_ratio: _of_three}, 6 * _size),), 3 * _size, (lambda_3,)),
            "<=",
        ),
    ),
    source=SOURCE,
)
_minors = sum(
    rows[i][i] * rows[j][j] - rows[i][j] ** 2
    for rows in (_less(_lowest),)
    for i, j in ((0, 1), (0, 2), (1, 2))
)
MINORS = bound(
    "local_geometry.c.minors_of_three",
    "The principal minors of two rows of H less its smallest eigenvalue add up to no less than 0.",
    sp.S.Zero,
    "<=",
    _minors,
    (
        Link(
            "it is 3 p^2 (4 cos^2 - 1)",
            _minors,
            Combination(
                (Use(COSINE_LOW, {_ratio: _of_three}, 12 * _size**2),),
                12 * _size**2 * (_low + sp.Rational(1, 2)) ** 2,
                (lambda_3,),
            ),
            "<=",
        ),
    ),
    source=SOURCE,
)
SEMIDEFINITE = (
    "a symmetric matrix is positive semidefinite if the coefficients of its characteristic "
    "polynomial alternate in sign"
)


def _rayleigh(rows: str, least: Expr, form: Expr, u: tuple[Expr, ...], *premises: Claim) -> Claim:
    return bound(
        f"local_geometry.c.rayleigh_of_{rows}",
        f"The smallest eigenvalue of {rows} rows bounds the form: lambda |u|^2 <= u^T H u.",
        least * square(u),
        "<=",
        form,
        (
            Link(
                "H less its smallest eigenvalue is positive semidefinite",
                form,
                Cited(SEMIDEFINITE, premises),
                "<=",
            ),
        ),
        source=SOURCE,
    )


RAYLEIGH = _rayleigh("three", _lowest, form_of_three(matrix, U), U, TRACE, MINORS, SINGULAR)
_lower = lambda_2.head
SINGULAR_OF_TWO = identity(
    "local_geometry.c.root_of_two",
    "The closed form of the smaller eigenvalue is a root of the characteristic polynomial.",
    (_d - _lower) * (_f - _lower) - _e**2,
    sp.S.Zero,
    by_algebra("product of a sum and a difference", sp.S.Zero, lambda_2),
    source=SOURCE,
)
TRACE_OF_TWO = bound(
    "local_geometry.c.trace_of_two",
    "The trace of two rows less their smaller eigenvalue is not negative.",
    sp.S.Zero,
    "<=",
    _d + _f - 2 * _lower,
    (
        Link(
            "it is a root",
            _d + _f - 2 * _lower,
            Combination(remainder=2 * sp.sqrt((_d - _f) ** 2 / 4 + _e**2), unfold=(lambda_2,)),
            "<=",
        ),
    ),
    source=SOURCE,
)
RAYLEIGH_OF_TWO = _rayleigh("two", _lower, form_of_two(block, W), W, TRACE_OF_TWO, SINGULAR_OF_TWO)

CLAIMS = (
    TRIPLE_ANGLE,
    COSINE_LOW,
    CHARACTERISTIC,
    SINGULAR,
    TRACE,
    MINORS,
    RAYLEIGH,
    SINGULAR_OF_TWO,
    TRACE_OF_TWO,
    RAYLEIGH_OF_TWO,
)
