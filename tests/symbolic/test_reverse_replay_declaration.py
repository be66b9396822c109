"""Replay under reverse KL as declared: no proof carries a false claim, and numbers agree.

Values are computed here from the definitions alone, by the trapezoidal rule in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Combination, Control, Expr
from theorems.mixture import beta, delta, line, phi, q, tau, y
from theorems.overlap.quantities import decay, kappa
from theorems.reverse_kl.quantities import log_ratio, spread
from theorems.reverse_replay import (
    THEOREM,
    batches,
    leakage,
    moments,
    self_normalised,
    weights,
)
from theorems.reverse_replay.quantities import (
    batch,
    dKL_replayed,
    omega,
    radius,
    replay,
    starvation,
)
from theorems.reverse_replay.self_normalised import mean_weight
from theorems.reverse_replay.weights import value

NODES = np.linspace(-16, 16, 1601)
STEP = float(NODES[1] - NODES[0])
QUANTITIES = {quantity.symbol: quantity for quantity in THEOREM.quantities}


def _normal(mean: float) -> Any:
    return np.exp(-((NODES - mean) ** 2) / 2) / np.sqrt(2 * np.pi)


def _sigma(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _line(integrand: Any) -> float:
    return float(np.sum(integrand) * STEP)


def _mixture(f: float, d: float) -> Any:
    return _sigma(f) * _normal(d / 2) + _sigma(-f) * _normal(-d / 2)


def _old_responsibility(f: float, d: float) -> Any:
    return _sigma(f) * _normal(d / 2) / _mixture(f, d)


def _behaviour(f: float, d: float, share: float) -> Any:
    return (1 - share) * _mixture(f, d) + share * _normal(d / 2)


def _replayed(f: float, d: float, share: float, g: Any, power: int) -> float:
    """E_b[omega^power g]."""
    b = _behaviour(f, d, share)
    return _line(b * (_mixture(f, d) / b) ** power * g)


def _score(f: float, d: float) -> Any:
    return _old_responsibility(f, d) - _sigma(f)


def _reverse_slope(f: float, t: float, d: float) -> float:
    """dR/dphi as a difference quotient of fourth order, about 10 digits."""

    def objective(x: float) -> float:
        return _line(_mixture(x, d) * np.log(_mixture(x, d) / _mixture(t, d)))

    h = 1e-3
    near, far = objective(f + h) - objective(f - h), objective(f + 2 * h) - objective(f - 2 * h)
    return (8 * near - far) / (12 * h)


def _leaked(f: float, d: float, distance: float) -> float:
    size = np.sqrt((NODES - d / 2) ** 2 + distance**2)
    return _line(_normal(-d / 2) * _old_responsibility(f, d) * size)


MEASURED: dict[str, Callable[..., float]] = {
    "kappa": lambda f, d: 1 - _line(_normal(d / 2) * _normal(-d / 2) / _mixture(f, d)),
    "eps_o": lambda f, d: _line(_normal(d / 2) * (1 - _old_responsibility(f, d))),
    "dKL_reverse": _reverse_slope,
    "dKL_replayed": lambda f, t, d, s: _replayed(
        f, d, s, _score(f, d) * np.log(_mixture(f, d) / _mixture(t, d)), 1
    ),
    "omega2": lambda f, d, s: _replayed(f, d, s, 1, 2),
    "score2": lambda f, d, s: _replayed(f, d, s, _score(f, d) ** 2, 2),
    "starvation": lambda f, s, n: float(np.prod([(1 - s) * _sigma(-f)] * int(n))),
    "leaked_score": _leaked,
}


def measured(expr: Expr, point: dict[Expr, Any]) -> float:
    """`expr` at a point, every quantity and every integral in it from its definition."""

    def head(node: Expr) -> Expr:
        return sp.Float(MEASURED[node.func.__name__](*map(float, node.args)))

    def integral(node: Expr) -> Expr:
        ((variable, _, _),) = node.limits
        return sp.Float(_line(sp.lambdify(variable, node.function)(NODES)))

    whole = expr.subs(point).replace(lambda node: isinstance(node, sp.Integral), integral)
    return float(whole.replace(lambda node: isinstance(node, AppliedUndef), head))


# -- the declaration


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    ids = {claim.id for claim in THEOREM.claims}
    assert {id.split(".")[1] for id in ids} == set("abcde")
    assert {id for control in THEOREM.controls for id in control.of} == ids


def test_quantities_start_from_draws_of_the_behaviour() -> None:
    assert all(
        replay in QUANTITIES[symbol].definition.free_symbols for symbol in ("omega2", "score2")
    )
    assert replay in dKL_replayed.definition.free_symbols
    assert not any(quantity.definition.atoms(AppliedUndef) for quantity in THEOREM.quantities)


def twin(claim: Claim, right: Any) -> Claim:
    """The same proof, led to another right side."""
    last = replace(claim.proof[-1], to=right)
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=(*claim.proof[:-1], last))


def with_left(claim: Claim, left: Any) -> Claim:
    """The same proof, from another left side."""
    return replace(claim, id=f"{claim.id}.left", left=left)


def with_remainder(claim: Claim, factor: Expr, index: int = 0) -> Claim:
    """A proof whose remainder is off by a factor."""
    proof = list(claim.proof)
    reason = proof[index].by
    assert isinstance(reason, Combination)
    by = replace(reason, remainder=factor * reason.remainder)
    proof[index] = replace(proof[index], by=by)
    return replace(claim, id=f"{claim.id}.remainder", proof=tuple(proof))


FALSE_TWINS = {
    "weights squared are unbiased": with_left(weights.UNBIASED, weights.UNBIASED.left * omega),
    "gradient of the behaviour": twin(weights.GRADIENT, spread * kappa.head),
    "bounded without replay": replace(weights.ANY_STRICTLY_BELOW, id="0", where=(replay < 1,)),
    "bounded by 1 + lambda": twin(weights.ANY_BELOW, 1 + replay),
    "weight with b": twin(weights.WEIGHT, beta / (replay * beta + (1 - replay) * weights.NEW)),
    "above without replay": replace(weights.ABOVE, id="1", where=(replay < 1,)),
    "short where r_o is small": twin(weights.SHORT, -weights.SHORT.right),
    "falls on both sides": replace(moments.FALLS, id="both sides", where=(replay < 1,)),
    "never inflated": twin(moments.INFLATION, q * value**2),
    "responsibility over lambda": twin(
        moments.RESPONSIBILITY, moments.RESPONSIBILITY.right / replay
    ),
    "responsibility, remainder off": with_remainder(moments.RESPONSIBILITY_FALLS, 2),
    "weights of second moment 1": twin(moments.WEIGHT_MOMENT, sp.S.One),
    "weights inflate without replay": replace(moments.WEIGHT_INFLATES, id="2", where=(replay < 1,)),
    "score with one beta": twin(moments.SCORE_MOMENT, moments.SCORE_MOMENT.right / beta),
    "label of the learner": twin(batches.LABEL, 1 - replay * beta),
    "no batch starves": twin(batches.WITHOUT, beta**batch),
    "leaked score without its factor": twin(leakage.FORMULA, 2 * leakage.FORMULA.right),
    "distance does not enter": twin(
        leakage.AT_DISTANCE, sp.exp(phi / 2) * decay / 2 * sp.sqrt(1 + radius**2)
    ),
    "root mean square, remainder off": with_remainder(leakage.AT_DISTANCE, 2, 2),
    "coordinates of variance 2": with_left(leakage.COORDINATE, leakage.COORDINATE.left + radius**2),
    "batch estimate without 1 - lambda": twin(self_normalised.DRAW, beta * (1 - omega) / replay),
    "excess of first order": twin(self_normalised.EXCESS, beta + beta / replay * (1 - mean_weight)),
    "lower bound for any mean weight": replace(
        self_normalised.AT_LEAST, id="4", where=(replay < 1, replay > 0)
    ),
    "upper bound for any mean weight": replace(
        self_normalised.AT_MOST, id="5", where=(replay < 1, replay > 0)
    ),
    "one draw is unbiased": twin(self_normalised.ONE_DRAW, beta),
    "two draws, remainder off": with_remainder(self_normalised.PAIR, 2),
    "two draws with the bias of one": with_left(
        self_normalised.TWO_DRAWS, beta + 2 * (self_normalised.TWO_DRAWS.left - beta)
    ),
    "L itself for L^2": with_left(
        self_normalised.SYMMETRIC,
        self_normalised.SYMMETRIC.left.subs(delta, 1) + line(y * q),
    ),
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
    scale = max(abs(left), abs(right))
    margin = 1e-3 * scale
    assert abs(left - right) > margin if variant.relation == "=" else left > right + margin


# -- what the claims say, in numbers


@pytest.mark.parametrize("quantity", THEOREM.quantities, ids=lambda quantity: quantity.name)
@pytest.mark.parametrize("share", [0.0, 0.25, 0.8])
@pytest.mark.parametrize("logit", [-2.0, 0.7])
def test_formula_is_the_definition(quantity: Any, share: float, logit: float) -> None:
    point = {phi: logit, tau: 0.4, delta: 1.5, replay: share, batch: 5, radius: 0.75}
    assert measured(quantity.formula, point) == pytest.approx(
        measured(quantity.head, point), rel=1e-8, abs=1e-12
    )


def test_reference_values() -> None:
    # the second moment by mpmath.quad of q^2/b at 40 digits; starvation in fractions
    point = {phi: 0.0, delta: 2.0, replay: 0.25}
    assert measured(QUANTITIES["omega2"].formula, point) == pytest.approx(
        1.0361193244100, rel=1e-12
    )
    half = {phi: 0, replay: sp.Rational(1, 2), batch: 4}
    assert starvation.definition.subs(half) == sp.Rational(1, 256)
    assert sp.Rational(1, 256) != (1 - sp.Rational(1, 4)) ** 4 == sp.Rational(81, 256)


def test_replay_feeds_the_batches_that_starve_without_it() -> None:
    old, draws = Fraction(1, 1000), 32
    without, with_replay = (1 - old) ** draws, (Fraction(9, 10) * (1 - old)) ** draws
    assert Fraction(96, 100) < without < Fraction(97, 100)
    assert with_replay < Fraction(4, 100)
    assert with_replay < float(np.exp(-draws / 10))


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_the_leaked_score_in_space_is_below_its_bound(dimension: int) -> None:
    """The distance from the axis has density rho^(d-2) e^(-rho^2/2), normalised."""
    logit, distance = -1.0, 2.0
    radii = np.linspace(0, 12, 481)
    density = radii ** (dimension - 2) * np.exp(-(radii**2) / 2)
    sizes = np.array([_leaked(logit, distance, float(r)) for r in radii])
    mean = float(np.sum(density * sizes) / np.sum(density))
    limit = np.exp(logit / 2 - distance**2 / 8) / 2 * np.sqrt(dimension + distance**2 / 4)
    assert 0.3 * limit < mean < limit


ESTIMATE, LEAST, MOST = (
    sp.lambdify((phi, replay, mean_weight), side)
    for side in (
        self_normalised.EXCESS.left,
        self_normalised.AT_LEAST.left,
        self_normalised.AT_MOST.right,
    )
)


@settings(max_examples=50)
@given(
    st.floats(0.05, 0.95),
    st.floats(0.05, 0.95),
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
)
def test_a_batch_of_any_size_gives_what_its_mean_weight_says(
    share: float, weight: float, responsibilities: list[float]
) -> None:
    r = np.array(responsibilities)
    omegas = weight / ((1 - share) * weight + share * r)
    place = np.log(weight / (1 - weight)), share, omegas.mean()
    normalised = float(np.sum(omegas * r) / np.sum(omegas))
    assert normalised == pytest.approx(ESTIMATE(*place), abs=1e-9)
    assert LEAST(*place) - 1e-9 <= normalised <= MOST(*place) + 1e-9


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_two_draws_are_biased_between_both_bounds(share: float) -> None:
    logit, distance = -0.5, 2.0
    b, r = _behaviour(logit, distance, share)[::4], _old_responsibility(logit, distance)[::4]
    omegas = _mixture(logit, distance)[::4] / b
    ratio = (np.add.outer(omegas * r, omegas * r)) / np.add.outer(omegas, omegas)
    mean = float(np.sum(np.multiply.outer(b, b) * ratio) * (4 * STEP) ** 2)
    point = {phi: logit, delta: distance, replay: share}
    least = measured(self_normalised.TWO_DRAWS.left, point)
    variance = MEASURED["omega2"](logit, distance, share) - 1
    old = _sigma(logit)
    most = old + (share + (1 - share) * old) / share * variance / 2
    assert old + 1e-3 < least < mean < most


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_without_replay_the_gradient_is_the_same(share: float) -> None:
    for logit in (-2.0, 1.5):
        point = {phi: logit, tau: -0.4, delta: 3.0, replay: share}
        g = (line(q * (sp.diff(sp.log(q), phi)) * log_ratio)).subs(point)
        assert measured(dKL_replayed.head, point) == pytest.approx(measured(g, point), rel=1e-9)
