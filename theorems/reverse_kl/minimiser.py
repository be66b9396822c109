r"""Theorem 2.2(a): reverse KL is least at the target, with every mean of the learner free.

The plane has its origin at mu_o. Where learner and target have the same density they have the same
moments along each axis, which fixes the weight and the new mean once the old mean is fixed.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Cited, Combination, Link, bound, by_algebra, identity
from theorems.mixture import (
    alpha,
    beta,
    delta,
    line,
    new_mean_across,
    new_mean_along,
    normal,
    phi,
    plane,
    tau,
    y,
)
from theorems.reverse_kl.gradient import GIBBS
from theorems.reverse_kl.quantities import (
    KL_free,
    old_mean_across,
    old_mean_along,
    p_alpha_plane,
    q_free,
)

IDENTIFIABLE = "identifiability of finite Gaussian mixtures up to the order of components (Teicher)"
_zero = sp.S.Zero

LEARNER_MASS = identity(
    "reverse_kl.a.learner_mass",
    "The learner's density has integral 1.",
    plane(q_free),
    sp.S.One,
    by_algebra("Gaussian integrals", sp.S.One),
    source="reconstructed",
)
TARGET_MASS = identity(
    "reverse_kl.a.target_mass",
    "The target's density has integral 1.",
    plane(p_alpha_plane),
    sp.S.One,
    by_algebra("Gaussian integrals", sp.S.One),
    source="reconstructed",
)
NONNEGATIVE = bound(
    "reverse_kl.a.nonnegative",
    "R >= 0 for every learner, with equality only where q = p_alpha.",
    _zero,
    "<=",
    KL_free.head,
    (
        Link(
            "relative entropy of two densities",
            KL_free.head,
            Cited(GIBBS, (LEARNER_MASS, TARGET_MASS)),
            "<=",
        ),
    ),
    kind="sign",
    source="Theorem 2.2",
)
AT_TARGET_FREE = identity(
    "reverse_kl.a.zero_at_target_means",
    "R = 0 at (alpha, mu_o, mu_n).",
    KL_free(tau, tau, delta, _zero, _zero, delta, _zero),
    _zero,
    by_algebra("the densities are equal", _zero, KL_free),
    source="Theorem 2.2",
)
LABELS_SWAPPED = identity(
    "reverse_kl.a.zero_at_swapped_labels",
    "R = 0 also with the labels swapped, at (1 - alpha, mu_n, mu_o).",
    KL_free(-tau, tau, delta, delta, _zero, _zero, _zero),
    _zero,
    by_algebra("the densities are equal", _zero, KL_free),
    source="Theorem 2.2",
)

# what equal densities say with m_o = mu_o fixed: moments of q - p_alpha along either axis

_gap_along = (
    beta * normal(y)
    + (1 - beta) * normal(y, new_mean_along)
    - alpha * normal(y)
    - (1 - alpha) * normal(y, delta)
)
_gap_across = beta * normal(y) + (1 - beta) * normal(y, new_mean_across) - normal(y)
_along_test = (new_mean_along * y - y**2) / ((1 - alpha) * delta)
SAME_ALONG = identity(
    "reverse_kl.a.same_mean_along",
    "Equal first and second moments along mu_n - mu_o leave m_n as far along it as mu_n.",
    line(_along_test * _gap_along),
    delta - new_mean_along,
    by_algebra("Gaussian moments", delta - new_mean_along),
    source="ours",
)
SAME_ACROSS = identity(
    "reverse_kl.a.same_mean_across",
    "Equal second moments across mu_n - mu_o leave m_n - mu_o no component there.",
    line(y**2 * _gap_across),
    (1 - beta) * new_mean_across**2,
    by_algebra("Gaussian moments", (1 - beta) * new_mean_across**2),
    source="ours",
)
SAME_WEIGHT = identity(
    "reverse_kl.a.same_weight",
    "Equal means along mu_n - mu_o, once m_n = mu_n there, leave alpha = beta.",
    line((y + (1 - beta) * _along_test) * _gap_along),
    (alpha - beta) * delta,
    by_algebra("Gaussian moments", (alpha - beta) * delta),
    source="ours",
)
UNIQUE_NEW_MEAN = bound(
    "reverse_kl.a.unique_minimiser",
    "With m_o = mu_o fixed the only minimiser is (beta, m_n) = (alpha, mu_n).",
    _zero,
    "<",
    KL_free(phi, tau, delta, _zero, _zero, new_mean_along, new_mean_across),
    (
        Link(
            "different moments, so different densities",
            KL_free(phi, tau, delta, _zero, _zero, new_mean_along, new_mean_across),
            Cited(GIBBS, (LEARNER_MASS, TARGET_MASS, SAME_ALONG, SAME_ACROSS, SAME_WEIGHT)),
            "<",
        ),
    ),
    kind="minimiser",
    where=(sp.Or(sp.Ne(phi, tau), sp.Ne(new_mean_along, delta), sp.Ne(new_mean_across, 0)),),
    source="Theorem 2.2",
)
_is_target = sp.And(
    sp.Eq(phi, tau),
    sp.Eq(old_mean_along, 0),
    sp.Eq(old_mean_across, 0),
    sp.Eq(new_mean_along, delta),
    sp.Eq(new_mean_across, 0),
)
_is_swapped = sp.And(
    sp.Eq(phi, -tau),
    sp.Eq(old_mean_along, delta),
    sp.Eq(old_mean_across, 0),
    sp.Eq(new_mean_along, 0),
    sp.Eq(new_mean_across, 0),
)
DIFFERENT_COMPONENTS = bound(
    "reverse_kl.a.different_components",
    "The target is no single Gaussian: its variance along mu_n - mu_o exceeds 1.",
    sp.S.One,
    "<",
    line((y - (1 - alpha) * delta) ** 2 * (alpha * normal(y) + (1 - alpha) * normal(y, delta))),
    (
        Link(
            "delta is positive",
            1 + alpha * (1 - alpha) * delta**2,
            Combination(remainder=alpha * (1 - alpha) * delta**2),
            "<",
        ),
        Link(
            "Gaussian moments",
            line(
                (y - (1 - alpha) * delta) ** 2
                * (alpha * normal(y) + (1 - alpha) * normal(y, delta))
            ),
            Algebra(),
        ),
    ),
    source="reconstructed",
)
UNIQUE_UP_TO_LABELS = bound(
    "reverse_kl.a.unique_up_to_labels",
    "With all parameters free the only minimisers are (alpha, mu_o, mu_n) and, labels swapped, "
    "(1 - alpha, mu_n, mu_o).",
    _zero,
    "<",
    KL_free.head,
    (
        Link(
            "different mixtures, so different densities",
            KL_free.head,
            Cited(
                f"{GIBBS}; {IDENTIFIABLE}",
                (LEARNER_MASS, TARGET_MASS, DIFFERENT_COMPONENTS),
            ),
            "<",
        ),
    ),
    kind="minimiser",
    where=(sp.Not(_is_target), sp.Not(_is_swapped)),
    source="Theorem 2.2",
)

CLAIMS = (
    NONNEGATIVE,
    AT_TARGET_FREE,
    LABELS_SWAPPED,
    SAME_ALONG,
    SAME_ACROSS,
    SAME_WEIGHT,
    UNIQUE_NEW_MEAN,
    DIFFERENT_COMPONENTS,
    UNIQUE_UP_TO_LABELS,
)
