r"""What the overlap lemma speaks of: the quantities, each from its definition on the line."""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Quantity
from theorems.mixture import (
    DELTA,
    PHI,
    SHIFT,
    L,
    beta,
    c,
    delta,
    line,
    normal,
    p_n,
    p_o,
    phi,
    r_n,
    r_o,
    sigma,
    y,
)


def sech_kernel(shift: Expr = phi) -> Expr:
    """The midpoint density times sech((shift + L)/2): the integrand of S."""
    return normal(y) * sp.sech((shift + L) / 2)


decay = sp.exp(-(delta**2) / 8)

BC = Quantity(
    "bhattacharyya",
    "BC",
    (DELTA,),
    line(sp.sqrt(p_o * p_n)),
    decay,
    "Bhattacharyya coefficient of the two modes",
    positive=True,
)
S = Quantity(
    "sech_overlap",
    "S",
    (PHI, DELTA),
    line(sech_kernel()),
    line(sech_kernel()),
    "mean of sech((phi + L)/2) under the density N(midpoint, Sigma)",
    positive=True,
)
eps_o = Quantity(
    "misassignment_old",
    "eps_o",
    (PHI, DELTA),
    line(p_o * r_n),
    sp.exp(-phi / 2) * decay * S.head / 2,
    "misassignment of the old mode, E_{p_o}[r_n]",
    positive=True,
)
eps_n = Quantity(
    "misassignment_new",
    "eps_n",
    (PHI, DELTA),
    line(p_n * r_o),
    sp.exp(phi / 2) * decay * S.head / 2,
    "misassignment of the new mode, E_{p_n}[r_o]",
    positive=True,
)
kappa = Quantity(
    "distinguishability",
    "kappa",
    (PHI, DELTA),
    1 - line(p_o * r_n) - line(p_n * r_o),
    1 - sp.cosh(phi / 2) * decay * S.head,
    "distinguishability 1 - eps_o - eps_n",
)
E2 = Quantity(
    "responsibility_second_moment",
    "E2",
    (PHI, DELTA),
    line(p_n * r_o**2),
    sp.exp(phi / 2) * decay * line(sech_kernel() * sigma(phi + L)) / 2,
    "second moment of the old responsibility under the new mode, E_{p_n}[r_o^2]",
    positive=True,
)
A = Quantity(
    "softplus_mean",
    "A",
    (SHIFT, DELTA),
    line(p_n * sp.log(1 + sp.exp(c + L))),
    line(p_n * sp.log(1 + sp.exp(c + L))),
    "mean softplus of the log-ratio, E_{p_n}[log(1 + e^(c + L))]",
    positive=True,
)
B = Quantity(
    "bayes_error",
    "B",
    (PHI, DELTA),
    line(sp.Min(beta * p_o, (1 - beta) * p_n)),
    beta * sp.erfc((delta / 2 + phi / delta) / sp.sqrt(2)) / 2
    + (1 - beta) * sp.erfc((delta / 2 - phi / delta) / sp.sqrt(2)) / 2,
    "Bayes error of telling the old mode (prior beta) from the new one",
    positive=True,
)
TV = Quantity(
    "total_variation",
    "TV",
    (DELTA,),
    line(sp.Abs(p_o - p_n)) / 2,
    sp.erf(delta / (2 * sp.sqrt(2))),
    "total variation distance of the two modes",
)
chi2 = Quantity(
    "chi_squared",
    "chi2",
    (DELTA,),
    line(p_o**2 / p_n) - 1,
    sp.exp(delta**2) - 1,
    "chi-squared divergence of the old mode from the new one",
)
KL_components = Quantity(
    "component_kl",
    "KL_components",
    (DELTA,),
    line(p_n * sp.log(p_n / p_o)),
    delta**2 / 2,
    "Kullback-Leibler divergence KL(p_n || p_o) of the two modes",
)
