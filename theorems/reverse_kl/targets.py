r"""Theorem 2.2(g): it is the target that retains, not the direction."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import KL_forward
from theorems.language import Algebra, Cited, Combination, Link, Use, identity, positive
from theorems.mixture import L, beta, c, delta, line, p_alpha, p_n, p_o, phi, q, tau, y
from theorems.overlap.quantities import A, kappa
from theorems.overlap.softplus import SOFTPLUS_MIRROR
from theorems.reverse_kl.gradient import GIBBS, W_FORMULA, softplus
from theorems.reverse_kl.quantities import KL_new_data, W, dKL_mass_covering, dKL_new_data, spread

NEW_DATA_OBJECTIVE = identity(
    "reverse_kl.g.new_data_objective",
    "KL(q || p_n) = log(1 - beta) + beta (phi + delta^2/2 + A(-phi)) + (1 - beta) A(phi).",
    KL_new_data.head,
    KL_new_data.formula,
    (
        Link(
            "q/p_n = (1 - beta)(1 + e^(phi + L)) = beta e^L (1 + e^-(phi + L))",
            beta * (sp.log(beta) + delta**2 / 2 + line(p_o * softplus(-phi - L)))
            + (1 - beta) * (sp.log(1 - beta) + A(phi, delta)),
            Algebra((KL_new_data, A)),
        ),
        Link(
            "seen from the old mode, A is the same; log beta = phi + log(1 - beta)",
            KL_new_data.formula,
            Combination((Use(SOFTPLUS_MIRROR, {c: -phi}, beta),)),
        ),
    ),
    source="ours",
)
NEW_DATA_FORMULA = identity(
    "reverse_kl.g.new_data_gradient",
    "For the target p_n alone dR/dphi = beta (1 - beta) (delta^2/2 + phi - A(phi) + A(-phi)).",
    dKL_new_data.head,
    dKL_new_data.formula,
    (
        Link(
            "differentiate under the integral",
            line(sp.diff(q, phi) * (sp.log(q / p_n) + 1)),
            Algebra((dKL_new_data,)),
        ),
        Link(
            "dq/dphi = beta (1 - beta)(p_o - p_n), of integral 0",
            spread * (phi + delta**2 / 2 + line(p_o * softplus(-phi - L)) - A(phi, delta)),
            Algebra((A,)),
        ),
        Link(
            "seen from the old mode, A is the same",
            dKL_new_data.formula,
            Combination((Use(SOFTPLUS_MIRROR, {c: -phi}, spread),)),
        ),
    ),
    source="ours",
)
NEW_DATA_ACCUMULATED = identity(
    "reverse_kl.g.new_data_accumulated",
    "For the target p_n alone dR/dphi = beta (1 - beta) "
    "(delta^2/2 + the integral of kappa from 0 to phi).",
    dKL_new_data.head,
    spread * (delta**2 / 2 + W(phi, sp.S.Zero, delta)),
    (
        Link("through A", dKL_new_data.formula, Combination((Use(NEW_DATA_FORMULA),))),
        Link(
            "accumulate kappa",
            spread * (delta**2 / 2 + W(phi, sp.S.Zero, delta)),
            Combination((Use(W_FORMULA, {tau: sp.S.Zero}, -spread),)),
        ),
    ),
    source="ours",
)
_both_ways = KL_new_data.head + KL_forward.head
NEW_DATA_BOTH_WAYS = identity(
    "reverse_kl.g.both_ways",
    "For the target p_n alone dR/dphi = (1 - beta) (KL(q || p_n) + KL(p_n || q)).",
    dKL_new_data.head,
    (1 - beta) * _both_ways,
    (
        Link(
            "differentiate under the integral",
            line(sp.diff(q, phi) * (sp.log(q / p_n) + 1)),
            Algebra((dKL_new_data,)),
        ),
        Link(
            "beta dq/dbeta = q - p_n",
            (1 - beta) * _both_ways,
            Algebra((KL_new_data, KL_forward)),
        ),
    ),
    source="ours",
)
MEANS_DIFFER = positive(
    "reverse_kl.g.means_differ",
    "q and p_n have different means, so they differ.",
    line(y * (q - p_n)),
    (
        Link("beta delta is positive", beta * delta, Combination(remainder=beta * delta), "<"),
        Link("mean of the mixture", line(y * (q - p_n)), Algebra()),
    ),
    source="ours",
)
BOTH_WAYS_POSITIVE = positive(
    "reverse_kl.g.divergences_positive",
    "KL(q || p_n) + KL(p_n || q) is positive.",
    _both_ways,
    (Link("both divergences are positive", _both_ways, Cited(GIBBS, (MEANS_DIFFER,)), "<"),),
    source="ours",
)
NEW_DATA_LOSES = positive(
    "reverse_kl.g.new_data_loses",
    "For the target p_n alone dR/dphi is positive everywhere: reverse KL loses the old mass too.",
    dKL_new_data.head,
    (
        Link(
            "both divergences are positive",
            dKL_new_data.head,
            Combination(
                (
                    Use(NEW_DATA_BOTH_WAYS, times=sp.S.NegativeOne),
                    Use(BOTH_WAYS_POSITIVE, times=1 - beta),
                )
            ),
            "<",
        ),
    ),
    source="ours",
)
MASS_COVERING = identity(
    "reverse_kl.g.mass_covering",
    "KL(p_alpha || q) has the derivative (beta - alpha) kappa in phi: the target retains.",
    dKL_mass_covering.head,
    dKL_mass_covering.formula,
    (
        Link(
            "differentiate under the integral",
            -line(p_alpha * sp.diff(q, phi) / q),
            Algebra((dKL_mass_covering,)),
        ),
        Link(
            "alpha p_o r_n and (1 - alpha) p_n r_o, in balance",
            dKL_mass_covering.formula,
            Algebra((kappa,)),
        ),
    ),
    source="ours",
)

CLAIMS = (
    NEW_DATA_OBJECTIVE,
    NEW_DATA_FORMULA,
    NEW_DATA_ACCUMULATED,
    NEW_DATA_BOTH_WAYS,
    MEANS_DIFFER,
    BOTH_WAYS_POSITIVE,
    NEW_DATA_LOSES,
    MASS_COVERING,
)
