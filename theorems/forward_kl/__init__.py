"""Theorem 2.1: forward KL on new data only loses the old mass."""

from __future__ import annotations

from theorems.forward_kl.quantities import KL_forward, dKL_forward, grad_old_forward
from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI


def _argument() -> Argument:
    from theorems.forward_kl.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="forward_kl",
    title="Forward KL on new data only loses the old mass",
    source="Theorem 2.1",
    statement=(
        "F(phi) = KL(p_n || q_phi) is strictly increasing and strictly convex in beta with F = "
        "0 at beta = 0; dF/dphi = beta kappa(phi, delta) > 0, so its gradient flow takes beta "
        "to 0: like 1/t while the modes are told apart, then like (2 (e^(delta^2) - 1) "
        "t)^(-1/2). With means trainable, descent pulls the old mean towards the new mode and "
        "no component is left at mu_o."
    ),
    parameters=(PHI, DELTA),
    quantities=(KL_forward, dKL_forward, grad_old_forward),
    argument=_argument,
    section=1,
)
