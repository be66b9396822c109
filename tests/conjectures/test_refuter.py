"""Counterexamples: found where there are some, simple, certified; and none where there are none."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from numerics.certified.enclosure import enclose
from proofs_check import catalogue
from proofs_check.conjectures.box import Box, read_box
from proofs_check.conjectures.parser import parse
from proofs_check.conjectures.refuter import Witness, as_typed, certify, refute
from theorems.language import Claim

CATALOGUE = catalogue.load()
DEFINITIONS = catalogue.definitions(CATALOGUE)

FALSE = [
    # conjecture, box, why
    ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/7)/2", "phi=-6:6 delta=1/4:12", "exponent"),
    ("delta*S(phi, delta) <= 2", "phi=-4:4 delta=1/4:40", "the limit is sqrt(2 pi)"),
    ("kappa(phi, delta) <= 1 - exp(-delta^2/8)", "phi=-4:4 delta=1/2:8", "fails near phi = 0"),
    ("KL_forward(phi, delta) <= sigma(phi)^2*delta^2/2", "phi=-4:4 delta=1/2:6", "curvature"),
    (
        "KL_reverse(phi, tau, delta) <= (phi-tau)^2/9",
        "phi=0:1 tau=-1:-1/4 delta=1/2:9",
        "small logits, large delta",
    ),
    ("eps_o(phi, delta) == eps_n(phi, delta)", "phi=-6:6 delta=1/4:12", "only at phi = 0"),
    ("eps_o(phi, delta) >= erfc(delta/(2*sqrt(2)))/2", "phi=-1:1 delta=1/2:6", "unequal weights"),
    # sharp constants moved by one per cent, or less
    ("delta*S(phi, delta) <= 0.99*sqrt(2*pi)", "phi=-4:4 delta=1/4:40", ""),
    ("delta*S(phi, delta) <= 0.999*sqrt(2*pi)", "phi=-40:40 delta=1/4:200", ""),
    ("eps_o(phi, delta) <= 0.99*exp(-phi/2-delta^2/8)/2", "phi=-40:40 delta=1/4:200", ""),
    ("eps_o(phi, delta) <= exp(-phi/2-delta^2/7.92)/2", "phi=-6:6 delta=1/4:200", "underflow"),
    ("kappa(phi, delta) <= 0.99*erf(delta/(2*sqrt(2)))", "phi=-4:4 delta=1/2:8", ""),
    (
        "KL_reverse(phi, tau, delta) <= (phi-tau)^2/8.08",
        "phi=-1:1 tau=-1:1 delta=1/2:9",
        "only near phi = tau = 0",
    ),
    ("dKL_reverse(phi, tau, delta) <= abs(phi-tau)/4.04", "phi=-4:4 tau=-4:4 delta=1/4:12", ""),
    ("eps_n(phi, delta) == 1.000001*exp(phi)*eps_o(phi, delta)", "phi=-6:6 delta=1/4:200", ""),
    ("kappa(phi, delta) <= 0.9999*kappa(0, delta)", "phi=-6:6 delta=1/4:12", ""),
    ("KL_forward(phi, delta) <= 0.99*log(1+exp(phi))", "phi=-40:40 delta=1/4:200", ""),
    # where floats see nothing but their own noise
    ("kappa(phi, delta) <= sigma(phi)*(exp(delta^2)-1)/2", "phi=-40:-38 delta=1/4:2", "blind"),
    # thin, flat and narrow places
    ("(x-1/3)^2 + (y-2)^2 >= 10^-9", "x=-6:6 y=0:12", "a disc of radius 3e-5"),
    ("x + y <= 1", "x=1/3:1/3 y=1/2:1", "a flat side"),
    ("x > 0", "x=-0.000001:1", "a narrow part"),
    ("exp(exp(exp(x))) <= 2*exp(exp(x))", "x=-6:6", ""),
    ("erf(1) == 0.8427", "", "no variable"),
    ("x^5*exp(-y) <= 1e400", "x=0:1e100 y=0:1", "large numbers"),
    ("log(x) <= -5", "x=-1:1", "defined on a half only"),
]
TRUE = [
    ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)/2", "phi=-6:6 delta=1/4:12"),
    ("delta*S(phi, delta) <= sqrt(2*pi)", "phi=-40:40 delta=1/4:200"),
    ("kappa(phi, delta) <= erf(delta/(2*sqrt(2)))", "phi=-4:4 delta=1/2:8"),
    ("KL_forward(phi, delta) <= sigma(phi)*delta^2/2", "phi=-4:4 delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=1:3 tau=-3:0 delta=1/2:6"),
    ("sigma(phi)*eps_o(phi, delta) == sigma(-phi)*eps_n(phi, delta)", "phi=-6:6 delta=1/4:12"),
    ("KL_reverse(phi, tau, delta) >= 0", "phi=-1:1 tau=-1:1 delta=1:4"),
    ("kappa(phi, delta) <= kappa(0, delta)", "phi=-40:40 delta=1/4:200"),
    ("kappa(phi, delta) > 0", "phi=-40:40 delta=1/4:200"),
    ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8.08)/2", "phi=-40:40 delta=1/4:200"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/7.92", "phi=-4:4 tau=-4:4 delta=1/2:9"),
    ("x^2 > 0", "x=-1:1"),
    ("log(-1-x^2) <= -1000", "x=-1:1"),
    ("1/x <= 1/x", "x=-1:1"),
    ("pi < 3.2", ""),
]


def search(text: str, sides: str, **more: Any) -> tuple[Claim, Box, Witness | None]:
    box = read_box(sides.split())
    claim = parse(text, box, CATALOGUE)
    return claim, box, refute(claim, box, DEFINITIONS, **more)


@pytest.mark.parametrize(("text", "sides", "why"), FALSE, ids=[row[0][:40] for row in FALSE])
def test_a_false_conjecture_has_a_simple_certified_witness(text: str, sides: str, why: str) -> None:
    claim, box, witness = search(text, sides)
    assert witness is not None, why
    assert box.contains(witness.point)
    simple = not why.startswith("a ")
    assert all(value.denominator <= 8 for value in witness.point.values()) or not simple
    assert not witness.left.overlaps(witness.right)
    (left,) = enclose(claim.left, witness.point, 30, DEFINITIONS)
    (right,) = enclose(claim.right, witness.point, 30, DEFINITIONS)
    assert left > right or (claim.relation == "=" and left < right)
    assert left.overlaps(witness.left)
    assert right.overlaps(witness.right)


@pytest.mark.parametrize(("text", "sides"), TRUE, ids=[row[0][:40] for row in TRUE])
def test_a_true_conjecture_has_none(text: str, sides: str) -> None:
    *_, witness = search(text, sides)
    assert witness is None


def test_the_search_depends_on_text_box_and_seed_alone() -> None:
    text, sides = FALSE[4][:2]
    found = [search(text, sides, seed=seed)[2] for seed in (0, 0, 1)]
    points = [witness.point for witness in found if witness is not None]
    assert len(points) == 3
    assert points[0] == points[1]


def test_sides_are_shown_as_typed() -> None:
    claim, _, witness = search("2 >= delta*S(phi, delta)", "phi=-4:4 delta=1/4:40")
    assert witness is not None
    left, right = as_typed(claim, witness)
    assert left == 2
    assert right > 2


def test_a_point_is_certified_on_the_statement_as_typed() -> None:
    box = read_box(["phi=-6:6", "delta=1/4:12"])
    claim = parse("eps_o(phi, delta) <= eps_n(phi, delta)", box, CATALOGUE)
    two = Fraction(2)
    assert certify(claim, {"phi": Fraction(0), "delta": two}, DEFINITIONS) is None
    assert certify(claim, {"phi": Fraction(1), "delta": two}, DEFINITIONS) is None
    tiny = certify(claim, {"phi": Fraction(-1, 10**60), "delta": two}, DEFINITIONS)
    assert tiny is not None
    assert tiny.left > tiny.right
    strict = replace(claim, relation="<")
    assert certify(strict, {"phi": Fraction(0), "delta": two}, DEFINITIONS) is None
    same = parse("phi <= delta", box, CATALOGUE)
    assert certify(same, {"phi": two, "delta": two}, DEFINITIONS) is None
    equal = replace(claim, relation="=")
    assert certify(equal, {"phi": Fraction(1), "delta": two}, DEFINITIONS) is not None


def test_a_quantity_that_floats_cannot_value_is_searched_in_balls() -> None:
    y = sp.Symbol("y", real=True)
    a, b = sp.symbols("a b", real=True)
    body = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi) * sp.cosh(a * y)
    definitions = {"Q": (("a",), sp.Integral(body, (y, -sp.oo, sp.oo)))}
    Q = sp.Function("Q", real=True)
    box = read_box(["a=0:2", "b=0:1"])
    false = Claim("conjecture", "Q", Q(a), "<=", b + 2, "bound")
    true = replace(false, right=sp.exp(a**2 / 2) + b + 1)
    witness = refute(false, box, definitions)
    assert witness is not None
    assert all(value.denominator <= 8 for value in witness.point.values())
    assert refute(true, box, definitions, seconds=3.0) is None


def test_the_search_keeps_its_time() -> None:
    text = " + ".join(f"A(phi/{k}, delta)*S(tau/{k}, delta)" for k in range(1, 90)) + " >= 0"
    started = time.perf_counter()
    *_, witness = search(text, "phi=-4:4 tau=-4:4 delta=1/4:12", seconds=1.0)
    assert witness is None
    assert time.perf_counter() - started < 5
