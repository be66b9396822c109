"""A control is refuted with a witness, or it survives: a true statement must survive."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from proofs_check.catalogue import definitions, load
from proofs_check.paths import certified_times
from proofs_check.refute import control
from proofs_check.results import ControlResult
from proofs_check.verdict import Verdict
from theorems.forward_kl.flow import WEIGHT_FLOW, time
from theorems.language import Claim, Control, Expr, Path, Relation, by_algebra, identity
from theorems.mixture import DELTA, PHI, beta, delta, phi
from theorems.overlap.quantities import S, eps_n, eps_o

CATALOGUE = load()
OVERLAP, FORWARD = CATALOGUE["overlap"], CATALOGUE["forward_kl"]
TABLE = definitions(CATALOGUE)
NOWHERE = sp.Symbol("nowhere", real=True)


def refute(variant: Claim | Path | None, **more: Any) -> ControlResult:
    theorem = FORWARD if isinstance(variant, Path) else OVERLAP
    return control(Control("toy.control.one", "", (), variant, **more), theorem, TABLE, {})


def variant(left: Expr, relation: Relation, right: Expr, *where: Expr) -> Claim:
    return Claim("toy.control.one", "", left, relation, right, "bound", where=where)


def test_a_false_variant_is_refuted_at_its_hint() -> None:
    found = refute(variant(S.head, "<=", 2 / delta), hint={PHI: sp.S.Zero, DELTA: sp.Integer(5)})
    assert found.verdict is Verdict.REFUTED
    assert found.witness.startswith("phi = 0, delta = 5: left in [0.4313")


def test_a_false_variant_is_refuted_without_a_hint_or_with_a_poor_one() -> None:
    false = variant(beta * eps_o.head, "=", eps_n.head)
    assert refute(false).verdict is Verdict.REFUTED
    hint = {PHI: sp.S.Zero, DELTA: sp.S.One}
    order = variant(eps_o.head, "<=", eps_n.head)
    assert refute(order, hint=hint).verdict is Verdict.REFUTED
    assert not refute(order, hint=hint).witness.startswith("phi = 0, delta = 1:")


@pytest.mark.parametrize(
    ("left", "relation", "right"),
    [
        (S.head, "<=", sp.S.One),
        (S.head, "<", sp.S.One),
        (beta * eps_o.head, "=", (1 - beta) * eps_n.head),
    ],
)
def test_a_true_statement_survives(left: Expr, relation: Relation, right: Expr) -> None:
    found = refute(variant(left, relation, right), hint={PHI: sp.S.Zero, DELTA: sp.S.One})
    assert found.verdict is Verdict.UNDECIDED
    assert "it holds, or is not decided" in found.witness


def test_a_statement_that_fails_outside_its_hypotheses_survives() -> None:
    assert refute(variant(phi, "<=", 2 * phi, phi > 0)).verdict is Verdict.UNDECIDED
    assert refute(variant(phi, "<=", 2 * phi)).verdict is Verdict.REFUTED


def test_a_statement_without_a_point_survives() -> None:
    assert refute(variant(phi, "<", phi, phi > 100)).witness == "no point was tried"


def test_what_has_no_enclosure_survives_with_the_reason() -> None:
    unknown = sp.Function("unknown", real=True)(phi)
    found = refute(variant(unknown, "<", unknown - 1))
    assert found.verdict is Verdict.UNDECIDED
    assert "unknown" in found.witness


def test_a_control_that_says_nothing_survives() -> None:
    assert refute(None).verdict is Verdict.UNDECIDED


def test_an_invariant_counts_when_it_is_proved() -> None:
    square = phi**2 + 2 * phi + 1
    proved = identity("toy.x", "It rests.", (phi + 1) ** 2, square, by_algebra("expand", square))
    found = refute(None, invariant=(proved,))
    assert (found.verdict, found.witness) == (Verdict.REFUTED, "It rests.")
    wrong = dataclasses.replace(proved, id="toy.y", left=(phi - 1) ** 2)
    assert refute(None, invariant=(proved, wrong)).verdict is Verdict.UNDECIDED


# along a path, from a proved bracket of the time

FAR = {DELTA: sp.S.One, WEIGHT_FLOW.start: sp.S.Zero, PHI: sp.Integer(-8)}


def path(left: Expr, relation: Relation, right: Expr) -> Path:
    return Path("toy.control.path", "", WEIGHT_FLOW, left, relation, right)


def test_a_path_is_refuted_between_two_proved_times() -> None:
    found = refute(path(beta, "<=", 2 / time), hint=FAR)
    assert found.verdict is Verdict.REFUTED
    assert "at a time between" in found.witness


def test_a_true_path_survives() -> None:
    assert refute(path(beta, "<=", sp.S.One), hint=FAR).verdict is Verdict.UNDECIDED
    short = {**FAR, PHI: sp.Rational(-1, 8)}
    assert refute(path(beta, "<=", 2 / time), hint=short).verdict is Verdict.UNDECIDED


def test_a_path_that_is_not_monotone_in_time_is_not_refuted_by_its_ends() -> None:
    wavy = path(2 + sp.sin(time), "<=", sp.S.One)
    assert refute(wavy, hint=FAR).verdict is Verdict.UNDECIDED


def test_a_path_that_fails_at_one_end_of_the_bracket_alone_survives() -> None:
    at = {"delta": Fraction(1), "start": Fraction(0), "phi": Fraction(-8)}
    early, late = certified_times(path(beta, "<=", beta), at, TABLE)
    between = beta.subs(phi, -8) * sp.Rational(str((early + late) / 2)) / time
    assert refute(path(beta, "<=", between), hint=FAR).verdict is Verdict.UNDECIDED


def test_a_path_outside_the_lemma_is_not_refuted() -> None:
    above = {**FAR, WEIGHT_FLOW.start: sp.Integer(3)}
    found = refute(path(beta, "<=", 2 / time), hint=above)
    assert found.verdict is Verdict.UNDECIDED
    assert "monotone" in found.witness
    bare = dataclasses.replace(WEIGHT_FLOW, lemma=None)
    found = refute(Path("toy.p", "", bare, beta, "<=", 2 / time), hint=FAR)
    assert found.verdict is Verdict.UNDECIDED
