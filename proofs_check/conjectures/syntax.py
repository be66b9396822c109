"""Text → tree, for the language of conjectures; nothing is looked up and nothing is run.

    claim    sum (<= | < | >= | > | ==) sum
    sum      term ((+ | -) term)*
    term     signed ((* | /) signed)*
    signed   (+ | -) signed | power
    power    atom ((^ | **) signed)?
    atom     NUMBER | NAME | NAME ( sum (, sum)* ) | ( sum )

Columns count from 1. Depth, length and the relation are bounded here, so that what comes after
may recurse freely.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from proofs_check.errors import InputError

LONGEST = 4_000  # characters
DEEPEST = 60  # nested parentheses, signs and powers
RELATIONS = ("<=", "<", ">=", ">", "==")
_TOKEN = re.compile(
    r"(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\*\*|<=|>=|==|[-+*/^(),<>])",
    re.ASCII,
)
_BLANK = re.compile(r"\s*")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the text: number, name, call, sum, minus, product, inverse, power or claim.

    text is the number, the name, the function's name or the relation; column is where it stands.
    """

    kind: str
    text: str
    column: int
    parts: tuple[Node, ...] = ()


@dataclass(slots=True)
class _Reader:
    """The tokens, and how far they are read."""

    tokens: list[Node]
    position: int = 0
    depth: int = 0

    @property
    def next(self) -> Node:
        return self.tokens[self.position]

    def take(self, *texts: str) -> Node | None:
        """The next token if it is one of these signs."""
        token = self.next
        if token.kind != "sign" or token.text not in texts:
            return None
        self.position += 1
        return token

    def expect(self, text: str, where: str) -> None:
        if self.take(text) is None:
            raise wrong(self.next.column, f"{text!r} is missing {where}, got {_name(self.next)}")


def read(text: str) -> Node:
    """The tree of a claim. Raises InputError, with the column."""
    if len(text) > LONGEST:
        raise InputError(f"the conjecture has {len(text)} characters; at most {LONGEST} are read")
    reader = _Reader(_tokens(text))
    left = _sum(reader)
    relation = reader.take(*RELATIONS)
    if relation is None:
        allowed = ", ".join(RELATIONS)
        got = _name(reader.next)
        raise wrong(reader.next.column, f"an operator or one of {allowed} is missing, got {got}")
    right = _sum(reader)
    if reader.take(*RELATIONS):
        column = reader.tokens[reader.position - 1].column
        raise wrong(column, "comparisons are not chained; write one at a time")
    if reader.next.kind != "end":
        raise wrong(reader.next.column, f"an operator is missing before {_name(reader.next)}")
    return Node("claim", relation.text, relation.column, (left, right))


def wrong(column: int, what: str) -> InputError:
    """What is wrong with the conjecture, and where."""
    return InputError(f"column {column} of the conjecture: {what}")


def _tokens(text: str) -> list[Node]:
    tokens: list[Node] = []
    start = _skip(text, 0)
    while start < len(text):
        found = _TOKEN.match(text, start)
        if found is None:
            hint = "; write == for equality" if text[start] == "=" else ""
            raise wrong(start + 1, f"{text[start]!r} is not part of the language{hint}")
        tokens.append(Node(str(found.lastgroup), found.group(), start + 1))
        start = _skip(text, found.end())
    return [*tokens, Node("end", "", len(text) + 1)]


def _skip(text: str, start: int) -> int:
    blank = _BLANK.match(text, start)
    return blank.end() if blank else start


def _sum(reader: _Reader) -> Node:
    parts = [_term(reader)]
    column = parts[0].column
    while sign := reader.take("+", "-"):
        term = _term(reader)
        parts.append(term if sign.text == "+" else Node("minus", "-", sign.column, (term,)))
    return parts[0] if len(parts) == 1 else Node("sum", "+", column, tuple(parts))


def _term(reader: _Reader) -> Node:
    parts = [_signed(reader)]
    column = parts[0].column
    while sign := reader.take("*", "/"):
        factor = _signed(reader)
        parts.append(factor if sign.text == "*" else Node("inverse", "/", sign.column, (factor,)))
    return parts[0] if len(parts) == 1 else Node("product", "*", column, tuple(parts))


def _signed(reader: _Reader) -> Node:
    """The one way down: every recursion of the grammar passes here."""
    reader.depth += 1
    if reader.depth > DEEPEST:
        raise wrong(reader.next.column, f"it nests deeper than {DEEPEST} levels")
    sign = reader.take("+", "-")
    node = _signed(reader) if sign else _power(reader)
    reader.depth -= 1
    return Node("minus", "-", sign.column, (node,)) if sign and sign.text == "-" else node


def _power(reader: _Reader) -> Node:
    base = _atom(reader)
    if reader.take("^", "**"):
        return Node("power", "^", base.column, (base, _signed(reader)))
    return base


def _atom(reader: _Reader) -> Node:
    token = reader.next
    if reader.take("("):
        inner = _sum(reader)
        reader.expect(")", "to close a parenthesis")
        return inner
    if token.kind not in ("number", "name"):
        raise wrong(token.column, f"a number, a name or '(' is missing, got {_name(token)}")
    reader.position += 1
    if token.kind == "name" and reader.take("("):
        parts = [_sum(reader)]
        while reader.take(","):
            parts.append(_sum(reader))
        reader.expect(")", f"to close {token.text}(")
        return replace(token, kind="call", parts=tuple(parts))
    return token


def _name(token: Node) -> str:
    if token.kind == "end":
        return "the end"
    return shown(token.text)


def shown(text: str) -> str:
    """What was typed, in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
