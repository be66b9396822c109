r"""Leakage: old responsibility of learner and target under the learner's new component."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Expr,
    Link,
    Substitution,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import (
    along,
    beta,
    delta,
    line,
    new_mean_across,
    new_mean_along,
    normal,
    normal_plane,
    phi,
    plane,
    sigma,
    tau,
    z,
)
from theorems.old_drift.misassignment import LEARNER_MISASSIGNMENT, affine_law, moved
from theorems.old_drift.plane import (
    correct,
    delta_q,
    eps_q,
    leak_p,
    leak_q,
    old_mean_across,
    old_mean_along,
    q_new,
    q_old,
    r_old,
    s_old,
)
from theorems.overlap.identities import EPS_NEW_FORMULA
from theorems.overlap.quantities import S, eps_n

# of the learner

LEARNER_BALANCE = identity(
    "old_drift.d.balance",
    "Balance of the learner: beta eps_q = (1 - beta) eps'_q.",
    beta * eps_q.head,
    (1 - beta) * leak_q.head,
    by_algebra("beta p_o r_n = (1 - beta) q_n r_o", (1 - beta) * leak_q.head, eps_q, leak_q),
    source="Theorem 2.3",
)
LEARNER_LEAKAGE = identity(
    "old_drift.d.learner_leakage",
    "eps'_q = (1/2) e^(phi/2) e^(-delta_q^2/8) S(phi, delta_q), which is eps_n(phi, delta_q).",
    leak_q.head,
    leak_q.formula,
    (
        Link(
            "balance",
            sp.exp(phi) * eps_q.head,
            Combination((Use(LEARNER_BALANCE, times=-(1 + sp.exp(phi))),)),
        ),
        Link(
            "sech form of eps_q",
            leak_q.formula,
            Combination((Use(LEARNER_MISASSIGNMENT, times=sp.exp(phi)),)),
        ),
    ),
    source="Theorem 2.3",
)
LEARNER_LEAKAGE_IS_EPS_N = identity(
    "old_drift.d.learner_leakage_overlap",
    "eps'_q is the overlap lemma's eps_n at the distance delta_q.",
    leak_q.head,
    eps_n(phi, delta_q),
    (
        *LEARNER_LEAKAGE.proof,
        Link("as a mean again", eps_n(phi, delta_q), Algebra((S, eps_n))),
    ),
    source="Theorem 2.3",
)
LABELS_SWAPPED = identity(
    "old_drift.d.label_swap",
    "eps'_q(phi, m_n) = eps_q(-phi, -m_n): the components exchange their parts.",
    leak_q.head,
    eps_q(-phi, -new_mean_along, -new_mean_across),
    (
        Link("the mean", plane(q_new * r_old.subs(correct)), Algebra((leak_q,))),
        *moved(q_new * r_old.subs(correct), new_mean_along, new_mean_across),
        Link(
            "with the labels swapped",
            eps_q(-phi, -new_mean_along, -new_mean_across),
            Algebra((eps_q,)),
        ),
    ),
    source="ours",
)

# of the target

_target_ratio = delta**2 / 2 - delta * along
_target_mean = delta**2 / 2 - delta * new_mean_along


def _old_share(log_ratio: Expr) -> Expr:
    return sigma(tau + log_ratio)


_target_line = normal(z) * _old_share(_target_mean + delta * z)
TARGET_LEAKAGE_LAW = identity(
    "old_drift.d.target_leakage_law",
    "Under q_n the log-ratio L is N(delta^2/2 - delta x, delta^2), x the coordinate of m_n along "
    "mu_n - mu_o: eps'_p is the mean of sigma(tau + L).",
    leak_p.head,
    line(_target_line, z),
    (
        Link(
            "s_o = sigma(tau + L)",
            plane(normal_plane(new_mean_along, sp.S.Zero) * _old_share(_target_ratio)),
            Algebra((leak_p,)),
        ),
        affine_law(
            "L is N(delta^2/2 - delta x, delta^2) under q_n",
            "d.target",
            normal_plane(new_mean_along, sp.S.Zero),
            _target_ratio,
            _target_mean,
            delta,
            _old_share,
        ),
    ),
    source="Theorem 2.3",
)
TARGET_LEAKAGE = identity(
    "old_drift.d.target_leakage",
    "eps'_p = (1/2) e^(m/2 + delta^2/8) S(m + delta^2/2, delta), m = tau + delta^2/2 - delta x.",
    leak_p.head,
    leak_p.formula,
    (
        Link("law of L", line(_target_line, z), Combination((Use(TARGET_LEAKAGE_LAW),))),
        Link(
            "shift by delta/2",
            line(_target_line.subs(z, z + delta / 2), z),
            Substitution(z, z, z + delta / 2),
        ),
        Link("complete the square", leak_p.formula, Algebra((S,))),
    ),
    source="Theorem 2.3",
)
TARGET_LEAKAGE_AT_CORRECT = identity(
    "old_drift.d.target_leakage_at_correct_means",
    "At x = delta, eps'_p = eps_n(tau, delta).",
    leak_p(tau, delta, delta),
    eps_n(tau, delta),
    (
        Link(
            "its sech form",
            eps_n.formula.subs(phi, tau),
            Combination((Use(TARGET_LEAKAGE, {new_mean_along: delta}),)),
        ),
        Link(
            "that of eps_n",
            eps_n(tau, delta),
            Combination((Use(EPS_NEW_FORMULA, {phi: tau}, -sp.S.One),)),
        ),
    ),
    source="Theorem 2.3",
)
_odds = tau + _target_mean + delta * z
_falling = line(delta * normal(z) * sigma(_odds) * sigma(-_odds), z)
TARGET_LEAKAGE_FALLS = positive(
    "old_drift.d.target_leakage_falls",
    "eps'_p falls strictly in x: it is eps_n(tau, delta) at x = delta only.",
    -sp.diff(line(_target_line, z), new_mean_along),
    (
        Link("a positive integrand", _falling, Combination(remainder=_falling), "<"),
        Link(
            "differentiate under the integral",
            -sp.diff(line(_target_line, z), new_mean_along),
            Algebra(),
        ),
    ),
    kind="monotone",
    source="Theorem 2.3",
)
_centre = tau + _target_mean
_folded = normal(z) * (sigma(_centre + delta * z) + sigma(_centre - delta * z)) / 2
_e = sp.exp(-_centre)
_above_half = (1 + 2 * _e + _e**2 * (2 * sp.cosh(delta * z) - 1)) / (
    2 * (1 + _e) * (1 + 2 * _e * sp.cosh(delta * z) + _e**2)
)
TARGET_LEAKAGE_LARGE = bound(
    "old_drift.d.target_leakage_large",
    "eps'_p exceeds sigma(tau + delta(delta/2 - x))/2, which is at least alpha/2 for x <= delta/2: "
    "it is of order 1 there.",
    sigma(_centre) / 2,
    "<",
    leak_p.head,
    (
        Link(
            "(sigma(m + t) + sigma(m - t))/2 > sigma(m)/2",
            line(_folded, z),
            Combination(remainder=line(normal(z) * _above_half, z)),
            "<",
        ),
        Link(
            "fold",
            line(_target_line, z),
            Cited(
                "a centred normal law is symmetric",
                (
                    identity(
                        "old_drift.d.even",
                        "The normal density is even.",
                        normal(-z),
                        normal(z),
                        by_algebra("square", normal(z)),
                    ),
                ),
            ),
        ),
        Link("law of L", leak_p.head, Combination((Use(TARGET_LEAKAGE_LAW, times=-sp.S.One),))),
    ),
    source="ours",
)
TARGET_MOVED = identity(
    "old_drift.f.target_responsibility",
    "E_{q_o}[s_o] depends on m_o through its coordinate along mu_n - mu_o.",
    plane(q_old * s_old),
    leak_p(tau, delta, old_mean_along),
    (
        *moved(q_old * s_old, sp.S.Zero, old_mean_across)[1:],
        Link("m_o on the axis", leak_p(tau, delta, old_mean_along), Algebra((leak_p,))),
    ),
)
