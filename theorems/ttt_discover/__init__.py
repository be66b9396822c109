r"""TTT-Discover: the entropic objective keeps the old mode only under an anchor strong enough.

The objective's slope at \beta = 0 is (\gamma - \gamma_c) D_0: the critical anchor \gamma_c decides.
The claims stand in the rooms beside this file: concavity (a), (b); collapse (c); optimum (d), (e);
drift (f).
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI
from theorems.ttt_discover.quantities import (
    ANCHOR,
    GAP,
    INVERSE_TEMPERATURE,
    QUANTITIES,
    REFERENCE_LOGIT,
    REWARD_NEW,
    REWARD_OLD,
)


def _argument() -> Argument:
    from theorems.ttt_discover.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="ttt_discover",
    title="TTT-Discover: an entropic objective with a KL anchor",
    source="reconstructed",
    statement=(
        "J = (1/b) log(beta A_o + (1 - beta) A_n) - gamma KL(q || q_ref), 0 < A_o < A_n, is "
        "strictly concave in beta. Without the anchor the old mass is lost. With it the mass is "
        "lost exactly for gamma up to gamma_c = (1 - A_o/A_n)/(b D_0), where "
        "D_0 = delta^2/2 + the integral of kappa from 0 to the reference's logit; beyond, one "
        "interior optimum balances reward and anchor. The drift of a correct old mean is of the "
        "order e^(-delta^2/8)."
    ),
    parameters=(
        PHI,
        REFERENCE_LOGIT,
        DELTA,
        INVERSE_TEMPERATURE,
        REWARD_OLD,
        REWARD_NEW,
        ANCHOR,
        GAP,
    ),
    quantities=QUANTITIES,
    argument=_argument,
    section=8,
)
