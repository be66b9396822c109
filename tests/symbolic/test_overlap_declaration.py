"""The overlap lemma as declared: proofs hold, false variants fail, citations say what is true."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from proofs_check.expressions import unfold
from proofs_check.symbolic.steps import Proof, prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Control, Expr
from theorems.mixture import tau, y
from theorems.overlap import (
    THEOREM,
    bayes,
    bounds,
    distinguishability,
    identities,
    setting,
    shape,
    softplus,
    tails,
)

KNOWN: dict[str, Proof] = {}
CLAIMS = {claim.id: claim for claim in THEOREM.claims if isinstance(claim, Claim)}
CONTROLS = {control.id: control for control in THEOREM.controls}


def trapezoid(f: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
    """The integral of f over the line, where it lives in [-30, 30] and is smooth on 1/8."""
    return mpmath.fsum(f(mpmath.mpf(k) / 8) for k in range(-240, 241)) / 8


def value(expr: Expr, control: Control) -> mpmath.mpf:
    """An expression at the control's hint, every quantity integrated from its definition."""
    plain = unfold(expr, THEOREM.quantities)
    place = {p.symbol: mpmath.mpf(int(v.p)) / int(v.q) for p, v in control.hint.items()}

    def integrated(integral: Expr) -> mpmath.mpf:
        f = sp.lambdify([*integral.variables, *place], integral.function, "mpmath")
        return trapezoid(lambda x: f(x, *place.values()))

    integrals = {i: sp.Symbol(f"i{k}") for k, i in enumerate(plain.atoms(sp.Integral))}
    outer = sp.lambdify([*integrals.values(), *place], plain.xreplace(integrals), "mpmath")
    return mpmath.mpf(outer(*map(integrated, integrals), *place.values()))


def test_every_lettered_part_is_there() -> None:
    assert {id.split(".")[1] for id in CLAIMS} == set("abcdefghij")


@pytest.mark.parametrize("id", CONTROLS)
def test_the_hint_of_a_control_refutes_it(id: str) -> None:
    control = CONTROLS[id]
    variant = control.variant
    assert isinstance(variant, Claim)
    left, right = value(variant.left, control), value(variant.right, control)
    excess = abs(left - right) if variant.relation == "=" else left - right
    assert excess > mpmath.mpf(10) ** -3 * max(abs(left), abs(right))


MUTATED = (
    setting.PLANE,
    setting.LAW_OLD,
    setting.CHI_SQUARED,
    identities.EPS_OLD_FORMULA,
    identities.BALANCE,
    identities.KAPPA_VARIANCE,
    identities.KAPPA_COUPLED,
    bounds.CLASSICAL_NEW,
    bounds.S_AT_MOST_ONE,
    bounds.S_DENSITY_BOUND,
    distinguishability.KAPPA_SPREAD,
    distinguishability.KAPPA_GROWTH,
    distinguishability.KAPPA_TOTAL_VARIATION,
    distinguishability.KAPPA_CHI_SQUARED,
    bayes.BAYES_LOWER,
    bayes.BAYES_UPPER,
    softplus.SOFTPLUS_DERIVATIVE,
    softplus.KL_DECOMPOSED,
    shape.HEAT,
    shape.S_CURVATURE,
    shape.SECOND_MOMENT,
)


@pytest.mark.parametrize("factor", [-1, Fraction(101, 100)])
@pytest.mark.parametrize("claim", MUTATED, ids=lambda claim: claim.id)
def test_a_changed_sign_or_constant_is_not_proved(claim: Claim, factor: Fraction | int) -> None:
    right = sp.Rational(factor) * claim.right
    last = dataclasses.replace(claim.proof[-1], to=right)
    mutant = dataclasses.replace(
        claim, id=f"{claim.id}.mutant", right=right, proof=(*claim.proof[:-1], last)
    )
    assert prove(claim, KNOWN).verdict is Verdict.PROVED
    assert prove(mutant, dict(KNOWN)).verdict is not Verdict.PROVED


def test_a_chain_must_end_at_the_right_side() -> None:
    claim = identities.BALANCE
    mutant = dataclasses.replace(claim, id="mutant", right=2 * claim.right)
    assert prove(mutant).verdict is not Verdict.PROVED


# what the citations take for granted, by another way than the declaration


@pytest.mark.parametrize(
    ("primitive", "rise"),
    [
        (4 * sp.atan(sp.exp(y / 2)), 2 * sp.pi),
        (bayes.tail(-y), 1),
        (-bayes.tail(y), 1),
    ],
)
def test_a_primitive_rises_by_the_whole_integral(primitive: Expr, rise: Expr) -> None:
    assert sp.limit(primitive, y, sp.oo) - sp.limit(primitive, y, -sp.oo) == rise


def test_the_contour_of_sech_encloses_this_residue() -> None:
    wave = sp.exp(sp.I * tau * y) / sp.cosh(y / 2)
    residue = sp.residue(wave.subs(tau, sp.Rational(1, 3)), y, sp.I * sp.pi)
    assert sp.simplify(residue + 2 * sp.I * sp.exp(-sp.pi / 3)) == 0
    ratio = (wave.subs(y, y + 2 * sp.I * sp.pi) / wave).subs({tau: 1, y: 1})
    assert sp.simplify(ratio + sp.exp(-2 * sp.pi)) == 0


def test_the_weights_are_those_of_cohen_rodriguez_villegas_and_zagier() -> None:
    # their Algorithm 1, in fractions
    n = tails.ACCELERATED_TERMS
    d = Fraction(int(sp.chebyshevt(n, 3)))
    b, weight, published = Fraction(-1), -d, []
    for k in range(n):
        weight = b - weight
        published.append(weight / d)
        b *= Fraction(2 * (k + n) * (k - n), (2 * k + 1) * (k + 1))
    assert [Fraction(int(w.p), int(w.q)) for w in tails.WEIGHTS] == published


def test_thirty_terms_give_twenty_two_digits() -> None:
    assert (3 + math.sqrt(8)) ** 30 / 2 > 1e22
