"""The language of conjectures: what it means, what it refuses, and that it runs nothing."""

from __future__ import annotations

import builtins
import time
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofs_check import catalogue
from proofs_check.conjectures.box import Box, read_box
from proofs_check.conjectures.domains import outside
from proofs_check.conjectures.functions import functions, theorems_of
from proofs_check.conjectures.parser import parse
from proofs_check.conjectures.syntax import LONGEST
from proofs_check.errors import InputError
from theorems.forward_kl.quantities import KL_forward
from theorems.language import Claim
from theorems.mixture import delta, phi, sigma
from theorems.overlap.quantities import S, eps_o
from theorems.reverse_kl.quantities import KL_reverse

CATALOGUE = catalogue.load()
BOX = read_box(["phi=-1:1", "delta=1/4:12"])
X = read_box(["x=-1:1"])
x = sp.Symbol("x", real=True)


def left(text: str, box: Box = X) -> Any:
    """What the left side of `text <= x` reads as."""
    return parse(f"{text} <= x", box, CATALOGUE).left


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("2**3", 8),
        ("2^-1", sp.Rational(1, 2)),
        ("8/4/2", 1),
        ("1-2-3", -4),
        ("1-(2-3)", 2),
        ("2*-3", -6),
        ("--2", 2),
        ("+2", 2),
        ("1/2*4", 2),
        ("-2*3+4", -2),
        ("0.1", sp.Rational(1, 10)),
        (".5e1", 5),
        ("1e-3", sp.Rational(1, 1000)),
        ("3.", 3),
        ("x - 1 + x", 2 * x - 1),
        ("4^(1/2)", 2),
        ("pi", sp.pi),
        ("sqrt(4)", 2),
        ("abs(-3)", 3),
        ("x^2*x", x**3),
        ("sigma(x)", sigma(x)),
        ("logit(1/2)", 0),
        ("tanh(x)*cosh(x)", sp.tanh(x) * sp.cosh(x)),
        ("sech(x)", sp.sech(x)),
        ("erf(x)+erfc(x)", sp.erf(x) + sp.erfc(x)),
    ],
)
def test_operators_bind_as_on_paper_and_numbers_are_exact(text: str, value: Any) -> None:
    assert left(text) == value


_LEAVES = st.integers(0, 9).map(lambda n: (str(n), Fraction(n)))


def _joined(parts: tuple[tuple[str, Fraction], str, tuple[str, Fraction]]) -> tuple[str, Fraction]:
    (a, left_value), sign, (b, right_value) = parts
    apply = {"+": Fraction.__add__, "-": Fraction.__sub__, "*": Fraction.__mul__}
    return f"({a}) {sign} ({b})", apply[sign](left_value, right_value)


@given(
    st.recursive(_LEAVES, lambda part: st.tuples(part, st.sampled_from("+-*"), part).map(_joined))
)
def test_arithmetic_is_exact(written: tuple[str, Fraction]) -> None:
    text, value = written
    assert left(text) == sp.Rational(value.numerator, value.denominator)


def test_quantities_are_the_theorems_own_at_any_arguments() -> None:
    claim = parse("KL_forward(phi, delta) <= eps_o(2*phi, delta/2) * S(0, 3)", BOX, CATALOGUE)
    assert claim.left == KL_forward.head
    assert claim.right == eps_o(2 * phi, delta / 2) * S(sp.S.Zero, sp.Integer(3))
    box = read_box(["phi=1:3", "tau=-3:0", "delta=1/2:6"])
    assert parse("KL_reverse(phi, tau, delta) >= 0", box, CATALOGUE).right == KL_reverse.head


@pytest.mark.parametrize(
    ("relation", "kept"), [("<=", "<="), ("<", "<"), (">=", "<="), (">", "<"), ("==", "=")]
)
def test_greater_swaps_the_sides(relation: str, kept: str) -> None:
    text = f"phi {relation} delta"
    claim = parse(text, BOX, CATALOGUE)
    swapped = relation.startswith(">")
    assert (claim.left, claim.right) == ((delta, phi) if swapped else (phi, delta))
    assert (claim.relation, claim.text, claim.id) == (kept, text, "conjecture")


def test_a_variable_outside_its_parameters_domain_is_any_real() -> None:
    inside = parse("sqrt(delta^2) <= 5", read_box(["delta=1:2"]), CATALOGUE)
    across = parse("sqrt(delta^2) <= 5", read_box(["delta=-2:1"]), CATALOGUE)
    assert inside.left == delta
    assert across.left == sp.Abs(sp.Symbol("delta", real=True))


