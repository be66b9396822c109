r"""SDFT: reverse KL to an EMA teacher whose logit is anchored in demonstrations (reconstructed).

The student takes a step of gradient descent on R(\phi; \tau_t) towards the teacher's target
\tau_t = (1 - \nu)\chi + \nu\tau, the teacher follows as a moving average. The rooms: one_step (a);
reach, contraction, linear and stability (b); unanchored (c); impulses and drift (d); trajectory,
what one step gives in the long run.
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI, TAU
from theorems.sdft.quantities import (
    ANCHOR_STRENGTH,
    EMA_RATE,
    STEP,
    TEACHER_LOGIT,
    impulse,
    spectral_radius,
    student,
    teacher,
)


def _argument() -> Argument:
    from theorems.sdft.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="sdft",
    title="SDFT: reverse KL to an EMA teacher with a demonstration anchor",
    source="reconstructed",
    statement=(
        "A student descends the reverse KL towards an EMA teacher, whose logit is mixed with that "
        "of correct demonstrations at strength nu. No mass is forgotten, whatever nu: the student "
        "stays above min(phi_0, chi_0, tau). For nu > 0 student and teacher reach the "
        "demonstrations geometrically; at nu = 0 every common logit is a fixed point, and the "
        "limit depends on the start. The drift impulses on the old mean are of order "
        "e^(-delta^2/8) and have a finite sum."
    ),
    parameters=(PHI, TEACHER_LOGIT, TAU, DELTA, ANCHOR_STRENGTH, EMA_RATE, STEP),
    quantities=(student, teacher, impulse, spectral_radius),
    argument=_argument,
    section=7,
)
