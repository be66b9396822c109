"""A conjecture as text → a claim over a box. What is typed is read by a grammar, never run.

Numbers are exact (a decimal is a rational), quantities stay heads, `>=` and `>` swap sides. The
claim is about the points of the box where both sides are defined.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from numerics.expression import Definitions
from proofs_check.catalogue import definitions
from proofs_check.conjectures.box import Box
from proofs_check.conjectures.domains import outside
from proofs_check.conjectures.functions import CONSTANTS, Function, functions
from proofs_check.conjectures.syntax import Node, read, shown, wrong
from proofs_check.draws import rational
from proofs_check.errors import InputError
from proofs_check.inputs import read_number
from proofs_check.inputs import show as interval
from theorems.language import Claim, Expr, Kind, Parameter, Relation, Theorem

LARGEST_EXPONENT = 64
MOST_BITS = 4_096  # of a numerator or a denominator
_RELATION: Mapping[str, Relation] = {"<=": "<=", ">=": "<=", "<": "<", ">": "<", "==": "="}
_NOT_FINITE = (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names stand for: functions, variables; and the box the variables range over."""

    functions: Mapping[str, Function]
    variables: Mapping[str, Expr]
    parameters: Mapping[str, Parameter]
    box: Box
    definitions: Definitions


def parse(
    text: str, box: Box, catalogue: Mapping[str, Theorem], where: Sequence[str] = ()
) -> Claim:
    """The claim that a text makes over a box; its `text` is the conjecture as typed.

    where: hypotheses, in the same language; equalities are none.

    Raises InputError, one sentence with the column, on anything outside the language, on a
    quantity outside its domain somewhere in the box, and where variables and box do not match.
    """
    tree, *given = (read(each) for each in (text, *where))
    parameters = {p.name: p for theorem in catalogue.values() for p in theorem.parameters}
    known = functions(catalogue)
    scope = _Scope(
        known, _variables(box, known, parameters), parameters, box, definitions(catalogue)
    )
    left, relation, right = _order(tree, scope)
    hypotheses = tuple(_hypothesis(each, scope) for each in given)
    used = {name for each in (tree, *given) for name in _names(each)}
    for name in box.names:
        if name not in used:
            raise InputError(f"--box {name}: the conjecture does not speak of {name}")
    kind: Kind = "identity" if relation == "=" else "bound"
    return Claim("conjecture", text, left, relation, right, kind, where=hypotheses)


def _order(tree: Node, scope: _Scope) -> tuple[Expr, Relation, Expr]:
    left, right = (_expression(part, scope) for part in tree.parts)
    if tree.text.startswith(">"):
        left, right = right, left
    return left, _RELATION[tree.text], right


def _hypothesis(tree: Node, scope: _Scope) -> Expr:
    left, relation, right = _order(tree, scope)
    if relation == "=":
        raise wrong(tree.column, "a hypothesis must be one of <=, <, >=, >")
    # unevaluated: SymPy would decide some, and keep a truth value
    return (sp.Le if relation == "<=" else sp.Lt)(left, right, evaluate=False)


def _variables(
    box: Box, known: Mapping[str, Function], parameters: Mapping[str, Parameter]
) -> dict[str, Expr]:
    """The theorems' own symbols where the box lies in their domain, real ones elsewhere."""
    variables = {}
    for name, lower, upper in box.sides:
        if name in known or name in CONSTANTS:
            raise InputError(f"--box {name}: {name} is not free to name a variable")
        ends = (rational(lower), rational(upper))
        variables[name] = _symbol(name, ends, parameters.get(name))
    return variables


def _symbol(name: str, ends: tuple[Expr, Expr], parameter: Parameter | None) -> Expr:
    # a symbol of whole numbers would let SymPy assume more than the box says
    if parameter is None or parameter.symbol.is_integer:
        return sp.Symbol(name, real=True)
    inside = all(end in parameter.domain for end in ends)
    return parameter.symbol if inside else sp.Symbol(name, real=True)


