"""Points at which claims are tried: inside the box, exact, and the same for the same name."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.draws import draw, rational, show, texts, typical
from theorems.mixture import DELTA, PHI, TAU, delta, phi, tau


@given(st.text(max_size=5))
def test_points_lie_inside_the_box_and_depend_on_the_key_alone(key: str) -> None:
    points = draw((PHI, DELTA), 5, key)
    assert points == draw((PHI, DELTA), 5, key)
    for point in points:
        assert -6 < point["phi"] < 6
        assert Fraction(1, 4) < point["delta"] < 12


def test_another_key_gives_other_points() -> None:
    assert draw((PHI, DELTA), 5, "0:a") != draw((PHI, DELTA), 5, "1:a")
    first = draw((PHI, DELTA), 5, "0:a")
    assert len({tuple(point.items()) for point in first}) == 5


def test_a_narrower_box_is_respected() -> None:
    box = {DELTA: (sp.Integer(3), sp.Rational(7, 2))}
    assert all(3 < point["delta"] < Fraction(7, 2) for point in draw((PHI, DELTA), 20, "", (), box))


def test_the_box_is_reached_on_all_sides() -> None:
    found = [point["phi"] for point in draw((PHI,), 400, "")]
    assert min(found) < Fraction(-29, 5)
    assert max(found) > Fraction(29, 5)


def test_hypotheses_are_respected() -> None:
    points = draw((PHI, TAU, DELTA), 20, "", (phi < tau, tau < delta))
    assert len(points) == 20
    assert all(point["phi"] < point["tau"] < point["delta"] for point in points)


@pytest.mark.parametrize("impossible", [sp.Lt(phi, -7), sp.false])
def test_where_nothing_satisfies_the_hypotheses_no_point_is_made_up(impossible: sp.Expr) -> None:
    assert draw((PHI,), 3, "", (impossible,)) == []


def test_a_point_is_written_as_readers_write_it() -> None:
    place = {"phi": Fraction(-1, 2), "delta": Fraction(3)}
    assert show(place) == "phi = -1/2, delta = 3"
    assert texts(place) == {"phi": "-1/2", "delta": "3"}
    assert rational(Fraction(-1, 2)) == sp.Rational(-1, 2)


def test_the_typical_point_is_the_declared_one() -> None:
    assert typical((PHI, DELTA)) == {"phi": Fraction(-3, 10), "delta": Fraction(2)}
