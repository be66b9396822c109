"""The evidence that a paper run adds: a proof over the declared box, or why there is none."""

from __future__ import annotations

import pytest
import sympy as sp

from proofs_check.boxes.declared import over_its_box
from proofs_check.catalogue import load
from proofs_check.results import Evidence
from proofs_check.runner import PROFILES
from proofs_check.verdict import Verdict
from theorems.language import Claim, Path, bound
from theorems.mixture import delta, phi
from theorems.overlap.quantities import S

CATALOGUE = load()
OVERLAP = CATALOGUE["overlap"]


def evidence(claim: Claim | Path, most: int = 2_000) -> Evidence:
    (found,) = over_its_box(claim, OVERLAP, CATALOGUE, most)
    assert found.lane == "box"
    return found


def test_only_the_paper_profile_asks_for_boxes() -> None:
    assert {name: bool(profile.boxes) for name, profile in PROFILES.items()} == {
        "quick": False,
        "default": False,
        "paper": True,
    }


def test_an_order_is_certified_over_its_declared_box() -> None:
    claim = bound("overlap.test", "", delta * S.head, "<=", sp.Integer(3))
    found = evidence(claim)
    assert found.verdict is Verdict.CERTIFIED
    assert found.note == "1 leaf; over phi=-6:6 delta=1/4:12"
    # delta S(0, 12) = 2.428, by sqrt(2 pi) (1 - pi^2/(2 delta^2) + 5 pi^4/(8 delta^4) - ...)
    assert float(found.slack) == pytest.approx(1 - 2.428 / 3, abs=1e-3)
    assert found.worst == {"phi": "0", "delta": "12"}


def test_a_false_order_is_refuted() -> None:
    found = evidence(bound("overlap.test", "", delta * S.head, "<=", sp.Integer(2)))
    assert found.verdict is Verdict.REFUTED
    assert "delta = " in found.note


def test_what_is_left_open_says_why() -> None:
    tight = bound("overlap.test", "", S(2 * phi, delta) * S(0, delta), "<=", S.head**2)
    found = evidence(tight)
    assert found.verdict is Verdict.UNDECIDED
    assert "2^-40" in found.note


def test_a_limit_of_boxes_is_said() -> None:
    claim = next(c for c in OVERLAP.claims if c.id == "overlap.h.upper")
    found = evidence(claim, most=300)
    assert found.verdict is Verdict.UNDECIDED
    assert "boxes were not enough" in found.note


def test_what_is_not_attempted_says_why() -> None:
    claims = {claim.id: claim for claim in OVERLAP.claims}
    found = evidence(claims["overlap.j.slope_above"])
    assert found.verdict is None
    assert found.note.startswith("not attempted; it holds an integral")
    assert over_its_box(claims["overlap.c.old"], OVERLAP, CATALOGUE, 10) == ()
