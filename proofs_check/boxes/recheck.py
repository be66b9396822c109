"""A second opinion on a certificate: every leaf by an arithmetic and a quadrature of its own.

It shares with the search the language of conjectures and its auxiliary quantities, boxes, the
format of the file, and the zero test of the symbolic lane; no range, no form, no quadrature.
Nothing in a certificate is believed: the forms are compared with the claim by algebra, the leaves
must tile the box exactly, and on each leaf the form is shown not to be negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.boxes.auxiliary import extended
from proofs_check.boxes.bounds import Ball, Bounds, Inconclusive, around, number
from proofs_check.boxes.certificate import (
    Certificate,
    Faces,
    LeafData,
    Rejected,
    show,
    tiling_fault,
)
from proofs_check.boxes.equivalence import Checked, checked, limit, parsed, proved, zero
from proofs_check.boxes.evaluation import Evaluation
from proofs_check.boxes.heads import Values
from proofs_check.boxes.statement import NotOverABox, find
from proofs_check.catalogue import definitions as formulas
from proofs_check.conjectures.box import Box
from proofs_check.conjectures.functions import theorems_of
from proofs_check.draws import rational
from proofs_check.errors import InputError
from theorems.language import Claim, Expr, Theorem

BITS = 128
MOST_PARTS = 256  # into which a leaf may be split again


@dataclass(frozen=True, slots=True)
class _Replay:
    """What all leaves share."""

    claim: Claim
    forms: tuple[Checked, ...]
    definitions: Definitions
    values: Values = field(default_factory=Values)
    equal: dict[Any, bool] = field(default_factory=dict)


def recheck(certificate: Certificate, expected: str = "") -> int:
    """The number of leaves replayed. Raises Rejected, one sentence, unless all of it holds.

    expected: the conjecture, or the id of the declared claim, that it must be a certificate of.
    """
    box = certificate.box
    claim, catalogue = _claim(certificate, expected)
    language = extended(catalogue)
    definitions = formulas(language)
    if certificate.verdict == "PROVED":
        if not proved(claim, definitions):
            raise Rejected("no identity is found, nor a sign that can be read off")
        return 0
    if certificate.verdict != "CERTIFIED" or certificate.waiting:
        raise Rejected(f"the certificate says {certificate.verdict}: it proves nothing")
    if claim.relation == "=":
        raise Rejected("an equality is not proved by leaves")
    if fault := tiling_fault(box, [leaf.box for leaf in certificate.leaves]):
        raise Rejected(fault)
    forms = tuple(checked(text, claim, box, language, definitions) for text in certificate.forms)
    replay = _Replay(claim, forms, definitions)
    with ctx.workprec(BITS):
        for leaf in certificate.leaves:
            _leaf(replay, leaf)
    return len(certificate.leaves)


def _claim(certificate: Certificate, expected: str) -> tuple[Claim, Mapping[str, Theorem]]:
    """What the certificate is about, and the theorems whose language it is in."""
    text, where, box = certificate.conjecture, certificate.where, certificate.box
    if certificate.claim:
        try:
            question = find(certificate.claim, ())
        except (InputError, NotOverABox) as wrong:
            raise Rejected(f"no certificate can be of {certificate.claim!r}: {wrong}") from None
        if (question.text, question.where) != (text, where):
            raise Rejected(f"{certificate.claim} claims something else than {text}")
        if expected == certificate.claim and question.box != box:
            raise Rejected(f"{expected} has another box: {show(question.box)}")
        catalogue = question.theorems
    else:
        catalogue = theorems_of((text, *where, *box.names))
    claim = parsed(text, box, catalogue, where)
    if expected not in ("", certificate.claim) and (
        where
        or not _is_order(expected)
        or _sides(parsed(expected, box, catalogue)) != _sides(claim)
    ):
        raise Rejected(f"the certificate is of another conjecture: {certificate.claim or text}")
    return claim, catalogue


def _is_order(text: str) -> bool:
    return any(sign in text for sign in "<>=")


def _sides(claim: Claim) -> tuple[Expr, str, Expr]:
    return claim.left, claim.relation, claim.right


def _leaf(replay: _Replay, leaf: LeafData) -> None:
    """Raises Rejected unless the leaf's form is not negative on it, split again where need be."""
    if not leaf.form < len(replay.forms):
        raise Rejected(f"the leaf {show(leaf.box)} names a form that does not exist")
    form = replay.forms[leaf.form]
    parts, count = [leaf.box], 0
    while parts:
        part, count = parts.pop(), count + 1
        proved, widest = _holds(replay, form, part, leaf.faces)
        if proved:
            continue
        if count > MOST_PARTS or leaf.faces or not widest:
            raise Rejected(f"the leaf {show(leaf.box)} is not proved by {form.expr}")
        parts += part.split(widest)


