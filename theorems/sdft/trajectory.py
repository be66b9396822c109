r"""What one step gives, along every trajectory: no forgetting, geometric convergence, and a finite
sum of the impulses on the old mean."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Claim, Expr, Parameter, Path, System, by_algebra, identity
from theorems.mixture import PHI, delta, phi, tau
from theorems.overlap.quantities import decay
from theorems.sdft.contraction import NEARER, contraction, furthest
from theorems.sdft.drift import PAID
from theorems.sdft.one_step import CEILING, FLOOR, REALS, SOURCE
from theorems.sdft.quantities import TEACHER_LOGIT, chi, impulse, rho, step, student, teacher

INDUCTION = "induction on the step"


def _start(name: str, of: Parameter) -> Parameter:
    """Where a state of the map begins."""
    symbol = sp.Symbol(name, **of.symbol.assumptions0)
    return Parameter(name, symbol, of.domain, of.box, f"{of.text}, at step 0", typical=of.typical)


TOTAL = Parameter(
    "total_impulse",
    sp.Symbol("total_impulse", real=True),
    REALS,
    (sp.S.Zero, sp.S.One),
    "sum of the impulses on the old mean so far",
    typical=sp.S.Zero,
)
STUDENT_START = _start("student_start", PHI)
TEACHER_START = _start("teacher_start", TEACHER_LOGIT)
TOTAL_START = _start("total_start", TOTAL)
STEPS = Parameter(
    "steps",
    sp.Symbol("steps", integer=True, nonnegative=True),
    sp.Range(0, sp.oo),
    (sp.S.One, sp.Integer(6)),
    "how many steps were taken",
    typical=sp.Integer(3),
)
starts = (STUDENT_START.symbol, TEACHER_START.symbol)
total, total_start = TOTAL.symbol, TOTAL_START.symbol

MAP = System(
    "sdft_map",
    (PHI, TEACHER_LOGIT, TOTAL),
    (STUDENT_START, TEACHER_START, TOTAL_START),
    (student.head, teacher.head, total + impulse.head),
    STEPS,
    "steps of student and teacher, and the sum of the impulses",
    discrete=True,
)
lowest_start = sp.Min(*starts, tau)


def _along(letter: str, slug: str, text: str, left: Expr, right: Expr, *premises: Claim) -> Path:
    """left <= right after every step, by induction."""
    by = Cited(INDUCTION, premises)
    return Path(f"sdft.{letter}.{slug}", text, MAP, left, "<=", right, by, source=SOURCE)


NO_FORGETTING = _along(
    "a",
    "no_forgetting",
    "No mass is forgotten, whatever nu: phi_t >= min(phi_0, chi_0, tau).",
    lowest_start,
    phi,
    *FLOOR,
)
TEACHER_KEEPS = _along(
    "a",
    "teacher_keeps",
    "Nor by the teacher: chi_t >= min(phi_0, chi_0, tau).",
    lowest_start,
    chi,
    *FLOOR,
)
rate = 1 - contraction(*starts)  # rho c nu
CONVERGES = _along(
    "b",
    "converges",
    "Student and teacher reach tau geometrically: the larger distance is at most (1 - rho c nu)^t "
    "times that of the start, c at the largest of |phi_0|, |chi_0|, |tau|.",
    furthest(phi, chi),
    (1 - rate) ** STEPS.symbol * furthest(*starts),
    NEARER,
    *FLOOR,
    *CEILING,
)
DRIFT = _along(
    "d",
    "total",
    "For nu > 0 all impulses together are at most h delta e^(-phi_min/2) e^(-delta^2/8) "
    "M_0/(rho c nu), phi_min = min(phi_0, chi_0, tau), M_0 the larger distance from tau at the "
    "start.",
    total,
    total_start + step * delta * sp.exp(-lowest_start / 2) * decay * furthest(*starts) / rate,
    PAID,
    *FLOOR,
    *CEILING,
)

# the teacher's moving average of a student that stands still

AVERAGE = System(
    "moving_average",
    (TEACHER_LOGIT,),
    (TEACHER_START,),
    ((1 - rho) * chi + rho * phi,),
    STEPS,
    "the teacher's moving average while the student stands still",
    discrete=True,
)
_average = AVERAGE.rate[0]
AVERAGE_STEP = identity(
    "sdft.a.average_step",
    "A step of the moving average multiplies the teacher's distance from the student by 1 - rho.",
    _average - phi,
    (1 - rho) * (chi - phi),
    by_algebra("collect", (1 - rho) * (chi - phi)),
    source=SOURCE,
)
MOVING_AVERAGE = Path(
    "sdft.a.moving_average",
    "While the student stands still, chi_t = phi + (1 - rho)^t (chi_0 - phi): 1 - (1 - rho)^t from "
    "0 towards a student at 1.",
    AVERAGE,
    chi,
    "=",
    phi + (1 - rho) ** STEPS.symbol * (TEACHER_START.symbol - phi),
    Cited(INDUCTION, (AVERAGE_STEP,)),
    source=SOURCE,
)

PARAMETERS = (TOTAL, STUDENT_START, TEACHER_START, TOTAL_START, STEPS)
CLAIMS = (
    NO_FORGETTING,
    TEACHER_KEEPS,
    CONVERGES,
    DRIFT,
    AVERAGE_STEP,
    MOVING_AVERAGE,
)
