"""Every theorem of the catalogue as declared: in order, proved, and its false variants refuted.

Nothing here names a theorem, except to plant defects: a new one is tested by being there.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import sympy as sp

from proofs_check import catalogue
from proofs_check.catalogue import definitions, load
from proofs_check.lint import lint
from proofs_check.refute import control
from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import (
    Argument,
    Cited,
    Claim,
    Combination,
    Control,
    Link,
    Parameter,
    Path,
    Process,
    Quantity,
    Theorem,
    Use,
    by_algebra,
    identity,
)
from theorems.mixture import DELTA, PHI, delta, line, normal, p_o, phi, y

CATALOGUE = load()
CLAIMS = [(t, claim) for t in CATALOGUE.values() for claim in t.claims]
CONTROLS = [(t, each) for t in CATALOGUE.values() for each in t.controls]


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


@pytest.mark.parametrize("theorem", CATALOGUE.values(), ids=lambda t: t.name)
def test_a_declaration_is_in_order(theorem: Theorem) -> None:
    assert lint(theorem, CATALOGUE) == []


@pytest.mark.parametrize(("theorem", "claim"), CLAIMS, ids=lambda x: getattr(x, "id", ""))
def test_every_claim_is_proved(theorem: Theorem, claim: Claim | Path, known: Known) -> None:
    proof = prove(claim, known)
    assert proof.verdict is Verdict.PROVED, proof.why


@pytest.mark.parametrize(("theorem", "each"), CONTROLS, ids=lambda x: getattr(x, "id", ""))
def test_every_control_is_refuted_with_a_witness(
    theorem: Theorem, each: Control, known: Known
) -> None:
    table = definitions(CATALOGUE, theorem.argument().auxiliary)
    found = control(each, theorem, table, known)
    assert found.verdict is Verdict.REFUTED, found.witness
    assert found.witness


# a declaration that is in order, and one defect at a time

WIDE = Parameter("width", sp.Symbol("width", positive=True), DELTA.domain, DELTA.box, "a width")
width = WIDE.symbol
AREA = Quantity("area", "area", (WIDE,), line(p_o).subs(delta, width), sp.S.One, "", positive=True)
SQUARE = identity("toy.a.square", "", (phi - 1) ** 2, phi**2 - 2 * phi + 1)
WHOLE = identity("toy.b.whole", "", AREA.head, sp.S.One)
FALSE = identity("toy.control.false", "", phi, 2 * phi)
BOTH = Control("toy.control.false", "", ("toy.a.square", "toy.b.whole"), FALSE, {PHI: sp.S.One})


def _nothing(ctx: Any, width: Any) -> None: ...


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What stands beside the toy theorem in each measured lane."""
    beside = {"precise": {"area": _nothing}, "monte_carlo": {"area": _nothing}}
    real = catalogue.lane_module

    def lane_module(lane: str, theorem: str) -> Any:
        if theorem != "toy":
            return real(lane, theorem)
        return type(lane, (), beside[lane])

    monkeypatch.setattr(catalogue, "lane_module", lane_module)
    return beside


def complaints(
    claims: tuple[Claim | Path, ...] = (SQUARE, WHOLE),
    controls: tuple[Control, ...] = (BOTH,),
    quantities: tuple[Quantity, ...] = (AREA,),
    parameters: tuple[Parameter, ...] = (PHI, WIDE),
) -> list[str]:
    argument = Argument(claims, controls)
    toy = Theorem("toy", "", "ours", "", parameters, quantities, lambda: argument)
    return lint(toy, {"toy": toy})


def test_a_sound_toy_gives_no_complaint() -> None:
    assert complaints() == []


def changed(thing: Any, **changes: Any) -> tuple[Any, ...]:
    return (dataclasses.replace(thing, **changes),)


