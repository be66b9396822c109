"""SDFT as declared: no proof carries a false claim, and values from the definitions agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Control, Expr, Path
from theorems.mixture import beta, delta, phi, tau
from theorems.overlap.quantities import decay, kappa
from theorems.reverse_kl.quantities import KL_reverse
from theorems.sdft import (
    THEOREM,
    contraction,
    drift,
    impulses,
    linear,
    one_step,
    reach,
    stability,
    trajectory,
    unanchored,
)
from theorems.sdft.quantities import (
    chi,
    linear_map,
    mean_kappa,
    nu,
    rho,
    slopes,
    spectral_radius,
    step,
    student,
    target,
)

VARIANTS = [control for control in THEOREM.controls if control.variant is not None]
ON_THE_MAP = [
    claim for claim in THEOREM.claims if isinstance(claim, Path) and claim.process is trajectory.MAP
]


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


def test_every_lettered_part_has_claims_and_every_claim_a_control() -> None:
    ids = {claim.id for claim in THEOREM.claims}
    assert len(ids) == len(THEOREM.claims)
    assert {id.split(".")[1] for id in ids} == set("abcd")
    assert {id for control in THEOREM.controls for id in control.of} == ids


def test_the_student_descends_the_objective_of_its_definition() -> None:
    moved = (phi - student.definition) / step
    assert moved == sp.Derivative(KL_reverse.definition.subs(tau, target), phi)
    assert not moved.atoms(AppliedUndef)


# the quantities once more, from their definitions, by the trapezoidal rule in float64

NODES = np.linspace(-24, 24, 2001)
STEP = float(NODES[1] - NODES[0])


def _normal(mean: float) -> Any:
    return np.exp(-((NODES - mean) ** 2) / 2) / np.sqrt(2 * np.pi)


def _mixture(logit: float, d: float, old_mean: float = 0.0) -> Any:
    """The old mean moved by so much along mu_n - mu_o."""
    weight = 1 / (1 + np.exp(-logit))
    return weight * _normal(d / 2 - old_mean) + (1 - weight) * _normal(-d / 2)


def _divergence(logit: float, t: float, d: float, old_mean: float = 0.0) -> float:
    q = _mixture(logit, d, old_mean)
    return float(np.sum(q * np.log(q / _mixture(t, d))) * STEP)


def _derivative(f: Callable[[float], float], x: float, h: float = 3e-3) -> float:
    """Fourth order: about 9 digits here."""
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)


def _student(f: float, x: float, t: float, d: float, n: float, h: float) -> float:
    aim = (1 - n) * x + n * t
    return f - h * _derivative(lambda logit: _divergence(logit, aim, d), f)


def _teacher(f: float, x: float, t: float, d: float, n: float, r: float, h: float) -> float:
    return (1 - r) * x + r * _student(f, x, t, d, n, h)


def _impulse(f: float, x: float, t: float, d: float, n: float, h: float) -> float:
    aim = (1 - n) * x + n * t
    return h * abs(_derivative(lambda m: _divergence(f, aim, d, m), 0.0))


def _jacobian(t: float, d: float, n: float, r: float, h: float) -> Any:
    def row(move: Callable[[float, float], float]) -> list[float]:
        return [
            _derivative(lambda f: move(f, t), t, 0.02),
            _derivative(lambda x: move(t, x), t, 0.02),
        ]

    return np.array(
        [
            row(lambda f, x: _student(f, x, t, d, n, h)),
            row(lambda f, x: _teacher(f, x, t, d, n, r, h)),
        ]
    )


def _kappa(f: float, d: float) -> float:
    return float(1 - np.sum(_normal(d / 2) * _normal(-d / 2) / _mixture(f, d)) * STEP)


def _mean_kappa(f: float, t: float, d: float) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(16)
    values = [_kappa((f + t) / 2 + (f - t) / 2 * x, d) for x in nodes]
    return float(np.dot(weights, values) / 2)


MEASURED: dict[str, Callable[..., float]] = {
    "student": _student,
    "teacher": _teacher,
    "impulse": _impulse,
    "spectral_radius": lambda *at: float(max(abs(np.linalg.eigvals(_jacobian(*at))))),
    "student_by_student": lambda t, d, n, h: _jacobian(t, d, n, 0.5, h)[0, 0],
    "student_by_teacher": lambda t, d, n, h: _jacobian(t, d, n, 0.5, h)[0, 1],
    "teacher_by_student": lambda *at: _jacobian(*at)[1, 0],
    "teacher_by_teacher": lambda *at: _jacobian(*at)[1, 1],
    "kappa": _kappa,
    "mean_kappa": _mean_kappa,
    "eps_o": lambda f, d: float(
        np.sum(_normal(d / 2) * _normal(-d / 2) / (1 + np.exp(f)) / _mixture(f, d)) * STEP
    ),
    "dKL_reverse": lambda f, t, d: _derivative(lambda x: _divergence(x, t, d), f),
}


def measured(expr: Expr, point: dict[Expr, Any]) -> float:
    """`expr` at a point, every quantity in it from its definition."""

    def at(node: Expr) -> Expr:
        return sp.Float(MEASURED[node.func.__name__](*map(float, node.args)))

    return float(expr.subs(point).replace(lambda node: isinstance(node, AppliedUndef), at))


PLACE = dict(
    zip(
        (phi, chi, tau, delta, nu, rho, step),
        map(sp.Rational, ("-7/10", "3/5", "2/5", "9/5", "1/3", "1/4", "5/2")),
        strict=True,
    )
)


@pytest.mark.parametrize("quantity", [*THEOREM.quantities, *slopes], ids=lambda each: each.name)
def test_formulas_agree_with_definitions(quantity: Any) -> None:
    assert abs(measured(quantity.formula - quantity.head, PLACE)) < 1e-7


def test_a_step_of_reference() -> None:
    # mpmath: central difference (step 1e-8) of quad of the definition at 40 digits, split points
    assert abs(measured(student.formula, PLACE) + 0.371636764946988) < 1e-9


@pytest.mark.parametrize("control", VARIANTS, ids=lambda control: control.id)
def test_every_false_variant_fails_at_its_hint(control: Control) -> None:
    variant = control.variant
    assert isinstance(variant, Claim)
    point = {parameter.symbol: value for parameter, value in control.hint.items()}
    left, right = (measured(side, point) for side in (variant.left, variant.right))
    clear = 1e-3 * max(abs(left), abs(right))
    assert abs(left - right) > clear if variant.relation == "=" else left > right + clear


def test_rates_exchanged_give_another_spectral_radius() -> None:
    # at x = 1/5: the largest eigenvalue of [[1 - x, x (1 - nu)], [rho (1 - x), ...]] by hand
    def radius(strength: str, share: str) -> float:
        at = {nu: sp.Rational(strength), rho: sp.Rational(share)}
        quarter = spectral_radius.formula.subs({tau: 0, step: 1})  # x = kappa/4
        return float(quarter.subs(kappa(0, delta), sp.Rational(4, 5)).subs(at))

    assert abs(radius("1/10", "1/2") - (1.39 + 0.3321**0.5) / 2) < 1e-12
    assert abs(radius("1/2", "1/10") - 0.96) < 1e-12


# along trajectories of the definitions


def trajectory_of(place: dict[Expr, Any], steps: int) -> list[tuple[float, float, float]]:
    """(student, teacher, sum of impulses), from PLACE's own first two, by the definitions."""
    f, x, *rest = (float(place[symbol]) for symbol in PLACE)
    t, d, n, r, h = rest
    states = [(f, x, 0.0)]
    for _ in range(steps):
        f, x, total = states[-1]
        moved = _student(f, x, t, d, n, h)
        states.append((moved, (1 - r) * x + r * moved, total + _impulse(f, x, t, d, n, h)))
    return states


