"""Quantities that only proofs over boxes speak of: the suite's own, rescaled."""

from __future__ import annotations

from collections.abc import Mapping

from theorems.language import Argument, Expr, Parameter, Quantity, Theorem
from theorems.mixture import DELTA, PHI, TAU, delta, phi, tau
from theorems.overlap.quantities import E2, S, decay, eps_n
from theorems.reverse_kl.quantities import KL_reverse, W, kl_bernoulli


def _quantity(symbol: str, formula: Expr, text: str, *parameters: Parameter) -> Quantity:
    return Quantity(symbol, symbol, parameters, formula, formula, text, positive=True)


_gap = phi - tau
T = _quantity("T", delta * S.head, "delta S", PHI, DELTA)
D = _quantity("D", decay * S.head, "e^(-delta^2/8) S", PHI, DELTA)
Q = _quantity("Q", E2.head / eps_n.head, "E2/eps_n = 1/2 - S_phi/S", PHI, DELTA)
K = _quantity("K", W.formula / _gap, "mean of kappa between tau and phi", PHI, TAU, DELTA)
G = _quantity("G", KL_reverse.head / _gap**2, "R/(phi - tau)^2", PHI, TAU, DELTA)
H = _quantity(
    "H",
    (kl_bernoulli - KL_reverse.head) / _gap**2,
    "(KL(Bern beta || Bern alpha) - R)/(phi - tau)^2",
    PHI,
    TAU,
    DELTA,
)
QUANTITIES = (T, D, Q, W, K, G, H)


def extended(catalogue: Mapping[str, Theorem]) -> dict[str, Theorem]:
    """The catalogue, its language extended by these quantities."""
    vocabulary = Theorem(
        "boxes",
        "Auxiliary quantities of proofs over boxes",
        "ours",
        "",
        (PHI, TAU, DELTA),
        QUANTITIES,
        lambda: Argument((), ()),
    )
    return {**catalogue, vocabulary.name: vocabulary}
