r"""Theorem 2.2: reverse KL keeps the target.

The objective and its gradient are integrals of the distinguishability kappa between the target's
logit and the learner's; their bounds, convexity and rates follow from those of kappa.
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI, TAU
from theorems.reverse_kl.quantities import QUANTITIES


def _argument() -> Argument:
    from theorems.reverse_kl.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="reverse_kl",
    title="Reverse KL keeps the target",
    source="Theorem 2.2",
    statement=(
        "R = KL(q || p_alpha) has its only minimum at the target. At correct means dR/dphi is "
        "beta (1 - beta) times the integral of kappa from tau to phi; R is strictly convex in "
        "beta and lies below the Bernoulli divergence of the weights and below (phi - tau)^2/8; "
        "the flow and the descent of the weight reach the target exponentially fast."
    ),
    parameters=(PHI, TAU, DELTA),
    quantities=QUANTITIES,
    argument=_argument,
    section=2,
)