REALS = PHI.domain
OTHER = Process("flow", PHI, -width * phi, PHI, sp.Symbol("t", real=True), "")
PLANTED: list[tuple[dict[str, Any], str]] = [
    # parameters
    ({"parameters": (PHI, *changed(WIDE, name="length"))}, "its symbol is called width"),
    ({"parameters": (PHI, *changed(WIDE, domain=sp.S.EmptySet))}, "not an interval"),
    ({"parameters": (PHI, *changed(WIDE, domain=sp.FiniteSet(1)))}, "not an interval"),
    ({"parameters": (PHI, *changed(WIDE, domain=REALS))}, "assumes more than its domain"),
    (
        {"parameters": (PHI, *changed(WIDE, domain=sp.Interval(0, sp.oo)))},
        "assumes more than its domain",
    ),
    ({"parameters": (PHI, *changed(WIDE, box=(sp.S.NegativeOne, sp.S.One)))}, "rational part"),
    ({"parameters": (PHI, *changed(WIDE, box=(sp.S.One, sp.S.One)))}, "rational part"),
    ({"parameters": (PHI, *changed(WIDE, box=(sp.S.One, sp.Float(2))))}, "rational part"),
    ({"parameters": (PHI, *changed(WIDE, box=(sp.S.One, sp.pi)))}, "rational part"),
    ({"parameters": (PHI, *changed(WIDE, typical=sp.S.Zero))}, "typical value"),
    ({"parameters": (PHI, *changed(WIDE, typical=sp.sqrt(2)))}, "typical value"),
    # quantities
    ({"quantities": (AREA, AREA)}, "the quantity area is declared 2 times"),
    ({"quantities": (AREA, *changed(AREA, text="x"))}, "the symbol area is declared 2 times"),
    ({"quantities": changed(AREA, definition=line(normal(y, phi)))}, "undeclared symbols phi"),
    ({"quantities": changed(AREA, definition=sp.Float(1.0) * width**2)}, "holds a float"),
    ({"quantities": changed(AREA, definition=width - 1)}, "not manifestly positive"),
    ({"quantities": changed(AREA, formula=sp.S.Half)}, "nothing claims that its formula"),
    ({"quantities": changed(AREA, name="surface")}, "lane precise neither measures it nor says"),
    (
        {"quantities": changed(AREA, name="surface", exempt={"precise": "why"})},
        "lane monte_carlo neither measures it nor says why not",
    ),
    (
        {"quantities": changed(AREA, name="surface", exempt={"precise": " ", "monte_carlo": "x"})},
        "exempt from the lane precise without a reason",
    ),
    ({"quantities": changed(AREA, exempt={"precise": "too dear"})}, "which measures it"),
    ({"quantities": changed(AREA, parameters=(WIDE, PHI))}, "measures a function of width"),
    # claims
    ({"claims": (*changed(SQUARE, id="other.a.square"), WHOLE)}, "id is not toy.letter.slug"),
    ({"claims": (*changed(SQUARE, id="toy.square"), WHOLE)}, "id is not toy.letter.slug"),
    ({"claims": (*changed(SQUARE, id="toy.a.Square!"), WHOLE)}, "id is not toy.letter.slug"),
    ({"claims": (SQUARE, SQUARE, WHOLE)}, "the id toy.a.square is declared 2 times"),
    ({"claims": (*changed(SQUARE, right=phi * delta), WHOLE)}, "undeclared symbols delta"),
    ({"claims": (*changed(SQUARE, right=0.5 * phi), WHOLE)}, "holds a float"),
    ({"claims": (*changed(SQUARE, where=(delta > 0.5,)), WHOLE)}, "undeclared symbols delta"),
    ({"claims": (*changed(SQUARE, where=(phi > 7,)), WHOLE)}, "no point of its box"),
    ({"claims": (*changed(SQUARE, box={WIDE: (-sp.S.One, sp.S.One)}), WHOLE)}, "its box"),
    ({"claims": (SQUARE, *changed(WHOLE, left=sp.S.One))}, "nothing claims that its formula"),
    (
        {"claims": (SQUARE, WHOLE, Path("toy.c.path", "", OTHER, delta, "<=", phi))},
        "toy.c.path: it holds undeclared symbols delta",
    ),
    (
        {"claims": (SQUARE, WHOLE, Path("toy.c.path", "", OTHER, OTHER.time, "<=", phi))},
        "toy.c.path: no control names it",
    ),
    # controls
    ({"controls": ()}, "toy.a.square: no control names it"),
    ({"controls": changed(BOTH, of=("toy.a.square",))}, "toy.b.whole: no control names it"),
    ({"controls": changed(BOTH, of=(*BOTH.of, "toy.z.none"))}, "there is no claim toy.z.none"),
    ({"controls": (BOTH, *changed(BOTH, id="toy.control.idle", of=()))}, "a control of no claim"),
    ({"controls": changed(BOTH, id="toy.false")}, "id is not toy.control.slug"),
    ({"controls": changed(BOTH, variant=None)}, "neither a variant nor an invariant"),
    ({"controls": changed(BOTH, hint={WIDE: -sp.S.One})}, "its hint width = -1"),
    ({"controls": changed(BOTH, hint={WIDE: sp.pi})}, "its hint width = pi"),
    ({"controls": (BOTH, BOTH)}, "the id toy.control.false is declared 2 times"),
]


@pytest.mark.parametrize(
    ("defect", "complaint"), PLANTED, ids=lambda x: x if type(x) is str else ""
)
def test_a_planted_defect_is_named(defect: dict[str, Any], complaint: str) -> None:
    found = complaints(**defect)
    assert any(complaint in sentence for sentence in found), found
    assert len(found) <= 3, found


def test_a_false_premise_under_the_id_of_a_proved_claim_is_named() -> None:
    twin = dataclasses.replace(SQUARE, right=phi)
    link = Link("by it", sp.S.One, Cited("a theorem", (twin,)))
    found = complaints((SQUARE, dataclasses.replace(WHOLE, proof=(link,))))
    assert found == ["toy.a.square: two different claims have this id"]
    same = dataclasses.replace(SQUARE, text=SQUARE.text)
    link = Link("by it", sp.S.One, Cited("a theorem", (same,)))
    assert complaints((SQUARE, dataclasses.replace(WHOLE, proof=(link,)))) == []


def test_a_claim_used_under_the_id_of_another_is_named() -> None:
    twin = dataclasses.replace(SQUARE, right=phi)
    link = Link("by it", sp.S.One, Combination((Use(twin),)))
    found = complaints((SQUARE, dataclasses.replace(WHOLE, proof=(link,))))
    assert found == ["toy.a.square: two different claims have this id"]


def test_ids_are_compared_within_invariants_too() -> None:
    twin = dataclasses.replace(SQUARE, right=phi, proof=by_algebra("no", phi))
    found = complaints(controls=(dataclasses.replace(BOTH, invariant=(twin,)),))
    assert found == ["toy.a.square: two different claims have this id"]