WRONG = [
    # text, column, part of the sentence
    ("eps_o(phi) <= delta", 1, "takes 2 arguments, got 1"),
    ("exp(phi, delta) <= 1", 1, "takes 1 argument, got 2"),
    ("max(phi) <= delta", 1, "at least 2 arguments, got 1"),
    ("epso(phi, delta) <= 1", 1, "did you mean eps_o?"),
    ("eps_o(phi, dleta) <= delta", 12, "did you mean delta?"),
    ("drift_old(phi, phi, delta, phi, phi) <= 1", 1, "'drift_old' is unknown"),
    ("tau < phi + delta", 1, "tau has no box; add --box tau=LO:HI"),
    ("zz < phi + delta", 1, "'zz' is unknown"),
    ("S < phi + delta", 1, "S is a function; write S(phi, delta)"),
    ("phi(2) < delta", 1, "phi is not a function"),
    ("pi(2) < delta + phi", 1, "pi is not a function"),
    ("phi.real <= delta", 4, "'.' is not part of the language"),
    ("phi < 'a' + delta", 7, "is not part of the language"),
    ('__import__("os") < phi', 12, "is not part of the language"),
    ("phi[0] < delta", 4, "'[' is not part of the language"),
    ("λ < 1", 1, "'λ' is not part of the language"),
    ("phi = delta", 5, "write == for equality"),
    ("phi != delta", 5, "'!' is not part of the language"),
    ("open(phi) < delta", 1, "'open' is unknown"),
    ("lambda(phi) < delta", 1, "'lambda' is unknown"),
    ("phi^65 <= delta", 5, "must lie in [-64, 64]"),
    ("delta^(-10^9) <= phi", 8, "must lie in [-64, 64]"),
    ("phi^(1000/3) <= delta", 6, "must lie in [-64, 64]"),
    ("((2^64)^64)^64 < phi + delta", 3, "more than 4096 bits"),
    ("1e9999 < phi + delta", 1, "more than 4096 bits"),
    ("1e999999999 < phi + delta", 1, "has an exponent beyond"),
    ("(" * 70 + "phi" + ")" * 70 + " < delta", 61, "deeper than 60"),
    ("-" * 70 + "phi < delta", 61, "deeper than 60"),
    ("^".join(["phi"] * 70) + " < delta", 241, "deeper than 60"),
    ("exp(" * 70 + "phi" + ")" * 70 + " < delta", 241, "deeper than 60"),
    ("phi < delta < 2", 13, "not chained"),
    ("phi <=", 7, "got the end"),
    ("", 1, "got the end"),
    ("phi + delta", 12, "got the end"),
    ("phi delta < 1", 5, "an operator"),
    ("2phi < delta", 2, "an operator"),
    ("(phi < delta)", 6, "')' is missing"),
    ("A(phi, delta,) < 1", 14, "is missing, got ')'"),
    ("S() < phi + delta", 3, "is missing, got ')'"),
    ("phi < delta)", 12, "an operator is missing before ')'"),
    ("phi/0 < delta", 4, "divides by 0"),
    ("1/(phi - phi) < delta", 2, "divides by 0"),
    ("0^-1 < phi + delta", 1, "divides by 0"),
    ("log(0) + phi < delta", 1, "no finite real number"),
    ("log(1 - pi) + phi < delta", 1, "no finite real number"),
    ("logit(2) + phi < delta", 1, "no finite real number"),
    ("sqrt(-1) + phi < delta", 1, "no finite real number"),
    ("(-8)^(1/3) + phi < delta", 2, "no real power"),
    ("eps_o(phi, delta - 1/4) < 1", 12, "does not at phi = -1, delta = 1/4"),
    ("eps_o(phi, phi) < delta", 12, "delta of eps_o must lie in (0, ∞)"),
    ("eps_o(phi, 0) < delta", 12, "it is 0"),
    ("eps_o(delta, -phi^2) < 1", 14, "must lie in (0, ∞)"),
    ("S(phi, log(phi)) < delta", 8, "must lie in (0, ∞)"),
    ("S(phi, (phi - 1/3)^2) < delta", 9, "is not certain all over the box"),
]


@pytest.mark.parametrize(("text", "column", "said"), WRONG, ids=[row[0][:30] for row in WRONG])
def test_what_is_outside_the_language_is_refused_with_its_column(
    text: str, column: int, said: str
) -> None:
    started = time.perf_counter()
    with pytest.raises(InputError) as refusal:
        parse(text, BOX, CATALOGUE)
    sentence = str(refusal.value)
    assert sentence.startswith(f"column {column}")
    assert said in sentence
    assert len(sentence) < 200
    assert "\n" not in sentence
    assert time.perf_counter() - started < 0.9


@pytest.mark.parametrize("length", [LONGEST + 1, 10**6])
def test_long_texts_are_refused_at_once(length: int) -> None:
    started = time.perf_counter()
    with pytest.raises(InputError, match=f"has {length} characters"):
        parse("x" * length, BOX, CATALOGUE)
    assert time.perf_counter() - started < 0.1


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (["phi=-1:1", "delta=1:2", "tau=0:1"], "--box tau: the conjecture does not speak of tau"),
        (["phi=-1:1", "delta=1:2", "pi=0:1"], "--box pi: pi is not free"),
        (["phi=-1:1", "delta=1:2", "S=0:1"], "--box S: S is not free"),
        (["phi=-1:1"], "delta has no box"),
        ([], "phi has no box"),
    ],
)
def test_variables_and_box_must_match(sides: list[str], said: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse("phi <= delta", read_box(sides), CATALOGUE)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    "argument", ["delta/4 + phi^2 - 1/32", "1 + delta^2 - delta", "exp(phi)", "2 - phi", "delta^2"]
)
def test_an_argument_that_stays_positive_over_the_box_is_accepted(argument: str) -> None:
    assert isinstance(parse(f"eps_o(phi, {argument}) < delta", BOX, CATALOGUE), Claim)