def _names(node: Node) -> Iterator[str]:
    if node.kind == "name":
        yield node.text
    for part in node.parts:
        yield from _names(part)


def _expression(node: Node, scope: _Scope) -> Expr:
    if node.kind == "number":
        return _sized(rational(read_number(f"column {node.column}", node.text)), node)
    if node.kind == "name":
        return _name(node, scope)
    values = [_expression(part, scope) for part in node.parts]
    if node.kind == "call":
        value = _call(node, values, scope)
    elif node.kind == "power":
        value = _power(node, *values)
    elif node.kind == "minus":
        value = -values[0]
    elif node.kind == "inverse":
        if values[0] == 0:
            raise wrong(node.column, "it divides by 0")
        value = 1 / values[0]
    else:
        value = (sp.Add if node.kind == "sum" else sp.Mul)(*values)
    return _sized(value, node)


def _sized(value: Expr, node: Node) -> Expr:
    """The value, if it is real, finite and of a bounded number of digits."""
    if value.has(*_NOT_FINITE):
        raise wrong(node.column, f"{shown(node.text)} gives no finite real number here")
    if value.is_Rational and max(abs(value.p), value.q).bit_length() > MOST_BITS:
        raise wrong(node.column, f"a number has more than {MOST_BITS} bits")
    return value


def _name(node: Node, scope: _Scope) -> Expr:
    name, column = node.text, node.column
    if name in scope.variables:
        return scope.variables[name]
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name in scope.functions:
        raise wrong(column, f"{name} is a function; write {scope.functions[name].signature}")
    if name in scope.parameters:
        raise wrong(column, f"{name} has no box; add --box {name}=LO:HI")
    nearest = _nearest(name, {*scope.variables, *scope.parameters, *CONSTANTS})
    raise wrong(
        column, f"{shown(name)} is unknown{nearest} (such a variable needs --box NAME=LO:HI)"
    )


def _call(node: Node, values: list[Expr], scope: _Scope) -> Expr:
    name, column = node.text, node.column
    if name not in scope.functions:
        if name in scope.variables or name in CONSTANTS:
            raise wrong(column, f"{name} is not a function; write {name}*(…) for a product")
        raise wrong(
            column, f"the function {shown(name)} is unknown{_nearest(name, scope.functions)}"
        )
    function = scope.functions[name]
    least = len(function.arguments)
    if len(values) < least or (len(values) > least and not function.variadic):
        count = f"{'at least ' if function.variadic else ''}{least}"
        raise wrong(
            column,
            f"{function.signature} takes {count} argument{'s' * (least > 1)}, got {len(values)}",
        )
    for parameter, value, part in zip(function.parameters, values, node.parts, strict=False):
        where = outside(value, parameter, scope.box, scope.definitions)
        if where is not None:
            allowed = interval(parameter.domain)
            raise wrong(part.column, f"{parameter.name} of {name} must lie in {allowed}; {where}")
    return function.build(*values)


def _power(node: Node, base: Expr, exponent: Expr) -> Expr:
    if exponent.is_Rational and abs(exponent) > LARGEST_EXPONENT:
        largest = f"it must lie in [-{LARGEST_EXPONENT}, {LARGEST_EXPONENT}]"
        raise wrong(node.parts[1].column, f"the exponent is too large; {largest}")
    if base.is_Rational and exponent.is_Rational:
        if base == 0 and exponent < 0:
            raise wrong(node.column, "it divides by 0")
        if base < 0 and not exponent.is_Integer:
            raise wrong(node.column, "a negative number has no real power of this exponent")
        bits = max(abs(base.p), base.q).bit_length() * abs(exponent)
        if bits > 2 * MOST_BITS:
            raise wrong(node.column, f"a number has more than {MOST_BITS} bits")
    return base**exponent


def _nearest(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"; did you mean {nearest[0]}?" if nearest else ""
