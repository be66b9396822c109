"""A certificate of a claim over a box, as data: reading one runs no code.

schema       version of this format
claim        the id of the declared claim; empty for a conjecture
conjecture   what is claimed, in the language of conjectures
where        the hypotheses, in the same language
box          [name, lower, upper] a side, fractions as text
verdict      PROVED, CERTIFIED, REFUTED or UNDECIDED
forms        kind, expression, factor: 0 <= expression is what leaves prove; factor times it (times
             e^expression - 1 where logarithmic) is right - left of the claim, or left - right of a
             hypothesis, which fails all over the leaf
leaves       sides, form, and the faces on which the form may be identically 0
waiting      what is not decided, with its depth
lemmas       ids of the claims that the ranges rest on
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any, TypeAlias

from proofs_check.conjectures.box import Box
from proofs_check.errors import InputError

SCHEMA = 1
LARGEST_FILE = 64 * 2**20
KINDS = ("plain", "logarithmic", "hypothesis")
VERDICTS = ("PROVED", "CERTIFIED", "REFUTED", "UNDECIDED")
Cuboid: TypeAlias = tuple[tuple[int, int], ...]
Faces: TypeAlias = tuple[tuple[str, Fraction], ...]


class Rejected(Exception):
    """A certificate that proves nothing; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class FormText:
    """A form in the language of conjectures; kind is that of `forms.Form`."""

    kind: str
    expression: str
    factor: str


@dataclass(frozen=True, slots=True)
class LeafData:
    """A part of the box, the form that proves it, and faces where that form may be 0."""

    box: Box
    form: int
    faces: Faces = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the file holds."""

    conjecture: str
    box: Box
    verdict: str
    forms: tuple[FormText, ...] = ()
    leaves: tuple[LeafData, ...] = ()
    waiting: tuple[tuple[Box, int], ...] = ()
    lemmas: tuple[str, ...] = ()
    witness: tuple[tuple[str, Fraction], ...] = ()
    where: tuple[str, ...] = ()
    claim: str = ""


def write(path: Path, certificate: Certificate) -> None:
    """To a file, whole or not at all."""
    record = {
        "schema": SCHEMA,
        "claim": certificate.claim,
        "conjecture": certificate.conjecture,
        "where": list(certificate.where),
        "box": [_named(side) for side in certificate.box.sides],
        "verdict": certificate.verdict,
        "forms": [
            {"kind": form.kind, "expression": form.expression, "factor": form.factor}
            for form in certificate.forms
        ],
        "leaves": [
            {"sides": _ends(leaf.box), "form": leaf.form, "faces": [_named(f) for f in leaf.faces]}
            for leaf in certificate.leaves
        ],
        "waiting": [{"sides": _ends(box), "depth": depth} for box, depth in certificate.waiting],
        "lemmas": list(certificate.lemmas),
        "witness": [_named(coordinate) for coordinate in certificate.witness],
    }
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _named(entry: tuple[Any, ...]) -> list[str]:
    return [str(part) for part in entry]


def _ends(box: Box) -> list[list[str]]:
    return [[str(lower), str(upper)] for _, lower, upper in box.sides]


def read(path: Path) -> Certificate:
    """From a file. Raises Rejected; InputError where there is no such file."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise Rejected(f"{path} is larger than any certificate")
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise InputError(f"{str(path)!r} cannot be read: {wrong.strerror}") from None
    except (ValueError, RecursionError):
        raise Rejected(f"{path} is not JSON, or is cut short") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        version = record.get("schema") if isinstance(record, dict) else None
        raise Rejected(f"{path} has schema {version!r}; only {SCHEMA} is read")
    try:
        return _certificate(record)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as wrong:
        raise Rejected(f"{path} is not a certificate: {type(wrong).__name__}, {wrong}") from None


