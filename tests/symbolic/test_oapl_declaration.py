"""OAPL as declared: parts, false twins, values from the definitions alone."""

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
from theorems.mixture import delta, phi, tau
from theorems.oapl import THEOREM, drift, locality, realisable, support
from theorems.oapl.quantities import (
    OAPL,
    V_star,
    dOAPL,
    grad_old_OAPL,
    offset,
    temperature,
)
from theorems.ttt_discover.quantities import reference_logit, reference_weight

CLAIMS = {claim.id: claim for claim in THEOREM.claims}
TABLE = definitions(load(), THEOREM.argument().auxiliary)


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    assert {name.split(".")[1] for name in CLAIMS} == set("abcd")
    assert {name for control in THEOREM.controls for name in control.of} == set(CLAIMS)


def test_quantities_start_from_the_loss() -> None:
    assert dOAPL.definition == sp.Derivative(OAPL.definition, phi)
    assert OAPL.definition.atoms(AppliedUndef) == {V_star.head}
    for quantity in (V_star, grad_old_OAPL):
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


def _baseline_of(reward: Any, t0: float, d: float, temperature: float) -> float:
    return temperature * float(np.log(_line(_mixture(t0, d) * np.exp(reward / temperature))))


def _realisable(t0: float, t: float, d: float, temperature: float, k: float) -> Any:
    return temperature * np.log(_mixture(t, d) / _mixture(t0, d)) + k


def _regression(q: Any, reward: Any, t0: float, d: float, temperature: float) -> float:
    reference = _mixture(t0, d)
    residual = temperature * np.log(q / reference)
    residual -= reward - _baseline_of(reward, t0, d, temperature)
    return _line(reference * residual**2)


def _loss(f: float, t0: float, t: float, d: float, temperature: float, k: float) -> float:
    reward = _realisable(t0, t, d, temperature, k)
    return _regression(_mixture(f, d), reward, t0, d, temperature)


def _derivative(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    """Fourth order: about 10 digits here."""
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)


def _label(logit: float, d: float) -> Any:
    return _sigma(logit) * _normal(d / 2) / _mixture(logit, d)


def _old_mean_gradient(t0: float, t: float, d: float, temperature: float, gap: float) -> float:
    reward = -gap * _label(t, d)
    return -_derivative(
        lambda mean: _regression(_mixture(t0, d, mean), reward, t0, d, temperature), d / 2
    )


def _residual_drift(t0: float, t: float, d: float, temperature: float) -> float:
    pull = (2 * _label(t, d) - 1) * _label(t0, d) * (d / 2 - NODES)
    return 2 * temperature * _sigma(-t0) * _line(_normal(-d / 2) * pull)


MEASURED: dict[str, Callable[..., float]] = {
    "baseline": lambda t0, t, d, T, k: _baseline_of(_realisable(t0, t, d, T, k), t0, d, T),
    "loss": _loss,
    "weight_gradient": lambda f, *rest: _derivative(lambda x: _loss(x, *rest), f),
    "old_mean_gradient": _old_mean_gradient,
    "residual_drift": _residual_drift,
}
POINT = {
    "phi": Fraction(-7, 10),
    "reference_logit": Fraction(2, 5),
    "tau": Fraction(9, 10),
    "delta": Fraction(13, 10),
    "temperature": Fraction(3, 4),
    "offset": Fraction(3, 10),
    "gap": Fraction(6, 5),
}


def by_formula(quantity: Any) -> float:
    (value,) = derive(quantity.head, POINT, 15, TABLE)
    return float(value)


@pytest.mark.parametrize("quantity", THEOREM.quantities, ids=lambda quantity: quantity.name)
def test_formulas_agree_with_definitions(quantity: Any) -> None:
    place = [float(POINT[parameter.name]) for parameter in quantity.parameters]
    assert abs(by_formula(quantity) - MEASURED[quantity.name](*place)) < 1e-8


def test_the_residual_gradient_has_both_parts() -> None:
    """The realisable reward, correct means: derivative of the loss in the old mean."""
    (split,) = derive(locality.SPLIT.left, POINT, 15, TABLE)
    f, t0, t, d, T, k = (
        float(POINT[name])
        for name in ("phi", "reference_logit", "tau", "delta", "temperature", "offset")
    )
    reward = _realisable(t0, t, d, T, k)
    measured = -_derivative(lambda mean: _regression(_mixture(f, d, mean), reward, t0, d, T), d / 2)
    assert abs(float(split) - measured) < 1e-8


