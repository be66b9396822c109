"""Theorem 2.3: a correct old mean drifts only by misassignment."""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, NEW_MEAN_ACROSS, NEW_MEAN_ALONG, PHI, TAU
from theorems.old_drift.plane import drift_new, drift_old, eps_p, eps_q, leak_p, leak_q


def _argument() -> Argument:
    from theorems.old_drift.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="old_drift",
    title="A correct old mean drifts only by misassignment",
    source="Theorem 2.3",
    statement=(
        "Let m_o = mu_o and m_n be free. The gradient of the reverse KL in the old mean "
        "consists of misassignment alone: beta(eps_q (m_n - mu_o) - eps_p (mu_n - mu_o)), "
        "whitened, which is exponentially small in the squared distances of m_n and mu_n from "
        "mu_o."
    ),
    parameters=(PHI, TAU, DELTA, NEW_MEAN_ALONG, NEW_MEAN_ACROSS),
    quantities=(eps_q, eps_p, leak_p, leak_q, drift_old, drift_new),
    argument=_argument,
    section=3,
)
