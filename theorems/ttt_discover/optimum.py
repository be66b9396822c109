r"""Parts (d), (e): the interior optimum, and how far from the reference it lies.

The optimum is given by its logit phi and its distance x = tau_0 - phi from the reference's; the
anchor strength that puts it there is then explicit. The rewards are A_n = A_o e^{bG}.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Cited,
    Combination,
    Link,
    Use,
    bound,
    identity,
)
from theorems.mixture import alpha, beta, delta, phi, tau
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_COUPLED
from theorems.reverse_kl.bounds import (
    W_PEAK,
)
from theorems.reverse_kl.gradient import GRADIENT as REVERSE_GRADIENT
from theorems.reverse_kl.gradient import W_FORMULA
from theorems.reverse_kl.quantities import W, spread
from theorems.ttt_discover.concavity import GRADIENT, TANGENT
from theorems.ttt_discover.quantities import (
    J,
    anchor,
    ascent,
    distance,
    dJ,
    gap,
    inverse_temperature,
    payoff,
    reference_logit,
    reward_new,
    reward_old,
)
from theorems.ttt_discover.threshold import by_gap

_minus = sp.S.NegativeOne
_entropic = (reward_new - reward_old) / (inverse_temperature * payoff)
odds = sp.exp(inverse_temperature * gap)  # A_n/A_o

# (d) reward and anchor in balance

BALANCE = identity(
    "ttt_discover.d.balance",
    "dJ/dphi = beta (1 - beta)(gamma times the integral of kappa from phi to tau_0 "
    "- (A_n - A_o)/(b (beta A_o + (1 - beta) A_n))): at the optimum both are equal.",
    dJ.head,
    spread * (anchor * W(reference_logit, phi, delta) - _entropic),
    (
        Link("differentiate", dJ.formula, Combination((Use(GRADIENT),))),
        Link(
            "accumulate kappa",
            -spread * (_entropic + anchor * W(phi, reference_logit, delta)),
            Combination((Use(REVERSE_GRADIENT, {tau: reference_logit}, -anchor),)),
        ),
        Link(
            "from the learner to the reference",
            spread * (anchor * W(reference_logit, phi, delta) - _entropic),
            Combination(
                (
                    Use(W_FORMULA, {tau: reference_logit}, -anchor * spread),
                    Use(W_FORMULA, {phi: reference_logit, tau: phi}, -anchor * spread),
                )
            ),
        ),
    ),
    source="reconstructed",
)
ASCENT = identity(
    "ttt_discover.d.ascent",
    "In its positive form the integral of kappa from phi to phi + x is the same.",
    ascent.head,
    ascent.formula,
    (
        Link(
            "kappa without cancellation under the integral",
            ascent.formula,
            Cited("equal integrands have equal integrals", (KAPPA_COUPLED,)),
        ),
    ),
    source="ours",
)
_strength = (odds - 1) / (inverse_temperature * (beta + (1 - beta) * odds) * ascent.head)
_optimal = {**by_gap, reference_logit: phi + distance, anchor: _strength}
STATIONARY = identity(
    "ttt_discover.d.stationary",
    "The slope vanishes at phi where gamma is (A_n - A_o)/(b (beta A_o + (1 - beta) A_n)) over the "
    "integral of kappa from phi to the reference's logit.",
    dJ.head.subs(_optimal, simultaneous=True),
    sp.S.Zero,
    (
        Link(
            "reward and anchor",
            BALANCE.right.subs(_optimal, simultaneous=True),
            Combination((Use(BALANCE, _optimal),)),
        ),
        Link(
            "in balance",
            sp.S.Zero,
            Combination((Use(ASCENT, times=-_strength * spread),)),
        ),
    ),
    source="reconstructed",
)
MAXIMISER = bound(
    "ttt_discover.d.maximiser",
    "It is the only maximiser at this gamma.",
    TANGENT.left.subs(_optimal, simultaneous=True),
    "<",
    J.head.subs(_optimal, simultaneous=True),
    (
        Link(
            "below the tangent, which is level",
            J.head.subs(_optimal, simultaneous=True),
            Combination(
                (
                    Use(TANGENT, _optimal),
                    Use(STATIONARY, times=(alpha - beta) / spread),
                )
            ),
            "<",
        ),
    ),
    kind="minimiser",
    where=(sp.Ne(phi, tau),),
    source="reconstructed",
)

# (e) where it lies

_near = (1 - 1 / odds) / (inverse_temperature * anchor)
_far = (odds - 1) / (inverse_temperature * anchor)
at_near, at_far = reference_logit - _near, reference_logit - _far
UPPER = bound(
    "ttt_discover.e.upper",
    "With the gap G, A_n/A_o = e^(b G), the slope is negative at tau_0 - (1 - e^(-b G))/(b gamma): "
    "the maximiser lies below, at every delta.",
    dJ.head.subs({**by_gap, phi: at_near}),
    "<",
    sp.S.Zero,
    (
        Link(
            "reward and anchor",
            BALANCE.right.subs({**by_gap, phi: at_near}),
            Combination((Use(BALANCE, {**by_gap, phi: at_near}),)),
        ),
        Link(
            "kappa is below 1",
            spread.subs(phi, at_near) * anchor * _near
            - (spread * _entropic).subs({**by_gap, phi: at_near}),
            Combination(
                (
                    Use(
                        W_PEAK,
                        {phi: reference_logit, tau: at_near},
                        spread.subs(phi, at_near) * anchor / _near,
                    ),
                    Use(
                        KAPPA_BELOW_ONE,
                        {phi: sp.S.Zero},
                        spread.subs(phi, at_near) * anchor * _near,
                    ),
                )
            ),
            "<",
        ),
        Link(
            "the mixture pays less than the new mode",
            sp.S.Zero,
            Combination(
                remainder=(
                    spread
                    * beta
                    * (odds - 1) ** 2
                    / (inverse_temperature * odds * (beta + (1 - beta) * odds))
                ).subs(phi, at_near)
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)

CLAIMS = (BALANCE, ASCENT, STATIONARY, MAXIMISER, UPPER)
