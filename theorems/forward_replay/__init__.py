r"""Replay under forward KL: a floor of old mass in the denominator, a target in the numerator.

The rooms: denominator and speed (a), numerator (b), means (c).
"""

from __future__ import annotations

from theorems.forward_replay.quantities import QUANTITIES, REPLAY
from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI


def _argument() -> Argument:
    from theorems.forward_replay.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="forward_replay",
    title="Replay under forward KL",
    source="reconstructed",
    statement=(
        "Replay in the denominator, KL(p_n || (1 - lambda) q + lambda p_o), only imposes a floor: "
        "with the effective weight b = lambda + (1 - lambda) beta the gradient is "
        "beta kappa(logit b, delta) > 0, beta falls to 0 like 1/(kappa(logit lambda, delta) t), "
        "in the end faster than without replay. Replay in the numerator, "
        "KL((1 - lambda) p_n + lambda p_o || q), has its only minimum at beta = lambda: the "
        "gradient is (beta - lambda) kappa(phi, delta), and there the old mean rests too."
    ),
    parameters=(PHI, DELTA, REPLAY),
    quantities=QUANTITIES,
    argument=_argument,
    section=5,
)
