"""Replay under forward KL as declared: no proof carries a false claim, and numbers agree.

Values are computed here from the definitions alone, by the trapezoidal rule in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import prove
from proofs_check.verdict import Verdict
from theorems.forward_kl.flow import start, time
from theorems.forward_replay import THEOREM, denominator, flow, means, numerator, speed
from theorems.forward_replay.quantities import (
    KL_denominator,
    KL_numerator,
    b,
    dKL_denominator,
    dKL_numerator,
    logit_b,
    replay,
    share_logit,
)
from theorems.language import Cited, Claim, Combination, Control, Divergence, Expr
from theorems.mixture import beta, delta, mix, phi, r_o, y
from theorems.overlap.quantities import E2, kappa

NODES = np.linspace(-24, 24, 4001)
STEP = float(NODES[1] - NODES[0])


def _normal(mean: float) -> Any:
    return np.exp(-((NODES - mean) ** 2) / 2) / np.sqrt(2 * np.pi)


def _sigma(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _line(integrand: Any) -> float:
    return float(np.sum(integrand) * STEP)


def _learner(f: float, d: float, old_mean: float = 0.0) -> Any:
    """The learner's density, its old mean moved along mu_n - mu_o."""
    return _sigma(f) * _normal(d / 2 - old_mean) + _sigma(-f) * _normal(-d / 2)


def _forward(f: float, d: float, m: float = 0.0) -> float:
    return _line(_normal(-d / 2) * np.log(_normal(-d / 2) / _learner(f, d, m)))


def _denominator(f: float, d: float, share: float, m: float = 0.0) -> float:
    mixed = (1 - share) * _learner(f, d, m) + share * _normal(d / 2)
    return _line(_normal(-d / 2) * np.log(_normal(-d / 2) / mixed))


def _numerator(f: float, d: float, share: float, m: float = 0.0) -> float:
    data = (1 - share) * _normal(-d / 2) + share * _normal(d / 2)
    return _line(data * np.log(data / _learner(f, d, m)))


def _derivative(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    """Fourth order: about 10 digits here."""
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)


def _kappa(f: float, d: float) -> float:
    return 1 - _line(_normal(d / 2) * _normal(-d / 2) / _learner(f, d))


def _old_responsibility(f: float, d: float) -> Any:
    return _sigma(f) * _normal(d / 2) / _learner(f, d)


MEASURED: dict[str, Callable[..., float]] = {
    "A": lambda shift, d: _line(_normal(-d / 2) * np.log1p(np.exp(shift + d * NODES))),
    "kappa": _kappa,
    "eps_n": lambda f, d: _line(_normal(-d / 2) * _old_responsibility(f, d)),
    "E2": lambda f, d: _line(_normal(-d / 2) * _old_responsibility(f, d) ** 2),
    "KL_forward": _forward,
    "KL_reverse": lambda f, t, d: _line(_learner(f, d) * np.log(_learner(f, d) / _learner(t, d))),
    "dKL_forward": lambda f, d: _derivative(lambda x: _forward(x, d), f),
    "KL_denominator": _denominator,
    "dKL_denominator": lambda f, d, s: _derivative(lambda x: _denominator(x, d, s), f),
    "grad_old_denominator": lambda f, d, s: _derivative(lambda m: _denominator(f, d, s, m), 0.0),
    "KL_numerator": _numerator,
    "dKL_numerator": lambda f, d, s: _derivative(lambda x: _numerator(x, d, s), f),
    "grad_old_numerator": lambda f, d, s: _derivative(lambda m: _numerator(f, d, s, m), 0.0),
}


def measured(expr: Expr, point: dict[Expr, Any]) -> float:
    """`expr` at a point, every quantity in it from its definition."""

    def at(node: Expr) -> Expr:
        return sp.Float(MEASURED[node.func.__name__](*map(float, node.args)))

    return float(expr.subs(point).replace(lambda node: isinstance(node, AppliedUndef), at))


# -- the declaration


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    ids = {claim.id for claim in THEOREM.claims}
    assert {id.split(".")[1] for id in ids} == set("abc")
    assert {id for control in THEOREM.controls for id in control.of} == ids


