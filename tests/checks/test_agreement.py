"""Lanes against one another: what counts as agreement, what as contradiction, and with what power.

A measurement is taken once; each test plants an error in one lane of it."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import mpmath
import pytest
import sympy as sp
from flint import arb

from numerics.monte_carlo.judgement import Sample
from numerics.precise.evaluation import Estimate
from proofs_check.agreement import comparisons, judge, of_theorem, threshold
from proofs_check.catalogue import load, quantity
from proofs_check.lanes import Draws, Measurement, measure
from proofs_check.verdict import Verdict
from theorems.language import Quantity, Theorem
from theorems.mixture import DELTA, PHI, delta
from theorems.overlap.quantities import BC, decay

CATALOGUE = load()
DIGITS = 25
ALLOWED = threshold(60)
HALF = {"phi": Fraction(0), "delta": Fraction(4)}


@pytest.fixture(scope="module")
def sound() -> Measurement:
    """eps_o(1/2, 4), every lane, as many draws as the default profile takes."""
    found = quantity(CATALOGUE, "overlap.misassignment_old")
    return measure(*found, HALF, DIGITS, Draws(2**19, 1, 3), CATALOGUE)


def opinions(measured: Measurement) -> dict[str, bool | None]:
    return {lane: opinion.agrees for lane, opinion in judge(measured, DIGITS, ALLOWED).items()}


def scaled(values: tuple[Any, ...], relative: str) -> tuple[Any, ...]:
    with mpmath.workdps(60):
        return tuple(value * (1 + mpmath.mpf(relative)) for value in values)


def precise_off(measured: Measurement, relative: str) -> Measurement:
    assert isinstance(measured.precise, Estimate)
    wrong = Estimate(scaled(measured.precise.value, relative), measured.precise.error)
    return dataclasses.replace(measured, precise=wrong)


def sampled(measured: Measurement, **changes: Any) -> Measurement:
    assert isinstance(measured.monte_carlo, Sample)
    return dataclasses.replace(
        measured, monte_carlo=dataclasses.replace(measured.monte_carlo, **changes)
    )


def test_sound_lanes_agree(sound: Measurement) -> None:
    assert opinions(sound) == {"certified": True, "precise": True, "monte_carlo": True}


def test_one_percent_planted_in_the_formula_is_caught_by_both_independent_lanes(
    sound: Measurement,
) -> None:
    for error in ("0.01", "-0.01"):
        planted = dataclasses.replace(sound, derived=scaled(tuple(sound.derived), error))
        assert set(opinions(planted).values()) == {False}


def test_one_percent_is_within_what_the_sample_says_it_would_notice(sound: Measurement) -> None:
    assert judge(sound, DIGITS, ALLOWED)["monte_carlo"].resolution < 0.01


def test_a_ball_too_wide_to_tell_is_not_agreement(sound: Measurement) -> None:
    wide = dataclasses.replace(sound, certified=(arb(0, 1),))
    assert opinions(wide)["certified"] is None


@pytest.mark.parametrize(("relative", "agrees"), [("1e-15", False), ("1e-40", True)])
def test_the_definition_is_held_to_its_digits(
    sound: Measurement, relative: str, agrees: bool
) -> None:
    assert opinions(precise_off(sound, relative))["precise"] is agrees


def test_the_definition_must_meet_the_ball_beyond_the_digits_asked_for(sound: Measurement) -> None:
    planted = precise_off(sound, "1e-20")
    assert judge(planted, DIGITS, ALLOWED)["precise"].note.count("does not meet the ball") == 1
    without = dataclasses.replace(planted, certified="no ball")
    assert opinions(without)["precise"] is True
    far = dataclasses.replace(precise_off(sound, "1e-15"), certified="no ball")
    assert opinions(far)["precise"] is False


def test_an_error_estimate_too_wide_to_tell_is_not_agreement(sound: Measurement) -> None:
    assert isinstance(sound.precise, Estimate)
    wide = Estimate(sound.precise.value, sound.precise.value[0] / 10**3)
    opinion = judge(dataclasses.replace(sound, precise=wide), DIGITS, ALLOWED)["precise"]
    assert opinion.agrees is None
    assert "error estimate" in opinion.note


def test_a_ball_that_misses_the_derived_value_contradicts_it(sound: Measurement) -> None:
    assert isinstance(sound.certified, tuple)
    wrong = dataclasses.replace(sound, certified=(sound.certified[0] * arb("1.0000000000001"),))
    assert opinions(wrong)["certified"] is False


def test_a_ball_that_is_not_finite_contains_nothing(sound: Measurement) -> None:
    empty = dataclasses.replace(sound, certified=(arb.nan(),))
    assert opinions(empty)["certified"] is False
    assert (
        opinions(dataclasses.replace(empty, certified=(arb(0, arb.pos_inf()),)))["certified"]
        is False
    )


def test_the_ball_stands_in_where_the_derived_lane_declines(sound: Measurement) -> None:
    without = dataclasses.replace(sound, derived="too many digits")
    assert opinions(without) == {"certified": None, "precise": True, "monte_carlo": True}
    assert opinions(precise_off(without, "1e-15"))["precise"] is False


def test_without_a_formula_nothing_can_be_said(sound: Measurement) -> None:
    silent = dataclasses.replace(sound, derived="too many digits", certified="too dear")
    found = judge(silent, DIGITS, ALLOWED)
    assert {opinion.agrees for opinion in found.values()} == {None}
    assert found["precise"].note == "too many digits"


def test_a_lane_that_declines_says_why(sound: Measurement) -> None:
    silent = dataclasses.replace(sound, precise="too dear", monte_carlo="no honest test")
    found = judge(silent, DIGITS, ALLOWED)
    assert (found["precise"].agrees, found["precise"].note) == (None, "too dear")
    assert (found["monte_carlo"].agrees, found["monte_carlo"].note) == (None, "no honest test")


def test_a_sample_that_is_not_informative_neither_agrees_nor_contradicts(
    sound: Measurement,
) -> None:
    assert isinstance(sound.monte_carlo, Sample)
    off = (2 * sound.monte_carlo.mean[0],)
    found = sampled(sound, mean=off, informative=False, note="few draws")
    assert opinions(found)["monte_carlo"] is None
    assert opinions(sampled(sound, mean=off))["monte_carlo"] is False


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_threshold_is_in_standard_errors(sound: Measurement, sign: int) -> None:
    assert isinstance(sound.monte_carlo, Sample)
    (error,), value = sound.monte_carlo.standard_error, float(next(iter(sound.derived)))
    for score, agrees in ((0.98, True), (1.02, False)):
        found = sampled(sound, mean=(value + sign * score * ALLOWED * error,))
        assert opinions(found)["monte_carlo"] is agrees


def test_a_sample_below_the_range_of_doubles_is_compared_in_its_own_scale() -> None:
    found = quantity(CATALOGUE, "overlap.misassignment_old")
    far = {"phi": Fraction(0), "delta": Fraction(100)}
    measured = measure(*found, far, DIGITS, Draws(2**16, 0, 2), CATALOGUE)
    assert opinions(measured) == {"certified": True, "precise": True, "monte_carlo": True}
    assert isinstance(measured.monte_carlo, Sample)
    assert measured.monte_carlo.log_scale < -1000
    off = sampled(measured, log_scale=measured.monte_carlo.log_scale + 1)
    assert opinions(off)["monte_carlo"] is False


def test_a_component_that_is_an_exact_zero_has_no_error_and_agrees() -> None:
    found = quantity(CATALOGUE, "old_drift.old_mean_gradient")
    point = {name: Fraction(1, 2) for name in ("phi", "tau", "new_mean_along")}
    point |= {"delta": Fraction(2), "new_mean_across": Fraction(0)}
    measured = measure(*found, point, DIGITS, Draws(2**14, 0, 1), CATALOGUE)
    assert isinstance(measured.monte_carlo, Sample)
    assert measured.monte_carlo.standard_error[1] == 0
    assert opinions(measured)["monte_carlo"] is True
    shifted = sampled(measured, mean=(measured.monte_carlo.mean[0], 1e-9))
    assert opinions(shifted)["monte_carlo"] is False


def test_sizes_far_below_doubles_are_still_told_apart() -> None:
    tiny = mpmath.mpf(1) / mpmath.mpf(10) ** 5000
    ball = arb(10) ** -5000
    measured = Measurement(
        (tiny, 0 * tiny), (ball, arb(0)), Estimate((2 * tiny, tiny), 0 * tiny), "none"
    )
    assert opinions(measured)["precise"] is False


@pytest.mark.parametrize("count", [1, 40, 1000])
def test_the_level_is_divided_over_the_run(count: int) -> None:
    one_sided = 1 - NormalDist().cdf(threshold(count))
    assert 2 * one_sided * count == pytest.approx(1e-6, rel=1e-3)


def test_every_number_of_the_run_is_counted() -> None:
    assert comparisons([CATALOGUE["overlap"]], 2) == 2 * 11
    assert comparisons([CATALOGUE["old_drift"]], 1) == 4 + 2 * 2
    exempt = dataclasses.replace(BC, exempt={"monte_carlo": "no honest z-test"})
    theorem = dataclasses.replace(CATALOGUE["overlap"], quantities=(exempt,))
    assert comparisons([theorem], 5) == 0


# through a theorem


def theorem_of(formula: sp.Expr) -> Theorem:
    wrong = dataclasses.replace(BC, formula=formula)
    return dataclasses.replace(CATALOGUE["overlap"], quantities=(wrong,))


def verdicts(theorem: Theorem) -> tuple[Verdict, dict[str, Verdict | None]]:
    catalogue = {**CATALOGUE, "overlap": theorem}
    (found,) = of_theorem(theorem, catalogue, 20, 2, Draws(2**14, 0, 2), ALLOWED)
    return found.verdict, {e.lane: e.verdict for e in found.evidence}


def test_a_right_formula_is_supported_and_the_ball_is_no_evidence() -> None:
    verdict, lanes = verdicts(theorem_of(decay))
    assert verdict is Verdict.SUPPORTED
    assert lanes == {
        "certified": None,
        "precise": Verdict.SUPPORTED,
        "monte_carlo": Verdict.SUPPORTED,
    }


def test_a_wrong_formula_is_refuted_by_both_independent_lanes() -> None:
    verdict, lanes = verdicts(theorem_of(sp.exp(-(delta**2) / 9)))
    assert verdict is Verdict.REFUTED
    assert lanes["precise"] is lanes["monte_carlo"] is Verdict.REFUTED
    assert lanes["certified"] is None


def test_an_exempt_lane_gives_its_reason() -> None:
    exempt = dataclasses.replace(BC, exempt={"monte_carlo": "no honest z-test"})
    measured = measure(
        CATALOGUE["overlap"], exempt, {"delta": Fraction(2)}, 20, Draws(10, 0, 1), CATALOGUE
    )
    assert measured.monte_carlo == "no honest z-test"


def test_a_lane_without_an_evaluator_says_so() -> None:
    unknown = Quantity("unheard_of", "unheard_of", (PHI, DELTA), delta, delta, "")
    measured = measure(CATALOGUE["overlap"], unknown, HALF, 20, Draws(10, 0, 1), CATALOGUE)
    assert "unheard_of" in str(measured.precise)
    assert "unheard_of" in str(measured.monte_carlo)
    assert math.isclose(float(next(iter(measured.derived))), 4)
