r"""Misassignment of the old mode: sech forms, translation, bounds.

A responsibility is a logistic function of an affine log-ratio, whose law under a unit normal is
normal: that takes the plane to the line. The distance \delta_q of m_n from \mu_o may be 0.
"""

from __future__ import annotations

from collections.abc import Callable

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
)
from theorems.mixture import (
    across,
    along,
    delta,
    line,
    new_mean_across,
    new_mean_along,
    normal,
    phi,
    plane,
    sigma,
    tau,
    z,
)
from theorems.old_drift.plane import (
    between,
    delta_q,
    eps_p,
    eps_q,
    leak_p,
    old_mean_across,
    old_mean_along,
    p_old,
    q_old,
    r_new,
)
from theorems.overlap.bounds import S_DENSITY_BOUND
from theorems.overlap.quantities import S

at_mu_n = {new_mean_along: delta, new_mean_across: sp.S.Zero}
as_target = {phi: tau, **at_mu_n}


def affine_law(
    name: str,
    part: str,
    density: Expr,
    image: Expr,
    mean: Expr,
    deviation: Expr,
    of: Callable[[Expr], Expr],
) -> Link:
    """From the mean over the plane of a function of an affine image to one over the line: the
    image has this mean and this deviation under the density, a unit normal."""
    moments = (
        identity(
            f"old_drift.{part}_mean",
            "The mean of the log-ratio.",
            plane(density * image),
            mean,
            by_algebra("first moment", mean),
        ),
        identity(
            f"old_drift.{part}_variance",
            "The variance of the log-ratio.",
            plane(density * (image - mean) ** 2),
            deviation**2,
            by_algebra("second moment", deviation**2),
        ),
    )
    return Link(
        name,
        line(normal(z) * of(mean + deviation * z), z),
        Cited("an affine image of a normal vector is normal", moments),
    )


# E_{p_o}[r_n]: its log-odds are -(phi + log p_o/q_n)

_learner_ratio = delta_q**2 / 2 - new_mean_along * along - new_mean_across * across


def _new_share(log_ratio: Expr) -> Expr:
    return sigma(-(phi + log_ratio))


LEARNER_MISASSIGNMENT = identity(
    "old_drift.a.learner_misassignment",
    "eps_q = (1/2) e^(-phi/2) e^(-delta_q^2/8) S(phi, delta_q), with delta_q = |m_n - mu_o|.",
    eps_q.head,
    eps_q.formula,
    (
        Link(
            "r_n is logistic in the log-ratio",
            plane(p_old * _new_share(_learner_ratio)),
            Algebra((eps_q,)),
        ),
        affine_law(
            "log p_o/q_n is N(delta_q^2/2, delta_q^2) under p_o",
            "a.learner",
            p_old,
            _learner_ratio,
            delta_q**2 / 2,
            delta_q,
            _new_share,
        ),
        Link(
            "shift to the midpoint",
            line(normal(z - delta_q / 2) * _new_share(delta_q * z), z),
            Substitution(z, z, z - delta_q / 2),
        ),
        Link("complete the square", eps_q.formula, Algebra((S,))),
    ),
    source="Theorem 2.3",
)
TARGET_AS_LEARNER = identity(
    "old_drift.a.target_as_learner",
    "eps_p is eps_q of a learner that has reached the target.",
    eps_p.head,
    eps_q(tau, delta, sp.S.Zero),
    by_algebra("the same mean", eps_q(tau, delta, sp.S.Zero), eps_p, eps_q),
    source="Theorem 2.3",
)
TARGET_MISASSIGNMENT = identity(
    "old_drift.a.target_misassignment",
    "eps_p = (1/2) e^(-tau/2) e^(-delta^2/8) S(tau, delta).",
    eps_p.head,
    eps_p.formula,
    (
        *TARGET_AS_LEARNER.proof,
        Link(
            "its sech form",
            eps_p.formula,
            Combination((Use(LEARNER_MISASSIGNMENT, as_target),)),
        ),
    ),
    source="Theorem 2.3",
)

# translation


