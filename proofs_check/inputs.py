"""Reads what users type: exact numbers, parameters within their domains, counts within bounds."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

import sympy as sp

from numerics.point import Exact, Logit
from proofs_check.errors import InputError
from theorems.language import Expr, Parameter

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE](?P<power>[+-]?\d+))?|[+-]?\d+/\d+", re.ASCII)
_LONGEST = 4_000  # below what Python converts in one piece
_LARGEST_POWER = 9_999
DIGITS = (2, 10_000)
DIMENSIONS = (1, 128)
SEEDS = (0, 2**63 - 1)


def read_number(name: str, text: str) -> Fraction:
    """A decimal or a fraction, exactly. Raises InputError."""
    shown = text if len(text) <= 40 else text[:40] + "…"
    if len(text) > _LONGEST:
        raise InputError(f"{name}: {shown!r} is longer than {_LONGEST} characters")
    parts = _NUMBER.fullmatch(text)
    if parts is None:
        raise InputError(f"{name}: {shown!r} is not a decimal or a fraction such as 3/10")
    if abs(int(parts["power"] or 0)) > _LARGEST_POWER:
        raise InputError(f"{name}: {shown!r} has an exponent beyond ±{_LARGEST_POWER}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InputError(f"{name}: {text!r} divides by zero") from None


def read_count(name: str, value: int, low: int, high: int) -> int:
    """An integer within [low, high]. Raises InputError."""
    if not low <= value <= high:
        raise InputError(f"{name}: {value} is not allowed; it must lie in [{low}, {high}]")
    return value


def read_matrix(name: str, text: str) -> list[list[float]]:
    """Rows separated by ';', entries by blanks or commas; square. Raises InputError."""
    rows = [row.replace(",", " ").split() for row in text.split(";")]
    if any(len(row) != len(rows) for row in rows):
        raise InputError(f"{name}: {text!r} is not square; write rows such as '2 1; 1 3'")
    try:
        return [[float(read_number(name, entry)) for entry in row] for row in rows]
    except OverflowError:
        raise InputError(f"{name}: {text!r} is beyond the range of double precision") from None


def read_point(assignments: Iterable[str], parameters: Sequence[Parameter]) -> dict[str, Exact]:
    """NAME=VALUE pairs → an exact point with every parameter. Raises InputError."""
    spellings = {p.name: p for p in parameters} | {p.weight: p for p in parameters if p.weight}
    point: dict[str, Exact] = {}
    given: dict[str, str] = {}
    for assignment in assignments:
        name, equals, text = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, got {assignment!r}")
        parameter = _parameter(name, spellings)
        if parameter.name in point:
            raise InputError(f"{name}: given twice, first as {given[parameter.name]}")
        point[parameter.name] = _value(parameter, name, text)
        given[parameter.name] = assignment
    for parameter in parameters:
        if parameter.name not in point:
            other = f" (or {parameter.weight})" if parameter.weight else ""
            raise InputError(f"{parameter.name}{other} is missing: {parameter.text}")
    return point


def _parameter(name: str, spellings: dict[str, Parameter]) -> Parameter:
    if name in spellings:
        return spellings[name]
    nearest = difflib.get_close_matches(name, spellings, n=1, cutoff=0.0)
    allowed = ", ".join(spellings)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    raise InputError(f"parameter {name!r} is unknown here (it takes {allowed}){hint}")


def _value(parameter: Parameter, name: str, text: str) -> Exact:
    number = read_number(name, text)
    if name == parameter.weight:
        if not 0 < number < 1:
            raise InputError(f"{name}: {text} is not allowed; a weight must lie in (0, 1)")
        return Logit(number)
    if sp.Rational(number.numerator, number.denominator) not in parameter.domain:
        raise InputError(f"{name}: {text} is not allowed; it must lie in {show(parameter.domain)}")
    return number


def show(domain: Expr) -> str:
    """A domain as readers write it: (0, ∞), or {2, 3, …} of integers without end."""
    if isinstance(domain, sp.Range):
        return f"{{{domain.inf}, {domain.inf + 1}, …}}"
    left = "(" if domain.left_open else "["
    right = ")" if domain.right_open else "]"
    ends = (str(end).replace("oo", "∞") for end in (domain.start, domain.end))
    return f"{left}{', '.join(ends)}{right}"
