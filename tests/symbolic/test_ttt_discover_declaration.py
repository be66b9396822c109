"""TTT-Discover as declared: parts, false twins, values from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from proofs_check.catalogue import definitions, load
from proofs_check.derived import derive
from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Expr
from theorems.mixture import beta, delta, phi
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.quantities import W, spread
from theorems.ttt_discover import (
    THEOREM,
    collapse,
    concavity,
    constant,
    critical,
    drift,
    latent,
    optimum,
    threshold,
)
from theorems.ttt_discover.quantities import (
    D_0,
    J,
    anchor,
    dJ,
    entropic_drift,
    gap,
    inverse_temperature,
    reference_logit,
    reward_share,
)

CLAIMS = {claim.id: claim for claim in THEOREM.claims}
TABLE = definitions(load(), THEOREM.argument().auxiliary)


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    assert {name.split(".")[1] for name in CLAIMS} == set("abcdef")
    assert {name for control in THEOREM.controls for name in control.of} == set(CLAIMS)


def test_gradients_are_derivatives_of_the_objective() -> None:
    assert dJ.definition == sp.Derivative(J.definition, phi)
    for quantity in (J, D_0, entropic_drift):
        assert not quantity.definition.atoms(AppliedUndef)


# values from the definitions, by the trapezoidal rule in float64

NODES = np.linspace(-24, 24, 4001)
STEP = float(NODES[1] - NODES[0])


def _normal(mean: float) -> Any:
    return np.exp(-((NODES - mean) ** 2) / 2) / np.sqrt(2 * np.pi)


def _sigma(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _mixture(logit: float, d: float, old_mean: float | None = None) -> Any:
    old = _normal(d / 2 if old_mean is None else old_mean)
    return _sigma(logit) * old + _sigma(-logit) * _normal(-d / 2)


def _line(integrand: Any) -> float:
    return float(np.sum(integrand) * STEP)


def _objective(f: float, t: float, d: float, b: float, old: float, new: float, g: float) -> float:
    q = _mixture(f, d)
    mean_payoff = _sigma(f) * old + _sigma(-f) * new
    return float(np.log(mean_payoff)) / b - g * _line(q * np.log(q / _mixture(t, d)))


def _constant(t: float, d: float) -> float:
    reference, new = _mixture(t, d), _normal(-d / 2)
    return _line((new - _normal(d / 2)) * np.log(new / reference))


def _critical(t: float, d: float, b: float, old: float, new: float) -> float:
    return (1 - old / new) / (b * _constant(t, d))


def _derivative(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    """Fourth order: about 10 digits here."""
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)


def _drift(f: float, t: float, d: float, b: float, gap: float) -> float:
    label = _sigma(t) * _normal(d / 2) / _mixture(t, d)

    def entropic(old_mean: float) -> float:
        return float(np.log(_line(_mixture(f, d, old_mean) * np.exp(-b * gap * label)))) / b

    return -_derivative(entropic, d / 2)


MEASURED: dict[str, Callable[..., float]] = {
    "objective": _objective,
    "weight_gradient": lambda f, *rest: _derivative(lambda x: _objective(x, *rest), f),
    "collapse_constant": _constant,
    "critical_anchor": _critical,
    "entropic_drift": _drift,
}
POINT = {
    "phi": Fraction(-7, 10),
    "reference_logit": Fraction(2, 5),
    "delta": Fraction(13, 10),
    "inverse_temperature": Fraction(4, 5),
    "reward_old": Fraction(3, 4),
    "reward_new": Fraction(5, 2),
    "anchor": Fraction(3, 2),
    "gap": Fraction(6, 5),
}


def by_formula(quantity: Any, **at: Fraction) -> float:
    (value,) = derive(quantity.head, {**POINT, **at}, 15, TABLE)
    return float(value)


@pytest.mark.parametrize("quantity", THEOREM.quantities, ids=lambda quantity: quantity.name)
def test_formulas_agree_with_definitions(quantity: Any) -> None:
    place = [float(POINT[parameter.name]) for parameter in quantity.parameters]
    assert abs(by_formula(quantity) - MEASURED[quantity.name](*place)) < 1e-8


def test_the_collapse_constant_at_reference_values() -> None:
    # stated with the theorem to 10 digits; at weight 1/2 it is delta^2/2 exactly
    for weight, distance, expected in ((0.2, "3/2", 0.6275873316), (0.05, "4", 5.318436117)):
        logit = Fraction(float(np.log(weight / (1 - weight))))
        found = by_formula(D_0, reference_logit=logit, delta=Fraction(distance))
        assert abs(found / expected - 1) < 1e-9
    half = D_0(sp.S.Zero, sp.Integer(3))
    assert critical.AT_HALF.left.subs(delta, 3) == half
    assert critical.AT_HALF.right.subs(delta, 3) == sp.Rational(9, 2)
    (exact,) = derive(half, {}, 30, TABLE)
    assert exact == sp.Rational(9, 2)


def test_the_maximiser_on_a_grid_is_lost_up_to_the_critical_anchor() -> None:
    """J at its largest over weights down to 1e-7, against its value at weight 0."""
    t, d, b, old, new = 0.4, 1.3, 0.8, 0.75, 2.5
    logits = np.linspace(-16, 4, 201)
    end_kl = _line(_normal(-d / 2) * np.log(_normal(-d / 2) / _mixture(t, d)))
    for ratio, lost in ((0.5, True), (0.99, True), (1.01, False), (2.0, False)):
        g = ratio * _critical(t, d, b, old, new)
        end = float(np.log(new)) / b - g * end_kl
        best = max(_objective(f, t, d, b, old, new, g) for f in logits)
        assert (best < end) is lost


def test_the_maximiser_of_the_lower_half_control() -> None:
    """tau_0 = 0, delta = b = G = 1, gamma = 2: the optimum is at -2.00, the false bound at -.86."""

    def slope(f: float) -> float:
        return _derivative(lambda x: _objective(x, 0, 1, 1, 1, float(np.e), 2), f)

    assert slope(-2.01) > 0 > slope(-1.99)
    assert abs(-(np.e - 1) / 2 + 0.86) < 0.005


# false claims with the proofs of true ones


def ending(claim: Claim, right: Expr) -> Claim:
    """The claim and its proof, led to another right side."""
    *links, last = claim.proof
    return replace(claim, id="twin", right=right, proof=(*links, replace(last, to=right)))


def beginning(claim: Claim, left: Expr) -> Claim:
    """The claim with its proof begun from another left side."""
    return replace(claim, id="twin", left=left)


def supposing(claim: Claim, *where: Expr) -> Claim:
    """The claim under other hypotheses."""
    return replace(claim, id="twin", where=where)


ratio = threshold.ratio
FALSE = {
    "no hypothesis on the rewards": supposing(concavity.UNANCHORED),
    "J rises": beginning(concavity.UNANCHORED, -concavity.UNANCHORED.left),
    "J above its end": ending(
        concavity.UNANCHORED_LOST, concavity.unanchored_end - reward_share / inverse_temperature
    ),
    "the anchor pushes away": ending(concavity.GRADIENT, dJ.formula.subs(anchor, -anchor)),
    "half the curvature": ending(
        concavity.CURVATURE_FORMULA, concavity.CURVATURE_FORMULA.right / 2
    ),
    "convex": beginning(concavity.CONCAVE, -concavity.CONCAVE.left),
    "D_0 at half everywhere": ending(constant.FORMULA, delta**2 / 2),
    "D_0 without delta": ending(constant.FROM_HALF, W(reference_logit, 0, delta)),
    "between, reversed": ending(constant.BETWEEN, D_0(phi, delta) - W(reference_logit, phi, delta)),
    "D_0 vanishes faster": ending(
        constant.VANISHES, constant.VANISHES.right * sp.exp(reference_logit)
    ),
    "D_0 negative": ending(constant.POSITIVE, -D_0.head),
    "no excess": beginning(critical.EXCESS_ABOVE, sp.S.Zero),
    "excess halved": beginning(critical.EXCESS_ABOVE, critical.EXCESS_ABOVE.left / 2),
    "critical anchor without b": ending(critical.CRITICAL, reward_share / D_0.head),
    "slope below half the margin": ending(collapse.SLOPE_BELOW, collapse.SLOPE_BELOW.right / 2),
    "slope at the margin": beginning(collapse.SLOPE_ABOVE, collapse.margin),
    "two points": ending(collapse.THREE_POINTS, collapse.THREE_POINTS.right + 2 * beta * D_0.head),
    "value below nothing": ending(collapse.VALUE_BELOW, collapse.END - beta * collapse.margin),
    "value above the tangent": beginning(
        collapse.VALUE_ABOVE, collapse.END + beta * collapse.margin
    ),
    "half the divergence": ending(collapse.KL_QUADRATIC, collapse.KL_QUADRATIC.right / 2),
    "lost at twice gamma_c": supposing(threshold.LOST, ratio <= 2),
    "kept below gamma_c": supposing(threshold.KEPT, ratio > sp.Rational(1, 2)),
    "balance, no odds": ending(optimum.BALANCE, optimum.BALANCE.right / spread),
    "upper half at tau_0 - 2x": beginning(
        optimum.UPPER, optimum.UPPER.left.subs(optimum.at_near, 2 * optimum.at_near)
    ),
    "lower half at finite distance": beginning(
        latent.LATENT_LOWER, dJ.head.subs({**threshold.by_gap, phi: optimum.at_far})
    ),
    "latent lower half at the upper": ending(latent.LATENT_LOWER, latent.LATENT_UPPER.left),
    "latent pulls less": ending(latent.LATENT_ABOVE, -kappa.head),
    "no remainder in the limit": beginning(latent.LATENT_LIMIT, sp.S.Zero),
    "drift without weight": ending(drift.DRIFT, drift.DRIFT.right / beta),
    "drift reversed": ending(drift.STEIN, -drift.STEIN.right),
    "reward slope halved": ending(drift.REWARD_SLOPE, drift.REWARD_SLOPE.right / 2),
    "profile's peak 3/10": ending(drift.PROFILE_PEAK, sp.Rational(3, 10)),
    "no e^(b G)": ending(drift.SIZE, drift.SIZE.right * sp.exp(-inverse_temperature * gap)),
    "payoff at least 1": beginning(drift.PAYOFF_BOUND, sp.S.One),
    "classical 3/10": ending(drift.CLASSICAL, drift.CLASSICAL.right * sp.Rational(6, 10)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_twin_is_not_proved(name: str, known: Known) -> None:
    false = FALSE[name]
    assert all(replace(false, id=true.id) != true for true in CLAIMS.values())
    known.pop("twin", None)
    assert prove(false, known).verdict is Verdict.UNDECIDED
