"""Parts (b) and (c): the gradient of F in the logit, beta kappa, and its leakage."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import MINUS, SOURCE, dKL_forward
from theorems.language import Algebra, Claim, Combination, Link, Use, by_algebra, identity, positive
from theorems.mixture import beta, line, p_n, phi, q, r_o
from theorems.overlap.bounds import CLASSICAL_NEW, S_EITHER_BOUND
from theorems.overlap.identities import EPS_NEW_FORMULA, KAPPA_LEAKAGE, KAPPA_POSITIVE
from theorems.overlap.quantities import S, decay, eps_n, kappa

# (b) the gradient in the logit

SCORE = identity(
    "forward_kl.b.score",
    "The score of the logit is the responsibility minus the weight: d log q/dphi = r_o - beta.",
    sp.diff(sp.log(q), phi),
    r_o - beta,
    by_algebra("differentiate the logarithm", r_o - beta),
    source=SOURCE,
)
LEAKAGE_GRADIENT = identity(
    "forward_kl.b.leakage_gradient",
    "dF/dphi = beta - eps_n.",
    dKL_forward.head,
    beta - eps_n.head,
    (
        Link("differentiate under the integral", line(p_n * (beta - r_o)), Algebra((dKL_forward,))),
        Link("the new mode integrates to 1", beta - eps_n.head, Algebra((eps_n,))),
    ),
    source=SOURCE,
)
WEIGHT_GRADIENT = identity(
    "forward_kl.b.weight_gradient",
    "dF/dphi = beta kappa.",
    dKL_forward.head,
    beta * kappa.head,
    (
        Link("the gradient", beta - eps_n.head, Combination((Use(LEAKAGE_GRADIENT),))),
        Link(
            "balance: eps_n = beta (1 - kappa)",
            beta * kappa.head,
            Combination((Use(KAPPA_LEAKAGE, times=-beta),)),
        ),
    ),
    source=SOURCE,
)
GRADIENT_POSITIVE = positive(
    "forward_kl.b.positive",
    "dF/dphi > 0: descent always lowers the old weight.",
    dKL_forward.head,
    (
        Link(
            "kappa is positive",
            beta * kappa.head,
            Combination((Use(KAPPA_POSITIVE, times=beta),)),
            "<",
        ),
        Link(
            "it is the gradient",
            dKL_forward.head,
            Combination((Use(WEIGHT_GRADIENT, times=MINUS),)),
        ),
    ),
    source=SOURCE,
)

# (c) leakage

LEAKAGE = identity(
    "forward_kl.c.leakage",
    "The gradient falls short of beta by the leakage: "
    "dF/dphi = beta - (1/2) e^(phi/2) e^(-delta^2/8) S.",
    dKL_forward.head,
    beta - sp.exp(phi / 2) * decay * S.head / 2,
    (
        Link("the gradient", beta - eps_n.head, Combination((Use(LEAKAGE_GRADIENT),))),
        Link(
            "sech form of the leakage",
            beta - sp.exp(phi / 2) * decay * S.head / 2,
            Combination((Use(EPS_NEW_FORMULA, times=MINUS),)),
        ),
    ),
    source=SOURCE,
)
LEAKAGE_CLASSICAL = Claim(
    "forward_kl.c.classical",
    "beta - (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) <= dF/dphi.",
    beta - sp.exp(phi / 2) * decay / 2,
    "<=",
    dKL_forward.head,
    "bound",
    (
        Link(
            "leakage is at most half the overlap",
            beta - eps_n.head,
            Combination((Use(CLASSICAL_NEW),)),
            "<=",
        ),
        Link(
            "the gradient",
            dKL_forward.head,
            Combination((Use(LEAKAGE_GRADIENT, times=MINUS),)),
        ),
    ),
    source=SOURCE,
)
LEAKAGE_SHARP = Claim(
    "forward_kl.c.sharp",
    "beta - (1/2) sqrt(beta/(1 - beta)) min(1, sqrt(2 pi)/delta) e^(-delta^2/8) <= dF/dphi.",
    beta - sp.exp(phi / 2) * decay * S_EITHER_BOUND.right / 2,
    "<=",
    dKL_forward.head,
    "bound",
    (
        Link(
            "both bounds of S",
            beta - sp.exp(phi / 2) * decay * S.head / 2,
            Combination((Use(S_EITHER_BOUND, times=sp.exp(phi / 2) * decay / 2),)),
            "<=",
        ),
        Link("the gradient", dKL_forward.head, Combination((Use(LEAKAGE, times=MINUS),))),
    ),
    source="ours",
)

CLAIMS_B = (SCORE, LEAKAGE_GRADIENT, WEIGHT_GRADIENT, GRADIENT_POSITIVE)
CLAIMS_C = (LEAKAGE, LEAKAGE_CLASSICAL, LEAKAGE_SHARP)
