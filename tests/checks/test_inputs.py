"""What users type is read exactly, or refused in one sentence that says what is allowed."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.point import Logit
from proofs_check.errors import InputError
from proofs_check.inputs import read_count, read_matrix, read_number, read_point, show
from theorems.language import Expr
from theorems.mixture import DELTA, PHI, TAU


@given(st.fractions())
@example(Fraction(-3, 10))
def test_a_fraction_is_read_exactly(value: Fraction) -> None:
    assert read_number("x", f"{value.numerator}/{value.denominator}") == value


@given(st.integers(-(10**30), 10**30), st.integers(-400, 400))
@example(3, -1)
def test_a_decimal_is_read_exactly(mantissa: int, exponent: int) -> None:
    assert read_number("x", f"{mantissa}e{exponent}") == mantissa * Fraction(10) ** exponent


@pytest.mark.parametrize(
    ("text", "value"),
    [(".3", "3/10"), ("5.", "5"), ("+2", "2"), ("-0.0", "0"), ("1E3", "1000"), ("007", "7")],
)
def test_the_usual_spellings(text: str, value: str) -> None:
    assert read_number("x", text) == Fraction(value)


NO_NUMBERS = (
    *("", ".", "e5", "1e", "nan", "inf", "-inf", "0x10", "1_0", "1,5", "1/2/3", "1/-2", "1.5/2"),
    *("one", "1 2", "１", "1\n", "__import__('os')"),
)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^delta: .* is not a decimal or a fraction"):
        read_number("delta", text)


def test_a_number_too_long_or_too_large_is_refused_and_cut_in_the_message() -> None:
    with pytest.raises(InputError, match=r"^delta: '1e10000' has an exponent beyond ±9999$"):
        read_number("delta", "1e10000")
    assert read_number("delta", "1e-9999") == Fraction(1, 10**9999)
    with pytest.raises(InputError, match=r"longer than 4000 characters$") as refused:
        read_number("delta", "9" * 4001)
    assert len(str(refused.value)) < 120
    assert read_number("delta", "9" * 4000) == 10**4000 - 1


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(InputError, match=r"^delta: '1/0' divides by zero$"):
        read_number("delta", "1/0")


@pytest.mark.parametrize("value", [2, 10_000])
def test_the_ends_of_a_count_are_allowed(value: int) -> None:
    assert read_count("digits", value, 2, 10_000) == value


@pytest.mark.parametrize("value", [1, 10_001, -5])
def test_a_count_outside_its_set_is_refused(value: int) -> None:
    with pytest.raises(InputError, match=rf"^digits: {value} is not allowed.*\[2, 10000\]$"):
        read_count("digits", value, 2, 10_000)


def test_a_matrix_is_rows_of_entries() -> None:
    assert read_matrix("covariance", "2 1; 1,3") == [[2.0, 1.0], [1.0, 3.0]]
    assert read_matrix("covariance", "1/4") == [[0.25]]


@pytest.mark.parametrize("text", ["1 2", "1 2; 3", "1; 2", "1 0 0; 0 1 0", "1 x; x 1", "1e400"])
def test_what_is_not_a_square_matrix_of_doubles_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^covariance: "):
        read_matrix("covariance", text)


def test_a_point_is_exact_and_a_weight_stays_a_weight() -> None:
    point = read_point(["delta = 0.3", "alpha=1/3", "phi=-7e2"], (PHI, TAU, DELTA))
    assert point == {
        "delta": Fraction(3, 10),
        "tau": Logit(Fraction(1, 3)),
        "phi": Fraction(-700),
    }


@pytest.mark.parametrize(
    ("assignments", "sentence"),
    [
        (["delta=1"], "phi (or beta) is missing: logit of the learner's weight on the old mode"),
        (["beta=.5", "phi=0", "delta=1"], "phi: given twice, first as beta=.5"),
        (["phi=0", "beta=.5", "delta=1"], "beta: given twice, first as phi=0"),
        (["phi=0", "phi=0", "delta=1"], "phi: given twice, first as phi=0"),
        (["phi=0", "delta=0"], "delta: 0 is not allowed; it must lie in (0, ∞)"),
        (["phi=0", "delta=-1/2"], "delta: -1/2 is not allowed; it must lie in (0, ∞)"),
        (["beta=0", "delta=1"], "beta: 0 is not allowed; a weight must lie in (0, 1)"),
        (["beta=1", "delta=1"], "beta: 1 is not allowed; a weight must lie in (0, 1)"),
        (["beta=-.1", "delta=1"], "beta: -.1 is not allowed; a weight must lie in (0, 1)"),
        (
            ["phi=0", "delt=1"],
            "parameter 'delt' is unknown here (it takes phi, delta, beta); did you mean delta?",
        ),
        (["phi=0", "delta"], "--set takes NAME=VALUE, got 'delta'"),
    ],
)
def test_a_wrong_point_is_refused_in_one_sentence(assignments: list[str], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        read_point(assignments, (PHI, DELTA))
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        (sp.Interval.open(0, sp.oo), "(0, ∞)"),
        (sp.Interval(-sp.oo, sp.oo), "(-∞, ∞)"),
        (sp.Interval(0, sp.Rational(1, 2)), "[0, 1/2]"),
        (sp.Interval.Ropen(0, 1), "[0, 1)"),
        (sp.Range(2, sp.oo), "{2, 3, …}"),
    ],
)
def test_a_domain_is_shown_as_readers_write_it(domain: Expr, text: str) -> None:
    assert show(domain) == text
