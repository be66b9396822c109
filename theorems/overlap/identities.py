r"""Parts (c) and (e): the sech form of misassignment, balance, and kappa."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Link,
    Substitution,
    Use,
    by_algebra,
    identity,
)
from theorems.mixture import L, beta, delta, line, normal, p_n, p_o, phi, q, r_n, r_o, sigma, y, z
from theorems.overlap.quantities import S, decay, eps_n, eps_o, kappa, sech_kernel

# (c) the sech form of misassignment

EPS_OLD_FORMULA = identity(
    "overlap.c.old",
    "eps_o = (1/2) e^(-phi/2) e^(-delta^2/8) S(phi, delta).",
    eps_o.head,
    eps_o.formula,
    (
        Link(
            "complete the square",
            line(sp.exp(-phi / 2) * decay * sech_kernel() / 2),
            Algebra((eps_o,)),
        ),
        Link("the integral is S", eps_o.formula, Algebra((S,))),
    ),
    source="reconstructed",
)
EPS_NEW_FORMULA = identity(
    "overlap.c.new",
    "eps_n = (1/2) e^(+phi/2) e^(-delta^2/8) S(phi, delta).",
    eps_n.head,
    eps_n.formula,
    (
        Link(
            "complete the square",
            line(sp.exp(phi / 2) * decay * sech_kernel() / 2),
            Algebra((eps_n,)),
        ),
        Link("the integral is S", eps_n.formula, Algebra((S,))),
    ),
    source="reconstructed",
)

# (e) balance and distinguishability

BALANCE = identity(
    "overlap.e.balance",
    "Balance: beta eps_o = (1 - beta) eps_n.",
    beta * eps_o.head,
    (1 - beta) * eps_n.head,
    (
        Link("write the mean out", line(beta * p_o * r_n), Algebra((eps_o,))),
        Link("beta p_o r_n = (1 - beta) p_n r_o", line((1 - beta) * p_n * r_o), Algebra()),
        Link("read the mean back", (1 - beta) * eps_n.head, Algebra((eps_n,))),
    ),
    source="reconstructed",
)
KAPPA_DEFINITION = identity(
    "overlap.e.distinguishability",
    "kappa = 1 - eps_o - eps_n.",
    kappa.head,
    1 - eps_o.head - eps_n.head,
    by_algebra("definitions", 1 - eps_o.head - eps_n.head, kappa, eps_o, eps_n),
    source="reconstructed",
)
KAPPA_FORMULA = identity(
    "overlap.e.sech_form",
    "kappa = 1 - cosh(phi/2) e^(-delta^2/8) S.",
    kappa.head,
    kappa.formula,
    (
        Link("definition", 1 - eps_o.head - eps_n.head, Combination((Use(KAPPA_DEFINITION),))),
        Link(
            "sech form of both misassignments",
            kappa.formula,
            Combination(
                (
                    Use(EPS_OLD_FORMULA, times=sp.S.NegativeOne),
                    Use(EPS_NEW_FORMULA, times=sp.S.NegativeOne),
                )
            ),
        ),
    ),
    source="reconstructed",
)
KAPPA_LEAKAGE = identity(
    "overlap.e.leakage",
    "kappa = 1 - eps_n/beta.",
    kappa.head,
    1 - eps_n.head / beta,
    (
        Link("definition", 1 - eps_o.head - eps_n.head, Combination((Use(KAPPA_DEFINITION),))),
        Link("balance", 1 - eps_n.head / beta, Combination((Use(BALANCE, times=-1 / beta),))),
    ),
    source="reconstructed",
)
KAPPA_VARIANCE = identity(
    "overlap.e.variance",
    "kappa is the variance of the old responsibility under q over its largest value, "
    "Var_q(r_o)/(beta(1 - beta)).",
    kappa.head,
    line(q * (r_o - beta) ** 2) / (beta * (1 - beta)),
    (
        Link(
            "q r_o = beta p_o, and E_q[r_o] = beta",
            line(beta * p_o * r_o - 2 * beta**2 * p_o + beta**2 * q) / (beta * (1 - beta)),
            Algebra((kappa,)),
        ),
        Link(
            "collect the square",
            line(q * (r_o - beta) ** 2) / (beta * (1 - beta)),
            Algebra(),
        ),
    ),
    source="reconstructed",
)
RESPONSIBILITY_SHIFTED_OLD = identity(
    "overlap.e.shift_old",
    "E_{p_o}[r_o] is the mean of sigma(phi + delta Z + delta^2/2), Z standard normal.",
    line(p_o * r_o),
    line(normal(z) * sigma(phi + delta * z + delta**2 / 2), z),
    (
        Link("r_o = sigma(phi + L)", line(p_o * sigma(phi + L)), Algebra()),
        Link(
            "shift to the old mean",
            line(normal(z) * sigma(phi + delta * z + delta**2 / 2), z),
            Substitution(y, z, z + delta / 2),
        ),
    ),
    source="ours",
)
RESPONSIBILITY_SHIFTED_NEW = identity(
    "overlap.e.shift_new",
    "E_{p_n}[r_o] is the mean of sigma(phi + delta Z - delta^2/2), Z standard normal.",
    line(p_n * r_o),
    line(normal(z) * sigma(phi + delta * z - delta**2 / 2), z),
    (
        Link("r_o = sigma(phi + L)", line(p_n * sigma(phi + L)), Algebra()),
        Link(
            "shift to the new mean",
            line(normal(z) * sigma(phi + delta * z - delta**2 / 2), z),
            Substitution(y, z, z - delta / 2),
        ),
    ),
    source="ours",
)
_coupled = sp.sinh(delta**2 / 2) * line(
    normal(z) / (sp.cosh(phi + delta * z) + sp.cosh(delta**2 / 2)), z
)
KAPPA_COUPLED = identity(
    "overlap.e.coupled",
    "Without cancellation, and with a positive integrand: "
    "kappa = sinh(delta^2/2) E[1/(cosh(phi + delta Z) + cosh(delta^2/2))], Z standard normal.",
    kappa.head,
    _coupled,
    (
        Link(
            "r_n = 1 - r_o under the old mode",
            line(p_o * r_o) - line(p_n * r_o),
            Algebra((kappa,)),
        ),
        Link(
            "shift both modes to the origin",
            line(normal(z) * sigma(phi + delta * z + delta**2 / 2), z)
            - line(normal(z) * sigma(phi + delta * z - delta**2 / 2), z),
            Combination(
                (
                    Use(RESPONSIBILITY_SHIFTED_OLD),
                    Use(RESPONSIBILITY_SHIFTED_NEW, times=sp.S.NegativeOne),
                )
            ),
        ),
        Link("sigma(a + h) - sigma(a - h)", _coupled, Algebra()),
    ),
    source="ours",
)
KAPPA_POSITIVE = Claim(
    "overlap.e.positive",
    "kappa is positive.",
    sp.S.Zero,
    "<",
    kappa.head,
    "sign",
    (
        Link("a positive integrand", _coupled, Combination(remainder=_coupled), "<"),
        Link("it is kappa", kappa.head, Combination((Use(KAPPA_COUPLED, times=sp.S.NegativeOne),))),
    ),
    source="reconstructed",
)
KAPPA_BELOW_ONE = Claim(
    "overlap.e.below_one",
    "kappa is below 1.",
    kappa.head,
    "<",
    sp.S.One,
    "sign",
    (
        Link("definition", 1 - eps_o.head - eps_n.head, Combination((Use(KAPPA_DEFINITION),))),
        Link(
            "both misassignments are positive",
            sp.S.One,
            Combination(remainder=eps_o.head + eps_n.head),
            "<",
        ),
    ),
    source="reconstructed",
)

CLAIMS = (
    EPS_OLD_FORMULA,
    EPS_NEW_FORMULA,
    BALANCE,
    KAPPA_DEFINITION,
    KAPPA_FORMULA,
    KAPPA_LEAKAGE,
    KAPPA_VARIANCE,
    RESPONSIBILITY_SHIFTED_OLD,
    RESPONSIBILITY_SHIFTED_NEW,
    KAPPA_COUPLED,
    KAPPA_POSITIVE,
    KAPPA_BELOW_ONE,
)