@pytest.mark.parametrize("path", ON_THE_MAP, ids=lambda path: path.id)
@pytest.mark.parametrize("start", [("-3/2", "1"), ("2", "-1/2")])
def test_a_path_claim_holds_along_a_trajectory(path: Path, start: tuple[str, str]) -> None:
    place = {**PLACE, phi: sp.Rational(start[0]), chi: sp.Rational(start[1])}
    begin = dict(
        zip((s.symbol for s in trajectory.MAP.starts), (*map(sp.Rational, start), 0), strict=True)
    )
    for k, states in enumerate(trajectory_of(place, 4)):
        now = dict(zip((p.symbol for p in trajectory.MAP.states), states, strict=True))
        at = {**place, **begin, **now, trajectory.STEPS.symbol: k}
        assert measured(path.left, at) <= measured(path.right, at) + 1e-9


def test_without_an_anchor_the_start_decides() -> None:
    place = {**PLACE, phi: sp.Integer(-1), chi: sp.Integer(-1), tau: sp.S.Zero, nu: sp.S.Zero}
    assert all(abs(f + 1) < 1e-6 and abs(x + 1) < 1e-6 for f, x, _ in trajectory_of(place, 3))


@pytest.mark.parametrize("share", [Fraction(1, 4), Fraction(1)])
def test_the_moving_average_in_closed_form(share: Fraction) -> None:
    # teacher_k = 1 - (1 - rho)^k in fractions, k = 0 the start
    path = trajectory.MOVING_AVERAGE
    (rule,), found = trajectory.AVERAGE.rate, sp.S.Zero
    at = {phi: sp.S.One, rho: sp.Rational(share.numerator, share.denominator)}
    for k in range(5):
        here = {**at, trajectory.TEACHER_START.symbol: 0, trajectory.STEPS.symbol: k}
        assert path.right.subs(here) == found == 1 - sp.Rational(str(1 - share)) ** k
        found = rule.subs({**at, chi: found})


