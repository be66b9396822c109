r"""Parts (a), (b): without the anchor the objective falls in beta; it is strictly concave."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Given,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import alpha, beta, delta, phi, tau
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.reverse_kl.gradient import CURVATURE
from theorems.reverse_kl.quantities import KL_reverse, curvature_reverse, dKL_reverse, spread
from theorems.ttt_discover.quantities import (
    J,
    anchor,
    curvature_J,
    dJ,
    inverse_temperature,
    payoff,
    reference_logit,
    reward_new,
    reward_old,
    reward_share,
)

pays_more = (reward_old < reward_new,)
_free = {anchor: sp.S.Zero}
at_reference = {tau: reference_logit}
unanchored_end = sp.log(reward_new) / inverse_temperature  # J at beta = 0, gamma = 0
_per_b = 1 / inverse_temperature
_entropic_slope = -spread * (reward_new - reward_old) / (inverse_temperature * payoff)
_entropic_curvature = -((reward_new - reward_old) ** 2) / (inverse_temperature * payoff**2)


# (a) without the anchor

PAYS_MORE = bound(
    "ttt_discover.a.pays_more",
    "The new mode pays more: A_o < A_n.",
    reward_old,
    "<",
    reward_new,
    (Link("given", reward_new, Given(), "<"),),
    where=pays_more,
    source="reconstructed",
)
OBJECTIVE_FORMULA = identity(
    "ttt_discover.a.objective",
    "The anchor is the reverse KL divergence from the reference.",
    J.head,
    J.formula,
    by_algebra("the same integral", J.formula, J, KL_reverse),
    source="reconstructed",
)
GRADIENT = identity(
    "ttt_discover.a.gradient",
    "dJ/dphi = -beta (1 - beta)(A_n - A_o)/(b (beta A_o + (1 - beta) A_n)) - gamma dR/dphi, with R "
    "the reverse KL from the reference.",
    dJ.head,
    dJ.formula,
    by_algebra("differentiate", dJ.formula, dJ, dKL_reverse),
    source="reconstructed",
)
UNANCHORED = bound(
    "ttt_discover.a.decreasing",
    "Without the anchor (gamma = 0) J decreases strictly in beta.",
    dJ.head.subs(_free),
    "<",
    sp.S.Zero,
    (
        Link("differentiate", _entropic_slope, Algebra((dJ,))),
        Link(
            "the new mode pays more",
            sp.S.Zero,
            Combination((Use(PAYS_MORE, times=spread / (inverse_temperature * payoff)),)),
            "<",
        ),
    ),
    kind="monotone",
    where=pays_more,
    source="reconstructed",
)
EXP_TANGENT = bound(
    "ttt_discover.a.exp_tangent",
    "1 + x <= e^x, here at x = phi.",
    phi,
    "<=",
    sp.exp(phi) - 1,
    (
        Link(
            "the tangent at 0",
            sp.exp(phi) - 1,
            Combination(remainder=sp.exp(phi) - 1 - phi),
            "<=",
        ),
    ),
    source="reconstructed",
)
UNANCHORED_LOST = bound(
    "ttt_discover.a.lost",
    "Without the anchor J stays below log(A_n)/b, its value at beta = 0: the maximiser is 0.",
    J.head.subs(_free),
    "<",
    unanchored_end,
    (
        Link(
            "the entropic term alone",
            unanchored_end + sp.log(payoff / reward_new) / inverse_temperature,
            Algebra((J,)),
        ),
        Link(
            "log x <= x - 1",
            unanchored_end - beta * reward_share / inverse_temperature,
            Combination((Use(EXP_TANGENT, {phi: sp.log(payoff / reward_new)}, _per_b),)),
            "<=",
        ),
        Link(
            "the new mode pays more",
            unanchored_end,
            Combination((Use(PAYS_MORE, times=beta / (inverse_temperature * reward_new)),)),
            "<",
        ),
    ),
    kind="minimiser",
    where=pays_more,
    source="reconstructed",
)
UNANCHORED_LIMIT = bound(
    "ttt_discover.a.limit",
    "Without the anchor J comes as close as beta (A_n - A_o)/(b A_o) to its value at beta = 0.",
    unanchored_end - beta * (reward_new - reward_old) / (inverse_temperature * reward_old),
    "<=",
    J.head.subs(_free),
    (
        Link(
            "the new mode pays more than the mixture, which pays more than the old mode",
            unanchored_end - (reward_new / payoff - 1) / inverse_temperature,
            Combination(
                remainder=beta
                * (1 - beta)
                * (reward_new - reward_old) ** 2
                / (inverse_temperature * reward_old * payoff)
            ),
            "<=",
        ),
        Link(
            "log x <= x - 1",
            unanchored_end + sp.log(payoff / reward_new) / inverse_temperature,
            Combination((Use(EXP_TANGENT, {phi: sp.log(reward_new / payoff)}, _per_b),)),
            "<=",
        ),
        Link("the entropic term alone", J.head.subs(_free), Algebra((J,))),
    ),
    kind="limit",
    source="ours",
)

# (b) concavity

CURVATURE_FORMULA = identity(
    "ttt_discover.b.curvature",
    "The second derivative of J in beta is -(A_n - A_o)^2/(b (beta A_o + (1 - beta) A_n)^2) "
    "- gamma kappa/(beta (1 - beta)).",
    curvature_J.head,
    curvature_J.formula,
    (
        Link(
            "differentiate twice",
            _entropic_curvature - anchor * curvature_reverse(phi, reference_logit, delta),
            Algebra((curvature_J, curvature_reverse)),
        ),
        Link(
            "curvature of the reverse KL",
            curvature_J.formula,
            Combination((Use(CURVATURE, at_reference, -anchor),)),
        ),
    ),
    source="reconstructed",
)
CONCAVE = bound(
    "ttt_discover.b.concave",
    "J is strictly concave in beta.",
    curvature_J.head,
    "<",
    sp.S.Zero,
    (
        Link("its curvature", curvature_J.formula, Combination((Use(CURVATURE_FORMULA),))),
        Link(
            "kappa is positive",
            sp.S.Zero,
            Combination((Use(KAPPA_POSITIVE, times=anchor / spread),), -_entropic_curvature),
            "<",
        ),
    ),
    kind="convex",
    source="reconstructed",
)
TANGENT = bound(
    "ttt_discover.b.tangent",
    "J lies strictly below its tangents in beta, here that at phi, so that a point of slope 0 is "
    "the only maximiser.",
    J.head.subs(phi, tau),
    "<",
    J.head + (alpha - beta) * dJ.head / spread,
    (
        Link(
            "the slope in beta falls strictly",
            J.head + (alpha - beta) * dJ.head / spread,
            Cited("a strictly concave function lies below its tangents", (CONCAVE,)),
            "<",
        ),
    ),
    kind="minimiser",
    where=(sp.Ne(phi, tau),),
    source="reconstructed",
)

CLAIMS = (
    OBJECTIVE_FORMULA,
    GRADIENT,
    UNANCHORED,
    UNANCHORED_LOST,
    UNANCHORED_LIMIT,
    CURVATURE_FORMULA,
    CONCAVE,
    TANGENT,
)
