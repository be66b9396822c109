r"""Part (d), locality: what the residual of the reward does to a correct old mean.

On the line the first axis of the plane runs against y: along \mu_n - \mu_o means along -y.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theorems.forward_kl.quantities import NEAR
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
from theorems.mixture import (
    L,
    delta,
    line,
    normal,
    p_n,
    phi,
    r_o,
    tau,
    y,
    z,
)
from theorems.oapl.quantities import (
    grad_old_residual,
    residual_drift,
    temperature,
)
from theorems.overlap.quantities import decay
from theorems.ttt_discover.quantities import reference_logit, reference_weight

_along = delta / 2 - y  # y - mu_o, along mu_n - mu_o
heading = sp.Symbol("heading", real=True)
residual_bound = sp.Symbol("residual_bound", positive=True)
RESIDUAL_BOUND = Parameter(
    "residual_bound",
    residual_bound,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 4), sp.Integer(2)),
    "bound E of the residual",
)
HEADING = Parameter(
    "heading",
    heading,
    sp.Interval(-1, 1),
    (sp.S.NegativeOne, sp.S.One),
    "cosine of a direction with mu_n - mu_o",
    typical=sp.Rational(1, 2),
)
SPLIT = identity(
    "oapl.d.split",
    "At correct means the gradient in the old mean is 2T alpha_0 E_{p_o}[e r_o (y - mu_o)] "
    "+ 2T (1 - alpha_0) E_{p_n}[e r_o (y - mu_o)], along mu_n - mu_o, with the residual "
    "e = T log q/q_beta* of the realisable reward.",
    grad_old_residual.head,
    grad_old_residual.formula,
    by_algebra(
        "q_ref = alpha_0 p_o + (1 - alpha_0) p_n", grad_old_residual.formula, grad_old_residual
    ),
    box=NEAR,
    source="reconstructed",
)
RESIDUAL = identity(
    "oapl.d.residual",
    "The new mode's part for the residual s_o - s_n = tanh((logit alpha + L)/2).",
    residual_drift.head,
    residual_drift.formula,
    by_algebra("complete the square", residual_drift.formula, residual_drift),
    source="reconstructed",
)
_reach = sp.sqrt(1 + delta**2 / 4)
leak = sp.exp(phi / 2) * decay / 2
LEAK = bound(
    "oapl.d.leak",
    "E_{p_n}[r_o |y - mu_o|] <= (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) sqrt(1 + delta^2/4), "
    "along mu_n - mu_o.",
    line(p_n * r_o * sp.Abs(_along)),
    "<=",
    leak * _reach,
    (
        Link(
            "sech <= 1 under the midpoint density",
            leak * line(normal(y) * sp.Abs(_along)),
            Combination(
                remainder=leak * line(normal(y) * sp.Abs(_along) * (1 - sp.sech((phi + L) / 2)))
            ),
            "<=",
        ),
        Link(
            "a mean is at most the root of the mean square",
            leak * _reach,
            Combination(
                remainder=leak * line(normal(y) * (sp.Abs(_along) - _reach) ** 2) / (2 * _reach)
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
DIRECTION = bound(
    "oapl.d.direction",
    "Under the midpoint density no direction in R^d has a second moment about mu_o above "
    "1 + delta^2/4, which is that along mu_n - mu_o: the bound holds for the vector's size.",
    heading**2 * line(normal(y) * _along**2) + (1 - heading**2) * line(normal(z) * z**2, z),
    "<=",
    _reach**2,
    (
        Link(
            "1 across, 1 + delta^2/4 along",
            _reach**2,
            Combination(remainder=(1 - heading**2) * delta**2 / 4),
            "<=",
        ),
    ),
    where=(heading**2 <= 1,),
    source="reconstructed",
)


_any_residual = sp.tanh(sp.Function("score", real=True)(y))
_at_reference = {phi: reference_logit}


def _one_way(part: str, way: int, residual: Expr, share: Expr) -> Claim:
    """E_{p_n}[e r_o (y - mu_o)], or its negative, against E_{p_n}[r_o |y - mu_o|], |e| < 1."""
    right = line(p_n * share * sp.Abs(_along))
    spare = sp.Max(-way * _along, 0) * (1 + residual) + sp.Max(way * _along, 0) * (1 - residual)
    return bound(
        f"oapl.d.{part}",
        "No residual below 1 in size does more than one of size 1.",
        way * line(p_n * residual * share * _along),
        "<=",
        right,
        (Link("|e| < 1", right, Combination(remainder=line(p_n * share * spare)), "<="),),
        source="reconstructed",
    )


def _leaks(part: str, residual: Expr, scale: Expr, at: Mapping[Expr, Expr]) -> tuple[Link, ...]:
    """From |scale E_{p_n}[e r_o (y - mu_o)]| to its bound."""
    both = tuple(
        _one_way(f"{part}_{name}", way, residual, r_o.subs(at))
        for name, way in (("above", 1), ("below", -1))
    )
    middle, right = (scale * side.subs(at) for side in (LEAK.left, LEAK.right))
    within = Cited("a number between -x and x is at most x in size", both)
    return (
        Link("|e| < 1", middle, within, "<="),
        Link("leakage", right, Combination((Use(LEAK, at, scale),)), "<="),
    )


_scale = 2 * temperature * (1 - reference_weight)
_any_links = _leaks("any", _any_residual, residual_bound * _scale, {})
SIZE_OF_ANY = bound(
    "oapl.d.size_of_any",
    "For every residual |e| < E the new mode's part is at most "
    "T E (1 - alpha_0) sqrt(beta/(1 - beta)) e^(-delta^2/8) sqrt(1 + delta^2/4).",
    sp.Abs(residual_bound * _scale * line(p_n * _any_residual * r_o * _along)),
    "<=",
    _any_links[-1].to,
    _any_links,
    source="reconstructed",
)
_soft_residual = sp.tanh((tau + L) / 2)  # s_o - s_n
_soft_links = _leaks("soft", _soft_residual, _scale, _at_reference)
RESIDUAL_SIZE = bound(
    "oapl.d.size",
    "For the residual s_o - s_n, at the reference, it is at most "
    "T (1 - alpha_0) sqrt(alpha_0/(1 - alpha_0)) e^(-delta^2/8) sqrt(1 + delta^2/4).",
    sp.Abs(residual_drift.head),
    "<=",
    _soft_links[-1].to,
    (
        Link(
            "the residual",
            sp.Abs(_scale * line(p_n * _soft_residual * r_o.subs(_at_reference) * _along)),
            Algebra((residual_drift,)),
        ),
        *_soft_links,
    ),
    source="reconstructed",
)

CLAIMS = (SPLIT, RESIDUAL, LEAK, DIRECTION, SIZE_OF_ANY, RESIDUAL_SIZE)