@pytest.mark.parametrize(
    "text",
    [
        "+".join(f"phi^{k % 64}*delta^{k % 61}" for k in range(230)) + " < 1",
        "max(" + ",".join(f"phi+{k}" for k in range(450)) + ") < delta",
        "+".join(f"({k}/7)^(1/2)" for k in range(2, 260)) + " < phi + delta",
        "+".join(["eps_o(phi, delta)*exp(-phi/2)"] * 120) + " < 1",
        "*".join(f"(phi+{k})" for k in range(400)) + " < delta",
    ],
    ids=["sum", "max", "radicals", "quantities", "product"],
)
def test_the_longest_texts_are_read_at_once(text: str) -> None:
    assert 2_000 < len(text) <= LONGEST
    started = time.perf_counter()
    parse(text, BOX, CATALOGUE)
    assert time.perf_counter() - started < 2


_SIGNS = "+-*/^(),<>=. 0123456789e"
_WORDS = (
    *("**", "<=", "==", "phi", "delta", "x", "pi", "E", "I", "oo", "1e5", "__class__"),
    *("eps_o(phi,delta)", "S(", "log(", "max(", "sqrt("),
)
_PIECES = st.sampled_from([*_SIGNS, *_WORDS, "sigma(phi)", "\n"])


@settings(max_examples=400)
@given(st.one_of(st.lists(_PIECES, max_size=14).map("".join), st.text(max_size=30)))
@example("phi < delta and 1")
@example("S(phi, delta^(1/phi)) < 1")
def test_any_text_is_a_claim_or_a_sentence(text: str) -> None:
    sentence = ""
    try:
        claim = parse(text, BOX, CATALOGUE)
    except InputError as refusal:
        sentence = str(refusal)
    if sentence:
        assert "\n" not in sentence
    else:
        sides = claim.left, claim.right
        assert not any(side.has(sp.Float, sp.I, sp.zoo, sp.nan, sp.oo) for side in sides)
        assert {s.name for side in sides for s in side.free_symbols} <= {"phi", "delta"}


def test_reading_runs_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: Any, **__: Any) -> None:
        raise AssertionError("text was run")

    for name in ("eval", "exec", "compile"):
        monkeypatch.setattr(builtins, name, forbidden)
    parse("eps_o(phi, delta) <= exp(-phi/2) * exp(-delta^2/8) / 2", BOX, CATALOGUE)


def test_every_listed_function_can_be_written() -> None:
    known = functions(CATALOGUE)
    assert {"eps_o", "eps_n", "S", "kappa", "A", "BC", "KL_forward", "KL_reverse"} <= set(known)
    for function in known.values():
        whole = [p.name for p in function.parameters if p.symbol.is_integer]
        written = ["7" if name in whole else f"a{k}" for k, name in enumerate(function.arguments)]
        names = [name for name in written if name != "7"]
        box = read_box([f"{name}=1/4:3/4" for name in names])
        claim = parse(f"{function.name}({', '.join(written)}) <= 1", box, CATALOGUE)
        assert len(claim.left.free_symbols) == len(names)


def test_vectors_are_no_functions_of_the_language() -> None:
    vectors = {
        quantity.symbol
        for theorem in CATALOGUE.values()
        for quantity in theorem.quantities
        if isinstance(quantity.formula, sp.Tuple)
    }
    assert vectors
    assert not vectors & set(functions(CATALOGUE))


@pytest.mark.parametrize("theorem", sorted(CATALOGUE))
def test_the_theorems_of_a_text_are_found_without_loading_all(theorem: str) -> None:
    declared = CATALOGUE[theorem]
    names = [p.name for p in declared.parameters] + [q.symbol for q in declared.quantities]
    for name in names:
        found = theorems_of([f"{name} <= 1"])
        parameters = {p.name: p for t in found.values() for p in t.parameters}
        if name in (q.symbol for q in declared.quantities):
            assert theorem in found
        elif parameters.get(name) is None:
            wanted = next(p for p in declared.parameters if p.name == name)
            assert wanted.domain == sp.Interval(-sp.oo, sp.oo)
        else:
            assert name in parameters
    assert set(theorems_of(["S(phi, delta) <= 1"])) == {"overlap", "forward_kl", "reverse_kl"}


def test_a_variable_may_range_over_the_whole_of_a_closed_domain() -> None:
    parameter = next(p for p in CATALOGUE["sdft"].parameters if p.name == "anchor_strength")
    assert outside(parameter.symbol, parameter, read_box(["anchor_strength=0:1"]), {}) is None
    why = outside(parameter.symbol, parameter, read_box(["anchor_strength=0:1.01"]), {})
    assert why == "it does not at anchor_strength = 101/100"
