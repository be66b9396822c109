r"""Theorem 2.2(b), (d), (g): objective, gradients and curvature in terms of kappa.

Every derivative starts from its objective; what comes out is kappa, accumulated from the target's
logit to the learner's.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Cited, Combination, Expr, Link, Use, by_algebra, identity
from theorems.mixture import L, alpha, beta, c, delta, line, p_alpha, p_n, p_o, phi, q, tau
from theorems.overlap.quantities import A, kappa
from theorems.overlap.softplus import KL_DECOMPOSED, SOFTPLUS_MIRROR
from theorems.reverse_kl.quantities import (
    KL_reverse,
    V,
    W,
    curvature_reverse,
    dKL_reverse,
    ell_n,
    ell_o,
    log_ratio,
    spread,
)

CALCULUS = "fundamental theorem of calculus"
GIBBS = "Gibbs' inequality (relative entropy is positive unless the densities are equal)"


def softplus(x: Expr) -> Expr:
    """log(1 + e^x)."""
    return sp.log(1 + sp.exp(x))


# (b) the gradient and the objective through A

OLD_FORMULA = identity(
    "reverse_kl.b.log_ratio_old",
    "E_{p_o}[log q/p_alpha] = log(beta/alpha) + A(-phi) - A(-tau).",
    ell_o.head,
    ell_o.formula,
    (
        Link(
            "q/p_alpha = beta (1 + e^-(phi + L)) / (alpha (1 + e^-(tau + L)))",
            sp.log(beta / alpha) + line(p_o * softplus(-phi - L)) - line(p_o * softplus(-tau - L)),
            Algebra((ell_o,)),
        ),
        Link(
            "seen from the old mode, A is the same",
            ell_o.formula,
            Combination(
                (
                    Use(SOFTPLUS_MIRROR, {c: -phi}),
                    Use(SOFTPLUS_MIRROR, {c: -tau}, sp.S.NegativeOne),
                )
            ),
        ),
    ),
    source="ours",
)
NEW_FORMULA = identity(
    "reverse_kl.b.log_ratio_new",
    "E_{p_n}[log q/p_alpha] = log((1 - beta)/(1 - alpha)) + A(phi) - A(tau).",
    ell_n.head,
    ell_n.formula,
    by_algebra(
        "q/p_alpha = (1 - beta)(1 + e^(phi + L)) / ((1 - alpha)(1 + e^(tau + L)))",
        ell_n.formula,
        ell_n,
        A,
    ),
    source="ours",
)
OBJECTIVE_FORMULA = identity(
    "reverse_kl.b.objective_through_softplus",
    "R is the Bernoulli divergence of the weights plus "
    "beta (A(-phi) - A(-tau)) + (1 - beta) (A(phi) - A(tau)).",
    KL_reverse.head,
    KL_reverse.formula,
    (
        Link(
            "the overlap lemma",
            KL_DECOMPOSED.right,
            Combination((Use(KL_DECOMPOSED),), unfold=(KL_reverse,)),
        ),
        Link("logits of the weights", KL_reverse.formula, Algebra()),
    ),
    source="ours",
)
SPLIT = identity(
    "reverse_kl.b.between_modes",
    "dR/dphi = beta (1 - beta) (E_{p_o}[log q/p_alpha] - E_{p_n}[log q/p_alpha]).",
    dKL_reverse.head,
    spread * (ell_o.head - ell_n.head),
    (
        Link(
            "differentiate under the integral",
            line(sp.diff(q, phi) * (log_ratio + 1)),
            Algebra((dKL_reverse,)),
        ),
        Link(
            "dq/dphi = beta (1 - beta)(p_o - p_n), of integral 0",
            spread * (ell_o.head - ell_n.head),
            Algebra((ell_o, ell_n)),
        ),
    ),
    source="Theorem 2.2",
)
_tilt = line((p_o - p_n) * (sp.log(q) - sp.log(p_alpha)))
TILT = identity(
    "reverse_kl.b.tilt",
    "E_{p_o}[log q/p_alpha] - E_{p_n}[log q/p_alpha] has the derivative kappa(phi) in phi.",
    sp.diff(_tilt, phi),
    kappa.head,
    (
        Link(
            "differentiate under the integral",
            line((p_o - p_n) * sp.diff(q, phi) / q),
            Algebra(),
        ),
        Link("dq/dphi = q (r_o - beta)", kappa.head, Algebra((kappa,))),
    ),
    source="ours",
)
NO_TILT_AT_TARGET = identity(
    "reverse_kl.b.no_tilt_at_target",
    "At phi = tau the log-ratio of learner and target vanishes.",
    ell_o(tau, tau, delta) - ell_n(tau, tau, delta),
    sp.S.Zero,
    by_algebra("log 1 = 0", sp.S.Zero, ell_o, ell_n),
    source="ours",
)
TILT_ACCUMULATED = identity(
    "reverse_kl.b.accumulated",
    "E_{p_o}[log q/p_alpha] - E_{p_n}[log q/p_alpha] is the integral of kappa from tau to phi.",
    ell_o.head - ell_n.head,
    W.head,
    (
        Link("one integral", _tilt, Algebra((ell_o, ell_n))),
        Link("from tau to phi", W.head, Cited(CALCULUS, (TILT, NO_TILT_AT_TARGET))),
    ),
    source="ours",
)
W_FORMULA = identity(
    "reverse_kl.b.accumulated_through_softplus",
    "The integral of kappa from tau to phi is phi - A(phi) + A(-phi) minus the same at tau.",
    W.head,
    W.formula,
    (
        Link(
            "as means of log q/p_alpha",
            ell_o.head - ell_n.head,
            Combination((Use(TILT_ACCUMULATED, times=sp.S.NegativeOne),)),
        ),
        Link(
            "means under either mode",
            W.formula,
            Combination((Use(OLD_FORMULA), Use(NEW_FORMULA, times=sp.S.NegativeOne))),
        ),
    ),
    source="ours",
)
GRADIENT = identity(
    "reverse_kl.b.gradient",
    "dR/dphi = beta (1 - beta) times the integral of kappa from tau to phi.",
    dKL_reverse.head,
    spread * W.head,
    (
        Link("between the modes", spread * (ell_o.head - ell_n.head), Combination((Use(SPLIT),))),
        Link(
            "accumulate kappa",
            spread * W.head,
            Combination((Use(TILT_ACCUMULATED, times=spread),)),
        ),
    ),
    source="Theorem 2.2",
)
GRADIENT_FORMULA = identity(
    "reverse_kl.b.gradient_through_softplus",
    "dR/dphi = beta (1 - beta) (phi - A(phi) + A(-phi) - tau + A(tau) - A(-tau)).",
    dKL_reverse.head,
    dKL_reverse.formula,
    (
        Link("accumulate kappa", spread * W.head, Combination((Use(GRADIENT),))),
        Link(
            "integrate kappa",
            dKL_reverse.formula,
            Combination((Use(W_FORMULA, times=spread),)),
        ),
    ),
    source="ours",
)
ZERO_AT_TARGET = identity(
    "reverse_kl.a.zero_at_target",
    "R = 0 at the target's own weight.",
    KL_reverse(tau, tau, delta),
    sp.S.Zero,
    by_algebra("log 1 = 0", sp.S.Zero, KL_reverse),
    source="Theorem 2.2",
)
WEIGHTED_DERIVATIVE = identity(
    "reverse_kl.b.weighted_derivative",
    "The integral of (sigma(phi) - sigma(u)) kappa(u) from tau to phi has the derivative dR/dphi.",
    sp.diff(V.definition, phi),
    dKL_reverse.head,
    (
        Link("differentiate the upper limit and the weight", spread * W.head, Algebra((W,))),
        Link(
            "it is dR/dphi",
            dKL_reverse.head,
            Combination((Use(GRADIENT, times=sp.S.NegativeOne),)),
        ),
    ),
    source="ours",
)
OBJECTIVE_ACCUMULATED = identity(
    "reverse_kl.b.objective_accumulated",
    "The integral of (sigma(phi) - sigma(u)) kappa(u) over u from tau to phi is R.",
    V.head,
    V.formula,
    (
        Link(
            "same derivative, both 0 at phi = tau",
            V.formula,
            Cited(CALCULUS, (WEIGHTED_DERIVATIVE, ZERO_AT_TARGET)),
        ),
    ),
    source="ours",
)

# (d) curvature in the weight

CURVATURE_INTEGRAL = identity(
    "reverse_kl.d.curvature_integral",
    "The second derivative of R in beta is the integral of (p_o - p_n)^2/q.",
    curvature_reverse.head,
    line((p_o - p_n) ** 2 / q),
    by_algebra(
        "differentiate twice under the integral", line((p_o - p_n) ** 2 / q), curvature_reverse
    ),
    source="Theorem 2.2",
)
CURVATURE = identity(
    "reverse_kl.d.curvature",
    "The second derivative of R in beta is kappa/(beta (1 - beta)).",
    curvature_reverse.head,
    curvature_reverse.formula,
    (
        Link(
            "differentiate twice",
            line((p_o - p_n) ** 2 / q),
            Combination((Use(CURVATURE_INTEGRAL),)),
        ),
        Link("p_o/q and p_n/q are responsibilities", curvature_reverse.formula, Algebra((kappa,))),
    ),
    source="ours",
)

CLAIMS = (
    OLD_FORMULA,
    NEW_FORMULA,
    OBJECTIVE_FORMULA,
    SPLIT,
    TILT,
    TILT_ACCUMULATED,
    W_FORMULA,
    GRADIENT,
    GRADIENT_FORMULA,
    ZERO_AT_TARGET,
    OBJECTIVE_ACCUMULATED,
    CURVATURE_INTEGRAL,
    CURVATURE,
)