def test_gradients_are_derived_from_the_objectives() -> None:
    assert dKL_denominator.definition == sp.Derivative(KL_denominator.definition, phi)
    assert dKL_numerator.definition == sp.Derivative(KL_numerator.definition, phi)
    assert not any(quantity.definition.atoms(AppliedUndef) for quantity in THEOREM.quantities)


def twin(claim: Claim, right: Any) -> Claim:
    """The same proof, led to another right side."""
    last = replace(claim.proof[-1], to=right)
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=(*claim.proof[:-1], last))


def altered(claim: Claim, by: Any, index: int = 0) -> Claim:
    """The same claim with another reason for one link."""
    proof = list(claim.proof)
    proof[index] = replace(proof[index], by=by)
    return replace(claim, id=f"{claim.id}.altered", proof=tuple(proof))


def without_hypotheses(claim: Claim) -> Claim:
    """The same claim and proof for every parameter."""
    return replace(claim, id=f"{claim.id}.anywhere", where=())


def with_remainder(claim: Claim, factor: Expr) -> Claim:
    """A proof whose remainder is off by a factor."""
    reason = claim.proof[0].by
    assert isinstance(reason, Combination)
    return altered(claim, replace(reason, remainder=factor * reason.remainder))


FALSE_TWINS = {
    "weights add": twin(denominator.MIXTURE, mix(replay + beta)),
    "odds without the floor": twin(denominator.LOGIT, sp.exp(phi) / (1 - replay)),
    "denominator with b for beta": twin(denominator.GRADIENT, b * kappa(logit_b, delta)),
    "denominator with kappa(phi)": twin(denominator.GRADIENT, beta * kappa.head),
    "minimum without a floor": altered(
        denominator.MINIMISER, Cited("mean value theorem", (replace(speed.FASTER, proof=()),))
    ),
    "kappa at the floor, remainder off": with_remainder(speed.KAPPA_ABOVE, 2),
    "kappa at the floor without 1 - beta": replace(
        speed.KAPPA_ABOVE, id="no 1 - beta", left=denominator.kappa_share
    ),
    "kappa below the floor's": twin(speed.KAPPA_BELOW, denominator.kappa_share),
    "explicit with 5 for 4": replace(
        speed.EXPLICIT, id="5 for 4", left=speed.EXPLICIT.left * 5 / 4
    ),
    "larger on both sides of the crossover": without_hypotheses(speed.KAPPA_LARGER),
    "larger above the crossover": replace(
        speed.KAPPA_LARGER, id="above", where=speed.KAPPA_SMALLER.where
    ),
    "faster on both sides of the crossover": without_hypotheses(speed.FASTER),
    "velocity with one beta": twin(flow.VELOCITY, -beta * (1 - beta) * denominator.kappa_b),
    "rate without 1 - beta": twin(flow.RECIPROCAL_RATE, denominator.kappa_b),
    "rate below kappa at the floor": twin(flow.RATE_BELOW, denominator.kappa_share),
    "numerator without kappa": twin(numerator.GRADIENT, beta - replay),
    "numerator about lambda/2": twin(numerator.GRADIENT, (beta - replay / 2) * kappa.head),
    "rising on both sides": without_hypotheses(numerator.RISES),
    "falling above": replace(numerator.FALLS, id="above", where=numerator.RISES.where),
    "old data do not hold the mean": twin(means.NUMERATOR, -delta * (1 - replay) * E2.head),
    "flux of the wrong sign": altered(
        means.NUMERATOR, Divergence(((y, mix(replay) * r_o),), (y,)), index=1
    ),
    "pull on both sides": without_hypotheses(means.PULL),
    "denominator without its share": twin(means.DENOMINATOR, -delta * E2(logit_b, delta)),
    "denominator at rest": twin(means.DENOMINATOR_AT_SHARE, sp.S.Zero),
}


@pytest.mark.parametrize("name", FALSE_TWINS)
def test_a_false_twin_is_not_proved(name: str) -> None:
    assert prove(FALSE_TWINS[name], {}).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("control", THEOREM.controls, ids=lambda control: control.id)
