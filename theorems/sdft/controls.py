"""False variants of the theorem on SDFT, each with a witness."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Relation
from theorems.mixture import DELTA, PHI, TAU, alpha, delta, phi, tau
from theorems.overlap.quantities import decay, eps_o, kappa
from theorems.reverse_kl.quantities import spread
from theorems.sdft.contraction import STUDENT_RESTS, TEACHER_RESTS, contraction, furthest
from theorems.sdft.one_step import share_to_target
from theorems.sdft.quantities import (
    ANCHOR_STRENGTH,
    EMA_RATE,
    STEP,
    TEACHER_LOGIT,
    chi,
    determinant_of,
    impulse,
    jacobian,
    nu,
    pull,
    rho,
    spectral_radius,
    step,
    student,
    target,
    teacher,
    trace_of,
)
from theorems.sdft.unanchored import STUDENT_FIXED, TEACHER_FIXED, gap, gap_after

_PLACE = (PHI, TEACHER_LOGIT, TAU, DELTA, ANCHOR_STRENGTH, EMA_RATE, STEP)


def _ids(listed: str) -> tuple[str, ...]:
    return tuple(f"sdft.{each}" for each in listed.split())


def _false(
    slug: str, text: str, of: str, left: Expr, relation: Relation, right: Expr, at: str
) -> Control:
    """A control that fails at (phi, chi, tau, delta, nu, rho, h) = at."""
    id = f"sdft.control.{slug}"
    hint = dict(zip(_PLACE, map(sp.Rational, at.split()), strict=True))
    return Control(id, text, _ids(of), Claim(id, text, left, relation, right, "bound"), hint)


_without = {nu: sp.S.Zero}
_drift_size = step * delta * decay

CONTROLS = (
    Control(
        "sdft.control.unanchored_reaches",
        "At nu = 0 student and teacher reach tau from every start: from phi_0 = chi_0 = -1, say, "
        "for tau = 0.",
        _ids(
            "b.converges c.student_fixed c.teacher_fixed c.anchor_lost c.student_floor "
            "c.teacher_floor c.student_ceiling c.teacher_ceiling"
        ),
        None,
        invariant=(STUDENT_FIXED, TEACHER_FIXED),
    ),
    Control(
        "sdft.control.wrong_anchor",
        "Anchored in wrong demonstrations, of logit tau, student and teacher reach the right logit "
        "from every start all the same: from (tau, tau), say.",
        _ids("b.student_rests b.teacher_rests b.converges b.contracts"),
        None,
        invariant=(STUDENT_RESTS, TEACHER_RESTS),
    ),
    _false(
        "anchored_anywhere",
        "With an anchor, too, every common logit is fixed.",
        "a.student_share b.split b.student_rests b.teacher_rests",
        student.head.subs(chi, phi),
        "=",
        phi,
        "-1 0 1 2 1/2 1/2 1",
    ),
    _false(
        "inverted_average",
        "The EMA rate inverted: the teacher's new logit is rho chi + (1 - rho) phi'.",
        "a.average_step a.moving_average a.teacher_floor a.teacher_ceiling",
        teacher.head,
        "=",
        rho * chi + (1 - rho) * student.head,
        "1 0 0 2 1/2 1/4 1",
    ),
    _false(
        "kappa_one",
        "The step is phi - h beta (1 - beta)(phi - tau_t): kappa replaced by 1.",
        "a.student_formula a.student_share a.mean_kappa a.mean_kappa_below_one "
        "a.mean_kappa_positive",
        student.head,
        "=",
        phi - step * spread * (phi - target),
        "1 0 -1 1 1/2 1/2 2",
    ),
    _false(
        "whole_way",
        "A step h = 4 reaches the target wherever it starts: phi' is nearer to it than by 1 - h/4.",
        "a.share_below_one a.whole_step",
        sp.Abs(student.head - target),
        "<=",
        (1 - step / 4) * sp.Abs(phi - target),
        "2 0 0 8 1/2 1/2 4",
    ),
    _false(
        "anchor_ignored",
        "The student stays above min(phi, chi), whatever the demonstrations say.",
        "a.student_floor a.student_ceiling a.teacher_floor a.teacher_ceiling a.no_forgetting "
        "a.teacher_keeps b.target_within_reach d.target_above",
        sp.Min(phi, chi),
        "<=",
        student.head,
        "1 1 -4 4 1 1/2 4",
    ),
    _false(
        "student_rate",
        "Student and teacher both come nearer by 1 - c nu a step, whatever the EMA rate.",
        "b.student_nearer b.student_nearer_too b.teacher_nearer b.nearer b.contracts b.converges",
        furthest(student.head, teacher.head),
        "<=",
        contraction(phi, chi).subs(rho, 1) * furthest(phi, chi),
        "0 1 0 6 1 1/16 4",
    ),
    _false(
        "share_at_peak",
        "A step goes the part h kappa(0)/4 of the way to the target, or more: c at weight 1/2.",
        "b.least_share b.mean_kappa_at_reach",
        step * kappa(sp.S.Zero, delta) / 4,
        "<=",
        share_to_target,
        "4 0 0 2 1/2 1/2 1",
    ),
    _false(
        "pull_without_kappa",
        "x = h alpha (1 - alpha): the student's slope in its own logit, kappa replaced by 1.",
        "b.student_by_student b.student_by_teacher b.teacher_by_student b.teacher_by_teacher "
        "b.pull_below_one",
        jacobian[0],
        "=",
        1 - step * alpha * (1 - alpha),
        "0 0 0 1 1/2 1/2 1",
    ),
    _false(
        "exchanged",
        "The spectral radius is the same with nu and rho exchanged.",
        "b.radius b.discriminant b.eigenvalue b.stable",
        spectral_radius.head,
        "=",
        spectral_radius(tau, delta, rho, nu, step),
        "0 0 0 12 1/10 1/2 4/5",
    ),
    _false(
        "contracts_unanchored",
        "At nu = 0 the spectral radius is 1 - rho x.",
        "b.neutral b.square_without_anchor b.root_without_anchor b.jury_at_one",
        spectral_radius.head.subs(_without),
        "=",
        1 - rho * pull,
        "0 0 0 2 0 1/2 1",
    ),
    _false(
        "characteristic_without_rate",
        "The characteristic polynomial at 1 is x nu.",
        "b.characteristic_at_one b.determinant b.jury_at_one b.jury_at_minus_one "
        "b.jury_determinant",
        1 - trace_of(jacobian) + determinant_of(jacobian),
        "=",
        pull * nu,
        "0 0 0 2 1/2 1/2 1",
    ),
    _false(
        "other_eigenvalue",
        "The spectral radius is at most the other eigenvalue, the trace less itself.",
        "b.largest b.half_the_trace b.trace_positive b.discriminant_nonnegative",
        spectral_radius.head,
        "<=",
        trace_of(jacobian) - spectral_radius.head,
        "0 0 0 2 1/2 1/2 1",
    ),
    _false(
        "student_ahead",
        "Without an anchor phi - chi shrinks by 1 - rho exactly, whatever the student's step.",
        "c.gap c.gap_shrinks d.paid_without_anchor",
        gap_after,
        "=",
        (1 - rho) * gap,
        "1 0 0 2 0 1/2 2",
    ),
    _false(
        "slope_quarter",
        "The impulse bound with 1/4, the largest value of r_o r_n, for 3 sqrt(3)/16.",
        "d.slope d.slope_bound d.lipschitz d.impulse",
        sp.Abs(eps_o.head - eps_o(tau, delta)),
        "<=",
        sp.exp(-sp.Min(phi, tau) / 2) * decay * sp.Abs(phi - tau) / 4,
        "11/10 1 1 1/4 1 1/2 1",
    ),
    _false(
        "impulse_seventh",
        "The impulse is at most h delta e^(-min(phi, tau_t)/2) e^(-delta^2/7) |phi - tau_t|.",
        "d.impulse d.impulse_above",
        impulse.head,
        "<=",
        step * delta * sp.exp(-sp.Min(phi, target) / 2 - delta**2 / 7) * sp.Abs(phi - target),
        "1 0 0 16 1/2 1/2 1",
    ),
    _false(
        "impulse_without_weight",
        "The impulse is h delta |eps_o(phi) - eps_o(tau_t)|, without the factor beta.",
        "d.impulse_formula",
        impulse.head,
        "=",
        step * delta * sp.Abs(eps_o.head - eps_o(target, delta)),
        "1 0 0 2 1/2 1/2 1",
    ),
    _false(
        "apart_by_one",
        "Student and target are no farther apart than the farther of student and teacher is from "
        "tau.",
        "d.apart d.impulse_within d.impulse_furthest",
        sp.Abs(phi - target),
        "<=",
        furthest(phi, chi),
        "1 -1 0 2 1/4 1/2 1",
    ),
    _false(
        "paid_at_once",
        "A step takes off the larger distance from tau what its impulse is worth, without the "
        "factor rho c nu.",
        "d.paid d.total",
        impulse.head,
        "<=",
        _drift_size
        * sp.exp(-sp.Min(phi, chi, tau) / 2)
        * (furthest(phi, chi) - furthest(student.head, teacher.head)),
        "0 1 0 2 1/16 1/16 1",
    ),
)
