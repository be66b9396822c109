"""Theorem 2.1 as declared: every part is proved, false twins are not, controls are false.

Values are computed here from the definitions alone, by the trapezoidal rule in mpmath.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.forward_kl import THEOREM, flow, gradient, means, regimes, shape
from theorems.forward_kl.quantities import (
    KL_forward,
    dKL_forward,
    grad_old_forward,
    learner,
    new_mean,
    old_mean,
)
from theorems.language import Cited, Claim, Combination, Control, Divergence, Path
from theorems.mixture import alpha, beta, delta, line, p_n, phi, r_o, y
from theorems.overlap.quantities import E2, A, S, eps_n, eps_o, kappa

CLAIMS = {claim.id: claim for claim in THEOREM.claims}
CONTROLS = {control.id: control for control in THEOREM.controls}
HEADS = {head.symbol: head for head in (A, S, E2, eps_n, eps_o, kappa, *THEOREM.quantities)}
DIGITS = 25


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


# -- values from the definitions


def value(expr: Any, point: Mapping[Any, Any]) -> Any:
    """expr at a point, heads by their definitions, to about DIGITS digits."""
    with mp.workdps(DIGITS + 15):
        return +_value(expr, point)


def _value(expr: Any, point: Mapping[Any, Any]) -> Any:
    numbers: dict[Any, Any] = dict(point)
    for atom in sorted(expr.atoms(AppliedUndef), key=str):
        head = HEADS[atom.func.__name__]
        arguments = [_value(argument, point) for argument in atom.args]
        symbols = [parameter.symbol for parameter in head.parameters]
        numbers[atom] = _value(
            head.definition.doit(integrals=False), dict(zip(symbols, arguments, strict=True))
        )
    for integral in expr.atoms(sp.Integral):
        numbers[integral] = _integral(integral, point)
    names = {node: sp.Dummy(real=True) for node in numbers}
    rest = expr.xreplace({node: names[node] for node in numbers if not node.is_Symbol})
    rest = rest.xreplace({node: names[node] for node in numbers if node.is_Symbol})
    function = sp.lambdify(list(names.values()), rest, modules="mpmath")
    return mpf(1) * function(*numbers.values())


def _integral(integral: Any, point: Mapping[Any, Any]) -> Any:
    """The trapezoidal rule, step 1/12, on +-40: Gaussian tails and strips of width > 1/4."""
    ((variable, _, _),) = integral.limits
    symbols = [s for s in point if s in integral.function.free_symbols]
    function = sp.lambdify([variable, *symbols], integral.function, modules="mpmath")
    rest = [point[symbol] for symbol in symbols]
    step = mpf(1) / 12
    return step * mp.fsum(function(step * k, *rest) for k in range(-480, 481))


def violated(claim: Claim, point: Mapping[Any, Any]) -> bool:
    """Whether the claim is plainly false at a point."""
    left, right = value(claim.left, point), value(claim.right, point)
    margin = mpf(10) ** -12 * (abs(left) + abs(right))
    return bool(abs(left - right) > margin if claim.relation == "=" else left - right > margin)


def elapsed(start: float, stop: float, distance: float) -> float:
    """Time of the weight flow between two logits: the integral of dphi/(beta kappa)."""
    points = np.linspace(-40, 40, 1601)
    old = np.exp(-((points - distance / 2) ** 2) / 2) / np.sqrt(2 * np.pi)
    new = np.exp(-((points + distance / 2) ** 2) / 2) / np.sqrt(2 * np.pi)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    for node, weight in zip(nodes, weights, strict=True):
        logit = (start + stop) / 2 + node * (start - stop) / 2
        responsibility = 1 / (1 + np.exp(-logit - distance * points))
        separation = float(np.sum((old - new) * responsibility) / 20)
        total += weight * (start - stop) / 2 * (1 + np.exp(-logit)) / separation
    return float(total)


# -- proofs


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    assert {name.split(".")[1] for name in CLAIMS} == set("abcdef")
    assert {name for control in THEOREM.controls for name in control.of} == set(CLAIMS)


def test_gradients_are_derived_from_the_objective() -> None:
    assert dKL_forward.definition == sp.Derivative(KL_forward.definition, phi)
    assert not KL_forward.definition.atoms(AppliedUndef)
    assert not grad_old_forward.definition.atoms(AppliedUndef)


def twin(claim: Claim, right: Any) -> Claim:
    """The same proof, led to another right side."""
    last = replace(claim.proof[-1], to=right)
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=(*claim.proof[:-1], last))


def altered(claim: Claim, by: Any, index: int = 0, **more: Any) -> Claim:
    """The same claim with another reason for one link."""
    proof = list(claim.proof)
    proof[index] = replace(proof[index], by=by)
    return replace(claim, id=f"{claim.id}.altered", proof=tuple(proof), **more)


def remainder_times(claim: Claim, factor: Any) -> Claim:
    """A proof whose remainder is off by a factor."""
    reason = claim.proof[0].by
    assert isinstance(reason, Combination)
    return altered(claim, replace(reason, remainder=factor * reason.remainder))


FALSE_TWINS = {
    "sign of the score": twin(gradient.SCORE, beta - r_o),
    "leakage of the wrong mode": twin(gradient.LEAKAGE_GRADIENT, beta - eps_o.head),
    "gradient without kappa": twin(gradient.WEIGHT_GRADIENT, beta),
    "gradient with the new weight": twin(gradient.WEIGHT_GRADIENT, (1 - beta) * kappa.head),
    "leakage with exponent 1/7": twin(
        gradient.LEAKAGE, beta - sp.exp(phi / 2 - delta**2 / 7) * S.head / 2
    ),
    "slope over beta": twin(shape.SLOPE, kappa.head / beta),
    "upper end delta^2": twin(shape.UPPER_END, delta**2),
    "upper slope e^(2 delta^2) - 1": twin(shape.UPPER_SLOPE, sp.exp(2 * delta**2) - 1),
    "curvature halved": twin(shape.LOWER_CURVATURE, (sp.exp(delta**2) - 1) / 2),
    "softplus with the other sign": twin(
        shape.SOFTPLUS_FORM, sp.log(1 + sp.exp(-phi)) - A(phi, delta)
    ),
    "variance with a wrong weight": remainder_times(shape.CURVATURE, 2),
    "velocity with one beta": twin(flow.VELOCITY, -beta * (1 - beta) * kappa.head),
    "rate of the square without 2": twin(flow.SQUARE_RATE, (1 - beta) * kappa.head / beta),
    "chi-squared rate halved": twin(flow.SQUARE_RATE_ABOVE, sp.exp(delta**2) - 1),
    "speed with a negative remainder": remainder_times(flow.SPEED, -1),
    "plateau without its hypothesis": replace(regimes.PLATEAU, id="no hypothesis", where=()),
    "plateau bound with exponent 1/7": replace(
        regimes.PLATEAU_BOUND, id="1/7", left=1 - sp.cosh(phi / 2) * sp.exp(-(delta**2) / 7)
    ),
    "tail without its correction": replace(
        regimes.TAIL_BELOW, id="tail", left=beta * (1 - beta) * (sp.exp(delta**2) - 1)
    ),
    "tail remainder off by 2": remainder_times(regimes.TAIL_BELOW, 2),
    "middle with 5 for 4": replace(
        regimes.MIDDLE_BELOW, id="5 for 4", left=5 * beta * (1 - beta) * kappa(0, delta)
    ),
    "edge with the wrong exponent": replace(
        regimes.PLATEAU_EDGE, id="edge", left=regimes.PLATEAU_EDGE.left.subs(delta, 2 * delta)
    ),
    "pull by the first moment": twin(means.OLD_MEAN_GRADIENT, -delta * eps_n.head),
    "pull away": twin(means.OLD_MEAN_GRADIENT, delta * E2.head),
    "flux of the wrong sign": altered(
        means.OLD_MEAN_GRADIENT, Divergence(((y, p_n * r_o),), (y,)), index=1
    ),
    "mean gradient without its sign": twin(means.MEAN_GRADIENT, -means.MEAN_GRADIENT.right),
    "size below delta eps_n/2": twin(means.LEAKAGE_SIZE, delta * eps_n.head / 2),
    "target weight for the learner's": twin(gradient.SCORE, r_o - alpha),
    "not merged": replace(
        means.ZERO_MERGED,
        id="not merged",
        left=-line(p_n * sp.log(learner())).subs({old_mean: delta / 2, new_mean: -delta / 2}),
    ),
}


@pytest.mark.parametrize("name", FALSE_TWINS)
def test_a_false_twin_is_not_proved(name: str, known: Known) -> None:
    assert prove(FALSE_TWINS[name], known).verdict is Verdict.UNDECIDED


def test_a_cited_theorem_needs_its_premises(known: Known) -> None:
    bare = replace(shape.INCREASING, id="bare", proof=())
    broken = altered(shape.MINIMISER, Cited("mean value theorem", (bare,)))
    assert prove(broken, known).verdict is Verdict.UNDECIDED


# -- what the claims say, in numbers


def test_reference_value_of_the_objective() -> None:
    # 22 digits, by mpmath.quad at 40 digits of -E[log(beta e^L + 1 - beta)], L ~ N(-delta^2/2,
    # delta^2), which is F by another route
    with mp.workdps(DIGITS + 15):
        point = {phi: mpf(-7) / 10, delta: mpf(13) / 10}
        expected = mpf("0.08718863254786871690399")
        for expr in (KL_forward.definition, KL_forward.formula):
            assert abs(value(expr, point) - expected) < mpf(10) ** -21 * expected


@pytest.mark.parametrize("head", THEOREM.quantities, ids=lambda head: head.name)
@settings(max_examples=4)
@given(logit=st.integers(-16, 16), distance=st.integers(2, 12))
def test_formula_is_the_definition(head: Any, logit: int, distance: int) -> None:
    with mp.workdps(DIGITS + 15):
        point = {phi: mpf(logit) / 4, delta: mpf(distance) / 4}
    formula, definition = (
        value(head.formula, point),
        value(head.definition.doit(integrals=False), point),
    )
    assert abs(formula - definition) < mpf(10) ** -14 * abs(definition)


@pytest.mark.parametrize("name", [n for n, c in CONTROLS.items() if isinstance(c.variant, Claim)])
def test_a_control_is_false_at_its_hint(name: str) -> None:
    control: Control = CONTROLS[name]
    assert isinstance(control.variant, Claim)
    point = {parameter.symbol: mpf(str(hint)) for parameter, hint in control.hint.items()}
    exact = {parameter.symbol: hint for parameter, hint in control.hint.items()}
    assert all(condition.subs(exact) == sp.true for condition in control.variant.where)
    assert violated(control.variant, point)


def name_of(path: Path) -> str:
    return path.id


def along(path: Path, start: int, stop: int, distance: int) -> tuple[Any, Any]:
    """Both sides of a path claim once the flow from `start` has reached `stop`."""
    point = {
        flow.start: mpf(start),
        phi: mpf(stop),
        delta: mpf(distance),
        flow.time: mpf(elapsed(start, stop, distance)),
    }
    return value(path.left, point), value(path.right, point)


@pytest.mark.parametrize("path", [c for c in THEOREM.claims if isinstance(c, Path)], ids=name_of)
def test_a_path_claim_holds_along_the_flow(path: Path) -> None:
    for start, stop, distance in ((1, -2, 1), (-2, -5, 2)):
        left, right = along(path, start, stop, distance)
        assert left < right


def test_fast_forgetting_fails_along_the_flow() -> None:
    control = CONTROLS["forward_kl.control.fast_forgetting"]
    assert isinstance(control.variant, Path)
    left, right = along(control.variant, 0, -8, 1)
    assert left > 100 * right


@pytest.mark.parametrize("distance", [6, 10])
def test_the_regimes_meet_where_they_should(distance: int) -> None:
    # three widths delta inside its edge each bound is within 3 % of its limit: kappa = 1 above
    # e^(-delta^2/2), kappa = beta (e^(delta^2) - 1) below e^(-3 delta^2/2)
    with mp.workdps(DIGITS):
        inside = {delta: mpf(distance), regimes.exponent: 1 - mpf(3) / distance}
        assert value(regimes.PLATEAU_EDGE.left, inside) > 0.97
        logit = -mpf(3) / 2 * distance**2 - 3 * distance
        beyond = {phi: logit, delta: mpf(distance), regimes.exponent: mpf(3) / distance}
        share = regimes.TAIL_EXPONENT.left / (beta * regimes.chi_squared)
        assert value(share, beyond) > 0.97
