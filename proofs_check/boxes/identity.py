"""Claims that need no box: by its normal form their gap is 0, or manifestly not negative."""

from __future__ import annotations

from numerics.expression import Definitions
from proofs_check.boxes.rewriting import unfold, upright
from proofs_check.symbolic.deadline import TimeLimit, within
from proofs_check.symbolic.normal_form import is_zero, manifestly_nonnegative
from theorems.language import Claim, Expr

SECONDS = 3.0
MOST_OPERATIONS = 100  # of a gap whose sign is looked for
ATOMS = ("S", "A", "E2")


def vanishes(expr: Expr, definitions: Definitions) -> bool:
    """True is a proof; False says nothing.

    Quantities become formulas in S and A, and S is even in phi.
    """
    reduced = upright(unfold(expr, definitions, ATOMS))
    try:
        with within(SECONDS):
            return is_zero(reduced) is True
    except TimeLimit:
        return False


def manifest(claim: Claim) -> bool:
    """Whether right - left is a square or the like: then an equality inside a box is no hindrance.

    True is a proof; False says nothing.
    """
    gap = claim.right - claim.left
    if claim.relation != "<=" or gap.count_ops() > MOST_OPERATIONS:
        return False
    try:
        with within(SECONDS):
            return manifestly_nonnegative(gap)
    except TimeLimit:
        return False
