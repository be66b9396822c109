"""A proof is checked link by link: each kind of reason, with what must not pass by it."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import pytest
import sympy as sp

from proofs_check.symbolic import steps
from proofs_check.symbolic.steps import prove
from proofs_check.verdict import Verdict
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Divergence,
    Expr,
    Given,
    Link,
    Path,
    Process,
    Reason,
    Relation,
    Substitution,
    Use,
)
from theorems.mixture import DELTA, PHI, delta, line, normal, phi, tau, y, z


def claim(left: Expr, relation: Relation, right: Expr, *links: Link, **more: Any) -> Claim:
    return Claim("toy.a.claim", "", left, relation, right, "bound", links, **more)


def by(reason: Reason, to: Expr, relation: Relation = "=") -> Link:
    return Link("the step", to, reason, relation)


def why(found: Claim | Path) -> str:
    """Why a claim is not proved; empty when it is."""
    proof = prove(found)
    assert (proof.verdict is Verdict.PROVED) == (not proof.why)
    assert proof.verdict in (Verdict.PROVED, Verdict.UNDECIDED)
    return proof.why


SHARE = sp.Symbol("share", nonnegative=True)
SQUARES = claim(
    2 * phi * tau,
    "<=",
    phi**2 + tau**2,
    by(Combination(remainder=(phi - tau) ** 2), phi**2 + tau**2, "<="),
)
TANGENT = claim(
    1 + phi, "<=", sp.exp(phi), by(Combination(remainder=sp.exp(phi) - 1 - phi), sp.exp(phi), "<=")
)
GROWS = dataclasses.replace(
    claim(
        delta,
        "<",
        delta + delta**2,
        by(Combination(remainder=delta**2), delta + delta**2, "<"),
    ),
    id="toy.a.grows",
)


@pytest.mark.parametrize("proved", [SQUARES, TANGENT, GROWS])
def test_a_remainder_whose_sign_is_manifest_proves_an_order(proved: Claim) -> None:
    assert why(proved) == ""


def test_a_remainder_that_does_not_add_up_proves_nothing() -> None:
    wrong = by(Combination(remainder=(phi + tau) ** 2), phi**2 + tau**2, "<=")
    assert "differ" in why(claim(2 * phi * tau, "<=", phi**2 + tau**2, wrong))


def test_a_remainder_of_unknown_sign_proves_nothing() -> None:
    wrong = by(Combination(remainder=phi - tau), phi, "<=")
    assert "not manifestly nonnegative" in why(claim(tau, "<=", phi, wrong))


def test_a_square_does_not_make_an_order_strict() -> None:
    right = phi**2 + tau**2
    wrong = by(Combination(remainder=(phi - tau) ** 2), right, "<")
    assert "strict" in why(claim(2 * phi * tau, "<", right, wrong))


def test_a_strict_claim_needs_a_strict_link() -> None:
    assert why(dataclasses.replace(SQUARES, relation="<")) == "a strict order needs a strict link"


def test_an_equality_needs_equalities() -> None:
    assert why(dataclasses.replace(SQUARES, relation="=")) == "an equality needs equalities"
    used = by(Combination((Use(SQUARES),)), phi**2 + tau**2)
    found = dataclasses.replace(claim(2 * phi * tau, "=", phi**2 + tau**2, used), id="toy.a.other")
    assert "equalities" in why(found)


def test_a_chain_must_end_at_the_right_side() -> None:
    assert why(dataclasses.replace(SQUARES, right=phi**2)) == (
        "the chain does not end at the right side"
    )


def test_without_a_derivation_nothing_is_proved() -> None:
    assert why(claim(phi, "=", phi)) == "no derivation is declared"


# claims used


def using(factor: Expr, to: Expr, relation: Relation = "<=", **at: Expr) -> Claim:
    places = {{"phi": phi, "tau": tau}[name]: value for name, value in at.items()}
    link = by(Combination((Use(SQUARES, places, factor),)), to, relation)
    left = sp.expand(to - factor * (SQUARES.right - SQUARES.left).subs(places, simultaneous=True))
    return dataclasses.replace(claim(left, relation, to, link), id="toy.a.user")


def test_a_claim_is_used_at_other_arguments_times_a_factor() -> None:
    assert why(using(delta, delta * (1 + delta**2), phi=sp.S.One, tau=delta)) == ""


def test_arguments_are_exchanged_at_once() -> None:
    assert why(using(sp.S.One, phi**2 + tau**2, phi=tau, tau=phi)) == ""


def test_a_negative_factor_turns_an_order_round() -> None:
    assert "factor" in why(using(-delta, sp.S.Zero))


def test_an_order_used_does_not_make_a_strict_one() -> None:
    assert "strict" in why(using(sp.S.One, phi**2 + tau**2, "<"))


def test_a_strict_order_used_with_a_positive_factor_is_strict() -> None:
    link = by(Combination((Use(GROWS, {delta: 2 * delta}, sp.exp(phi)),)), sp.exp(phi), "<")
    found = claim(sp.exp(phi) * (1 - 4 * delta**2), "<", sp.exp(phi), link)
    assert why(found) == ""


def test_a_claim_is_used_within_its_domain_only() -> None:
    link = by(Combination((Use(GROWS, {delta: phi}),)), phi + phi**2, "<")
    assert "not manifestly positive" in why(claim(phi, "<", phi + phi**2, link))
    step = by(Combination(remainder=SHARE), 2 * SHARE, "<=")
    grows = dataclasses.replace(claim(SHARE, "<=", 2 * SHARE, step), id="toy.a.grows")
    below = by(Combination((Use(grows, {SHARE: phi}),)), 2 * phi, "<=")
    assert "perhaps negative" in why(claim(phi, "<=", 2 * phi, below))


def test_a_claim_that_is_not_proved_proves_nothing() -> None:
    open_claim = dataclasses.replace(claim(sp.S.Zero, "<=", phi), id="toy.a.open")
    link = by(Combination((Use(open_claim),)), phi, "<=")
    assert why(claim(sp.S.Zero, "<=", phi, link)) == "the step: toy.a.open is not proved"


def test_hypotheses_of_a_claim_used_must_be_given() -> None:
    given = Claim(
        "toy.a.given",
        "",
        tau,
        "<=",
        phi,
        "bound",
        (by(Given(), phi, "<="),),
        where=(sp.Le(tau, phi),),
    )
    assert why(given) == ""
    link = by(Combination((Use(given),)), phi, "<=")
    assert "hypotheses" in why(claim(tau, "<=", phi, link))
    assert why(claim(tau, "<=", phi, link, where=(sp.Le(tau, phi),))) == ""
    met = by(Combination((Use(given, {tau: sp.S.Zero, phi: sp.S.One}),)), sp.S.One, "<=")
    assert why(claim(sp.S.Zero, "<=", sp.S.One, met)) == ""
    broken = by(Combination((Use(given, {tau: sp.S.One, phi: sp.S.Zero}),)), sp.S.Zero, "<=")
    assert "hypotheses" in why(claim(sp.S.One, "<=", sp.S.Zero, broken))


@pytest.mark.parametrize("hypothesis", [sp.Lt(tau, phi), sp.Le(phi, tau)])
def test_what_is_given_is_read_as_it_stands(hypothesis: Expr) -> None:
    found = claim(tau, "<=", phi, by(Given(), phi, "<="), where=(hypothesis,))
    assert "not among the hypotheses" in why(found)


MIXTURE = (1 - SHARE) * phi**2 + SHARE * tau**2


def test_a_hypothesis_gives_a_factor_its_sign() -> None:
    link = by(Combination(remainder=MIXTURE), MIXTURE, "<=")
    assert why(claim(sp.S.Zero, "<=", MIXTURE, link, where=(SHARE <= 1,))) == ""
    assert "remainder" in why(claim(sp.S.Zero, "<=", MIXTURE, link))
    assert "remainder" in why(claim(sp.S.Zero, "<=", MIXTURE, link, where=(SHARE >= 1,)))
    used = by(Combination((Use(SQUARES, times=1 - SHARE),)), (1 - SHARE) * (phi**2 + tau**2), "<=")
    found = claim(2 * (1 - SHARE) * phi * tau, "<=", (1 - SHARE) * (phi**2 + tau**2), used)
    assert why(dataclasses.replace(found, id="toy.a.user", where=(SHARE <= 1,))) == ""
    assert "factor" in why(dataclasses.replace(found, id="toy.a.user"))


def test_a_strict_hypothesis_makes_an_order_strict() -> None:
    link = by(Combination(remainder=(phi - tau) * delta), (phi - tau) * delta, "<")
    found = claim(sp.S.Zero, "<", (phi - tau) * delta, link)
    assert why(dataclasses.replace(found, where=(tau < phi,))) == ""
    assert "strict" in why(dataclasses.replace(found, where=(tau <= phi,)))


def test_nothing_is_supposed_of_a_variable_of_integration() -> None:
    total = line(y * normal(y + delta))
    found = claim(sp.S.Zero, "<=", total, by(Combination(remainder=total), total, "<="))
    assert "remainder" in why(dataclasses.replace(found, where=(y >= 0,)))


# citations


def test_nothing_is_supposed_of_a_variable_that_a_derivative_binds() -> None:
    falls = -sp.Derivative(phi - tau, phi)  # it is -1, though phi - tau is not negative
    link = by(Combination((), falls), falls, "<=")
    assert "remainder" in why(claim(sp.S.Zero, "<=", falls, link, where=(tau <= phi,)))


def test_a_claim_about_integers_is_used_at_integers_only() -> None:
    n, m = (sp.Symbol(name, integer=True, positive=True) for name in "nm")
    square = dataclasses.replace(
        claim(sp.S.Zero, "<", n, by(Combination((), n), n, "<")), id="toy.a.counted"
    )
    for value, said in ((m + 1, ""), (delta, "perhaps no integer"), (sp.Rational(5, 2), "integer")):
        link = by(Combination((Use(square, {n: value}),)), value, "<")
        assert said in why(claim(sp.S.Zero, "<", value, link))
        assert bool(said) == bool(why(claim(sp.S.Zero, "<", value, link)))


def test_a_cited_theorem_is_assumed_by_name_and_its_premises_are_proved() -> None:
    link = by(Cited("a theorem", (SQUARES,)), phi + 1, "<")
    proof = prove(dataclasses.replace(claim(phi, "<", phi + 1, link), id="toy.a.citing"))
    assert proof.verdict is Verdict.PROVED
    assert proof.assumes == ("a theorem",)
    again = by(Cited("another", (dataclasses.replace(SQUARES, id="toy.a.false", right=phi),)), tau)
    assert "premise toy.a.false is not proved" in why(claim(phi, "=", tau, again))


def test_what_a_premise_assumes_is_assumed_too() -> None:
    below = claim(phi, "=", tau, by(Cited("the first"), tau))
    middle = dataclasses.replace(
        claim(phi, "=", tau, by(Combination((Use(below),)), tau)), id="toy.a.middle"
    )
    top = dataclasses.replace(claim(phi, "=", tau, by(Cited("the last", (middle,)), tau)), id="top")
    assert prove(top).assumes == ("the last", "the first")


def test_a_path_follows_from_its_premises_by_what_it_cites() -> None:
    process = Process("flow", PHI, -phi, DELTA, sp.Symbol("t"), "")
    path = Path("toy.a.path", "", process, phi, "<=", delta, Cited("comparison", (SQUARES,)))
    proof = prove(path)
    assert (proof.verdict, proof.assumes) == (Verdict.PROVED, ("comparison",))
    assert why(dataclasses.replace(path, by=None)) == "no derivation is declared"


def test_a_claim_checked_before_is_not_checked_again() -> None:
    known = {"toy.a.claim": steps.Proof(Verdict.UNDECIDED, why="from before")}
    assert prove(SQUARES, known).why == "from before"


# integrals


def test_a_substitution_is_affine_and_onto() -> None:
    moved = line(normal(z), z)
    good = claim(line(normal(2 * y) * 2), "=", moved, by(Substitution(y, z, z / 2), moved))
    assert why(good) == ""
    turned = claim(line(normal(-2 * y) * 2), "=", moved, by(Substitution(y, z, -z / 2), moved))
    assert why(turned) == ""
    for value in (sp.S.One, z**3, phi * z):
        bad = by(Substitution(y, z, value), moved)
        assert "affine" in why(claim(line(normal(2 * y) * 2), "=", moved, bad))


def test_a_divergence_integrates_to_nothing_if_its_flux_vanishes() -> None:
    moment = line(y**2 * normal(y))
    good = claim(moment, "=", sp.S.One, by(Divergence(((y, -y * normal(y)),), (y,)), sp.S.One))
    assert why(good) == ""
    flux = -y * normal(y) + sp.tanh(y)
    lasting = by(Divergence(((y, flux),), (y,)), moment - 2)
    assert "vanish" in why(claim(moment, "=", moment - 2, lasting))
    wrong = by(Divergence(((y, -y * normal(y)),), (y,)), sp.Integer(2))
    assert "differ" in why(claim(moment, "=", sp.Integer(2), wrong))


def test_algebra_proves_equalities_only() -> None:
    assert why(claim(sp.sin(phi) ** 2 - 1, "=", -(sp.cos(phi) ** 2))) == "no derivation is declared"
    square = phi**2 - 2 * phi + 1
    assert why(claim((phi - 1) ** 2, "=", square, by(Algebra(), square))) == ""
    ordered = by(Algebra(), square, "<=")
    assert "equalities only" in why(claim((phi - 1) ** 2, "<=", square, ordered))
    off = square + sp.Rational(1, 10**30)
    assert "differ" in why(claim((phi - 1) ** 2, "=", off, by(Algebra(), off)))


def test_vectors_are_compared_component_by_component() -> None:
    pair = sp.Tuple((phi - 1) ** 2, delta)
    good = sp.Tuple(phi**2 - 2 * phi + 1, delta)
    assert why(claim(pair, "=", good, by(Algebra(), good))) == ""
    second = sp.Tuple(phi**2 - 2 * phi + 1, 2 * delta)
    assert "differ" in why(claim(pair, "=", second, by(Algebra(), second)))
    shorter = sp.Tuple(phi**2 - 2 * phi + 1)
    assert "number of components" in why(claim(pair, "=", shorter, by(Algebra(), shorter)))


def test_a_link_that_is_not_decided_in_time_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "is_zero", lambda _: time.sleep(60))
    proof = prove(SQUARES, seconds=0.05)
    assert proof.verdict is Verdict.UNDECIDED
    assert "not decided within 0.05 s" in proof.why


def test_a_zero_test_without_an_answer_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "is_zero", lambda _: None)
    assert "no normal form" in why(SQUARES)


def test_every_link_is_named_with_its_verdict() -> None:
    square = phi**2 + 2 * phi + 1
    links = (by(Algebra(), square), Link("drop it", phi, Algebra()))
    proof = prove(claim((phi + 1) ** 2, "=", phi, *links))
    assert [(s.name, s.reason, s.verdict) for s in proof.steps] == [
        ("the step", "algebra", Verdict.PROVED),
        ("drop it", "algebra", Verdict.UNDECIDED),
    ]
