r"""What SDFT speaks of: one step of student and teacher, the impulse on the old mean, and the
linearised map.

The step is gradient descent on the reverse KL R(\phi; \tau_t) from its definition, with the
teacher's target \tau_t = (1 - \nu)\chi + \nu\tau; the impulse is that step's pull on the old mean,
frozen at its correct value; the linearised map holds derivatives of the step at (\tau, \tau).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Parameter, Quantity
from theorems.mixture import DELTA, PHI, TAU, alpha, beta, delta, phi, tau
from theorems.old_drift.plane import drift_of_old, new_mode, norm
from theorems.overlap.quantities import eps_o, kappa
from theorems.reverse_kl.quantities import KL_reverse, dKL_reverse

chi = sp.Symbol("teacher_logit", real=True)
nu = sp.Symbol("anchor_strength", nonnegative=True)
rho, step = sp.symbols("ema_rate step", positive=True)
v = sp.Symbol("v", real=True)

TEACHER_LOGIT = Parameter(
    "teacher_logit",
    chi,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-4), sp.Integer(4)),
    "logit chi of the teacher's weight on the old mode",
    typical=sp.Rational(1, 2),
)
ANCHOR_STRENGTH = Parameter(
    "anchor_strength",
    nu,
    sp.Interval(0, 1),
    (sp.Rational(1, 16), sp.S.One),
    "share nu of the demonstrations' logit in the teacher's target",
    typical=sp.Rational(1, 4),
)
EMA_RATE = Parameter(
    "ema_rate",
    rho,
    sp.Interval.Lopen(0, 1),
    (sp.Rational(1, 16), sp.S.One),
    "share rho of the student in the teacher's moving average, a step",
    typical=sp.Rational(1, 2),
)
STEP = Parameter(
    "step",
    step,
    sp.Interval.Lopen(0, 4),
    (sp.Rational(1, 16), sp.Integer(4)),
    "step size h of gradient descent in the student's logit",
)
STATE = (PHI, TEACHER_LOGIT, TAU, DELTA, ANCHOR_STRENGTH)

target = (1 - nu) * chi + nu * tau

student = Quantity(
    "student_step",
    "student",
    (*STATE, STEP),
    phi - step * sp.Derivative(KL_reverse.definition.subs(tau, target), phi),
    phi - step * dKL_reverse(phi, target, delta),
    "student's logit after a step, phi - h dR/dphi at the teacher's target (1 - nu) chi + nu tau",
)
teacher = Quantity(
    "teacher_step",
    "teacher",
    (*STATE, EMA_RATE, STEP),
    (1 - rho) * chi + rho * student.head,
    (1 - rho) * chi + rho * student.head,
    "teacher's logit after a step, (1 - rho) chi + rho times the student's new logit",
)
impulse = Quantity(
    "drift_impulse",
    "impulse",
    (*STATE, STEP),
    step * norm(tuple(each(phi, target, delta, *new_mode) for each in drift_of_old)),
    step * beta * delta * sp.Abs(eps_o.head - eps_o(target, delta)),
    "size of the old mean's first move in a step, h times its gradient at correct means",
)

# the mean of kappa between the student and a target

_mean = sp.Integral(kappa(tau + v * (phi - tau), delta), (v, 0, 1))
mean_kappa = Quantity(
    "mean_distinguishability",
    "mean_kappa",
    (PHI, TAU, DELTA),
    _mean,
    _mean,
    "mean of kappa(u, delta) over u between tau and phi",
)

# the map, linearised at (tau, tau)

_at_rest = ((phi, chi), (tau, tau))
pull = step * alpha * (1 - alpha) * kappa(tau, delta)  # x of the linearised map


def _slope(move: Quantity, of: Expr, formula: Expr) -> Quantity:
    """The derivative of a step in one of the logits, where both are tau."""
    by = {phi: "student", chi: "teacher"}[of]
    return Quantity(
        f"{move.symbol}_slope_in_{by}",
        f"{move.symbol}_by_{by}",
        move.parameters[2:],
        sp.Subs(sp.Derivative(move.head, of), *_at_rest),
        formula,
        f"derivative of the {move.symbol}'s step in the {by}'s logit, where both logits are tau",
    )


slopes = (
    _slope(student, phi, 1 - pull),
    _slope(student, chi, pull * (1 - nu)),
    _slope(teacher, phi, rho * (1 - pull)),
    _slope(teacher, chi, 1 - rho + rho * pull * (1 - nu)),
)


def trace_of(entries: tuple[Expr, ...]) -> Expr:
    """The trace of a 2 x 2 matrix, row by row."""
    return entries[0] + entries[3]


def determinant_of(entries: tuple[Expr, ...]) -> Expr:
    """Its determinant."""
    return entries[0] * entries[3] - entries[1] * entries[2]


def discriminant_of(entries: tuple[Expr, ...]) -> Expr:
    """The discriminant of its characteristic polynomial, not negative if no entry is."""
    return (entries[0] - entries[3]) ** 2 + 4 * entries[1] * entries[2]


def _largest(entries: tuple[Expr, ...]) -> Expr:
    return (trace_of(entries) + sp.sqrt(discriminant_of(entries))) / 2


jacobian = tuple(each.head for each in slopes)
linear_map = tuple(each.formula for each in slopes)

spectral_radius = Quantity(
    "spectral_radius",
    "spectral_radius",
    (TAU, DELTA, ANCHOR_STRENGTH, EMA_RATE, STEP),
    _largest(jacobian),
    _largest(linear_map),
    "spectral radius of the map of student and teacher, linearised where both logits are tau",
    exempt={"monte_carlo": "a nonlinear function of averages has no honest z-test"},
)

AUXILIARY = (mean_kappa, *slopes)
