"""The checker's algebra: whether a form is what it says it is, every quantity written out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef

from numerics.expression import Definitions
from proofs_check.boxes.certificate import FormText, Rejected
from proofs_check.conjectures.box import Box
from proofs_check.conjectures.parser import parse
from proofs_check.errors import InputError
from proofs_check.symbolic.deadline import TimeLimit, within
from proofs_check.symbolic.normal_form import is_zero, manifestly_nonnegative, manifestly_positive
from theorems.language import Claim, Expr, Theorem
from theorems.mixture import sigma
from theorems.overlap.quantities import kappa

SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Checked:
    """A form that was found equivalent to the claim, or to the failure of a hypothesis.

    strict: it must be positive on a leaf; positive: its factor is, never 0.
    """

    expr: Expr
    strict: bool
    positive: bool


def parsed(
    text: str, box: Box, catalogue: Mapping[str, Theorem], where: tuple[str, ...] = ()
) -> Claim:
    """The claim of a text. Raises Rejected where it cannot be read."""
    try:
        return parse(text, box, catalogue, where)
    except InputError as wrong:
        raise Rejected(f"{text[:60]!r} is not read: {wrong}") from None


def checked(
    text: FormText,
    claim: Claim,
    box: Box,
    catalogue: Mapping[str, Theorem],
    definitions: Definitions,
) -> Checked:
    """Its text read, and factor times it (or e^it - 1) compared with right - left; or it with left
    - right of some hypothesis."""
    expr, factor = (_side(each, box, catalogue) for each in (text.expression, text.factor))
    if text.kind == "hypothesis":
        for order in claim.where:
            if zero(order.lts - order.gts - expr, definitions):
                return Checked(expr, isinstance(order, sp.LessThan), False)
        raise Rejected(f"the form {text.expression} is not that of a hypothesis")
    gap = claim.right - claim.left
    size = sp.exp(expr) - 1 if text.kind == "logarithmic" else expr
    if not zero(gap - factor * size, definitions):
        raise Rejected(f"the form {text.expression} is not equivalent to the claim")
    positive = manifestly_positive(_signed(factor))
    if not positive and (claim.relation == "<" or not manifestly_nonnegative(_signed(factor))):
        raise Rejected(f"the factor {text.factor} of a form may be negative")
    return Checked(expr, claim.relation == "<", positive)


def _side(text: str, box: Box, catalogue: Mapping[str, Theorem]) -> Expr:
    """An expression in some of the box's variables."""
    used = tuple(side for side in box.sides if re.search(rf"\b{side[0]}\b", text))
    return parsed(f"0 <= {text}", Box(used), catalogue).right


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


def proved(claim: Claim, definitions: Definitions) -> bool:
    """Whether a claim needs no leaves: its sides are identical, or right - left is a square."""
    gap = claim.right - claim.left
    if claim.relation == "<":
        return False
    if zero(gap, definitions):
        return True
    try:
        with within(SECONDS):
            return claim.relation == "<=" and manifestly_nonnegative(gap)
    except TimeLimit:
        return False


def zero(expr: Expr, definitions: Definitions) -> bool:
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
        with within(SECONDS):
            return is_zero(expr.xreplace(mirrored)) is True
    except TimeLimit:
        return False


def _written_out(node: Expr, definitions: Definitions) -> Expr:
    names, formula = definitions[node.func.__name__]
    values = dict(zip(names, node.args, strict=True))
    return formula.subs(
        {s: values[s.name] for s in formula.free_symbols if s.name in values}, simultaneous=True
    )


def limit(expr: Expr) -> Expr:
    """Means between phi and tau, where both are the same: K is kappa, and G and H are sigma(1 -
    sigma)/2 times kappa and times 1 - kappa."""
    values = {}
    for node in expr.atoms(AppliedUndef):
        if node.func.__name__ in "KGH" and node.args[0] == node.args[1]:
            x, _, d = node.args
            share = 1 - kappa(x, d) if node.func.__name__ == "H" else kappa(x, d)
            bell = 1 if node.func.__name__ == "K" else sigma(x) * sigma(-x) / 2
            values[node] = bell * share
    return expr.xreplace(values)
