"""Theorem 2.2 as declared: every claim is proved, and no proof carries a false claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Control, Expr
from theorems.mixture import alpha, beta, delta, new_mean_along, phi, tau
from theorems.overlap.quantities import decay
from theorems.reverse_kl import (
    THEOREM,
    bounds,
    controls,
    flow,
    gradient,
    minimiser,
    objective,
    targets,
)
from theorems.reverse_kl.quantities import (
    KL_free,
    KL_reverse,
    dKL_reverse,
    kl_bernoulli,
    old_mean_along,
    spread,
)

VARIANTS = [control for control in THEOREM.controls if control.variant is not None]


def test_every_lettered_part_has_claims_and_every_claim_a_control() -> None:
    ids = {claim.id for claim in THEOREM.claims}
    assert len(ids) == len(THEOREM.claims)
    assert {id.split(".")[1] for id in ids} == set("abcdefg")
    assert {id for control in THEOREM.controls for id in control.of} == ids


def test_the_gradient_is_the_derivative_of_the_objective() -> None:
    assert dKL_reverse.definition == sp.Derivative(KL_reverse.definition, phi)


# the quantities once more, from their definitions, by the trapezoidal rule in float64

NODES = np.linspace(-24, 24, 4001)
STEP = float(NODES[1] - NODES[0])


def _normal(mean: float) -> Any:
    return np.exp(-((NODES - mean) ** 2) / 2) / np.sqrt(2 * np.pi)


def _sigma(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _mixture(logit: float, d: float) -> Any:
    return _sigma(logit) * _normal(d / 2) + _sigma(-logit) * _normal(-d / 2)


def _line(integrand: Any) -> float:
    return float(np.sum(integrand) * STEP)


def _reverse(f: float, t: float, d: float) -> float:
    q = _mixture(f, d)
    return _line(q * np.log(q / _mixture(t, d)))


def _kappa(f: float, d: float) -> float:
    return 1 - _line(_normal(d / 2) * _normal(-d / 2) / _mixture(f, d))


def _to_new_data(f: float, d: float) -> float:
    q = _mixture(f, d)
    return _line(q * np.log(q / _normal(-d / 2)))


def _derivative(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    """Fourth order: about 10 digits here."""
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)


def _curvature(f: float, t: float, d: float) -> float:
    def slope(x: float) -> float:
        per_logit = _derivative(lambda logit: _reverse(logit, t, d), x)
        return per_logit / (_sigma(x) * _sigma(-x))

    return _derivative(slope, f) / (_sigma(f) * _sigma(-f))


def _accumulated(f: float, t: float, d: float) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(24)
    middle, half = (f + t) / 2, (f - t) / 2
    return float(
        half * sum(w * _kappa(middle + half * x, d) for x, w in zip(nodes, weights, strict=True))
    )


MEASURED: dict[str, Callable[..., float]] = {
    "A": lambda shift, d: _line(_normal(-d / 2) * np.log1p(np.exp(shift + d * NODES))),
    "kappa": _kappa,
    "KL_reverse": _reverse,
    "dKL_reverse": lambda f, t, d: _derivative(lambda x: _reverse(x, t, d), f),
    "curvature_reverse": _curvature,
    "dKL_new_data": lambda f, d: _derivative(lambda x: _to_new_data(x, d), f),
    "dKL_mass_covering": lambda f, t, d: _derivative(lambda x: _reverse(t, x, d), f),
    "W": _accumulated,
}


def measured(expr: Expr, point: dict[Expr, Any]) -> float:
    """`expr` at a point, every quantity in it from its definition."""

    def at(node: Expr) -> Expr:
        return sp.Float(MEASURED[node.func.__name__](*map(float, node.args)))

    return float(expr.subs(point).replace(lambda node: isinstance(node, AppliedUndef), at))


@pytest.mark.parametrize("control", VARIANTS, ids=lambda control: control.id)
def test_every_false_variant_fails_at_its_hint(control: Control) -> None:
    variant = control.variant
    assert isinstance(variant, Claim)
    point = {parameter.symbol: value for parameter, value in control.hint.items()}
    left, right = (measured(side, point) for side in (variant.left, variant.right))
    clear = 1e-3
    assert abs(left - right) > clear if variant.relation == "=" else left > right + clear


@pytest.mark.parametrize(
    "quantity",
    [each for each in THEOREM.quantities if each.symbol in MEASURED],
    ids=lambda quantity: quantity.name,
)
def test_formulas_agree_with_definitions(quantity: Any) -> None:
    point = {phi: -sp.Rational(7, 10), tau: sp.Rational(2, 5), delta: sp.Rational(13, 10)}
    assert abs(measured(quantity.formula - quantity.head, point)) < 1e-8


def test_reference_values_of_the_objective() -> None:
    # mpmath's quadrature of the definition at 40 digits, over split points
    small = {phi: -sp.Rational(7, 10), tau: sp.Rational(2, 5), delta: sp.Rational(13, 10)}
    assert abs(measured(KL_reverse.formula, small) - 0.04444479425349083597) < 1e-12
    apart = {phi: sp.S.Zero, tau: sp.log(9), delta: sp.Integer(4)}
    assert abs(measured(KL_reverse.formula, apart) - 0.46744389351786963523) < 1e-12


# false claims with the proofs of true ones


def ending(claim: Claim, right: Expr) -> Claim:
    """The claim and its proof, led to another right side."""
    *links, last = claim.proof
    return replace(claim, right=right, proof=(*links, replace(last, to=right)))


def beginning(claim: Claim, left: Expr) -> Claim:
    """The claim with its proof begun from another left side."""
    return replace(claim, left=left)


gap = phi - tau
collapsed = {old_mean_along: new_mean_along, phi: sp.S.Zero}
FALSE = [
    ending(gradient.OLD_FORMULA, gradient.OLD_FORMULA.right.subs(phi, -phi)),
    ending(gradient.NEW_FORMULA, gradient.NEW_FORMULA.right * 2),
    ending(gradient.OBJECTIVE_FORMULA, gradient.OBJECTIVE_FORMULA.right.subs(tau, -tau)),
    ending(gradient.SPLIT, -gradient.SPLIT.right),
    ending(gradient.SPLIT, gradient.SPLIT.right / beta),
    ending(gradient.TILT, 2 * gradient.TILT.right),
    ending(gradient.W_FORMULA, -gradient.W_FORMULA.right),
    ending(gradient.GRADIENT_FORMULA, gradient.GRADIENT_FORMULA.right / spread),
    beginning(gradient.ZERO_AT_TARGET, KL_reverse(-tau, tau, delta)),
    ending(gradient.WEIGHTED_DERIVATIVE, gradient.WEIGHTED_DERIVATIVE.right / 2),
    ending(gradient.CURVATURE_INTEGRAL, gradient.CURVATURE_INTEGRAL.right / 2),
    ending(gradient.CURVATURE, gradient.CURVATURE.right * spread),
    ending(bounds.KAPPA_SEPARATED, bounds.KAPPA_SEPARATED.right - 1),
    beginning(bounds.KAPPA_SEPARATED, 1 - sp.cosh(phi / 3) * decay),
    ending(bounds.GRADIENT_QUARTER, gap**2 / 5),
    ending(bounds.GRADIENT_PEAK, bounds.GRADIENT_PEAK.right * sp.Rational(9, 10)),
    beginning(bounds.GRADIENT_LEAST, bounds.GRADIENT_LEAST.left * sp.Rational(11, 10)),
    ending(objective.KL_BERNOULLI, kl_bernoulli.subs({phi: tau, tau: phi}, simultaneous=True)),
    ending(objective.CHAIN_RULE, -objective.CHAIN_RULE.right),
    ending(objective.DATA_PROCESSING, kl_bernoulli * sp.Rational(9, 10)),
    ending(objective.SOFTPLUS_CURVATURE, sp.Rational(1, 5)),
    ending(objective.QUADRATIC, gap**2 / 9),
    ending(objective.CONVEX, -objective.CONVEX.right),
    ending(flow.SPREAD_AT_REACH, spread / 2),
    beginning(flow.RATE, 2 * flow.RATE.left),
    ending(flow.NO_OVERSHOOT, flow.NO_OVERSHOOT.right.subs(sp.Min(flow.step, 4), flow.step)),
    ending(flow.CONTRACTS, flow.CONTRACTS.right.subs(sp.Min(flow.step, 4), 5)),
    ending(flow.FOUR_IS_SHARP, flow.FOUR_IS_SHARP.right - tau**2),
    ending(targets.NEW_DATA_FORMULA, targets.NEW_DATA_FORMULA.right - spread * delta**2 / 2),
    ending(targets.NEW_DATA_ACCUMULATED, -targets.NEW_DATA_ACCUMULATED.right),
    ending(targets.NEW_DATA_BOTH_WAYS, targets.NEW_DATA_BOTH_WAYS.right * beta),
    ending(targets.NEW_DATA_LOSES, -targets.NEW_DATA_LOSES.right),
    ending(targets.MASS_COVERING, -targets.MASS_COVERING.right),
    beginning(minimiser.LABELS_SWAPPED, KL_free(tau, tau, delta, delta, 0, 0, 0)),
    ending(minimiser.SAME_ALONG, -minimiser.SAME_ALONG.right),
    ending(minimiser.SAME_WEIGHT, (alpha + beta) * delta),
    beginning(minimiser.DIFFERENT_COMPONENTS, 1 + delta**2),
    beginning(controls.WEIGHT_RESTS, sp.diff(KL_free.definition, phi)),
    beginning(
        controls.MEANS_MOVE_TOGETHER,
        sp.Tuple(sp.diff(KL_free.definition, old_mean_along).subs(collapsed), sp.S.Zero),
    ),
]


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.id)
def test_a_false_claim_is_not_proved_by_a_true_ones_proof(claim: Claim) -> None:
    assert prove(claim).verdict is not Verdict.PROVED
