r"""Part (b): for \nu > 0 a step brings student and teacher nearer to the demonstrations' logit.

`deviation` bounds the distances D of student and teacher from \tau.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    identity,
)
from theorems.mixture import phi, tau
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.reverse_kl.flow import reach
from theorems.reverse_kl.quantities import spread
from theorems.sdft.one_step import (
    AVERAGED,
    MAXIMUM,
    MEAN_KAPPA_POSITIVE,
    MIXED,
    SHARE_BELOW_ONE,
    SHORT,
    SOURCE,
    STUDENT_SHARE,
    at_target,
    share_to_target,
)
from theorems.sdft.quantities import chi, nu, rho, step, student, teacher
from theorems.sdft.reach import (
    CLOSE,
    LEAST_SHARE,
    TRIANGLE,
    WITHIN_REACH,
    least_share,
    spread_at_reach,
)

deviation = sp.Symbol("deviation", nonnegative=True)
DEVIATION = Parameter(
    "deviation",
    deviation,
    sp.Interval(0, sp.oo),
    (sp.Integer(4), sp.Integer(8)),
    "a bound of the distances of student and teacher from the demonstrations' logit",
    typical=sp.Integer(6),
)
DEVIATING = tuple(sp.Abs(logit - tau) <= deviation for logit in (phi, chi))

# one step

SPLIT = identity(
    "sdft.b.split",
    "The student's new distance from tau mixes its own with (1 - nu) times the teacher's.",
    student.head - tau,
    (1 - share_to_target) * (phi - tau) + share_to_target * (1 - nu) * (chi - tau),
    (
        Link(
            "a part of the way to the target",
            (1 - share_to_target) * (phi - tau) + share_to_target * (1 - nu) * (chi - tau),
            Combination((Use(STUDENT_SHARE),)),
        ),
    ),
    source=SOURCE,
)
_own, _others = sp.Abs(phi - tau), sp.Abs(chi - tau)
STUDENT_NEARER = bound(
    "sdft.b.student_nearer",
    "A step leaves the student within (1 - c nu) D of tau, if student and teacher are within D.",
    sp.Abs(student.head - tau),
    "<=",
    (1 - least_share * nu) * deviation,
    (
        Link(
            "the part of the way is between 0 and 1",
            (1 - share_to_target) * _own + share_to_target * (1 - nu) * _others,
            Cited(TRIANGLE, (SPLIT, SHARE_BELOW_ONE, MEAN_KAPPA_POSITIVE)),
            "<=",
        ),
        Link(
            "both are within D",
            (1 - share_to_target * nu) * deviation,
            Combination(
                (
                    Use(SHARE_BELOW_ONE, at_target, deviation - _own),
                    Use(
                        MEAN_KAPPA_POSITIVE,
                        at_target,
                        step * spread * (1 - nu) * (deviation - _others),
                    ),
                )
            ),
            "<=",
        ),
        Link(
            "at least the part c",
            (1 - least_share * nu) * deviation,
            Combination((Use(LEAST_SHARE, times=nu * deviation),)),
            "<=",
        ),
    ),
    where=(*DEVIATING, *WITHIN_REACH, *MIXED, *SHORT),
    box=CLOSE,
    source=SOURCE,
)
factor = 1 - rho * least_share * nu
ONE_STEP = (*STUDENT_NEARER.where, *AVERAGED)
TEACHER_NEARER = bound(
    "sdft.b.teacher_nearer",
    "A step leaves the teacher within (1 - rho c nu) D of tau, if student and teacher are within "
    "D.",
    sp.Abs(teacher.head - tau),
    "<=",
    factor * deviation,
    (
        Link(
            "a mean of teacher and student", sp.Abs(teacher.definition - tau), Algebra((teacher,))
        ),
        Link(
            "rho is between 0 and 1",
            (1 - rho) * _others + rho * sp.Abs(student.head - tau),
            Cited(TRIANGLE),
            "<=",
        ),
        Link(
            "both are near",
            factor * deviation,
            Combination((Use(STUDENT_NEARER, times=rho),), (1 - rho) * (deviation - _others)),
            "<=",
        ),
    ),
    where=ONE_STEP,
    box=CLOSE,
    source=SOURCE,
)
STUDENT_NEARER_TOO = bound(
    "sdft.b.student_nearer_too",
    "So is the student, whose distance shrinks by at least as much.",
    sp.Abs(student.head - tau),
    "<=",
    factor * deviation,
    (
        Link(
            "the student's own bound",
            (1 - least_share * nu) * deviation,
            Combination((Use(STUDENT_NEARER),)),
            "<=",
        ),
        Link(
            "rho is at most 1",
            factor * deviation,
            Combination(
                (
                    Use(
                        KAPPA_POSITIVE,
                        {phi: reach},
                        (1 - rho) * nu * deviation * step * spread_at_reach,
                    ),
                )
            ),
            "<=",
        ),
    ),
    where=ONE_STEP,
    box=CLOSE,
    source=SOURCE,
)


def furthest(own: Expr, others: Expr) -> Expr:
    """The larger distance of two logits from tau."""
    return sp.Max(sp.Abs(own - tau), sp.Abs(others - tau))


def contraction(own: Expr, others: Expr) -> Expr:
    """1 - rho c nu, c at the largest size of two logits and tau."""
    return factor.subs(reach, sp.Max(sp.Abs(own), sp.Abs(others), sp.Abs(tau)))


DOMAIN = (*MIXED, *SHORT, *AVERAGED)
NEARER = bound(
    "sdft.b.nearer",
    "A step shrinks the larger distance of student and teacher from tau by 1 - rho c nu, where the "
    "reach bounds the size of all logits.",
    furthest(student.head, teacher.head),
    "<=",
    factor * furthest(phi, chi),
    (
        Link(
            "D is the larger distance",
            factor * furthest(phi, chi),
            Cited(MAXIMUM, (STUDENT_NEARER_TOO, TEACHER_NEARER)),
            "<=",
        ),
    ),
    where=(*WITHIN_REACH, *DOMAIN),
    box=CLOSE,
    source=SOURCE,
)
CONTRACTS = bound(
    "sdft.b.contracts",
    "A step shrinks the larger distance of student and teacher from tau by 1 - rho c nu, "
    "c = h sigma(B) sigma(-B) kappa(B), B the largest of |phi|, |chi|, |tau|.",
    furthest(student.head, teacher.head),
    "<=",
    contraction(phi, chi) * furthest(phi, chi),
    (
        Link(
            "B is the largest size",
            contraction(phi, chi) * furthest(phi, chi),
            Cited(MAXIMUM, (NEARER,)),
            "<=",
        ),
    ),
    where=DOMAIN,
    source=SOURCE,
)

# rest

STUDENT_RESTS = identity(
    "sdft.b.student_rests",
    "Where student and teacher agree with the anchor, the student stays.",
    student.head.subs({phi: tau, chi: tau}),
    tau,
    (
        Link(
            "it is at its target",
            tau,
            Combination((Use(STUDENT_SHARE, {phi: tau, chi: tau}),)),
        ),
    ),
    source=SOURCE,
)
TEACHER_RESTS = identity(
    "sdft.b.teacher_rests",
    "Where student and teacher agree with the anchor, the teacher stays.",
    teacher.head.subs({phi: tau, chi: tau}),
    tau,
    (
        Link(
            "so does the student",
            tau,
            Combination((Use(STUDENT_RESTS, times=rho),), unfold=(teacher,)),
        ),
    ),
    source=SOURCE,
)

CLAIMS = (
    SPLIT,
    STUDENT_NEARER,
    TEACHER_NEARER,
    STUDENT_NEARER_TOO,
    NEARER,
    CONTRACTS,
    STUDENT_RESTS,
    TEACHER_RESTS,
)