def test_a_baseline_is_the_offset_whatever_the_weights() -> None:
    # alpha_0 = 1/4, beta* = 3/4, T = 1/2, delta = 2, k = 3/10: .3, against .911 and .112
    t, T, d, k = float(np.log(3)), 0.5, 2.0, 0.3
    reward = _realisable(-t, t, d, T, k)
    assert abs(_baseline_of(reward, -t, d, T) - k) < 1e-12
    without_log = T * _line(_mixture(-t, d) * np.exp(reward / T))
    without_temperature = T * float(np.log(_line(_mixture(-t, d) * np.exp(reward))))
    assert abs(without_log - 0.911) < 1e-3
    assert abs(without_temperature - 0.112) < 1e-3


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


FALSE = {
    "V* = 2k": ending(realisable.BASELINE, 2 * offset),
    "loss without T^2": ending(realisable.LOSS, OAPL.formula / temperature**2),
    "loss of swapped weights": beginning(realisable.LOSS, OAPL.head.subs(phi, -phi)),
    "half the gradient": ending(realisable.GRADIENT, dOAPL.formula / 2),
    "score of either sign": beginning(realisable.SCORE_SIGN, phi**2),
    "loss negative": ending(realisable.ONLY_ZERO, -OAPL.head),
    "quarter of the quadratic bound": ending(realisable.QUADRATIC, realisable.QUADRATIC.right / 8),
    "away from beta*": ending(realisable.TOWARDS, -realisable.TOWARDS.right),
    "limits without T": ending(realisable.LIMITS_DIFFER, tau - reference_logit),
    "limits exchanged": ending(realisable.LIMITS_DIFFER, -realisable.LIMITS_DIFFER.right),
    "the other mode's limit": beginning(
        realisable.LIMIT_OLD.proof[0].by.premises[0],  # type: ignore[union-attr]
        sp.Abs(realisable.LIMIT_NEW.left.args[0]),
    ),
    "shift the other way": ending(
        support.SHIFT,
        reference_logit - (realisable.reward_old - realisable.reward_new) / temperature,
    ),
    "weight kept whole": beginning(support.KEPT_OLD, reference_weight),
    "no temperature in the ceiling": ending(support.DENSITY, sp.exp(support.oscillation)),
    "no ceiling": supposing(support.DENSITY, support.DENSITY.where[0]),
    "baseline at twice the floor": beginning(support.BASELINE_FLOOR, sp.Integer(2)),
    "twice the mass created": beginning(support.CREATED, 2 * support.CREATED.left),
    "twice the mass by any reward": beginning(
        support.CREATED_BY_ANY, 2 * support.CREATED_BY_ANY.left
    ),
    "half of the slope at the reference": ending(
        support.AT_REFERENCE, support.AT_REFERENCE.right / 2
    ),
    "slope of any reward, no weight": ending(
        support.SLOPE_OF_ANY, support.SLOPE_OF_ANY.right / reference_weight
    ),
    "half the stationary bound": ending(support.STATIONARY, support.STATIONARY.right / 2),
    "no weight": ending(drift.GRADIENT, drift.GRADIENT.right / reference_weight),
    "any reward, reversed": ending(drift.SLOPE_OF_ANY, -drift.SLOPE_OF_ANY.right),
    "score with a mean": ending(drift.BASELINE_DROPS, delta),
    "towards the old mode": beginning(drift.TOWARDS, -drift.TOWARDS.left),
    "half the size": ending(drift.SIZE, drift.SIZE.right / 2),
    "both parts exchanged": ending(
        locality.SPLIT,
        locality.SPLIT.right.subs(reference_logit, -reference_logit),
    ),
    "residual reversed": ending(locality.RESIDUAL, -locality.RESIDUAL.right),
    "leak without reach": ending(locality.LEAK, locality.leak),
    "direction without 1": ending(locality.DIRECTION, delta**2 / 4),
    "directions beyond the unit": supposing(locality.DIRECTION),
    "half of any residual": ending(locality.SIZE_OF_ANY, locality.SIZE_OF_ANY.right / 2),
    "half of the residual": ending(locality.RESIDUAL_SIZE, locality.RESIDUAL_SIZE.right / 2),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_twin_is_not_proved(name: str, known: Known) -> None:
    false = FALSE[name]
    assert all(replace(false, id=true.id) != true for true in CLAIMS.values())
    known.pop("twin", None)
    assert prove(false, known).verdict is Verdict.UNDECIDED
