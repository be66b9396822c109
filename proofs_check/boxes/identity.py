"""Whether an expression in the suite's quantities vanishes identically, by its normal form."""

from __future__ import annotations

from numerics.expression import Definitions
from proofs_check.boxes.forms import unfold, upright
from proofs_check.symbolic.deadline import TimeLimit, within
from proofs_check.symbolic.normal_form import is_zero
from theorems.language import Expr

SECONDS = 3.0
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
