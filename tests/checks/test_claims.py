"""A claim at points: three outcomes in balls, the slack, and the definitions once more."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.catalogue import definitions, load
from proofs_check.claims import at_points, compare, failure, parameters_of
from proofs_check.verdict import Verdict
from theorems.language import Argument, Claim, Expr, Relation, Theorem
from theorems.mixture import DELTA, PHI, TAU, delta, phi
from theorems.overlap.quantities import S, decay, eps_n, eps_o, kappa

CATALOGUE = load()
TABLE = definitions(CATALOGUE)
TOY = Theorem("toy", "", "", "", (PHI, TAU, DELTA), (), lambda: Argument((), ()))
PLACE = {"phi": Fraction(1), "delta": Fraction(2)}
TINY = sp.Rational(1, 10**40)


def claim(left: Expr, relation: Relation, right: Expr) -> Claim:
    return Claim("toy.a.claim", "", left, relation, right, "bound")


def holds(left: Expr, relation: Relation, right: Expr, digits: int = 20) -> list[bool | None]:
    found = compare(claim(left, relation, right), PLACE, digits, TABLE)
    return [comparison.holds for comparison in found]


@pytest.mark.parametrize(
    ("relation", "below", "same", "above"),
    [("<", True, False, False), ("<=", True, True, False)],
)
def test_exact_sides_are_told_apart(
    relation: Relation, below: bool, same: bool, above: bool
) -> None:
    assert holds(phi, relation, phi + TINY) == [below]
    assert holds(phi, relation, phi) == [same]
    assert holds(phi + TINY, relation, phi) == [above]


@pytest.mark.parametrize("relation", ["<", "<="])
def test_an_order_that_is_an_equality_is_not_decided(relation: Relation) -> None:
    assert holds(sp.exp(delta), relation, sp.exp(delta)) == [None]


def test_a_close_pair_is_decided_at_a_higher_precision() -> None:
    assert holds(sp.exp(delta), "<", sp.exp(delta) * (1 + TINY)) == [True]
    assert holds(sp.exp(delta) * (1 + TINY), "<=", sp.exp(delta)) == [False]


@pytest.mark.parametrize("size", [sp.S.One, sp.exp(-500 * delta), sp.exp(500 * delta)])
def test_an_equality_is_held_to_relative_digits(size: Expr) -> None:
    near, beyond = 1 + sp.Rational(1, 10**12), 1 + TINY
    assert holds(size * phi, "=", size * phi) == [True]
    assert holds(size * phi, "=", size * phi * near, 15) == [False]
    assert holds(size * phi, "=", size * phi * beyond, 15) == [True]


def test_against_an_exact_zero_the_digits_are_absolute() -> None:
    assert holds(sp.sin(phi) ** 2 + sp.cos(phi) ** 2 - 1, "=", sp.S.Zero) == [True]
    assert holds(sp.exp(phi) - sp.exp(phi + TINY), "=", sp.S.Zero) == [False]


def test_each_component_is_compared() -> None:
    pair = sp.Tuple(phi, sp.exp(phi))
    assert holds(pair, "=", sp.Tuple(phi, 3)) == [True, False]


def test_the_slack_of_a_bound_is_one_minus_the_ratio() -> None:
    (found,) = compare(claim(phi, "<=", 4 * phi), PLACE, 20, TABLE)
    assert float(found.slack) == 0.75


def test_a_claim_speaks_of_the_parameters_it_holds() -> None:
    found = Claim("toy.a.claim", "", phi, "<=", phi + 1, "bound", where=(delta > 1,))
    assert parameters_of(found, (TAU, DELTA, PHI)) == [DELTA, PHI]


def test_a_failure_shows_both_sides() -> None:
    (found,) = compare(claim(sp.S.One, "<=", phi / 2), PLACE, 20, TABLE)
    evidence = failure(found, PLACE)
    assert evidence.verdict is Verdict.REFUTED
    assert "left in [1.0000" in evidence.note
    assert "right in [0.5000" in evidence.note
    (unclear,) = compare(claim(sp.exp(phi), "<", sp.exp(phi)), PLACE, 20, TABLE)
    assert failure(unclear, PLACE).verdict is Verdict.UNDECIDED


# at points


def lanes(found: Claim, points: int = 3, seed: int = 0) -> dict[str, Verdict | None]:
    return {e.lane: e.verdict for e in at_points(found, TOY, CATALOGUE, points, seed)}


def test_a_true_claim_is_supported_by_both_lanes() -> None:
    classical = claim(eps_o.head, "<=", sp.exp(-phi / 2) * decay / 2)
    certified, precise = at_points(classical, TOY, CATALOGUE, 3, 0)
    assert certified.verdict is precise.verdict is Verdict.SUPPORTED
    assert set(certified.worst) == {"phi", "delta"}
    assert 0 < float(certified.slack) < 1


def test_a_false_claim_is_refuted_by_both_lanes() -> None:
    false = claim(eps_n.head, "<=", sp.exp(-phi / 2) * decay / 4000)
    assert lanes(false) == {"certified": Verdict.REFUTED, "precise": Verdict.REFUTED}


def test_a_false_equality_is_refuted_by_both_lanes() -> None:
    off = claim(kappa.head, "=", kappa.head * (1 + sp.Rational(1, 10**7)))
    assert lanes(off) == {"certified": Verdict.REFUTED, "precise": Verdict.REFUTED}


def test_a_value_as_small_as_its_own_rounding_is_no_witness_against_zero() -> None:
    vanishing = claim(kappa.head + eps_o.head + eps_n.head - 1, "=", sp.S.Zero)
    assert lanes(vanishing) == {"certified": Verdict.SUPPORTED, "precise": Verdict.SUPPORTED}
    small = claim(kappa.head * sp.Rational(1, 10**6), "=", sp.S.Zero)
    assert lanes(small) == {"certified": Verdict.REFUTED, "precise": Verdict.REFUTED}


def test_the_reported_slack_is_the_smallest_and_where_it_is() -> None:
    found = claim(phi - 7, "<=", phi + 7)
    (evidence, _) = at_points(found, TOY, CATALOGUE, 40, 0)
    place = {name: Fraction(value) for name, value in evidence.worst.items()}
    (there,) = compare(found, place, 20, TABLE)
    assert float(evidence.slack) == pytest.approx(float(there.slack), rel=1e-2)
    assert place["phi"] > Fraction(11, 2)


def test_the_residual_of_an_equality_is_reported() -> None:
    balance = claim(sp.exp(phi) * eps_o.head, "=", eps_n.head)
    (evidence, _) = at_points(balance, TOY, CATALOGUE, 3, 0)
    assert 0 <= float(evidence.slack) < 1e-17


def test_a_claim_that_speaks_of_no_point_of_its_box_is_undecided() -> None:
    vacuous = dataclasses.replace(claim(phi, "<", phi), where=(phi > 6,))
    (evidence,) = at_points(vacuous, TOY, CATALOGUE, 3, 0)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "no point" in evidence.note


def test_a_claim_without_quantities_is_not_measured() -> None:
    assert lanes(claim(phi, "<", phi + 1)) == {"certified": Verdict.SUPPORTED, "precise": None}


def test_a_side_without_an_enclosure_is_not_informative() -> None:
    unknown = sp.Function("unknown", real=True)(phi)
    assert lanes(claim(unknown, "<", unknown + 1)) == {"certified": None, "precise": None}


@given(st.integers(0, 2**31))
@settings(max_examples=10)
def test_the_seed_moves_the_points_and_the_claims_still_hold(seed: int) -> None:
    bounds = claim(S.head, "<=", sp.Min(1, sp.sqrt(2 * sp.pi) / delta))
    assert set(lanes(bounds, 2, seed).values()) == {Verdict.SUPPORTED}
