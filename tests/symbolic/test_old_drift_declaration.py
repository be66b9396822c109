"""Theorem 2.3 as declared: every part is proved, false twins are not, controls are false."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import Algebra, Claim, Control, Divergence, Link, identity
from theorems.mixture import (
    across,
    along,
    beta,
    delta,
    new_mean_across,
    new_mean_along,
    normal_plane,
    phi,
    plane,
    sigma,
    tau,
)
from theorems.old_drift import THEOREM
from theorems.old_drift.gradient import COORDINATE, NEW_DRIFT, OLD_DRIFT, OLD_MEAN_GRADIENT
from theorems.old_drift.leakage import (
    LABELS_SWAPPED,
    LEARNER_BALANCE,
    TARGET_LEAKAGE,
    TARGET_LEAKAGE_FALLS,
    TARGET_LEAKAGE_LARGE,
)
from theorems.old_drift.misassignment import (
    CLASSICAL,
    LEARNER_MISASSIGNMENT,
    SHARPER,
    TARGET_AT_MU_O,
    affine_law,
)
from theorems.old_drift.plane import (
    drift,
    drift_new,
    drift_old,
    eps_p,
    eps_q,
    leak_p,
    leak_q,
    old_mean_along,
    points,
)
from theorems.old_drift.size import BOUND, CORRECT_ALONG, SHARPER_BOUND, SIZE
from theorems.overlap.quantities import eps_n, eps_o

CLAIMS = {claim.id: claim for claim in THEOREM.claims}
LETTERS = "abcdef"


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    assert {name.split(".")[1] for name in CLAIMS} == set(LETTERS)
    assert {name for control in THEOREM.controls for name in control.of} == set(CLAIMS)


def twin(claim: Claim, right: Any) -> Claim:
    """The claim with another right side, and the same proof ending there."""
    last = replace(claim.proof[-1], to=right)
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=(*claim.proof[:-1], last))


FALSE_TWINS = {
    "(a) with a plus": twin(
        OLD_DRIFT[0], beta * (eps_q.head * new_mean_along + eps_p.head * delta)
    ),
    "(a) across, no weight": twin(OLD_DRIFT[1], eps_q.head * new_mean_across),
    "(a) exchanged": twin(OLD_DRIFT[0], beta * (eps_p.head * new_mean_along - eps_q.head * delta)),
    "(b) exponent 1/7": twin(
        BOUND, BOUND.right.replace(sp.exp, lambda u: sp.exp(u * sp.Rational(8, 7)))
    ),
    "(b) half the bound": twin(BOUND, BOUND.right / 2),
    "(b) a difference": twin(SIZE, beta * (eps_p.head * delta - eps_q.head)),
    "(c) half": twin(SHARPER_BOUND, SHARPER_BOUND.right / 2),
    "(c) less than the misassignment": twin(SHARPER, SHARPER.right * 2 / 3),
    "(d) a sign of eps'_q": twin(NEW_DRIFT[0], NEW_DRIFT[0].right.subs(leak_q.head, -leak_q.head)),
    "(d) weight beta": twin(NEW_DRIFT[1], NEW_DRIFT[1].right * beta),
    "(d) no shift": twin(TARGET_LEAKAGE, TARGET_LEAKAGE.right.subs(tau, tau + delta)),
    "(d) inverted": twin(LABELS_SWAPPED, eps_q(phi, -new_mean_along, -new_mean_across)),
    "(d) balance the other way": twin(LEARNER_BALANCE, beta * leak_q.head),
    "(d) rises": twin(TARGET_LEAKAGE_FALLS, -TARGET_LEAKAGE_FALLS.right),
    "(d) more than all": replace(
        TARGET_LEAKAGE_LARGE, id="large.twin", left=2 * TARGET_LEAKAGE_LARGE.left
    ),
    "(e) a sum": twin(CORRECT_ALONG, beta * delta * (eps_o.head + eps_o(tau, delta))),
    "(f) no restoring force": twin(OLD_MEAN_GRADIENT[0], drift[0].formula - beta * old_mean_along),
    "(f) twice the target's pull": twin(
        OLD_MEAN_GRADIENT[0],
        drift[0].formula + beta * delta * (1 - leak_p(tau, delta, old_mean_along)),
    ),
    "(f) in R^d": twin(COORDINATE, -COORDINATE.right),
    "sech form, phi reversed": twin(LEARNER_MISASSIGNMENT, eps_q.formula.subs(phi, -phi)),
    "sech form, prefactor": twin(LEARNER_MISASSIGNMENT, eps_q.formula * 2),
    "classical, prefactor 2/5": twin(CLASSICAL, CLASSICAL.right * sp.Rational(4, 5)),
    "complement": twin(TARGET_AT_MU_O, 1 + eps_p.head),
}


@pytest.mark.parametrize("name", FALSE_TWINS)
def test_a_false_twin_is_not_proved(name: str, known: Known) -> None:
    assert FALSE_TWINS[name] not in CLAIMS.values()
    assert prove(FALSE_TWINS[name], known).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("wrong", [{"mean": phi}, {"deviation": 2 * delta}])
def test_an_affine_law_needs_both_moments(wrong: dict[str, Any]) -> None:
    density, image = normal_plane(phi, tau), phi + delta * along
    right = {"mean": phi + delta * phi, "deviation": delta}
    for moments, verdict in ((right, Verdict.PROVED), (right | wrong, Verdict.UNDECIDED)):
        link = affine_law("law", "x", density, image, **moments, of=sigma)
        claim = identity("x", "", plane(density * sigma(image)), link.to, (link,))
        assert prove(claim).verdict is verdict


def test_integration_by_parts_needs_its_flux() -> None:
    route = OLD_MEAN_GRADIENT[1].proof
    divergence = route[1].by
    assert isinstance(divergence, Divergence)
    (variable, flux), *_ = divergence.fluxes
    assert variable == across
    for by in (
        Algebra(),
        Divergence(((across, -flux),), points),
        Divergence(((across, 2 * flux),), points),
    ):
        chain = (route[0], Link("broken", route[1].to, by), *route[2:])
        broken = replace(OLD_MEAN_GRADIENT[1], id="broken", proof=chain)
        assert prove(broken).verdict is Verdict.UNDECIDED


def _s(phi: Any, delta: Any) -> Any:
    """S from its definition, on the standard normal."""
    ends = [-14, -7, *sorted({mp.mpf(0), -phi / delta if delta else mp.mpf(0)}), 7, 14]
    return mp.quad(lambda z: mp.npdf(z) * mp.sech((phi + delta * z) / 2), sorted(ends))


def value(expr: Any, point: Mapping[str, Any]) -> Any:
    """An expression through the formulas declared, 25 digits."""
    table = {
        each.symbol: each
        for each in (*THEOREM.quantities, *THEOREM.argument().auxiliary, eps_o, eps_n)
    }
    while expr.find(lambda node: isinstance(node, AppliedUndef) and node.name in table):
        for node in expr.atoms(AppliedUndef):
            if node.name in table:
                quantity = table[node.name]
                at = zip((p.symbol for p in quantity.parameters), node.args, strict=True)
                expr = expr.subs(node, quantity.formula.subs(list(at), simultaneous=True))
    symbols = sorted(expr.free_symbols, key=str)
    with mp.workdps(25):
        arguments = [mp.mpf(point[str(symbol)]) for symbol in symbols]
        return sp.lambdify(symbols, expr, [{"S": _s}, "mpmath"])(*arguments)


@pytest.mark.parametrize("control", THEOREM.controls, ids=lambda control: str(control.id))
def test_every_control_is_false_at_its_hint(control: Control) -> None:
    variant = control.variant
    assert isinstance(variant, Claim)
    point = {each.name: mp.mpf(at.p) / at.q for each, at in control.hint.items()}
    left, right = value(variant.left, point), value(variant.right, point)
    excess = abs(left - right) if variant.relation == "=" else left - right
    assert excess > max(abs(left), abs(right)) / 100


def test_gradients_at_a_generic_point() -> None:
    """alpha = .35, phi = -.3, delta = 2: from the objective's product trapezoid in the plane."""
    with mp.workdps(25):
        fractions = {"phi": "-.3", "new_mean_along": "1.4", "new_mean_across": "-.8", "delta": "2"}
        point = {name: mp.mpf(text) for name, text in fractions.items()}
        point["tau"] = mp.log(mp.mpf(35) / 65)
        expected = (
            (drift_old, ("-0.0562485893536026262448", "-0.1139718267447635729306")),
            (drift_new, ("-0.2046796629577814310484", "-0.345582186704563616791")),
        )
        for quantity, digits in expected:
            for component, text in zip(quantity.formula, digits, strict=True):
                assert abs(value(component, point) - mp.mpf(text)) < mp.mpf(10) ** -20
