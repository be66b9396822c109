r"""Size of the old mean's gradient: bounds by misassignment, and its value at correct means."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorems.language import Algebra, Cited, Claim, Combination, Expr, Link, Use, bound, identity
from theorems.mixture import beta, delta, new_mean_across, new_mean_along, phi, tau
from theorems.old_drift.gradient import OLD_DRIFT
from theorems.old_drift.misassignment import (
    CLASSICAL,
    LEARNER_MISASSIGNMENT,
    SHARPER,
    TARGET_AS_LEARNER,
    as_target,
    at_mu_n,
)
from theorems.old_drift.plane import delta_q, drift_of_old, eps_p, eps_q, new_mode, norm
from theorems.overlap.identities import EPS_OLD_FORMULA
from theorems.overlap.quantities import eps_o

# (b), (c) its size

size = norm(tuple(each.head for each in drift_of_old))
_by_misassignment = beta * (eps_q.head * delta_q + eps_p.head * delta)
AGAINST = bound(
    "old_drift.b.against",
    "A vector is as long as any of its coordinates, at least: delta_q + x >= 0 "
    "(at delta_q = 0 it is an equality).",
    sp.S.Zero,
    "<=",
    delta_q + new_mean_along,
    (
        Link(
            "the square of (m_n - mu_o) + delta_q e",
            delta_q + new_mean_along,
            Combination(
                remainder=((delta_q + new_mean_along) ** 2 + new_mean_across**2) / (2 * delta_q)
            ),
            "<=",
        ),
    ),
    source="Theorem 2.3",
)
_squares = sum(side.right**2 for side in OLD_DRIFT)
SIZE_SQUARED = bound(
    "old_drift.b.size_squared",
    "Triangle inequality, squared: |grad|^2 <= beta^2 (eps_q delta_q + eps_p delta)^2.",
    size**2,
    "<=",
    _by_misassignment**2,
    (
        Link(
            "(a)",
            _squares,
            Combination(tuple(Use(side, times=side.left + side.right) for side in OLD_DRIFT)),
        ),
        Link(
            "the cross term",
            _by_misassignment**2,
            Combination((Use(AGAINST, times=2 * beta**2 * eps_q.head * eps_p.head * delta),)),
            "<=",
        ),
    ),
    source="Theorem 2.3",
)
SIZE = bound(
    "old_drift.b.size",
    "The size of the old mean's gradient is at most beta(eps_q delta_q + eps_p delta).",
    size,
    "<=",
    _by_misassignment,
    (
        Link(
            "of two squares the larger has the larger root",
            _by_misassignment,
            Combination((Use(SIZE_SQUARED, times=1 / (_by_misassignment + size)),)),
            "<=",
        ),
    ),
    source="Theorem 2.3",
)


def _bounded(
    id: str, text: str, lemma: Claim, learner_times: Expr, target_times: Expr, **more: Any
) -> Claim:
    """The size by a bound of the misassignments, which the lemma gives for the learner."""
    right = learner_times * lemma.right + target_times * lemma.right.subs(as_target)
    return bound(
        id,
        text,
        size,
        "<=",
        right,
        (
            Link("by misassignment", _by_misassignment, Combination((Use(SIZE),)), "<="),
            Link(
                "eps_p as a learner's",
                beta * (eps_q.head * delta_q + eps_q(tau, delta, sp.S.Zero) * delta),
                Combination((Use(TARGET_AS_LEARNER, times=beta * delta),)),
            ),
            Link(
                "bound both",
                right,
                Combination((Use(lemma, times=learner_times), Use(lemma, as_target, target_times))),
                "<=",
            ),
        ),
        **more,
    )


BOUND = _bounded(
    "old_drift.b.classical",
    "Its size is at most (1/2) sqrt(beta(1 - beta)) delta_q e^(-delta_q^2/8) "
    "+ (1/2) beta sqrt((1 - alpha)/alpha) delta e^(-delta^2/8).",
    CLASSICAL,
    beta * delta_q,
    beta * delta,
    source="Theorem 2.3",
)
SHARPER_BOUND = _bounded(
    "old_drift.c.sharper",
    "Sharper: the factors delta_q and delta in front of the exponentials may be replaced by "
    "min(delta_q, sqrt(2 pi)) and min(delta, sqrt(2 pi)).",
    SHARPER,
    beta,
    beta,
    source="ours",
)

# (e) correct means

LEARNER_AT_CORRECT = identity(
    "old_drift.e.learner_at_correct_means",
    "At m_n = mu_n the learner's misassignment is the overlap lemma's, eps_q = eps_o(phi, delta).",
    eps_q(phi, delta, sp.S.Zero),
    eps_o.head,
    (
        Link("its sech form", eps_o.formula, Combination((Use(LEARNER_MISASSIGNMENT, at_mu_n),))),
        Link("that of eps_o", eps_o.head, Combination((Use(EPS_OLD_FORMULA, times=-sp.S.One),))),
    ),
    source="Theorem 2.3",
)
TARGET_AT_CORRECT = identity(
    "old_drift.e.target_at_correct_means",
    "eps_p = eps_o(tau, delta).",
    eps_p.head,
    eps_o(tau, delta),
    (
        *TARGET_AS_LEARNER.proof,
        Link(
            "at correct means",
            eps_o(tau, delta),
            Combination((Use(LEARNER_AT_CORRECT, {phi: tau}),)),
        ),
    ),
    source="Theorem 2.3",
)
gradient_at_correct_means = tuple(each(phi, tau, delta, *new_mode) for each in drift_of_old)
_correct_drift = beta * delta * (eps_o.head - eps_o(tau, delta))
CORRECT_ALONG = identity(
    "old_drift.e.along",
    "At correct means the gradient is beta delta (eps_o(phi) - eps_o(tau)) along mu_n - mu_o.",
    gradient_at_correct_means[0],
    _correct_drift,
    (
        Link(
            "(a) at m_n = mu_n",
            beta * delta * (eps_q(phi, delta, sp.S.Zero) - eps_p.head),
            Combination((Use(OLD_DRIFT[0], at_mu_n),)),
        ),
        Link(
            "both are the overlap lemma's",
            _correct_drift,
            Combination(
                (
                    Use(LEARNER_AT_CORRECT, times=beta * delta),
                    Use(TARGET_AT_CORRECT, times=-beta * delta),
                )
            ),
        ),
    ),
    source="Theorem 2.3",
)
CORRECT_ACROSS = identity(
    "old_drift.e.across",
    "At correct means nothing pulls the old mean across mu_n - mu_o.",
    gradient_at_correct_means[1],
    sp.S.Zero,
    (
        Link(
            "(a) at m_n = mu_n",
            sp.S.Zero,
            Combination((Use(OLD_DRIFT[1], at_mu_n),)),
        ),
    ),
    source="Theorem 2.3",
)
_correct_size = beta * delta * sp.Abs(eps_o.head - eps_o(tau, delta))
CORRECT_SIZE_SQUARED = identity(
    "old_drift.e.size_squared",
    "At correct means the squared size is (beta delta (eps_o(phi) - eps_o(tau)))^2.",
    norm(gradient_at_correct_means) ** 2,
    _correct_size**2,
    (
        Link(
            "sum of the squares of both coordinates",
            _correct_drift**2,
            Combination(
                tuple(
                    Use(side, times=side.left + side.right)
                    for side in (CORRECT_ALONG, CORRECT_ACROSS)
                )
            ),
        ),
        Link("|x|^2 = x^2", _correct_size**2, Algebra()),
    ),
    source="Theorem 2.3",
)
CORRECT_SIZE = identity(
    "old_drift.e.size",
    "At correct means its size is beta delta |eps_o(phi) - eps_o(tau)|.",
    norm(gradient_at_correct_means),
    _correct_size,
    (
        Link(
            "take the root",
            _correct_size,
            Cited("nonnegative numbers with equal squares are equal", (CORRECT_SIZE_SQUARED,)),
        ),
    ),
    source="Theorem 2.3",
)
