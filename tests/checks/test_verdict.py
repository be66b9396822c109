"""Levels of evidence: how several make one, and what may not be read into them."""

from __future__ import annotations

from itertools import combinations

import pytest

from proofs_check.verdict import Verdict, strongest

ORDER = [
    Verdict.REFUTED,
    Verdict.PROVED,
    Verdict.CERTIFIED,
    Verdict.SUPPORTED,
    Verdict.UNDECIDED,
]


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_has_no_truth_value(verdict: Verdict) -> None:
    with pytest.raises(TypeError, match=verdict.name):
        bool(verdict)


def test_refuted_comes_before_all_then_the_strongest() -> None:
    for size in range(1, len(ORDER) + 1):
        for found in combinations(ORDER, size):
            assert strongest(reversed(found)) is found[0]


def test_nothing_said_is_undecided() -> None:
    assert strongest([]) is Verdict.UNDECIDED
