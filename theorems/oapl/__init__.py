r"""OAPL: regression on a frozen reference shifts weights and creates none.

The claims stand in the rooms beside this file: realisable rewards (a); shift and support (b);
drift (c), (d).
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI, TAU
from theorems.oapl.quantities import OFFSET, QUANTITIES, TEMPERATURE
from theorems.ttt_discover.quantities import GAP, REFERENCE_LOGIT


def _argument() -> Argument:
    from theorems.oapl.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="oapl",
    title="OAPL: regression on a frozen reference",
    source="reconstructed",
    statement=(
        "For a realisable reward v = T log(q_beta*/q_ref) + k the loss "
        "E_ref[(T log(q/q_ref) - (v - V*))^2] vanishes exactly at beta*, and the weight's logit "
        "moves by the difference of the reward's mode limits over T. A reward of oscillation "
        "Omega multiplies the reference by at most e^(Omega/T): a mode it has lost is not created. "
        "The gradient in the old mean is of the order e^(-delta^2/8)."
    ),
    parameters=(PHI, REFERENCE_LOGIT, TAU, DELTA, TEMPERATURE, OFFSET, GAP),
    quantities=QUANTITIES,
    argument=_argument,
    section=9,
)
