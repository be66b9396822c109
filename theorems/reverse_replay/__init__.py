r"""Replay under reverse KL: the same objective, and batches that see the old mode.

The rooms: weights (a), (b); moments (b); batches (c); leakage (d); self_normalised (e).
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI, TAU
from theorems.reverse_replay.quantities import BATCH, QUANTITIES, RADIUS, REPLAY


def _argument() -> Argument:
    from theorems.reverse_replay.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="reverse_replay",
    title="Replay under reverse KL",
    source="reconstructed",
    statement=(
        "Draws from b = (1 - lambda) q + lambda p_o with weights omega = q/b leave the objective "
        "of reverse KL and its minimiser unchanged. The weights lie between "
        "beta/(lambda + (1 - lambda) beta) and 1/(1 - lambda), so second moments grow by at most "
        "1/(1 - lambda). A batch of N draws misses the old mode with probability "
        "((1 - lambda)(1 - beta))^N <= e^(-lambda N), and a batch that misses it sees the old mean "
        "by leakage of order e^(-delta^2/8) only. Weights divided by their sum are biased for "
        "what follows the old responsibility."
    ),
    parameters=(PHI, TAU, DELTA, REPLAY, BATCH, RADIUS),
    quantities=QUANTITIES,
    argument=_argument,
    section=6,
)
