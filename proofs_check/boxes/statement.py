"""What `certify` is asked about: a conjecture as typed, or a declared claim by its id."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

from numerics.expression import Definitions
from proofs_check import catalogue
from proofs_check.boxes.auxiliary import extended
from proofs_check.boxes.rewriting import spell
from proofs_check.claims import parameters_of
from proofs_check.conjectures.box import Box, read_box
from proofs_check.conjectures.functions import theorems_of
from proofs_check.conjectures.parser import parse
from proofs_check.errors import InputError
from theorems.language import Claim, Expr, Path, Theorem

MOST_OPERATIONS = 300
_Order: TypeAlias = tuple[Expr, str, Expr]
_SIGN = {"=": "==", "<=": "<=", "<": "<", ">=": "<=", ">": "<"}
_ORDERS = (sp.LessThan, sp.StrictLessThan, sp.GreaterThan, sp.StrictGreaterThan)
_UNREADABLE = (sp.Integral, sp.Derivative, sp.Subs, sp.Tuple)


class NotOverABox(Exception):
    """A declared claim that is not about a box, or that no box can be asked about; it says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """A claim as its text is read, over a box; what a certificate is about.

    theorems: those whose language the text is in. id: that of a declared claim, else empty.
    lemmas: the identities by which integrals in it were written as quantities.
    """

    claim: Claim
    text: str
    where: tuple[str, ...]
    box: Box
    theorems: Mapping[str, Theorem]
    definitions: Definitions
    id: str = ""
    lemmas: tuple[str, ...] = ()


def find(
    statement: str, sides: Iterable[str], theorems: Mapping[str, Theorem] | None = None
) -> Question:
    """The question a user asks. Raises InputError; NotOverABox for some declared claims.

    sides: NAME=LO:HI; for a claim's id the declared box where there are none. theorems: by default
    those that the statement speaks of.
    """
    box = read_box(sides)
    if any(sign in statement for sign in "<>="):
        known = theorems_of((statement, *box.names)) if theorems is None else theorems
        return _question(statement, (), box, known)
    theorems = catalogue.load() if theorems is None else theorems
    theorem = theorems.get(statement.partition(".")[0].strip())
    if theorem is None:
        # neither an order nor a claim: the parser says what is missing
        return _question(statement, (), box, theorems)
    claims = {claim.id: claim for claim in theorem.claims}
    if statement not in claims:
        nearest = difflib.get_close_matches(statement, claims, n=1, cutoff=0.0)
        raise InputError(f"claim {statement!r} is unknown; did you mean {nearest[0]}?")
    return declared(claims[statement], theorem, theorems, box if box.sides else None)


def declared(
    claim: Claim | Path, theorem: Theorem, theorems: Mapping[str, Theorem], box: Box | None = None
) -> Question:
    """The question whether a declared claim holds over its box, or over another one.

    Raises NotOverABox; InputError where `box` does not fit the claim.
    """
    if isinstance(claim, Path):
        raise NotOverABox("it is about a process, not about a box")
    if not all(isinstance(order, _ORDERS) for order in claim.where):
        raise NotOverABox("one of its hypotheses is no order, and a box cannot state it")
    if box is None:
        box = _declared_box(claim, theorem)
    identities, lemmas = _identities(theorem), dict[str, None]()
    left, right = (_readable(side, identities, lemmas) for side in (claim.left, claim.right))
    operations = sp.count_ops(right - left)
    if operations > MOST_OPERATIONS:
        raise NotOverABox(f"its sides hold {operations} operations, more than {MOST_OPERATIONS}")
    orders = [
        (_readable(order.lts, identities, lemmas), _SIGN[order.rel_op], order.gts)
        for order in claim.where
    ]
    (left, right), orders, box = _scaled((left, right), orders, box)
    return _question(
        f"{spell(left)} {_SIGN[claim.relation]} {spell(right)}",
        tuple(f"{spell(low)} {sign} {spell(high)}" for low, sign, high in orders),
        box,
        with_auxiliary(theorem, theorems),
        claim.id,
        tuple(lemmas),
    )


def with_auxiliary(theorem: Theorem, theorems: Mapping[str, Theorem]) -> dict[str, Theorem]:
    """The theorems, with the quantities that only the proofs of this one speak of."""
    own = theorem.argument().auxiliary
    return {**theorems, theorem.name: replace(theorem, quantities=(*theorem.quantities, *own))}


def _question(
    text: str,
    where: tuple[str, ...],
    box: Box,
    known: Mapping[str, Theorem],
    id: str = "",
    lemmas: tuple[str, ...] = (),
) -> Question:
    try:
        claim = parse(text, box, known, where)
    except InputError as beyond:
        if not id:
            raise
        raise NotOverABox(str(beyond)) from None
    table = catalogue.definitions(extended(known))
    return Question(claim, text, where, box, known, table, id, lemmas)


def _declared_box(claim: Claim, theorem: Theorem) -> Box:
    ends = {
        parameter.name: claim.box.get(parameter, parameter.box)
        for parameter in parameters_of(claim, theorem.variables)
    }
    return Box(tuple((name, _fraction(low), _fraction(high)) for name, (low, high) in ends.items()))


def _fraction(value: Expr) -> Fraction:
    exact = sp.Rational(value)
    return Fraction(int(exact.p), int(exact.q))


def _identities(theorem: Theorem) -> dict[Expr, tuple[Expr, str]]:
    """What the theorem's identities say that integrals, and derivatives of quantities, are."""
    found: dict[Expr, tuple[Expr, str]] = {}
    for claim in theorem.claims:
        if isinstance(claim, Path) or claim.relation != "=" or claim.where:
            continue
        for this, other in ((claim.left, claim.right), (claim.right, claim.left)):
            if this.has(*_UNREADABLE) and not other.has(*_UNREADABLE):
                found.setdefault(this, (other, claim.id))
    return found


def _readable(
    expr: Expr, identities: Mapping[Expr, tuple[Expr, str]], used: dict[str, None]
) -> Expr:
    """The expression without integrals, by identities, which are added to `used`."""
    if not expr.has(*_UNREADABLE):
        return expr
    if expr in identities:
        other, id = identities[expr]
        used[id] = None
        return other
    if isinstance(expr, _UNREADABLE):
        raise NotOverABox("it holds an integral, a derivative or a vector, which has no range")
    return expr.func(*(_readable(part, identities, used) for part in expr.args))


def _scaled(
    sides: tuple[Expr, Expr], orders: list[_Order], box: Box
) -> tuple[tuple[Expr, Expr], list[_Order], Box]:
    """|x| <= y as x = share_x y with share_x in [-1, 1]: then the boundary is a face of the box."""
    for order in orders:
        low, sign, high = order
        bound = high.args[0] if isinstance(high, sp.Abs) else high
        inner = low.args[0] if isinstance(low, sp.Abs) else None
        if sign != "<=" or inner is None or not (inner.is_Symbol and bound.is_Symbol):
            continue
        share = sp.Symbol(f"share_{inner.name}", real=True)
        rest = [each for each in orders if each is not order]
        left, right = (side.subs(inner, share * bound) for side in sides)
        orders = [
            (a.subs(inner, share * bound), op, b.subs(inner, share * bound)) for a, op, b in rest
        ]
        ends = [side for side in box.sides if side[0] != inner.name]
        box = Box((*ends, (share.name, Fraction(-1), Fraction(1))))
        return _scaled((left, right), orders, box)
    return sides, orders, box
