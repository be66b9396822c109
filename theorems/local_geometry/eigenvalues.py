r"""The smallest eigenvalue of a symmetric matrix of two or three rows, in closed form."""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Parameter, Quantity


def form_of_two(entries: tuple[Expr, ...], u: tuple[Expr, ...]) -> Expr:
    """The quadratic form of [[a, b], [b, c]] at u."""
    a, b, c = entries
    return a * u[0] ** 2 + 2 * b * u[0] * u[1] + c * u[1] ** 2


def form_of_three(entries: tuple[Expr, ...], u: tuple[Expr, ...]) -> Expr:
    """The quadratic form of [[a, b, c], [b, d, e], [c, e, f]] at u."""
    a, b, c, *rest = entries
    first = a * u[0] ** 2 + 2 * (b * u[1] + c * u[2]) * u[0]
    return first + form_of_two(tuple(rest), u[1:])


def coefficient(pair: tuple[int, int], u: tuple[Expr, ...]) -> Expr:
    """What the quadratic form at u multiplies the entry `pair` of the upper triangle with."""
    i, j = pair
    return (1 if i == j else 2) * u[i] * u[j]


def determinant(*rows: tuple[Expr, ...]) -> Expr:
    """The determinant of three rows."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def square(u: tuple[Expr, ...]) -> Expr:
    """The squared Euclidean size of a direction."""
    return sum(component**2 for component in u)


def parts(a: Expr, b: Expr, c: Expr, d: Expr, e: Expr, f: Expr) -> tuple[Expr, Expr, Expr]:
    """Of a symmetric matrix H: the mean m of its eigenvalues, p with 6 p^2 the sum of their squared
    deviations, and det(H - m)/(2 p^3), which lies in [-1, 1]."""
    mean = (a + d + f) / 3
    a, d, f = a - mean, d - mean, f - mean
    size = sp.sqrt((a**2 + d**2 + f**2 + 2 * (b**2 + c**2 + e**2)) / 6)
    return mean, size, determinant((a, b, c), (b, d, e), (c, e, f)) / (2 * size**3)


def angle(ratio: Expr) -> Expr:
    """Where the smallest eigenvalue is m + 2 p cos(angle); in [2 pi/3, pi]."""
    return sp.acos(ratio) / 3 + 2 * sp.pi / 3


def cosine(ratio: Expr) -> Expr:
    """(smallest eigenvalue - m)/(2 p)."""
    return sp.cos(angle(ratio))


_ENTRIES = tuple(
    Parameter(
        name,
        sp.Symbol(name, real=True),
        sp.Interval(-sp.oo, sp.oo),
        (sp.Integer(-2), sp.Integer(2)),
        "an entry of a symmetric matrix",
        typical=sp.Rational(k, 3),
    )
    for k, name in enumerate(("h_11", "h_12", "h_13", "h_22", "h_23", "h_33"))
)
MATRIX, BLOCK = _ENTRIES, _ENTRIES[3:]
matrix, block = (tuple(p.symbol for p in each) for each in (MATRIX, BLOCK))


def _least(
    name: str, symbol: str, parameters: tuple[Parameter, ...], closed_form: Expr
) -> Quantity:
    why = "a function of any symmetric matrix; of the Hessian it is measured"
    return Quantity(
        name,
        symbol,
        parameters,
        closed_form,
        closed_form,
        f"smallest eigenvalue of a symmetric matrix, {name.replace('_', ' ')}",
        exempt={"precise": why, "monte_carlo": why},
    )


_mean, _size, _of_three = parts(*matrix)
_a, _b, _c = block
lambda_2 = _least(
    "least_of_two_rows", "lambda_2", BLOCK, (_a + _c) / 2 - sp.sqrt((_a - _c) ** 2 / 4 + _b**2)
)
lambda_3 = _least("least_of_three_rows", "lambda_3", MATRIX, _mean + 2 * _size * cosine(_of_three))
