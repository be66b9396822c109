"""`eval`: a contract that scripts rely on, and what it says to bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from proofs_check import agreement
from proofs_check.agreement import Opinion

FEW = ("--samples", "4096", "--dimension", "2")
EPS = "overlap.misassignment_old"
DRIFT = ["alpha=.35", "phi=-.3", "delta=2", "new_mean_along=1.4", "new_mean_across=-.8"]


def sets(*assignments: str) -> list[str]:
    return [part for assignment in assignments for part in ("--set", assignment)]


@pytest.fixture
def evaluate(forgetting: Callable[..., Any]) -> Callable[..., Any]:
    def run(quantity: str, *arguments: str, code: int = 0) -> Any:
        found = forgetting("eval", quantity, "--json", *FEW, *arguments)
        assert (found.code, found.err) == (code, "")
        return json.loads(found.out)

    return run


def digits_of(text: str) -> int:
    """How many significant digits a decimal string shows."""
    return len(Decimal(text).as_tuple().digits)


# what comes out


def test_the_record_of_a_scalar(evaluate: Callable[..., Any]) -> None:
    record = evaluate(EPS, *sets("beta=1/2", "delta=4"), "--seed", "5")
    assert (record["theorem"], record["quantity"]) == ("overlap", "misassignment_old")
    assert record["parameters"] == {"phi": "logit(1/2)", "delta": "4"}
    assert record["verdict"] == "SUPPORTED"
    assert list(record["lanes"]) == ["derived", "certified", "precise", "monte_carlo"]
    lanes = record["lanes"]
    assert lanes["derived"].keys() == {"value"}
    assert lanes["certified"].keys() == {"lower", "upper"}
    assert lanes["precise"].keys() == {"value", "error_estimate"}
    assert {"mean", "standard_error", "samples", "seed", "dimension"} <= lanes["monte_carlo"].keys()
    sample = lanes["monte_carlo"]
    assert (sample["samples"], sample["seed"], sample["dimension"]) == (4096, 5, 2)
    assert digits_of(lanes["derived"]["value"]) == 30
    assert digits_of(lanes["precise"]["value"]) == 30
    assert Fraction(lanes["certified"]["lower"]) < Fraction(lanes["certified"]["upper"])
    assert record["reasons"] == {}


def test_the_ends_are_outward_around_the_right_value(evaluate: Callable[..., Any]) -> None:
    lanes = evaluate(EPS, *sets("beta=1/2", "delta=4"), "--digits", "15")["lanes"]
    right = Fraction("0.03429870439536940701190")
    assert Fraction(lanes["certified"]["lower"]) < right < Fraction(lanes["certified"]["upper"])
    assert digits_of(lanes["certified"]["lower"]) == 15


OLD = ("-0.0562485893536026262448", "-0.1139718267447635729306")
NEW = ("-0.2046796629577814310484", "-0.345582186704563616791")


@pytest.mark.parametrize(("name", "right"), [("old", OLD), ("new", NEW)])
def test_a_vector_is_a_list_in_every_lane(
    evaluate: Callable[..., Any], name: str, right: tuple[str, str]
) -> None:
    quantity, options = f"old_drift.{name}_mean_gradient", ("--digits", "22", "--samples", "65536")
    lanes = evaluate(quantity, *sets(*DRIFT), *options)["lanes"]
    for lane in ("derived", "precise"):
        for text, value in zip(lanes[lane]["value"], right, strict=True):
            assert abs(Fraction(text) - Fraction(value)) <= Fraction(1, 10**21)
    for lower, upper, value in zip(
        lanes["certified"]["lower"], lanes["certified"]["upper"], right, strict=True
    ):
        assert Fraction(lower) < Fraction(upper)
        assert abs(Fraction(lower) - Fraction(value)) <= Fraction(1, 10**21)
    sample = lanes["monte_carlo"]
    for mean, error, value in zip(sample["mean"], sample["standard_error"], right, strict=True):
        assert abs(Fraction(mean) - Fraction(value)) < 6 * Fraction(error)


def test_a_covariance_of_ones_own_sets_the_dimension(forgetting: Callable[..., Any]) -> None:
    found = forgetting(
        "eval", EPS, *sets("phi=0", "delta=1"), "--covariance", "2 1; 1 3", "--json", *FEW[:2]
    )
    assert json.loads(found.out)["lanes"]["monte_carlo"]["dimension"] == 2


def test_plain_text_shows_every_lane(forgetting: Callable[..., Any]) -> None:
    found = forgetting("eval", "old_drift.old_mean_gradient", *sets(*DRIFT), *FEW)
    assert found.code == 0
    assert found.out.startswith("old_drift.old_mean_gradient at tau = logit(7/20), phi = -3/10")
    for word in ("derived", "certified", "precise", "monte_carlo", "verdict      SUPPORTED"):
        assert word in found.out
    assert "value (-0.0562485893536026" in found.out


def test_what_one_lane_contradicts_is_refuted_with_exit_code_1(
    evaluate: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "_precise", lambda *_: Opinion(False, "planted"))
    record = evaluate(EPS, *sets("phi=0", "delta=1"), code=1)
    assert (record["verdict"], record["notes"]["precise"]) == ("REFUTED", "planted")


# the ends of what is allowed


def test_two_digits(evaluate: Callable[..., Any]) -> None:
    lanes = evaluate(EPS, *sets("phi=0", "delta=4"), "--digits", "2")["lanes"]
    assert (lanes["derived"]["value"], lanes["precise"]["value"]) == ("0.034", "0.034")
    assert lanes["certified"] == {"lower": "0.034", "upper": "0.035"}


def test_few_digits_do_not_make_the_sample_a_contradiction(evaluate: Callable[..., Any]) -> None:
    record = evaluate(
        "overlap.sech_overlap", *sets("phi=184/5", "delta=161/10000"), "--digits", "2"
    )
    assert record["verdict"] == "SUPPORTED"


def test_ten_thousand_digits(evaluate: Callable[..., Any]) -> None:
    record = evaluate("overlap.bhattacharyya", *sets("delta=4"), "--digits", "10000", code=3)
    assert record["lanes"]["derived"] is record["lanes"]["precise"] is None
    assert "400 digits" in record["reasons"]["derived"]
    assert "1000 digits" in record["reasons"]["precise"]
    with localcontext(prec=10_020):
        right = Decimal(-2).exp()
        lower, upper = (Decimal(record["lanes"]["certified"][end]) for end in ("lower", "upper"))
        assert lower < right < upper
        assert upper - lower <= Decimal(10) ** -10_000


def test_a_lane_past_its_limit_does_not_keep_the_others_from_agreeing(
    evaluate: Callable[..., Any],
) -> None:
    record = evaluate("overlap.bhattacharyya", *sets("delta=4"), "--digits", "500")
    assert record["lanes"]["derived"] is None
    assert record["verdict"] == "SUPPORTED"


FAR = [
    (EPS, ["beta=1/2", "delta=1000000"], "1.5544669117481882902916033e-54286810244"),
    (EPS, ["phi=0", "delta=1e-20"], "0.5"),
    # sqrt(2 pi)/delta, from its limit: a step of width 1e-100 beside a bell of width 1
    ("overlap.sech_overlap", ["phi=1", "delta=1e100"], "2.5066282746310005024157652e-100"),
    (EPS, ["phi=700", "delta=4"], "9.8596765437597708567053729e-305"),
    (EPS, ["phi=-700", "delta=4"], "1"),
    ("overlap.distinguishability", ["phi=700", "delta=1000000"], "1"),
    ("forward_kl.objective", ["phi=700", "delta=4"], "8"),
    ("forward_kl.objective", ["phi=-700", "delta=1000000"], "9.8596765437597708567053729e-305"),
    ("reverse_kl.objective", ["phi=700", "tau=-700", "delta=4"], "8"),
    ("overlap.chi_squared", ["delta=1e-25"], "1.0000000000000000000000000e-50"),
]


@pytest.mark.parametrize(("quantity", "point", "right"), FAR)
def test_far_out_the_value_is_right_or_the_lane_says_why_not(
    evaluate: Callable[..., Any], quantity: str, point: list[str], right: str
) -> None:
    record = evaluate(quantity, *sets(*point), "--digits", "20")
    lanes = record["lanes"]
    assert record["verdict"] == "SUPPORTED"
    assert lanes["precise"] is not None
    with mpmath.workdps(40):
        value, tolerance = mpmath.mpf(right), mpmath.mpf("1e-19") * mpmath.mpf(right)
        for lane, key in (("derived", "value"), ("certified", "lower"), ("precise", "value")):
            if lanes[lane] is None:
                assert record["reasons"][lane]
            else:
                assert abs(mpmath.mpf(lanes[lane][key]) - value) <= tolerance


def test_kappa_at_700_agrees_though_cancellation_is_beyond_the_derived_lane(
    evaluate: Callable[..., Any],
) -> None:
    # kappa -> beta (e^(delta^2) - 1) for small beta, up to a factor 1 - O(beta)
    record = evaluate("overlap.distinguishability", *sets("phi=-700", "delta=4"), "--digits", "20")
    with mpmath.workdps(60):
        right = mpmath.exp(-700) * mpmath.expm1(16)
        assert abs(mpmath.mpf(record["lanes"]["precise"]["value"]) / right - 1) < 1e-18
        assert abs(mpmath.mpf(record["lanes"]["certified"]["lower"]) / right - 1) < 1e-18
    assert "cancellation" in record["reasons"]["derived"]


# what is refused

POINT = sets("phi=0", "delta=1")
REFUSED = [
    (sets("phi=0", "delta=0"), "delta: 0 is not allowed; it must lie in (0, ∞)"),
    (sets("phi=0", "delta=-3/2"), "delta: -3/2 is not allowed; it must lie in (0, ∞)"),
    (sets("phi=0", "delta=wide"), "delta: 'wide' is not a decimal or a fraction such as 3/10"),
    (sets("phi=0", "delta=nan"), "delta: 'nan' is not a decimal or a fraction such as 3/10"),
    (sets("phi=0", "delta=inf"), "delta: 'inf' is not a decimal or a fraction such as 3/10"),
    (sets("phi=1/0", "delta=1"), "phi: '1/0' divides by zero"),
    (sets("beta=0", "delta=1"), "beta: 0 is not allowed; a weight must lie in (0, 1)"),
    (sets("beta=1", "delta=1"), "beta: 1 is not allowed; a weight must lie in (0, 1)"),
    (sets("beta=1.5", "delta=1"), "beta: 1.5 is not allowed; a weight must lie in (0, 1)"),
    (sets("beta=.5", "phi=0", "delta=1"), "phi: given twice, first as beta=.5"),
    (sets("phi=0"), "delta is missing: Mahalanobis distance of the two modes"),
    (
        sets("fi=0", "delta=1"),
        "parameter 'fi' is unknown here (it takes phi, delta, beta); did you mean phi?",
    ),
    ([*POINT, "--digits", "1"], "digits: 1 is not allowed; it must lie in [2, 10000]"),
    ([*POINT, "--digits", "10001"], "digits: 10001 is not allowed; it must lie in [2, 10000]"),
    ([*POINT, "--samples", "0"], "samples: 0 is not allowed; it must lie in [1, 1000000000000]"),
    ([*POINT, "--seed", "-1"], "seed: -1 is not allowed; it must lie in [0, 9223372036854775807]"),
    ([*POINT, "--dimension", "0"], "dimension: 0 is not allowed; it must lie in [1, 128]"),
    ([*POINT, "--dimension", "129"], "dimension: 129 is not allowed; it must lie in [1, 128]"),
    (
        [*POINT, "--covariance", "1 0; 0 -1"],
        "covariance must be positive definite, got a matrix without a Cholesky factor",
    ),
    (
        [*POINT, "--covariance", "1 1; 1 1"],
        "covariance must be positive definite, got a matrix without a Cholesky factor",
    ),
    (
        [*POINT, "--covariance", "1 1/2; 0 1"],
        "covariance must be finite and symmetric, got a matrix that is not",
    ),
    (
        [*POINT, "--covariance", "1 2"],
        "covariance: '1 2' is not square; write rows such as '2 1; 1 3'",
    ),
    (
        [*POINT, "--covariance", "1e400"],
        "covariance: '1e400' is beyond the range of double precision",
    ),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_bad_input_is_refused_in_one_sentence(
    forgetting: Callable[..., Any], arguments: list[str], sentence: str
) -> None:
    found = forgetting("eval", EPS, *arguments)
    assert (found.code, found.out, found.err) == (2, "", f"forgetting: {sentence}\n")


def test_an_unknown_quantity_is_answered_with_the_nearest(forgetting: Callable[..., Any]) -> None:
    found = forgetting("eval", "overlap.kappa", *POINT)
    assert found.code == 2
    assert found.err.startswith("forgetting: quantity 'overlap.kappa' is unknown; did you mean")
    assert found.err.count("\n") == 1


def test_digits_that_are_no_number_are_refused(forgetting: Callable[..., Any]) -> None:
    found = forgetting("eval", EPS, *POINT, "--digits", "many")
    assert found.code == 2
    assert "--digits" in found.err
    assert found.err.count("\n") == 1