def moved(expr: Expr, along_by: Expr, across_by: Expr) -> tuple[Link, ...]:
    """The plane's origin is moved, one coordinate after the other."""
    first = expr.subs(along, along + along_by)
    return (
        Link("move along", plane(first), Substitution(along, along, along + along_by)),
        Link(
            "move across",
            plane(first.subs(across, across + across_by)),
            Substitution(across, across, across + across_by),
        ),
    )


LEARNER_MOVED = identity(
    "old_drift.f.learner_misassignment",
    "E_{q_o}[r_n] depends on the means through m_n - m_o: it is eps_q there.",
    plane(q_old * r_new),
    eps_q(phi, *between),
    (
        *moved(q_old * r_new, old_mean_along, old_mean_across),
        Link("the mean at mu_o", eps_q(phi, *between), Algebra((eps_q,))),
    ),
)
TARGET_AT_MU_O = identity(
    "old_drift.a.target_complement",
    "At m_o = mu_o, E_{p_o}[s_o] = 1 - eps_p.",
    leak_p(tau, delta, sp.S.Zero),
    1 - eps_p.head,
    by_algebra("s_o = 1 - s_n", 1 - eps_p.head, leak_p, eps_p),
    source="Theorem 2.3",
)

# bounds

prefactor = sp.exp(-phi / 2) * sp.exp(-(delta_q**2) / 8) / 2
_sech_gap = 1 - sp.sech((phi + delta_q * z) / 2)
CLASSICAL = bound(
    "old_drift.b.misassignment",
    "eps_q <= (1/2) sqrt((1 - beta)/beta) e^(-delta_q^2/8).",
    eps_q.head,
    "<=",
    prefactor,
    (
        Link("its sech form", eps_q.formula, Combination((Use(LEARNER_MISASSIGNMENT),))),
        Link(
            "sech <= 1",
            prefactor,
            Combination(remainder=prefactor * line(normal(z) * _sech_gap, z), unfold=(S,)),
            "<=",
        ),
    ),
    source="Theorem 2.3",
)
_overlap_at_delta_q = delta_q * S(phi, delta_q)
_root = sp.sqrt(2 * sp.pi)
_widest = sp.Min(delta_q, _root)
_AT_MOST_ONE = bound(
    "old_drift.c.at_most_one",
    "S <= 1 at every distance.",
    _overlap_at_delta_q,
    "<=",
    delta_q,
    (
        Link(
            "sech <= 1",
            delta_q,
            Combination(remainder=delta_q * line(normal(z) * _sech_gap, z), unfold=(S,)),
            "<=",
        ),
    ),
    source="ours",
)
_DENSITY = bound(
    "old_drift.c.density",
    "delta_q S <= sqrt(2 pi) at every distance.",
    _overlap_at_delta_q,
    "<=",
    _root,
    (
        Link(
            "the overlap lemma at delta_q > 0; 0 <= sqrt(2 pi) at delta_q = 0",
            _root,
            Cited("a distance is positive or 0", (S_DENSITY_BOUND,)),
            "<=",
        ),
    ),
    source="ours",
)
SHARPER_OVERLAP = bound(
    "old_drift.c.overlap",
    "delta_q S(phi, delta_q) <= min(delta_q, sqrt(2 pi)).",
    _overlap_at_delta_q,
    "<=",
    _widest,
    (
        Link(
            "below both",
            _widest,
            Cited("definition of the minimum", (_AT_MOST_ONE, _DENSITY)),
            "<=",
        ),
    ),
    source="ours",
)
SHARPER = bound(
    "old_drift.c.misassignment",
    "delta_q eps_q <= (1/2) sqrt((1 - beta)/beta) min(delta_q, sqrt(2 pi)) e^(-delta_q^2/8).",
    delta_q * eps_q.head,
    "<=",
    prefactor * _widest,
    (
        Link(
            "sech form of eps_q",
            prefactor * _overlap_at_delta_q,
            Combination((Use(LEARNER_MISASSIGNMENT, times=delta_q),)),
        ),
        Link(
            "bound of S",
            prefactor * _widest,
            Combination((Use(SHARPER_OVERLAP, times=prefactor),)),
            "<=",
        ),
    ),
    source="ours",
)