def _holds(
    replay: _Replay,
    form: Checked,
    box: Box,
    faces: Faces,
) -> tuple[bool, str]:
    """Whether the form is not negative on the box; and the side with the largest change."""
    sides = {name: (lower, upper) for name, lower, upper in box.sides}
    widest = max(box.names, key=lambda name: box.widths[name], default="")
    fixed: dict[str, Fraction] = {}
    try:
        found = _over(replay, form.expr, sides)
        widest = _widest(sides, found)
        while True:
            if found.value.lo > 0 or (not form.strict and found.value.lo >= 0):
                return True, widest
            known = _monotone(sides, found)
            if not known:
                break
            fixed |= known
            sides |= {name: (end, end) for name, end in known.items()}
            found = _over(replay, form.expr, sides)
        if faces and not form.strict and set(faces) <= set(fixed.items()):
            return _equal_on(replay, form, faces), widest
        middle = {name: ((low + high) / 2,) * 2 for name, (low, high) in sides.items()}
        lower = _over(replay, form.expr, middle).value.lo
        for (low, high), rate in zip(sides.values(), found.plain(), strict=True):
            lower = lower - rate.far * _ball((high - low) / 2)
    except (Inconclusive, Unreachable):
        return False, widest
    return bool(lower > 0 or (not form.strict and lower >= 0)), widest


def _monotone(sides: Mapping[str, tuple[Fraction, Fraction]], found: Bounds) -> dict[str, Fraction]:
    """The ends where the form is least, in variables in which it is monotone."""
    known = {}
    for (name, (low, high)), rate in zip(sides.items(), found.rates, strict=True):
        if low < high and rate.lo >= 0:
            known[name] = low
        elif low < high and rate.hi <= 0:
            known[name] = high
    return known


def _widest(sides: Mapping[str, tuple[Fraction, Fraction]], found: Bounds) -> str:
    change = {
        name: float(rate.far) * float(high - low)
        for (name, (low, high)), rate in zip(sides.items(), found.plain(), strict=True)
    }
    return max(change, key=lambda name: change[name], default="")


def _equal_on(replay: _Replay, form: Checked, faces: Faces) -> bool:
    """Whether the form is 0 where the variables of the faces are at their ends: since both sides
    are identical there and its factor is not 0, or by its own limit."""
    key = (form.expr, faces)
    if key not in replay.equal:
        gap, known = _at(replay.claim.right - replay.claim.left, faces), replay.definitions
        replay.equal[key] = (form.positive and zero(gap, known)) or zero(
            limit(_at(form.expr, faces)), known
        )
    return replay.equal[key]


def _at(expr: Expr, faces: Faces) -> Expr:
    ends = dict(faces)
    return expr.subs({s: rational(ends[s.name]) for s in expr.free_symbols if s.name in ends})


def _over(replay: _Replay, expr: Expr, sides: Mapping[str, tuple[Fraction, Fraction]]) -> Bounds:
    names = list(sides)
    known: dict[Expr, Bounds] = {}
    variables = {}
    for name, (low, high) in sides.items():
        rates = tuple(number(arb(int(name == other and low < high))) for other in names)
        variables[name] = Bounds(around(_ball(low), _ball(high)), rates)
    return Evaluation(replay.values, variables, known)(expr)


def _ball(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))
