r"""Part (a): a step moves the student part of the way to its target, and never below the lowest
of student, teacher and demonstrations."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import beta, delta, phi, tau
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_POSITIVE
from theorems.reverse_kl.bounds import MONOTONE_INTEGRAL
from theorems.reverse_kl.gradient import GRADIENT
from theorems.reverse_kl.quantities import W, dKL_reverse, spread
from theorems.sdft.quantities import (
    chi,
    mean_kappa,
    nu,
    rho,
    step,
    student,
    target,
    teacher,
)

SOURCE = "reconstructed"
MAXIMUM = "definition of the maximum"
REALS = sp.Interval(-sp.oo, sp.oo)
lowest, highest = sp.symbols("lowest highest", real=True)
LOWEST = Parameter(
    "lowest",
    lowest,
    REALS,
    (sp.Integer(-8), sp.S.Zero),
    "a lower bound of the logits of student, teacher and demonstrations",
    typical=sp.Integer(-4),
)
HIGHEST = Parameter(
    "highest",
    highest,
    REALS,
    (sp.S.Zero, sp.Integer(8)),
    "an upper bound of the logits of student, teacher and demonstrations",
    typical=sp.Integer(4),
)

# what is known of nu, rho and h, as hypotheses
MIXED = (nu <= 1,)
SHORT = (step <= 4,)
AVERAGED = (rho <= 1,)

# the step, as a part of the way to a target

STUDENT_FORMULA = identity(
    "sdft.a.student_formula",
    "The student descends R at the teacher's target: phi - h dR/dphi(phi; (1 - nu) chi + nu tau).",
    student.head,
    student.formula,
    by_algebra("the derivative is dR/dphi", student.formula, student, dKL_reverse),
    source=SOURCE,
)
MEAN_KAPPA = identity(
    "sdft.a.mean_kappa",
    "The integral of kappa from tau to phi is phi - tau times the mean of kappa in between.",
    W.head,
    (phi - tau) * mean_kappa.head,
    (
        Link(
            "u = tau + v (phi - tau)",
            (phi - tau) * mean_kappa.head,
            Cited("change of variable in an integral"),
        ),
    ),
    source=SOURCE,
)
MEAN_KAPPA_POSITIVE = positive(
    "sdft.a.mean_kappa_positive",
    "The mean of kappa between two logits is positive.",
    mean_kappa.head,
    (
        Link(
            "kappa is",
            mean_kappa.head,
            Cited(MONOTONE_INTEGRAL, (KAPPA_POSITIVE,)),
            "<",
        ),
    ),
    source=SOURCE,
)
MEAN_KAPPA_BELOW_ONE = bound(
    "sdft.a.mean_kappa_below_one",
    "The mean of kappa between two logits is below 1.",
    mean_kappa.head,
    "<",
    sp.S.One,
    (Link("kappa is", sp.S.One, Cited(MONOTONE_INTEGRAL, (KAPPA_BELOW_ONE,)), "<"),),
    source=SOURCE,
)
WHOLE_STEP = bound(
    "sdft.a.whole_step",
    "h beta (1 - beta) <= 1 for h <= 4.",
    step * spread,
    "<=",
    sp.S.One,
    (
        Link(
            "beta (1 - beta) is at most 1/4",
            sp.S.One,
            Combination(remainder=spread * (4 - step) + (1 - 2 * beta) ** 2),
            "<=",
        ),
    ),
    where=SHORT,
    source=SOURCE,
)
share = step * spread * mean_kappa.head  # of the way from phi to tau
SHARE_BELOW_ONE = bound(
    "sdft.a.share_below_one",
    "A step h <= 4 goes less than the whole way: h beta (1 - beta) times the mean of kappa is "
    "below 1.",
    share,
    "<",
    sp.S.One,
    (
        Link(
            "the mean of kappa is below 1",
            step * spread,
            Combination((Use(MEAN_KAPPA_BELOW_ONE, times=step * spread),)),
            "<",
        ),
        Link("beta (1 - beta) <= 1/4", sp.S.One, Combination((Use(WHOLE_STEP),)), "<="),
    ),
    where=SHORT,
    source=SOURCE,
)
at_target = {tau: target}
share_to_target = share.subs(at_target)
STUDENT_SHARE = identity(
    "sdft.a.student_share",
    "A step moves the student part of the way to the teacher's target: by "
    "h beta (1 - beta) times the mean of kappa in between.",
    student.head,
    phi - share_to_target * (phi - target),
    (
        Link("a step of descent", student.formula, Combination((Use(STUDENT_FORMULA),))),
        Link(
            "accumulate kappa",
            phi - step * spread * W(phi, target, delta),
            Combination((Use(GRADIENT, at_target, -step),)),
        ),
        Link(
            "mean of kappa",
            phi - share_to_target * (phi - target),
            Combination((Use(MEAN_KAPPA, at_target, -step * spread),)),
        ),
    ),
    source=SOURCE,
)

# bounds of every logit outlast a step


def _kept(letter: str, end: Expr, strength: Expr) -> tuple[Claim, Claim]:
    """Student and teacher after a step, on their side of `end`; without an anchor (strength 0)
    nothing is asked of the demonstrations."""
    sign, way = (1, "floor") if end == lowest else (-1, "ceiling")
    mixed, landed = target.subs(nu, strength), student.head.subs(nu, strength)

    def room(logit: Expr) -> Expr:
        return sign * (logit - end)

    def order(logit: Expr) -> tuple[Expr, Expr]:
        return (end, logit) if end == lowest else (logit, end)

    held = (phi, chi) if strength == 0 else (phi, chi, tau)
    supposed = tuple(sp.Le(*order(logit)) for logit in held)
    words = "above a lower" if end == lowest else "below an upper"
    among = "both logits" if strength == 0 else "the logits of student, teacher and demonstrations"
    moved, averaged = order(landed), order(teacher.head.subs(nu, strength))
    of_student = bound(
        f"sdft.{letter}.student_{way}",
        f"A step leaves the student {words} bound of {among}.",
        moved[0],
        "<=",
        moved[1],
        (
            Link(
                "a part of the way to the target",
                moved[1],
                Combination(
                    (
                        Use(STUDENT_SHARE, {nu: strength}, sp.Integer(-sign)),
                        Use(SHARE_BELOW_ONE, {tau: mixed}, room(phi)),
                        Use(
                            MEAN_KAPPA_POSITIVE,
                            {tau: mixed},
                            step * spread * ((1 - strength) * room(chi) + strength * room(tau)),
                        ),
                    )
                ),
                "<=",
            ),
        ),
        where=(*supposed, *SHORT, *(() if strength == 0 else MIXED)),
        source=SOURCE,
    )
    of_teacher = bound(
        f"sdft.{letter}.teacher_{way}",
        f"A step leaves the teacher {words} bound of {among}.",
        averaged[0],
        "<=",
        averaged[1],
        (
            Link(
                "a mean of teacher and student",
                averaged[1],
                Combination((Use(of_student, times=rho),), (1 - rho) * room(chi), (teacher,)),
                "<=",
            ),
        ),
        where=(*of_student.where, *AVERAGED),
        source=SOURCE,
    )
    return of_student, of_teacher


FLOOR, CEILING = _kept("a", lowest, nu), _kept("a", highest, nu)
FLOOR_WITHOUT, CEILING_WITHOUT = _kept("c", lowest, sp.S.Zero), _kept("c", highest, sp.S.Zero)

CLAIMS = (
    STUDENT_FORMULA,
    MEAN_KAPPA,
    MEAN_KAPPA_POSITIVE,
    MEAN_KAPPA_BELOW_ONE,
    WHOLE_STEP,
    SHARE_BELOW_ONE,
    STUDENT_SHARE,
    *FLOOR,
    *CEILING,
)
