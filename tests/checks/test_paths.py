"""Claims along a flow whose times are known: phi' = -e^phi takes e^-phi0 + t = e^-phi."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from numerics.point import Unreachable
from proofs_check.catalogue import load
from proofs_check.paths import along, at_time, certified_times, timed
from proofs_check.verdict import Verdict
from theorems.language import Argument, Expr, Parameter, Path, Process, Relation, Theorem, bound
from theorems.mixture import DELTA, PHI, phi

start, t = sp.symbols("start t", real=True)
START = Parameter("start", start, PHI.domain, (sp.Integer(-1), sp.Integer(1)), "")
LEMMA = bound("toy.a.lemma", "", sp.S.Zero, "<=", sp.exp(phi))
FALL = Process("fall", PHI, -sp.exp(phi), START, t, "", monotone_below=sp.S.Zero, lemma=LEMMA)
TOY = Theorem("toy", "", "", "", (PHI, DELTA), (), lambda: Argument((), ()))
CATALOGUE = load()


def path(left: Expr, relation: Relation, right: Expr) -> Path:
    return Path("toy.a.path", "", FALL, left, relation, right)


def verdicts(claim: Path) -> dict[str, Verdict | None]:
    pieces = timed(FALL, TOY, CATALOGUE, 3, 0)
    return {e.lane: e.verdict for e in along(claim, pieces, {})}


def test_a_true_claim_along_the_path_is_supported_by_both_lanes() -> None:
    true = path(phi, "<=", sp.log(1 / t))
    assert verdicts(true) == {"certified": Verdict.SUPPORTED, "precise": Verdict.SUPPORTED}


def test_a_nearly_tight_claim_is_told_from_its_false_twin() -> None:
    now = sp.exp(-start) + t
    slightly = sp.Rational(1, 10**6)
    true, false = (path(sp.exp(-phi), "<=", now * (1 + e)) for e in (slightly, -slightly))
    assert set(verdicts(true).values()) == {Verdict.SUPPORTED}
    assert set(verdicts(false).values()) == {Verdict.REFUTED}


def test_a_claim_about_another_time_is_refuted() -> None:
    assert Verdict.REFUTED in verdicts(path(sp.exp(-phi), "<=", sp.exp(-start) + t / 2)).values()


def test_pieces_run_the_way_the_flow_goes() -> None:
    pieces = timed(FALL, TOY, CATALOGUE, 4, 0)
    assert len(pieces) == 4
    for piece in pieces:
        assert piece.place["phi"] < piece.place["start"]
        found = piece.times["certified"]
        assert not isinstance(found, str)
        time, error = found
        exact = mpmath.exp(-_real(piece.place["phi"])) - mpmath.exp(-_real(piece.place["start"]))
        assert abs(time - exact) <= error + exact * mpmath.mpf("1e-14")


def _real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def test_a_flow_that_never_moves_has_no_path() -> None:
    still = dataclasses.replace(FALL, velocity=sp.S.Zero * phi)
    (evidence,) = along(path(phi, "<=", phi), timed(still, TOY, CATALOGUE, 3, 0), {})
    assert evidence.verdict is Verdict.UNDECIDED


def test_what_is_claimed_at_one_instant_has_the_time_put_in() -> None:
    found = at_time(path(phi * t, "<", start + t), sp.Rational(1, 2))
    assert (found.left, found.relation, found.right) == (phi / 2, "<", start + sp.Rational(1, 2))


def test_the_bracket_of_a_time_holds_it() -> None:
    place = {"phi": Fraction(-3), "start": Fraction(-1)}
    early, late = certified_times(path(phi, "<=", phi), place, {})
    exact = sp.exp(3) - sp.exp(1)
    assert sp.Rational(early.numerator, early.denominator) < exact
    assert exact < sp.Rational(late.numerator, late.denominator)
    assert late - early < Fraction(3, 5)


def test_outside_its_lemma_a_time_has_no_bracket() -> None:
    place = {"phi": Fraction(-3), "start": Fraction(1)}
    with pytest.raises(Unreachable, match="monotone"):
        certified_times(path(phi, "<=", phi), place, {})
