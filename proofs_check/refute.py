"""Refutes false variants: a certified witness, or an invariant set found symbolically."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.claims import Comparison, compare, parameters_of, sides
from proofs_check.draws import draw, rational, show
from proofs_check.paths import at_time, certified_times
from proofs_check.results import ControlResult
from proofs_check.symbolic.normal_form import manifestly_nonnegative
from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import Claim, Control, Path, Theorem

DIGITS = 20
_RANDOM_POINTS = 64


def control(control: Control, theorem: Theorem, table: Definitions, known: Known) -> ControlResult:
    """The control's witness, or that it survived: then the checks are blind there."""
    if control.invariant:
        verdict, witness = _invariant(control, known)
    elif isinstance(control.variant, Path):
        verdict, witness = _path(control.variant, _hint(control), table)
    elif control.variant is not None:
        verdict, witness = _claim(control.variant, control, theorem, table)
    else:
        verdict, witness = Verdict.UNDECIDED, "neither a variant nor an invariant is declared"
    return ControlResult(control.id, control.text, verdict, witness)


def _hint(control: Control) -> dict[str, Fraction]:
    exact = {p.name: sp.Rational(value) for p, value in control.hint.items()}
    return {name: Fraction(int(value.p), int(value.q)) for name, value in exact.items()}


def _invariant(control: Control, known: Known) -> tuple[Verdict, str]:
    for claim in control.invariant:
        proof = prove(claim, known)
        if proof.verdict is not Verdict.PROVED:
            return Verdict.UNDECIDED, f"{claim.id}: {proof.why}"
    return Verdict.REFUTED, "; ".join(claim.text for claim in control.invariant)


def _claim(
    variant: Claim, control: Control, theorem: Theorem, table: Definitions
) -> tuple[Verdict, str]:
    why = "no point was tried"
    for place in _places(variant, control, theorem):
        try:
            found = compare(variant, place, DIGITS, table)
        except Unreachable as reason:
            why = str(reason)
            continue
        for comparison in found:
            if comparison.holds is False:
                return Verdict.REFUTED, _witness(place, comparison)
        why = f"it holds, or is not decided, at {show(place)}"
    return Verdict.UNDECIDED, why


def _places(variant: Claim, control: Control, theorem: Theorem) -> Iterator[Mapping[str, Fraction]]:
    """The hint first, then points of the box."""
    if control.hint:
        yield _hint(control)
    own = parameters_of(variant, theorem.variables)
    yield from draw(own, _RANDOM_POINTS, control.id, variant.where, variant.box)


def _witness(place: Mapping[str, Fraction], comparison: Comparison) -> str:
    return f"{show(place)}: {sides(comparison)}"


def _path(variant: Path, place: Mapping[str, Fraction], table: Definitions) -> tuple[Verdict, str]:
    try:
        early, late = certified_times(variant, place, table)
        found = [
            comparison
            for time in (early, late)
            for comparison in compare(at_time(variant, rational(time)), place, DIGITS, table)
        ]
    except Unreachable as reason:
        return Verdict.UNDECIDED, str(reason)
    if _monotone_in_time(variant) and all(comparison.holds is False for comparison in found):
        between = f"at a time between {float(early):.6g} and {float(late):.6g}"
        return Verdict.REFUTED, f"{_witness(place, found[0])}, {between}"
    return Verdict.UNDECIDED, f"it holds, or is not decided, at {show(place)}"


def _monotone_in_time(variant: Path) -> bool:
    """Then an order that fails at both ends of a bracket of the time fails in between."""
    slope = sp.diff(variant.right - variant.left, variant.process.time)
    return manifestly_nonnegative(slope) or manifestly_nonnegative(-slope)
