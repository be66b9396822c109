r"""The gradients: in the old mean at any m_o, at m_o = \mu_o, and in the new mean.

Derived once, (f), from the objective on the plane: m_o = \mu_o gives (a), swapping the labels of
the learner gives (d).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Divergence,
    Expr,
    Link,
    Parameter,
    Use,
    by_algebra,
    identity,
)
from theorems.mixture import (
    along,
    alpha,
    beta,
    mix,
    new_mean_across,
    new_mean_along,
    normal,
    phi,
    plane,
)
from theorems.old_drift.leakage import LABELS_SWAPPED, TARGET_MOVED
from theorems.old_drift.misassignment import LEARNER_MOVED, TARGET_AT_MU_O
from theorems.old_drift.plane import (
    AXES,
    between,
    correct,
    drift,
    drift_of_new,
    drift_of_old,
    learner,
    new_mean,
    new_mode,
    old_mean,
    old_mean_across,
    old_mean_along,
    points,
    q_old,
    r_new,
    s_new,
    s_old,
    target,
)

gap = sp.Symbol("gap", real=True)
COORDINATES = (
    Parameter(
        "gap",
        gap,
        sp.Interval(-sp.oo, sp.oo),
        (sp.Integer(-3), sp.Integer(3)),
        "one coordinate of mu_n - mu_o, whitened",
    ),
    Parameter(
        "along",
        along,
        sp.Interval(-sp.oo, sp.oo),
        (sp.Integer(-3), sp.Integer(3)),
        "the same coordinate of a point of R^d, origin mu_o",
    ),
)

# (f) the gradient in the old mean, at any m_o


def _route(axis: int, pulls: Expr) -> tuple[Link, ...]:
    """From the derivative of the objective to a mean of responsibilities, one coordinate."""
    score = sp.log(learner / target)
    coordinate = points[axis]
    return (
        Link(
            "differentiate under the integral",
            plane(beta * q_old * (coordinate - old_mean[axis]) * (score + 1)),
            Algebra((drift[axis],)),
        ),
        Link(
            "dq_o/dm_o = -dq_o/dy: integrate by parts (Stein)",
            plane(beta * q_old * sp.diff(score, coordinate)),
            Divergence(((coordinate, -beta * q_old * (score + 1)),), points),
        ),
        Link(
            "scores of both mixtures, r_o = 1 - r_n and s_o = 1 - s_n",
            plane(beta * q_old * pulls),
            Algebra(),
        ),
    )


def _old_mean_gradient(axis: int) -> Claim:
    pulls = old_mean[axis] + r_new * between[axis] - s_new * new_mode[axis]
    return identity(
        f"old_drift.f.{AXES[axis]}",
        "At any m_o the gradient in the old mean is a restoring force plus overlap terms, "
        "beta((m_o - mu_o) + E_{q_o}[r_n](m_n - m_o) - E_{q_o}[s_n](mu_n - mu_o)): "
        f"the coordinate {AXES[axis]} mu_n - mu_o.",
        drift[axis].head,
        drift[axis].formula,
        (
            *_route(axis, pulls),
            Link(
                "take the means, s_n = 1 - s_o",
                beta
                * (
                    old_mean[axis]
                    + plane(q_old * r_new) * between[axis]
                    - (1 - plane(q_old * s_old)) * new_mode[axis]
                ),
                Algebra(),
            ),
            Link(
                "which move with the means",
                drift[axis].formula,
                Combination(
                    (
                        Use(LEARNER_MOVED, times=beta * between[axis]),
                        Use(TARGET_MOVED, times=beta * new_mode[axis]),
                    )
                ),
            ),
        ),
        source="Theorem 2.3",
    )


OLD_MEAN_GRADIENT = tuple(_old_mean_gradient(axis) for axis in (0, 1))

_own, _other = normal(along, old_mean_along), normal(along, new_mean_along)
_learner = mix(beta, _own, _other)
_target = mix(alpha, normal(along), normal(along, gap))
_score = sp.log(_learner / _target)
_pulls = (
    old_mean_along
    + (1 - beta) * _other / _learner * (new_mean_along - old_mean_along)
    - (1 - alpha) * normal(along, gap) / _target * gap
)
_by_flux = beta * _own * _pulls - sp.diff(beta * _own * (_score + 1), along)
COORDINATE = identity(
    "old_drift.f.coordinate",
    "The same in every coordinate of R^d: the integrands differ by the derivative of a flux that "
    "vanishes at infinity. Given the other coordinates the mixtures are of this form with other "
    "logits, up to factors that do not move with this coordinate of m_o.",
    sp.diff(_learner * _score, old_mean_along),
    _by_flux,
    by_algebra("dq_o/dm_o = -dq_o/dy, and the scores", _by_flux),
    source="Theorem 2.3",
)

# (a) at m_o = mu_o


def _old_drift(axis: int) -> Claim:
    gradient = drift_of_old[axis]
    return identity(
        f"old_drift.a.{AXES[axis]}",
        "With a correct old mean its gradient is beta(eps_q (m_n - mu_o) - eps_p (mu_n - mu_o)): "
        f"the coordinate {AXES[axis]} mu_n - mu_o.",
        gradient.head,
        gradient.formula,
        (
            Link(
                "the gradient at m_o = mu_o",
                drift[axis].head.subs(correct),
                Algebra((gradient, drift[axis])),
            ),
            Link(
                "(f) at m_o = mu_o",
                drift[axis].formula.subs(correct),
                Combination((Use(OLD_MEAN_GRADIENT[axis], correct),)),
            ),
            Link(
                "s_o = 1 - s_n",
                gradient.formula,
                Combination((Use(TARGET_AT_MU_O, times=beta * new_mode[axis]),)),
            ),
        ),
        source="Theorem 2.3",
    )


OLD_DRIFT = tuple(_old_drift(axis) for axis in (0, 1))

# (d) the gradient in the new mean


def _new_drift(axis: int) -> Claim:
    swapped = {
        phi: -phi,
        old_mean_along: new_mean_along,
        old_mean_across: new_mean_across,
        new_mean_along: sp.S.Zero,
        new_mean_across: sp.S.Zero,
    }
    gradient = drift_of_new[axis]
    by_f = drift[axis].formula.subs(swapped, simultaneous=True)
    return identity(
        f"old_drift.d.{AXES[axis]}",
        "The gradient in the new mean is (1 - beta)((m_n - mu_n) - eps'_q (m_n - mu_o) "
        f"+ eps'_p (mu_n - mu_o)): the coordinate {AXES[axis]} mu_n - mu_o.",
        gradient.head,
        gradient.formula,
        (
            Link(
                "swap the labels of the learner",
                drift[axis].head.subs(swapped, simultaneous=True),
                Algebra((gradient, drift[axis])),
            ),
            Link(
                "(f) with the labels swapped",
                by_f,
                Combination((Use(OLD_MEAN_GRADIENT[axis], swapped),)),
            ),
            Link(
                "eps'_q is a misassignment too",
                gradient.formula,
                Combination((Use(LABELS_SWAPPED, times=(1 - beta) * new_mean[axis]),)),
            ),
        ),
        source="Theorem 2.3",
    )


NEW_DRIFT = tuple(_new_drift(axis) for axis in (0, 1))
