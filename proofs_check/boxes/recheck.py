"""A second opinion on a certificate: every leaf by an arithmetic and a quadrature of its own.

It shares with the search the language of conjectures and its auxiliary quantities, boxes, the
format of the file, and the zero test of the symbolic lane; no range, no form, no quadrature.
Nothing in a certificate is believed: the forms are compared with the claim by algebra, the leaves
must tile the box exactly, and on each leaf the form is shown not to be negative.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy.core.function import AppliedUndef

from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.boxes.auxiliary import extended, vocabulary
from proofs_check.boxes.bounds import Ball, Bounds, Inconclusive, around, number
from proofs_check.boxes.certificate import (
    Certificate,
    FormText,
    LeafData,
    Rejected,
    show,
    tiling_fault,
)
from proofs_check.boxes.evaluation import Evaluation
from proofs_check.boxes.heads import Values
from proofs_check.conjectures.box import Box
from proofs_check.conjectures.parser import parse
from proofs_check.draws import rational
from proofs_check.errors import InputError
from proofs_check.symbolic.deadline import TimeLimit, within
from proofs_check.symbolic.normal_form import is_zero, manifestly_nonnegative, manifestly_positive
from theorems.language import Claim, Expr, Theorem

BITS = 96
MOST_PARTS = 256  # into which a leaf may be split again
ALGEBRA_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Checked:
    """A form that was found equivalent to the claim; positive: its factor is, never 0."""

    expr: Expr
    positive: bool


@dataclass(frozen=True, slots=True)
class _Replay:
    """What all leaves share."""

    claim: Claim
    forms: tuple[_Checked, ...]
    definitions: Definitions
    values: Values = field(default_factory=Values)
    equal: dict[Any, bool] = field(default_factory=dict)


def recheck(
    certificate: Certificate,
    catalogue: Mapping[str, Theorem],
    expected: str = "",
) -> int:
    """The number of leaves replayed. Raises Rejected, one sentence, unless all of it holds."""
    box, definitions = certificate.box, vocabulary(catalogue)
    claim = _parsed(certificate.conjecture, box, catalogue)
    if expected:
        other = _parsed(expected, box, catalogue)
        if (other.left, other.relation, other.right) != (claim.left, claim.relation, claim.right):
            raise Rejected(f"the certificate is of another conjecture: {certificate.conjecture}")
    if certificate.verdict == "PROVED":
        if claim.relation == "<" or not _zero(claim.right - claim.left, definitions):
            raise Rejected("the two sides are not found to be identical")
        return 0
    if certificate.verdict != "CERTIFIED" or certificate.waiting:
        raise Rejected(f"the certificate says {certificate.verdict}: it proves nothing")
    if claim.relation == "=":
        raise Rejected("an equality is not proved by leaves")
    if fault := tiling_fault(box, [leaf.box for leaf in certificate.leaves]):
        raise Rejected(fault)
    language = extended(catalogue)
    forms = tuple(_form(text, claim, box, language, definitions) for text in certificate.forms)
    replay = _Replay(claim, forms, definitions)
    with ctx.workprec(BITS):
        for leaf in certificate.leaves:
            _leaf(replay, leaf)
    return len(certificate.leaves)


def _parsed(text: str, box: Box, catalogue: Mapping[str, Theorem]) -> Claim:
    try:
        return parse(text, box, catalogue)
    except InputError as wrong:
        raise Rejected(f"{text[:60]!r} is not read: {wrong}") from None


# algebra


def _form(
    text: FormText,
    claim: Claim,
    box: Box,
    catalogue: Mapping[str, Theorem],
    definitions: Definitions,
) -> _Checked:
    """Its text read, and factor times it (or e^it - 1) compared with right - left."""
    expr, factor = (_side(each, box, catalogue) for each in (text.expression, text.factor))
    gap = claim.right - claim.left
    size = sp.exp(expr) - 1 if text.logarithmic else expr
    if not _zero(gap - factor * size, definitions):
        raise Rejected(f"the form {text.expression} is not equivalent to the claim")
    positive = manifestly_positive(_signed(factor))
    if not positive and (claim.relation == "<" or not manifestly_nonnegative(_signed(factor))):
        raise Rejected(f"the factor {text.factor} of a form may be negative")
    return _Checked(expr, positive)


def _side(text: str, box: Box, catalogue: Mapping[str, Theorem]) -> Expr:
    """An expression in some of the box's variables."""
    used = tuple(side for side in box.sides if re.search(rf"\b{side[0]}\b", text))
    return _parsed(f"0 <= {text}", Box(used), catalogue).right


