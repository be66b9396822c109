"""What readers see: decimal strings with the digits asked for, rounded outward, and tables."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from numerics.monte_carlo.judgement import Sample
from numerics.precise.evaluation import Estimate
from proofs_check import selftest
from proofs_check.environment import PACKAGES, describe
from proofs_check.lanes import Measurement
from proofs_check.report.lanes import decimal, lane_records, reasons
from proofs_check.report.table import summary_line, theorem_table
from proofs_check.results import (
    AGREEMENT,
    ClaimResult,
    ControlResult,
    Evidence,
    Step,
    TheoremResult,
)
from proofs_check.verdict import Verdict

SAMPLE = Sample((0.25, 0.5), (1e-3, 2e-3), 0.0, 100, 7, 3, 88.0, True, "")


@given(st.fractions(-1000, 1000), st.integers(2, 40))
def test_ends_are_rounded_outward_to_the_digits_asked_for(value: Fraction, digits: int) -> None:
    with ctx.workprec(200):
        found = arb(value.numerator) / value.denominator
    measured = Measurement("none", (found,), "none", "none")
    record = lane_records(measured, digits)["certified"]
    assert record is not None
    lower, upper = Fraction(record["lower"]), Fraction(record["upper"])
    assert lower <= value <= upper
    assert upper - lower <= 4 * abs(value) / 10 ** (digits - 1)


def test_a_vector_is_a_list_and_a_scalar_is_not() -> None:
    pair = (mpmath.mpf(1), mpmath.mpf("-0.5"))
    measured = Measurement(pair, (arb(1), arb(-1)), Estimate(pair, mpmath.mpf("1e-30")), SAMPLE)
    records = lane_records(measured, 5)
    assert records["derived"] == {"value": ["1.0000", "-0.50000"]}
    assert records["precise"] == {"value": ["1.0000", "-0.50000"], "error_estimate": "1.00e-30"}
    assert records["certified"] == {"lower": ["1.0000", "-1.0000"], "upper": ["1.0000", "-1.0000"]}
    assert records["monte_carlo"] is not None
    assert records["monte_carlo"]["mean"] == ["0.2500000000", "0.5000000000"]
    assert records["monte_carlo"]["standard_error"] == ["0.00100", "0.00200"]
    scalar = Measurement(pair[:1], "none", "none", "none")
    assert lane_records(scalar, 5)["derived"] == {"value": "1.0000"}


def test_a_lane_without_an_answer_is_none_with_a_reason() -> None:
    measured = Measurement("too many digits", (arb(1),), "too dear", "no honest test")
    records = lane_records(measured, 5)
    assert records["derived"] is records["precise"] is records["monte_carlo"] is None
    assert reasons(measured) == {
        "derived": "too many digits",
        "precise": "too dear",
        "monte_carlo": "no honest test",
    }


def test_the_scale_of_a_sample_is_put_back() -> None:
    scaled = Sample((0.5,), (0.01,), -1000.0, 10, 0, 1, 9.0, True, "")
    record = lane_records(Measurement("none", "none", "none", scaled), 5)["monte_carlo"]
    assert record is not None
    assert record["mean"] == decimal(mpmath.exp(-1000) / 2, 10)
    assert record["mean"].endswith("e-435")


@pytest.mark.parametrize(("digits", "text"), [(2, "0.33"), (5, "0.33333")])
def test_a_decimal_has_the_digits_asked_for(digits: int, text: str) -> None:
    assert decimal(mpmath.mpf(1) / 3, digits) == text


# tables


def printed(result: TheoremResult, verbose: bool = False) -> str:
    console = Console(width=160)
    with console.capture() as capture:
        console.print(theorem_table(result, verbose))
    return " ".join(capture.get().split())


STEPS = (
    Step("complete the square", "=", "algebra", Verdict.PROVED),
    Step("drop", "<=", "combination", Verdict.UNDECIDED, "the two sides differ"),
)
RESULT = TheoremResult(
    "toy",
    "A toy",
    "ours",
    (
        ClaimResult(
            "toy.a.proved",
            "identity",
            "",
            (
                Evidence("symbolic", Verdict.PROVED, "2 steps", steps=STEPS, cites=("Prékopa",)),
                Evidence("certified", Verdict.SUPPORTED, "3 points", "0.125"),
                Evidence("precise", None, "it is too dear"),
            ),
        ),
        ClaimResult(
            "toy.b.open",
            "bound",
            "the open one",
            (Evidence("symbolic", Verdict.UNDECIDED, "not in time"),),
        ),
        ClaimResult(
            "toy.agreement.agreed",
            AGREEMENT,
            "",
            (Evidence("precise", Verdict.SUPPORTED, "agrees to 1e-30"),),
        ),
    ),
    (
        ControlResult("toy.control.good", "", Verdict.REFUTED, "delta = 9"),
        ControlResult("toy.control.blind", "", Verdict.UNDECIDED, "no point was tried"),
    ),
)


def test_a_table_shows_verdicts_slack_lanes_witnesses_and_what_is_assumed() -> None:
    text = printed(RESULT)
    assert "toy: A toy (ours)" in text
    assert "a.proved PROVED ±0.125 2 steps [1] 3 points - " in text
    assert "b.open UNDECIDED not in time - -" in text
    assert "agreed SUPPORTED agrees to 1e-30 -" in text
    assert "good REFUTED delta = 9" in text
    assert "blind SURVIVED no point was tried" in text
    assert "assumed by proofs: [1] Prékopa" in text


def test_what_is_open_is_shown_in_full_and_the_rest_on_request() -> None:
    assert "toy.b.open: the open one symbolic UNDECIDED: not in time" in printed(RESULT)
    assert "complete the square" not in printed(RESULT)
    text = printed(RESULT, verbose=True)
    assert "= complete the square (algebra): PROVED" in text
    assert "<= drop (combination): UNDECIDED the two sides differ" in text
    assert "precise not informative: it is too dear" in text


def test_the_summary_is_one_line() -> None:
    counts = {"claims": 9, "refuted": 1, "undecided": 2, "controls": 4, "survivors": 3}
    assert summary_line(counts, 12.6) == (
        "9 claims: 1 refuted, 2 undecided; 4 controls: 3 survived; 13 s"
    )


# what a run stands on


def test_the_environment_names_every_package() -> None:
    found = describe()
    assert {"python", "platform", "machine", "cores", *PACKAGES} == set(found)
    assert found["sympy"].count(".") >= 1


def test_the_self_test_passes_and_leaves_precision_alone() -> None:
    before = mpmath.mp.prec, ctx.prec
    assert set(selftest.self_test().values()) == {True}
    assert (mpmath.mp.prec, ctx.prec) == before


@pytest.mark.parametrize(
    ("constant", "wrong", "fails"),
    [
        ("MISASSIGNMENT", "0.03429870439536940701490", {"certified value", "precise value"}),
        ("PHILOX_ONES", (0, 0, 0, 0), {"random generator"}),
    ],
)
def test_the_self_test_can_fail(
    monkeypatch: pytest.MonkeyPatch, constant: str, wrong: object, fails: set[str]
) -> None:
    monkeypatch.setattr(selftest, constant, wrong)
    assert {name for name, sound in selftest.self_test().items() if not sound} == fails
