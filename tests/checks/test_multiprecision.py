"""Formulas in mpmath: against closed forms, at any size, and with every quantity measured."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from flint import ctx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.point import Logit, Point, Unreachable
from proofs_check.catalogue import definitions, load
from proofs_check.derived import MOST_DIGITS, derive
from proofs_check.measured import measure
from proofs_check.multiprecision import ball, context_of, read
from theorems.language import Expr
from theorems.mixture import DELTA, delta, line, normal, phi, tau, y
from theorems.overlap.quantities import S, decay, eps_n, eps_o, kappa

CATALOGUE = load()
TABLE = definitions(CATALOGUE)


def close(value: Any, text: str, digits: int) -> bool:
    with mpmath.workdps(digits + 30):
        right = mpmath.mpf(text)
        return bool(abs(mpmath.mpf(value) - right) <= abs(right) * mpmath.mpf(10) ** -digits)


def closed(expr: Expr, digits: int) -> str:
    return str(sp.N(expr, digits + 10))


@pytest.mark.parametrize("digits", [5, 50])
@pytest.mark.parametrize(
    ("integrand", "value"),
    [
        (normal(y, 200), sp.S.One),
        (normal(y, 1000) * sp.exp(y / 1000), sp.exp(sp.Rational(2000001, 2000000))),
        (y**4 * normal(y), sp.Integer(3)),
        (sp.exp(-50 * y**2), sp.sqrt(sp.pi / 50)),
        (sp.sech(y), sp.pi),
        (normal(y, -30) + normal(y, 30), sp.Integer(2)),
        (normal(y) * sp.cos(3 * y), sp.exp(-sp.Rational(9, 2))),
    ],
)
def test_an_integral_over_the_line_is_its_closed_form(
    integrand: Expr, value: Expr, digits: int
) -> None:
    (found,) = derive(line(integrand), {}, digits, {})
    assert close(found, closed(value, digits), digits)


def test_a_finite_integral() -> None:
    (found,) = derive(sp.Integral(sp.exp(y), (y, 0, phi)), {"phi": Fraction(2)}, 30, {})
    assert close(found, closed(sp.exp(2) - 1, 30), 30)


def test_an_integrand_without_a_bell_is_declined() -> None:
    with pytest.raises(Unreachable, match="no bell"):
        derive(line(1 / (1 + y**2)), {}, 20, {})


def test_an_integrand_that_does_not_end_is_declined() -> None:
    with pytest.raises(Unreachable, match="does not see where"):
        derive(line(sp.exp(-(y**2)) + 1), {}, 20, {})


# what cancellation costs


@given(st.fractions(Fraction(1, 10**30), Fraction(1, 10)))
@example(Fraction(1, 10**25))
@settings(max_examples=25)
def test_what_cancels_is_bought_with_precision(small: Fraction) -> None:
    (found,) = derive(sp.exp(delta) - 1 - delta, {"delta": small}, 20, {})
    series = sum(small**k / Fraction(int(sp.factorial(k))) for k in range(2, 25))
    assert close(found, closed(sp.Rational(series.numerator, series.denominator), 20), 20)


def test_a_term_lost_at_every_precision_tried_at_first_is_not_lost() -> None:
    # 1 + e^-200 is 1 at 30 digits and at 60: two precisions agree, and both are wrong
    (found,) = derive(sp.log(1 + sp.exp(-200 * delta)), {"delta": Fraction(1)}, 20, {})
    assert close(found, closed(sp.exp(-200), 20), 20)


def test_the_smaller_of_two_terms_is_not_taken_for_their_sum() -> None:
    # log(1 + e^-200) is 0 at 30 digits, and then e^-1000 alone is left
    expr = sp.log(1 + sp.exp(-200 * delta)) - sp.exp(-1000 * delta)
    (found,) = derive(expr, {"delta": Fraction(1)}, 20, {})
    assert close(found, closed(sp.exp(-200), 20), 20)


def test_a_value_that_cannot_be_told_from_zero_is_declined_not_zero() -> None:
    point: Point = {"phi": Fraction(-700), "delta": Fraction(4)}
    with pytest.raises(Unreachable, match="cancellation"):
        derive(kappa.formula, point, 2, TABLE)


def test_an_exact_zero_has_no_relative_digits() -> None:
    point = {"phi": Fraction(2), "tau": Fraction(2)}
    with pytest.raises(Unreachable, match="cancellation"):
        derive(sp.exp(phi) - sp.exp(tau), point, 20, {})


def test_a_factor_rounded_to_zero_is_no_division_by_zero() -> None:
    (found,) = derive(1 / (1 - 1 / (1 + sp.exp(-phi))), {"phi": Fraction(100)}, 20, {})
    assert close(found, closed(1 + sp.exp(100), 20), 20)


def test_digits_have_a_limit() -> None:
    with pytest.raises(Unreachable, match=str(MOST_DIGITS)):
        derive(delta, {"delta": Fraction(1)}, MOST_DIGITS + 1, {})


def test_precision_is_left_as_it_was_found() -> None:
    before = mpmath.mp.prec, ctx.prec
    derive(S.formula, {"phi": Fraction(1), "delta": Fraction(2)}, 40, TABLE)
    with pytest.raises(Unreachable):
        derive(sp.Function("unknown", real=True)(delta), {"delta": Fraction(1)}, 40, TABLE)
    assert (mpmath.mp.prec, ctx.prec) == before


# numbers in and out


@given(st.fractions(Fraction(1, 10**40), 1 - Fraction(1, 10**40)))
@example(Fraction(1, 2))
def test_a_weight_is_read_as_its_logit(weight: Fraction) -> None:
    value = read(context_of(60), Logit(weight))
    with mpmath.workdps(110):
        odds = weight / (1 - weight)
        right = mpmath.log(mpmath.mpf(odds.numerator) / odds.denominator)
        assert abs(mpmath.mpf(value) - right) <= abs(right) * mpmath.mpf("1e-55") + 10**-58


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_becomes_a_ball_exactly(value: float) -> None:
    found = ball(mpmath.mpf(value))
    if mpmath.isfinite(value):
        assert found.is_exact()
        assert float(found) == value
    else:
        assert not found.is_finite()


# measured by the precise lane


def test_an_expression_is_measured_through_its_quantities() -> None:
    point = {"phi": Fraction(1, 3), "delta": Fraction(2)}
    left, right = measure(sp.Tuple(sp.exp(phi) * eps_o.head, eps_n.head), point, 20, CATALOGUE)
    assert abs(left - right) < right * left.context.mpf("1e-19")
    (elsewhere,) = measure(eps_o(-phi, 2 * delta), point, 20, CATALOGUE)
    moved = {"phi": -point["phi"], "delta": 2 * point["delta"]}
    (direct,) = measure(eps_o.head, moved, 20, CATALOGUE)
    assert abs(elsewhere - direct) < direct * left.context.mpf("1e-19")


def test_a_quantity_without_an_evaluator_is_not_measured() -> None:
    with pytest.raises(Unreachable, match="unknown has no evaluator"):
        measure(sp.Function("unknown", real=True)(delta), {"delta": Fraction(1)}, 20, CATALOGUE)


def test_a_measurement_does_not_use_the_derived_formula() -> None:
    import dataclasses

    overlap = CATALOGUE["overlap"]
    wrong = tuple(dataclasses.replace(q, formula=sp.S.Zero) for q in overlap.quantities)
    catalogue = {**CATALOGUE, "overlap": dataclasses.replace(overlap, quantities=wrong)}
    point = {DELTA.name: Fraction(2)}
    (found,) = measure(overlap.quantities[0].head, point, 20, catalogue)
    assert close(found, closed(decay.subs(delta, 2), 20), 19)
