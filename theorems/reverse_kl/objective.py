r"""Theorem 2.2(d), (f): the objective is convex in the weight, and compares with the Bernoulli
divergence of the weights."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import alpha, beta, phi, r_n, r_o, s_n, s_o, sigma, tau
from theorems.overlap.distinguishability import KAPPA_DECREASING
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.reverse_kl.bounds import KAPPA_PEAK, MONOTONE_INTEGRAL, gap, kappa_least, kappa_peak
from theorems.reverse_kl.gradient import CALCULUS, CURVATURE, GIBBS, OBJECTIVE_ACCUMULATED, softplus
from theorems.reverse_kl.quantities import J, KL_reverse, curvature_reverse, kl_bernoulli, spread, u

TAYLOR = "Taylor's theorem"

# the Bernoulli divergence of the weights

KL_BERNOULLI = identity(
    "reverse_kl.f.bernoulli",
    "KL(Bern beta || Bern alpha) = beta (phi - tau) + log((1 + e^tau)/(1 + e^phi)).",
    beta * sp.log(beta / alpha) + (1 - beta) * sp.log((1 - beta) / (1 - alpha)),
    kl_bernoulli,
    by_algebra("logits of the weights", kl_bernoulli),
    source="Theorem 2.2",
)
WEIGHT_GAP = identity(
    "reverse_kl.f.weight_gap",
    "sigma(phi) - sigma(u) is the derivative of sigma(phi) u - log(1 + e^u) in u.",
    sp.diff(beta * tau - softplus(tau), tau),
    beta - alpha,
    by_algebra("differentiate", beta - alpha),
    source="ours",
)
KL_BERNOULLI_ACCUMULATED = identity(
    "reverse_kl.f.bernoulli_accumulated",
    "The Bernoulli divergence is the integral of sigma(phi) - sigma(u) over u from tau to phi.",
    kl_bernoulli,
    sp.Integral(beta - sigma(u), (u, tau, phi)),
    (
        Link(
            "from tau to phi",
            sp.Integral(beta - sigma(u), (u, tau, phi)),
            Cited(CALCULUS, (WEIGHT_GAP,)),
        ),
    ),
    source="ours",
)

# (d) convexity, and the objective between multiples of the Bernoulli divergence

CONVEX = positive(
    "reverse_kl.d.convex",
    "R is strictly convex in beta: its second derivative is positive.",
    curvature_reverse.head,
    (
        Link(
            "kappa/(beta (1 - beta)) is positive",
            curvature_reverse.head,
            Combination(
                (
                    Use(CURVATURE, times=sp.S.NegativeOne),
                    Use(KAPPA_POSITIVE, times=1 / spread),
                )
            ),
            "<",
        ),
    ),
    kind="convex",
    source="Theorem 2.2",
)
WEIGHT_INCREASES = positive(
    "reverse_kl.d.weight_increases",
    "sigma is increasing, so sigma(phi) - sigma(u) has the sign of phi - u.",
    sp.diff(beta, phi),
    (
        Link(
            "its derivative is positive",
            sp.diff(beta, phi),
            Combination(remainder=sp.exp(-phi) * beta**2),
            "<",
        ),
    ),
    source="reconstructed",
)
_both_accumulated = (WEIGHT_INCREASES, OBJECTIVE_ACCUMULATED, KL_BERNOULLI_ACCUMULATED)
OBJECTIVE_LEAST = bound(
    "reverse_kl.d.least",
    "R >= min(kappa(phi), kappa(tau)) KL(Bern beta || Bern alpha).",
    kappa_least * kl_bernoulli,
    "<=",
    KL_reverse.head,
    (
        Link(
            "kappa is at least its smaller end value under the positive weight",
            KL_reverse.head,
            Cited(MONOTONE_INTEGRAL, (KAPPA_DECREASING, *_both_accumulated)),
            "<=",
        ),
    ),
    source="ours",
)
OBJECTIVE_PEAK = bound(
    "reverse_kl.d.peak",
    "R <= kappa(0) KL(Bern beta || Bern alpha).",
    KL_reverse.head,
    "<=",
    kappa_peak * kl_bernoulli,
    (
        Link(
            "kappa is at most kappa(0) under the positive weight",
            kappa_peak * kl_bernoulli,
            Cited(MONOTONE_INTEGRAL, (KAPPA_PEAK, *_both_accumulated)),
            "<=",
        ),
    ),
    source="ours",
)

# (f) the objective below the Bernoulli divergence

CHAIN_RULE = identity(
    "reverse_kl.f.chain_rule",
    "KL(Bern beta || Bern alpha) exceeds R by E_q[KL(Bern r_o || Bern s_o)]: what the labels tell "
    "beyond the data.",
    J.head,
    J.formula,
    by_algebra("r_o/s_o = (beta/alpha) (p_alpha/q), and alike r_n/s_n", J.formula, J, KL_reverse),
    source="ours",
)
LEARNER_LABELS = identity(
    "reverse_kl.f.learner_labels",
    "The learner's responsibilities are a distribution: r_o + r_n = 1.",
    r_o + r_n,
    sp.S.One,
    by_algebra("q = beta p_o + (1 - beta) p_n", sp.S.One),
    source="reconstructed",
)
TARGET_LABELS = identity(
    "reverse_kl.f.target_labels",
    "The target's responsibilities are a distribution: s_o + s_n = 1.",
    s_o + s_n,
    sp.S.One,
    by_algebra("p_alpha = alpha p_o + (1 - alpha) p_n", sp.S.One),
    source="reconstructed",
)
LABELS_NONNEGATIVE = bound(
    "reverse_kl.f.labels_nonnegative",
    "E_q[KL(Bern r_o || Bern s_o)] is not negative.",
    sp.S.Zero,
    "<=",
    J.head,
    (
        Link(
            "relative entropy of the labels at every point",
            J.head,
            Cited(GIBBS, (LEARNER_LABELS, TARGET_LABELS)),
            "<=",
        ),
    ),
    source="reconstructed",
)
DATA_PROCESSING = bound(
    "reverse_kl.f.data_processing",
    "R <= KL(Bern beta || Bern alpha): the data tell less than the labels.",
    KL_reverse.head,
    "<=",
    kl_bernoulli,
    (
        Link(
            "chain rule, and the label divergence is not negative",
            kl_bernoulli,
            Combination((Use(CHAIN_RULE), Use(LABELS_NONNEGATIVE))),
            "<=",
        ),
    ),
    source="Theorem 2.2",
)
SOFTPLUS_CURVATURE = bound(
    "reverse_kl.f.softplus_curvature",
    "log(1 + e^phi) has a second derivative of at most 1/4.",
    sp.diff(softplus(phi), phi, 2),
    "<=",
    sp.Rational(1, 4),
    (
        Link("differentiate", spread, Algebra()),
        Link(
            "1/4 - beta (1 - beta) is a square",
            sp.Rational(1, 4),
            Combination(remainder=(beta - sp.Rational(1, 2)) ** 2),
            "<=",
        ),
    ),
    source="reconstructed",
)
SOFTPLUS_SLOPE = identity(
    "reverse_kl.f.softplus_slope",
    "log(1 + e^phi) has the derivative beta.",
    sp.diff(softplus(phi), phi),
    beta,
    by_algebra("differentiate", beta),
    source="reconstructed",
)
BERNOULLI_QUADRATIC = bound(
    "reverse_kl.f.bernoulli_quadratic",
    "KL(Bern beta || Bern alpha) <= (phi - tau)^2/8.",
    kl_bernoulli,
    "<=",
    gap**2 / 8,
    (
        Link(
            "it is the remainder of log(1 + e^tau) about phi",
            softplus(tau) - softplus(phi) - beta * (tau - phi),
            Algebra(),
        ),
        Link(
            "to second order",
            gap**2 / 8,
            Cited(TAYLOR, (SOFTPLUS_SLOPE, SOFTPLUS_CURVATURE)),
            "<=",
        ),
    ),
    source="reconstructed",
)
QUADRATIC = bound(
    "reverse_kl.f.quadratic",
    "R <= (phi - tau)^2/8.",
    KL_reverse.head,
    "<=",
    gap**2 / 8,
    (
        Link("data processing", kl_bernoulli, Combination((Use(DATA_PROCESSING),)), "<="),
        Link(
            "the Bernoulli divergence", gap**2 / 8, Combination((Use(BERNOULLI_QUADRATIC),)), "<="
        ),
    ),
    source="Theorem 2.2",
)

CLAIMS = (
    KL_BERNOULLI,
    WEIGHT_GAP,
    KL_BERNOULLI_ACCUMULATED,
    CONVEX,
    WEIGHT_INCREASES,
    OBJECTIVE_LEAST,
    OBJECTIVE_PEAK,
    CHAIN_RULE,
    LEARNER_LABELS,
    TARGET_LABELS,
    LABELS_NONNEGATIVE,
    DATA_PROCESSING,
    SOFTPLUS_CURVATURE,
    SOFTPLUS_SLOPE,
    BERNOULLI_QUADRATIC,
    QUADRATIC,
)
