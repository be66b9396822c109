"""Enclosures at random points, and ranges over random boxes, contain what they must."""

from __future__ import annotations

from typing import Any

import pytest
from flint import arb

from numerics.certified import balls, overlap_functions, pair_ranges, ranges
from numerics.certified.intervals import Interval
from proofs_check import containment
from theorems.overlap.quantities import eps_n


def test_enclosures_contain_values_of_250_digits() -> None:
    assert containment.at_points(50, seed=1) == {"points": 50, "missed": 0}


def test_enclosures_overlap_those_of_the_definition() -> None:
    assert containment.against_definitions(6, seed=2) == {"points": 6, "missed": 0}


def test_ranges_contain_values_and_difference_quotients() -> None:
    found = containment.over_boxes(50, seed=3)
    assert found["missed"] == 0
    assert found["bounded"] > 40


def test_a_range_that_is_too_small_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ranges.misassignment_new

    def narrower(*arguments: Any) -> Any:
        (low, high), slopes, logarithmic = honest(*arguments)
        return Interval(low + (high - low) / 4, high), slopes, logarithmic

    monkeypatch.setitem(ranges.HEADS, "eps_n", narrower)
    monkeypatch.setattr(containment, "OVER_BOXES", (eps_n,))
    monkeypatch.setitem(pair_ranges.ALL_HEADS, "eps_n", narrower)
    assert containment.over_boxes(16, seed=3)["missed"] > 1


def test_an_enclosure_that_is_too_small_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def off(phi: Any, delta: Any) -> Any:
        return overlap_functions.sech_overlap(phi, delta) * (1 + arb(2) ** -100)

    monkeypatch.setitem(balls.PROVED, "S", off)
    assert containment.against_definitions(6, seed=2)["missed"] == 4