def _certificate(record: dict[str, Any]) -> Certificate:
    box = Box(tuple((str(name), _number(a), _number(b)) for name, a, b in record["box"]))
    return Certificate(
        _text(record["conjecture"]),
        box,
        _one_of(VERDICTS, record["verdict"]),
        tuple(
            FormText(_one_of(KINDS, form["kind"]), _text(form["expression"]), _text(form["factor"]))
            for form in record["forms"]
        ),
        tuple(
            LeafData(
                _part(box, leaf["sides"]),
                _index(leaf["form"]),
                tuple((str(name), _number(end)) for name, end in leaf["faces"]),
            )
            for leaf in record["leaves"]
        ),
        tuple((_part(box, item["sides"]), _index(item["depth"])) for item in record["waiting"]),
        tuple(_text(lemma) for lemma in record["lemmas"]),
        tuple((str(name), _number(value)) for name, value in record["witness"]),
        tuple(_text(hypothesis) for hypothesis in record["where"]),
        _text(record["claim"]),
    )


def _part(box: Box, sides: list[list[str]]) -> Box:
    return Box(
        tuple((name, _number(a), _number(b)) for name, (a, b) in zip(box.names, sides, strict=True))
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _one_of(known: Sequence[str], value: Any) -> str:
    if value not in known:
        raise ValueError(f"{str(value)[:40]!r} is none of {', '.join(known)}")
    return str(value)


def _index(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{value!r} is no index")
    return value


def _number(value: Any) -> Fraction:
    text = _text(value)
    if len(text) > 4_000 or any(mark in text for mark in "eE_"):
        raise ValueError(f"{text[:40]!r} is no fraction")
    return Fraction(text)


def tiling_fault(box: Box, parts: Sequence[Box]) -> str:
    """Why the parts do not tile the box exactly; "" where they do.

    Wherever more than one part is left, some plane must meet none of them inside, as it does for
    boxes that were split again and again.
    """
    scales = [
        lcm(*(end.denominator for each in (box, *parts) for end in each.sides[i][1:]))
        for i in range(len(box.sides))
    ]
    pending = [(_on_grid(box, scales), [_on_grid(part, scales) for part in parts])]
    while pending:
        whole, inside = pending.pop()
        if inside == [whole]:
            continue
        cut = _clean_cut(whole, inside) if inside else None
        if cut is None:
            sides = zip(box.names, whole, scales, strict=True)
            where = " ".join(f"{n}={Fraction(a, s)}:{Fraction(b, s)}" for n, (a, b), s in sides)
            return f"the leaves do not tile {where}" if inside else f"no leaf covers {where}"
        i, at = cut
        low, high = whole[i]
        pending.append(
            ((*whole[:i], (low, at), *whole[i + 1 :]), [p for p in inside if p[i][1] <= at])
        )
        pending.append(
            ((*whole[:i], (at, high), *whole[i + 1 :]), [p for p in inside if p[i][1] > at])
        )
    return ""


def _on_grid(box: Box, scales: Sequence[int]) -> Cuboid:
    """Its sides as whole numbers."""
    return tuple(
        (int(low * scale), int(high * scale))
        for (_, low, high), scale in zip(box.sides, scales, strict=True)
    )


def _clean_cut(whole: Cuboid, parts: Sequence[Cuboid]) -> tuple[int, int] | None:
    """The plane nearest to the middle that no part crosses."""
    best: tuple[Fraction, int, int] | None = None
    for i, (low, high) in enumerate(whole):
        ends = sorted(part[i] for part in parts)
        reached = ends[0][1]
        for lower, upper in ends[1:]:
            if lower >= reached and low < reached < high:
                found = (Fraction(abs(2 * reached - low - high), high - low), i, reached)
                best = min(best, found) if best else found
            reached = max(reached, upper)
    return best[1:] if best else None


def show(box: Box) -> str:
    """As it is typed: phi=-1:1 delta=1:4."""
    return " ".join(f"{name}={lower}:{upper}" for name, lower, upper in box.sides)