# false claims with the proofs of true ones


def ending(claim: Claim, right: Expr) -> Claim:
    """The claim and its proof, led to another right side."""
    *links, last = claim.proof
    proof = (*links, replace(last, to=right))
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=proof)


def beginning(claim: Claim, left: Expr) -> Claim:
    """The claim with its proof begun from another left side."""
    return replace(claim, id=f"{claim.id}.twin", left=left)


def freely(claim: Claim, symbol: Expr) -> Claim:
    """The claim without its hypotheses on a symbol."""
    kept = tuple(each for each in claim.where if symbol not in each.free_symbols)
    assert kept != claim.where
    return replace(claim, id=f"{claim.id}.twin", where=kept)


x = 1 - linear_map[0]
FALSE = {
    "target of the other share": ending(one_step.STUDENT_FORMULA, student.formula.subs(nu, 1 - nu)),
    "mean of kappa at one end": ending(
        one_step.STUDENT_SHARE, one_step.STUDENT_SHARE.right.subs(mean_kappa(phi, target, delta), 1)
    ),
    "share below 1/2": ending(one_step.SHARE_BELOW_ONE, sp.S.Half),
    "share for any step": freely(one_step.SHARE_BELOW_ONE, step),
    "whole step for any step": freely(one_step.WHOLE_STEP, step),
    "floor without the student": freely(one_step.FLOOR[0], phi),
    "floor without the teacher": freely(one_step.FLOOR[0], chi),
    "floor without the anchor": freely(one_step.FLOOR[0], tau),
    "floor at any anchor strength": freely(one_step.FLOOR[0], nu),
    "ceiling without the anchor": freely(one_step.CEILING[0], tau),
    "teacher's floor at any rate": freely(one_step.FLOOR[1], rho),
    "target within half the reach": ending(reach.TARGET_WITHIN, reach.TARGET_WITHIN.right / 2),
    "least share doubled": beginning(reach.LEAST_SHARE, 2 * reach.LEAST_SHARE.left),
    "split with the anchor's share": ending(
        contraction.SPLIT, contraction.SPLIT.right.subs(nu, 1 - nu)
    ),
    "student nearer without nu": ending(
        contraction.STUDENT_NEARER, contraction.STUDENT_NEARER.right.subs(nu, 1)
    ),
    "student nearer from afar": freely(contraction.STUDENT_NEARER, contraction.deviation),
    "student nearer with a long step": freely(contraction.STUDENT_NEARER, step),
    "teacher nearer at the student's rate": ending(
        contraction.TEACHER_NEARER, contraction.STUDENT_NEARER.right
    ),
    "student rests at 0": ending(contraction.STUDENT_RESTS, sp.S.Zero),
    "student slope with the other sign": ending(linear.SLOPES[0], 1 + x),
    "teacher's pull in full": ending(linear.SLOPES[1], x),
    "inverted rate": ending(linear.SLOPES[3], linear.SLOPES[3].right.subs(rho, 1 - rho)),
    "determinant without rho": ending(linear.DETERMINANT, 1 - x),
    "characteristic without rho": ending(linear.AT_ONE, x * nu),
    "radius of the smaller eigenvalue": ending(linear.RADIUS, linear.radius - linear.root),
    "pull below 1 for any step": freely(stability.PULL_BELOW_ONE, step),
    "trace positive at any rate": freely(stability.TRACE_POSITIVE, rho),
    "stable without an anchor": freely(stability.AT_ONE_POSITIVE, nu),
    "square off by a sign": ending(stability.SQUARE_WITHOUT, (rho - x * (1 - rho)) ** 2),
    "neutral with an anchor": beginning(stability.NEUTRAL, spectral_radius.head),
    "fixed with an anchor": beginning(unanchored.STUDENT_FIXED, student.head.subs(chi, phi)),
    "anchor lost with an anchor": ending(
        beginning(unanchored.ANCHOR_LOST, student.head), student.head.subs(tau, 0)
    ),
    "gap without the student": ending(unanchored.GAP, (1 - rho) * (phi - chi)),
    "gap at any rate": freely(unanchored.GAP_SHRINKS, rho),
    "slope with the other sign": ending(impulses.SLOPE, -impulses.SLOPE.right),
    "slope by a quarter": ending(impulses.SLOPE_BOUND, sp.exp(-phi / 2) * decay / 4),
    "slope with exponent 1/7": ending(
        impulses.SLOPE_BOUND, impulses.peak * sp.exp(-phi / 2 - delta**2 / 7)
    ),
    "impulse without beta": ending(impulses.IMPULSE_FORMULA, impulses.IMPULSE_FORMULA.right / beta),
    "impulse of half the size": ending(impulses.IMPULSE, impulses.IMPULSE.right / 2),
    "apart by D": ending(drift.APART, contraction.deviation),
    "target above without the anchor": freely(drift.TARGET_ABOVE, tau),
    "impulse within a quarter": ending(drift.IMPULSE_WITHIN, drift.IMPULSE_WITHIN.right / 4),
    "paid without rho": beginning(drift.PAID, drift.PAID.left / rho),
    "paid without rho, no anchor": beginning(drift.PAID_WITHOUT, drift.PAID_WITHOUT.left / rho),
    "average inverted": ending(
        trajectory.AVERAGE_STEP, trajectory.AVERAGE_STEP.right.subs(rho, 1 - rho)
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_not_proved_by_a_true_ones_proof(name: str, known: Known) -> None:
    assert prove(FALSE[name], known).verdict is Verdict.UNDECIDED


def test_induction_needs_its_step(known: Known) -> None:
    by = trajectory.NO_FORGETTING.by
    assert by is not None
    bare = replace(one_step.FLOOR[0], id="bare", proof=())
    broken = replace(trajectory.NO_FORGETTING, id="broken", by=replace(by, premises=(bare,)))
    assert prove(broken, known).verdict is Verdict.UNDECIDED
