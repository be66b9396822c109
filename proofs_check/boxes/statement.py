"""What `certify` is asked about: a conjecture as typed, or a declared claim by its id."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from fractions import Fraction

import sympy as sp

from numerics.expression import Definitions
from proofs_check.boxes.auxiliary import vocabulary
from proofs_check.boxes.forms import spell
from proofs_check.claims import parameters_of
from proofs_check.conjectures.box import Box, read_box
from proofs_check.conjectures.parser import parse
from proofs_check.errors import InputError
from theorems.language import Claim, Expr, Path, Theorem

_SIGN = {"=": "==", "<=": "<=", "<": "<"}


def find(
    statement: str, sides: Iterable[str], theorems: Mapping[str, Theorem]
) -> tuple[Claim, str, Box, Definitions]:
    """The claim, its text, its box and the formulas of quantities. Raises InputError."""
    table = vocabulary(theorems)
    box = read_box(sides)
    theorem = _theorem(statement, theorems)
    if theorem is None:
        return parse(statement, box, theorems), statement, box, table
    claim = _declared(statement, theorem)
    if not box.sides:
        box = _declared_box(claim, theorem)
    return _read_back(claim, box, theorems), _text(claim), box, table


def spelled(statement: str, theorems: Mapping[str, Theorem]) -> str:
    """A statement in the language of conjectures, a claim's id being replaced by what it says."""
    theorem = _theorem(statement, theorems)
    return statement if theorem is None else _text(_declared(statement, theorem))


def _theorem(statement: str, theorems: Mapping[str, Theorem]) -> Theorem | None:
    """The theorem that a claim's id starts with; None for a conjecture."""
    if any(sign in statement for sign in "<>="):
        return None
    return theorems.get(statement.partition(".")[0].strip())


def _declared(statement: str, theorem: Theorem) -> Claim:
    declared = {claim.id: claim for claim in theorem.claims}
    if statement not in declared:
        nearest = difflib.get_close_matches(statement, declared, n=1, cutoff=0.0)
        raise InputError(f"claim {statement!r} is unknown; did you mean {nearest[0]}?")
    claim = declared[statement]
    if isinstance(claim, Path):
        raise InputError(f"claim {statement!r} is about a process, not about a box")
    if claim.where:
        raise InputError(f"claim {statement!r} has hypotheses, which a box cannot state")
    if any(side.has(sp.Integral, sp.Derivative, sp.Tuple) for side in (claim.left, claim.right)):
        raise InputError(
            f"claim {statement!r} holds an integral, a derivative or a vector, and none of them "
            "has a range over a box"
        )
    return claim


def _declared_box(claim: Claim, theorem: Theorem) -> Box:
    ends = {
        parameter.name: claim.box.get(parameter, parameter.box)
        for parameter in parameters_of(claim, theorem.variables)
    }
    return Box(tuple((name, _fraction(low), _fraction(high)) for name, (low, high) in ends.items()))


def _fraction(value: Expr) -> Fraction:
    exact = sp.Rational(value)
    return Fraction(int(exact.p), int(exact.q))


def _text(claim: Claim) -> str:
    return f"{spell(claim.left)} {_SIGN[claim.relation]} {spell(claim.right)}"


def _read_back(claim: Claim, box: Box, theorems: Mapping[str, Theorem]) -> Claim:
    """The claim as its text is read: what a certificate is about."""
    try:
        return parse(_text(claim), box, theorems)
    except InputError as beyond:
        raise InputError(
            f"claim {claim.id!r} cannot be written in the language of conjectures: {beyond}"
        ) from None