def test_a_control_is_false_at_its_hint(control: Control) -> None:
    variant = control.variant
    assert isinstance(variant, Claim)
    point = {parameter.symbol: value for parameter, value in control.hint.items()}
    left, right = (measured(side, point) for side in (variant.left, variant.right))
    assert abs(left - right) > 1e-3 if variant.relation == "=" else left > right + 1e-3


# -- what the claims say, in numbers

QUANTITIES = {quantity.symbol: quantity for quantity in THEOREM.quantities}
REFERENCE = {
    "KL_denominator": 0.4942969538877,
    "dKL_denominator": 0.27089493307507,
    "grad_old_denominator": -0.18970196626319,
    "KL_numerator": 0.071177513087918,
    "dKL_numerator": 0.13760012269833,
    "grad_old_numerator": -0.11239987730167,
}


@pytest.mark.parametrize("quantity", THEOREM.quantities, ids=lambda quantity: quantity.name)
@pytest.mark.parametrize("place", [(0.0, 2.0, 0.25), (-1.7, 1.3, 0.6), (2.2, 3.0, 0.1)])
def test_formula_is_the_definition(quantity: Any, place: tuple[float, float, float]) -> None:
    point = dict(zip((phi, delta, replay), place, strict=True))
    assert measured(quantity.formula, point) == pytest.approx(
        measured(quantity.head, point), rel=1e-8, abs=1e-12
    )


def test_reference_values() -> None:
    # by mpmath.quad of the objectives at 40 digits, derivatives by difference quotients
    point = {phi: 0.0, delta: 2.0, replay: 0.25}
    for head, expected in REFERENCE.items():
        assert measured(QUANTITIES[head].formula, point) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=20)
@given(st.floats(0.05, 0.95), st.floats(0.3, 6))
@example(0.25, 2.0)
def test_both_gradients_agree_at_the_crossover(share: float, distance: float) -> None:
    point = {phi: float(np.log(1 - share)), delta: distance, replay: share}
    with_replay, without = (beta * k for k in (denominator.kappa_b, kappa.head))
    assert measured(with_replay, point) == pytest.approx(measured(without, point), rel=1e-9)


def _elapsed(speed_at: Callable[[float], float], start: float, stop: float) -> float:
    """Time of a flow of the logit between two logits, by Gauss-Legendre on pieces."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    total = 0.0
    for high, low in pairwise(np.linspace(start, stop, 15)):
        half = (high - low) / 2
        total += half * sum(weights / [speed_at(low + half * (1 + x)) for x in nodes])
    return float(total)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_in_the_end_beta_is_one_over_kappa_t_and_replay_is_ahead(share: float) -> None:
    distance, stop = 1.5, -9.0

    def replayed(f: float) -> float:
        mixed = float(np.log((share + np.exp(f)) / (1 - share)))
        return _sigma(f) * _kappa(mixed, distance)

    def plain(f: float) -> float:
        return _sigma(f) * _kappa(f, distance)

    elapsed = _elapsed(replayed, 0.0, stop)
    at_floor = _kappa(float(np.log(share / (1 - share))), distance)
    assert _sigma(stop) * elapsed * at_floor == pytest.approx(1, abs=0.02)
    assert elapsed < _elapsed(plain, 0.0, stop) / 50


@pytest.mark.parametrize("path", [flow.PATH_FALLS, flow.PATH_LASTS, flow.PATH_FASTER])
@pytest.mark.parametrize("begin", [1.0, -3.0])
def test_a_path_claim_holds_along_the_flow(path: Any, begin: float) -> None:
    share, distance, stop = 0.25, 2.0, -5.0

    def speed_at(f: float) -> float:
        return _sigma(f) * _kappa(float(np.log((share + np.exp(f)) / (1 - share))), distance)

    point = {
        phi: stop,
        delta: distance,
        replay: share,
        start: begin,
        time: _elapsed(speed_at, begin, stop),
    }
    assert measured(path.left, point) < measured(path.right, point)


def test_at_beta_lambda_only_the_numerator_rests() -> None:
    point = {delta: 2.0, replay: 0.25}
    at_share = (share_logit, delta, replay)
    resting = QUANTITIES["grad_old_numerator"](*at_share)
    pulled = QUANTITIES["grad_old_denominator"](*at_share)
    assert abs(measured(resting, point)) < 1e-10
    assert measured(pulled, point) < -0.05
