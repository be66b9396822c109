r"""Part (c): without an anchor (\nu = 0) student and teacher meet, at a logit that their start
decides: every common logit is a fixed point, and \tau drops out of the map."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Combination, Link, Use, bound, identity
from theorems.mixture import phi, tau
from theorems.reverse_kl.quantities import spread
from theorems.sdft.one_step import (
    AVERAGED,
    CEILING_WITHOUT,
    FLOOR_WITHOUT,
    MEAN_KAPPA_POSITIVE,
    SHARE_BELOW_ONE,
    SHORT,
    SOURCE,
    STUDENT_FORMULA,
    STUDENT_SHARE,
    share,
)
from theorems.sdft.quantities import chi, nu, rho, step, student, teacher

_without = {nu: sp.S.Zero}
_together = {nu: sp.S.Zero, chi: phi}
_student, _teacher = student.head.subs(_without), teacher.head.subs(_without)

STUDENT_FIXED = identity(
    "sdft.c.student_fixed",
    "Without an anchor every common logit is fixed: the student stays.",
    student.head.subs(_together),
    phi,
    (Link("it is at its target", phi, Combination((Use(STUDENT_SHARE, _together),))),),
    source=SOURCE,
)
TEACHER_FIXED = identity(
    "sdft.c.teacher_fixed",
    "Without an anchor every common logit is fixed: the teacher stays.",
    teacher.head.subs(_together),
    phi,
    (
        Link(
            "so does the student",
            phi,
            Combination((Use(STUDENT_FIXED, times=rho),), unfold=(teacher,)),
        ),
    ),
    source=SOURCE,
)
ANCHOR_LOST = identity(
    "sdft.c.anchor_lost",
    "Without an anchor the step knows nothing of tau: it is the same as for tau = 0.",
    _student,
    _student.subs(tau, 0),
    (
        Link(
            "the target is the teacher",
            _student.subs(tau, 0),
            Combination(
                (
                    Use(STUDENT_FORMULA, _without),
                    Use(STUDENT_FORMULA, {nu: sp.S.Zero, tau: sp.S.Zero}, sp.S.NegativeOne),
                )
            ),
        ),
    ),
    source=SOURCE,
)
gap, gap_after = phi - chi, _student - _teacher
_share = share.subs(tau, chi)
GAP = identity(
    "sdft.c.gap",
    "Without an anchor a step multiplies phi - chi by (1 - rho) and the rest of the student's way.",
    gap_after,
    (1 - rho) * (1 - _share) * gap,
    (
        Link(
            "the teacher follows by rho",
            (1 - rho) * (1 - _share) * gap,
            Combination((Use(STUDENT_SHARE, _without, 1 - rho),), unfold=(teacher,)),
        ),
    ),
    source="ours",
)
GAP_SHRINKS = bound(
    "sdft.c.gap_shrinks",
    "Without an anchor |phi - chi| shrinks by 1 - rho or more a step: student and teacher meet.",
    sp.Abs(gap_after),
    "<=",
    (1 - rho) * sp.Abs(gap),
    (
        Link(
            "both factors are between 0 and 1",
            (1 - rho) * (1 - _share) * sp.Abs(gap),
            Cited("the absolute value of a product", (GAP, SHARE_BELOW_ONE)),
        ),
        Link(
            "the student moves towards the teacher",
            (1 - rho) * sp.Abs(gap),
            Combination(
                (
                    Use(
                        MEAN_KAPPA_POSITIVE,
                        {tau: chi},
                        (1 - rho) * step * spread * sp.Abs(gap),
                    ),
                )
            ),
            "<=",
        ),
    ),
    where=(*SHORT, *AVERAGED),
    source="ours",
)

CLAIMS = (
    STUDENT_FIXED,
    TEACHER_FIXED,
    ANCHOR_LOST,
    *FLOOR_WITHOUT,
    *CEILING_WITHOUT,
    GAP,
    GAP_SHRINKS,
)