def _is(*names: str) -> Callable[[Expr], bool]:
    return lambda node: isinstance(node, AppliedUndef) and node.func.__name__ in names


def _signed(expr: Expr) -> Expr:
    """kappa and F as positive, R as not negative: three claims of the suite."""
    known = {"kappa": "positive", "KL_forward": "positive", "KL_reverse": "nonnegative"}
    return expr.replace(
        _is(*known),
        lambda node: sp.Function(node.func.__name__, **{known[node.func.__name__]: True})(
            *node.args
        ),
    )


def _zero(expr: Expr, definitions: Definitions) -> bool:
    """Whether it vanishes identically, every quantity written out in S, A and E2."""
    names = tuple(name for name in definitions if name not in ("S", "A", "E2"))
    while found := expr.atoms(AppliedUndef):
        heads = [node for node in found if node.func.__name__ in names]
        if not heads:
            break
        expr = expr.xreplace({node: _written_out(node, definitions) for node in heads})
    mirrored = {
        node: node.func(-node.args[0], node.args[1])
        for node in expr.atoms(AppliedUndef)
        if node.func.__name__ == "S" and node.args[0].could_extract_minus_sign()
    }
    try:
        with within(ALGEBRA_SECONDS):
            return is_zero(expr.xreplace(mirrored)) is True
    except TimeLimit:
        return False


def _written_out(node: Expr, definitions: Definitions) -> Expr:
    names, formula = definitions[node.func.__name__]
    values = dict(zip(names, node.args, strict=True))
    return formula.subs(
        {s: values[s.name] for s in formula.free_symbols if s.name in values}, simultaneous=True
    )


# leaves


def _leaf(replay: _Replay, leaf: LeafData) -> None:
    """Raises Rejected unless the leaf's form is not negative on it, split again where need be."""
    if not leaf.form < len(replay.forms):
        raise Rejected(f"the leaf {show(leaf.box)} names a form that does not exist")
    form, strict = replay.forms[leaf.form], replay.claim.relation == "<"
    parts, count = [leaf.box], 0
    while parts:
        part, count = parts.pop(), count + 1
        proved, widest = _holds(replay, form, part, leaf.faces, strict)
        if proved:
            continue
        if count > MOST_PARTS or leaf.faces:
            raise Rejected(f"the leaf {show(leaf.box)} is not proved by {form.expr}")
        parts += part.split(widest)


def _holds(
    replay: _Replay,
    form: _Checked,
    box: Box,
    faces: tuple[tuple[str, Fraction], ...],
    strict: bool,
) -> tuple[bool, str]:
    """Whether the form is not negative on the box; and the side with the largest change."""
    sides = {name: (lower, upper) for name, lower, upper in box.sides}
    widest = max(box.names, key=lambda name: box.widths[name])
    fixed: dict[str, Fraction] = {}
    try:
        found = _over(replay, form.expr, sides)
        widest = _widest(sides, found)
        while True:
            if found.value.lo > 0 or (not strict and found.value.lo >= 0):
                return True, widest
            known = _monotone(sides, found)
            if not known:
                break
            fixed |= known
            sides |= {name: (end, end) for name, end in known.items()}
            found = _over(replay, form.expr, sides)
        if faces and not strict and form.positive and set(faces) <= set(fixed.items()):
            return _equal_on(replay, faces), widest
        middle = {name: ((low + high) / 2,) * 2 for name, (low, high) in sides.items()}
        lower = _over(replay, form.expr, middle).value.lo
        for (low, high), rate in zip(sides.values(), found.plain(), strict=True):
            lower = lower - rate.far * _ball((high - low) / 2)
    except (Inconclusive, Unreachable):
        return False, widest
    return bool(lower > 0 or (not strict and lower >= 0)), widest


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
    return max(change, key=lambda name: change[name])


def _equal_on(replay: _Replay, faces: tuple[tuple[str, Fraction], ...]) -> bool:
    """Whether both sides are identical where the variables of the faces are at their ends."""
    if faces not in replay.equal:
        gap, ends = replay.claim.right - replay.claim.left, dict(faces)
        there = {s: rational(ends[s.name]) for s in gap.free_symbols if s.name in ends}
        replay.equal[faces] = _zero(gap.subs(there), replay.definitions)
    return replay.equal[faces]


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
