"""Boxes: exact ends, parts that tile, and sentences for what is no box."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_check.conjectures.box import Box, read_box
from proofs_check.errors import InputError

_RATIONALS = st.fractions(min_value=-100, max_value=100, max_denominator=60)
_ENDS = st.tuples(_RATIONALS, _RATIONALS).map(sorted)
_BOXES = st.lists(_ENDS, min_size=1, max_size=4).map(
    lambda ends: Box(tuple((f"x{i}", low, high) for i, (low, high) in enumerate(ends)))
)


@given(_BOXES, st.data())
def test_a_split_tiles_the_box(box: Box, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(box.names))
    below, above = box.split(name)
    assert below.volume + above.volume == box.volume
    assert all(box.contains(corner) for part in (below, above) for corner in part.corners())
    assert below.midpoint[name] <= box.midpoint[name] <= above.midpoint[name]
    shared = {corner[name] for corner in below.corners()} & {c[name] for c in above.corners()}
    assert box.midpoint[name] in shared


@given(_BOXES)
@example(Box((("x0", Fraction(1), Fraction(1)),)))
def test_every_corner_comes_once(box: Box) -> None:
    corners = [tuple(corner.values()) for corner in box.corners()]
    wide = sum(width > 0 for width in box.widths.values())
    assert len(corners) == len(set(corners)) == 2**wide


def test_the_boundary_belongs_to_the_box_and_nothing_beyond() -> None:
    box = read_box(["x=1/3:2", "y=-0.5:1e-1"])
    assert box.sides == (
        ("x", Fraction(1, 3), Fraction(2)),
        ("y", Fraction(-1, 2), Fraction(1, 10)),
    )
    assert box.contains({"x": Fraction(1, 3), "y": Fraction(1, 10)})
    assert not box.contains({"x": Fraction(33, 100), "y": Fraction(0)})
    assert box.split("x", Fraction(1))[0].sides[0] == ("x", Fraction(1, 3), Fraction(1))


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (["delta"], "NAME=LO:HI"),
        (["delta=1"], "NAME=LO:HI"),
        (["delta=1:2:3"], "NAME=LO:HI"),
        (["1d=1:2"], "NAME=LO:HI"),
        (["δ=1:2"], "NAME=LO:HI"),
        (["delta=1:"], "--box delta: ''"),
        (["delta=1:two"], "'two' is not a decimal"),
        (["delta=nan:inf"], "'nan' is not a decimal"),
        (["delta=1/0:3"], "divides by zero"),
        (["delta=1:1e9999"], "must lie in [-1e100, 1e100]"),
        (["delta=3:1"], "'delta=3:1' is empty"),
        (["delta=1:2", "delta=1:3"], "given twice"),
    ],
)
def test_what_is_no_box_is_refused_in_a_sentence(sides: list[str], said: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_box(sides)
    assert said in str(refusal.value)
    assert "--box" in str(refusal.value)
    assert "\n" not in str(refusal.value)
