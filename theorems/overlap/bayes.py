r"""Part (h), on half-lines: the Bayes error, what it bounds, and the total variation distance.

The line is cut at the crossing of the two weighted densities, where x = phi + L changes sign.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import L, beta, delta, line, p_n, p_o, phi, q, y
from theorems.overlap.quantities import TV, B, eps_o

x = phi + L
crossing = -phi / delta
CALCULUS = "fundamental theorem of calculus"


def below(f: Expr) -> Expr:
    """The integral of f where X < 0."""
    return sp.Integral(f, (y, -sp.oo, crossing))


def above(f: Expr) -> Expr:
    """The integral of f where X > 0."""
    return sp.Integral(f, (y, crossing, sp.oo))


def primitive(id: str, below: Expr, f: Expr) -> Claim:
    """`below`, which runs from 0 to its limit, is a primitive of f."""
    return identity(
        id,
        "A Gaussian tail is a primitive of the density.",
        sp.diff(below, y),
        f,
        by_algebra("differentiate", f),
        source="reconstructed",
    )


def tail(x: Expr) -> Expr:
    """The standard normal mass beyond x."""
    return sp.erfc(x / sp.sqrt(2)) / 2


_old, _new = beta * p_o, (1 - beta) * p_n
_least = sp.Min(_old, _new)


def _order_of_modes(id: str, smaller: Expr, larger: Expr, ratio: Expr, side: Expr) -> Claim:
    """On one side of the crossing one weighted density is the smaller."""
    return bound(
        id,
        "On its side of the crossing this weighted density is the smaller.",
        smaller,
        "<=",
        larger,
        (
            Link("the log of their ratio is X or -X", larger * sp.exp(ratio), Algebra()),
            Link("which is not positive there", larger, Cited("the exponential increases"), "<="),
        ),
        where=(side,),
        source="reconstructed",
    )


_OLD_BELOW = _order_of_modes("overlap.h.old_below", _old, _new, x, y <= crossing)
_NEW_ABOVE = _order_of_modes("overlap.h.new_above", _new, _old, -x, y >= crossing)
BAYES_FORMULA = identity(
    "overlap.h.bayes_error",
    "The Bayes error is beta Phi(-delta/2 - phi/delta) + (1 - beta) Phi(-delta/2 + phi/delta).",
    B.head,
    B.formula,
    (
        Link("definition", line(_least), Algebra((B,))),
        Link(
            "cut the line where the weighted densities cross",
            beta * below(p_o) + (1 - beta) * above(p_n),
            Cited("additivity of the integral", (_OLD_BELOW, _NEW_ABOVE)),
        ),
        Link(
            "Gaussian tails",
            beta * tail(delta / 2 + phi / delta) + (1 - beta) * tail(delta / 2 - phi / delta),
            Cited(
                CALCULUS,
                (
                    primitive("overlap.h.primitive_old", tail(delta / 2 - y), p_o),
                    primitive("overlap.h.primitive_new", -tail(delta / 2 + y), p_n),
                ),
            ),
        ),
    ),
    source="reconstructed",
)
TV_FORMULA = identity(
    "overlap.f.erf",
    "The total variation distance is erf(delta/(2 sqrt(2))).",
    TV.head,
    TV.formula,
    (
        Link("|a - b| = a + b - 2 min(a, b)", 1 - 2 * B(0, delta), Algebra((TV, B))),
        Link(
            "Bayes error at equal weights",
            TV.formula,
            Combination((Use(BAYES_FORMULA, at={phi: sp.S.Zero}, times=sp.Integer(-2)),)),
        ),
    ),
    source="reconstructed",
)
_BAYES_DEFINITION = identity(
    "overlap.h.definition",
    "The Bayes error is the mass below both weighted densities.",
    B.head,
    line(_least),
    by_algebra("definition", line(_least), B),
    source="reconstructed",
)
BAYES_LOWER = bound(
    "overlap.h.lower",
    "Half the Bayes error is at most beta eps_o.",
    B.head / 2,
    "<=",
    beta * eps_o.head,
    (
        Link(
            "a b/(a + b) is at least min(a, b)/2",
            beta * eps_o.head,
            Combination(remainder=line(_least * sp.Abs(_old - _new) / (2 * q)), unfold=(B, eps_o)),
            "<=",
        ),
    ),
    source="reconstructed",
)
BAYES_UPPER = bound(
    "overlap.h.upper",
    "beta eps_o is at most B(1 - B) (Cover and Hart).",
    beta * eps_o.head,
    "<=",
    B.head * (1 - B.head),
    (
        Link(
            "with m = min(r_o, r_n): E_q[m] = B, r_o r_n = m(1 - m), and the variance of m",
            B.head * (1 - B.head),
            Combination(
                (Use(_BAYES_DEFINITION, times=2 * B.head - 1),),
                remainder=line(q * (_least / q - B.head) ** 2),
                unfold=(eps_o,),
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)

CLAIMS = (TV_FORMULA, BAYES_FORMULA, BAYES_LOWER, BAYES_UPPER)
