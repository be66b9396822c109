"""False variants of Theorem 2.3."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, bound, identity
from theorems.mixture import DELTA, NEW_MEAN_ACROSS, NEW_MEAN_ALONG, PHI, TAU, beta, delta, phi, tau
from theorems.old_drift.gradient import (
    NEW_DRIFT,
    OLD_DRIFT,
)
from theorems.old_drift.plane import (
    AXES,
    OLD_MEAN_ACROSS,
    OLD_MEAN_ALONG,
    delta_q,
    drift,
    drift_of_old,
    eps_p,
    eps_q,
    leak_p,
    leak_q,
    new_mean,
    new_mode,
)
from theorems.old_drift.size import (
    gradient_at_correct_means,
    size,
)
from theorems.overlap.quantities import eps_n, eps_o

_GENERIC = {
    PHI: sp.Rational(-3, 10),
    TAU: sp.Rational(-3, 5),
    DELTA: sp.Integer(2),
    NEW_MEAN_ALONG: sp.Rational(7, 5),
    NEW_MEAN_ACROSS: sp.Rational(-4, 5),
}


def _false_gradient(axis: int, right: Expr) -> Claim:
    variant = f"old_drift.control.variant_{AXES[axis]}"
    return identity(variant, "", drift_of_old[axis].head, right)


_steeper = tuple(
    weight * sp.exp(-shift / 2) * distance * sp.exp(-(distance**2) / 6) / 2
    for weight, shift, distance in ((beta, phi, delta_q), (beta, tau, delta))
)
CONTROLS = (
    *(
        Control(
            f"old_drift.control.no_weight_{AXES[axis]}",
            f"The gradient in the old mean has no factor beta (coordinate {AXES[axis]}).",
            (side.id, "old_drift.f." + AXES[axis], "old_drift.f.coordinate"),
            _false_gradient(axis, side.right / beta),
            _GENERIC,
        )
        for axis, side in enumerate(OLD_DRIFT)
    ),
    *(
        Control(
            f"old_drift.control.exchanged_{AXES[axis]}",
            f"eps_p and eps_q exchange their parts (coordinate {AXES[axis]}, m_n != mu_n).",
            (
                side.id,
                "old_drift.a.learner_misassignment",
                "old_drift.a.target_misassignment",
                "old_drift.a.target_as_learner",
                "old_drift.a.target_complement",
            ),
            _false_gradient(
                axis, beta * (eps_p.head * new_mean[axis] - eps_q.head * new_mode[axis])
            ),
            _GENERIC,
        )
        for axis, side in enumerate(OLD_DRIFT)
    ),
    Control(
        "old_drift.control.exponent",
        "The size falls like e^(-delta^2/6).",
        (
            "old_drift.b.against",
            "old_drift.b.size_squared",
            "old_drift.b.size",
            "old_drift.b.misassignment",
            "old_drift.b.classical",
            "old_drift.c.overlap",
            "old_drift.c.misassignment",
            "old_drift.c.sharper",
        ),
        bound("old_drift.control.variant_exponent", "", size, "<=", sum(_steeper)),
        {
            **_GENERIC,
            DELTA: sp.Integer(6),
            NEW_MEAN_ALONG: sp.S.Zero,
            NEW_MEAN_ACROSS: sp.S.Zero,
        },
    ),
    Control(
        "old_drift.control.any_old_mean",
        "Formula (a) holds with the old mean away from mu_o.",
        ("old_drift.a.along", "old_drift.f.along", "old_drift.f.across"),
        identity("old_drift.control.variant_any_old_mean", "", drift[0].head, OLD_DRIFT[0].right),
        {**_GENERIC, OLD_MEAN_ALONG: sp.Rational(3, 10), OLD_MEAN_ACROSS: sp.Rational(1, 5)},
    ),
    Control(
        "old_drift.control.leakage_everywhere",
        "eps'_p is eps_n(tau, delta) wherever m_n is.",
        (
            *(side.id for side in NEW_DRIFT),
            "old_drift.d.target_leakage",
            "old_drift.d.target_leakage_law",
            "old_drift.d.target_leakage_at_correct_means",
            "old_drift.d.target_leakage_falls",
            "old_drift.d.target_leakage_large",
        ),
        identity("old_drift.control.variant_leakage", "", leak_p.head, eps_n(tau, delta)),
        {TAU: sp.Rational(-3, 5), DELTA: sp.Integer(4), NEW_MEAN_ALONG: sp.Integer(1)},
    ),
    Control(
        "old_drift.control.leakage_is_misassignment",
        "eps'_q = eps_q at every weight.",
        (
            "old_drift.d.balance",
            "old_drift.d.learner_leakage",
            "old_drift.d.learner_leakage_overlap",
            "old_drift.d.label_swap",
        ),
        identity("old_drift.control.variant_balance", "", leak_q.head, eps_q.head),
        {
            PHI: sp.Rational(-3, 10),
            NEW_MEAN_ALONG: sp.Rational(7, 5),
            NEW_MEAN_ACROSS: sp.Rational(-4, 5),
        },
    ),
    Control(
        "old_drift.control.correct_sum",
        "At correct means the misassignments add up: beta delta (eps_o(phi) + eps_o(tau)).",
        (
            "old_drift.e.along",
            "old_drift.e.across",
            "old_drift.e.size",
            "old_drift.e.size_squared",
            "old_drift.e.learner_at_correct_means",
            "old_drift.e.target_at_correct_means",
        ),
        identity(
            "old_drift.control.variant_sum",
            "",
            gradient_at_correct_means[0],
            beta * delta * (eps_o.head + eps_o(tau, delta)),
        ),
        {PHI: sp.Rational(-3, 10), TAU: sp.Rational(-3, 5), DELTA: sp.Integer(2)},
    ),
)
