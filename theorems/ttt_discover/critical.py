r"""Part (c), continued: the size of D_0, and the critical anchor."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Cited,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import delta, phi, tau
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_POSITIVE
from theorems.overlap.quantities import decay
from theorems.reverse_kl.bounds import (
    MONOTONE_INTEGRAL,
    W_PEAK,
    W_SEPARATED,
    overlap_factor,
)
from theorems.reverse_kl.quantities import W
from theorems.ttt_discover.concavity import pays_more
from theorems.ttt_discover.constant import FORMULA, FROM_HALF
from theorems.ttt_discover.quantities import (
    D_0,
    gamma_c,
    inverse_temperature,
    reference_logit,
    reward_new,
    reward_old,
    reward_share,
)

_minus = sp.S.NegativeOne
_from_half = {phi: reference_logit, tau: sp.S.Zero}
_excess = D_0.head - delta**2 / 2 - reference_logit

# D_0 against delta^2/2 + tau_0

AT_HALF = identity(
    "ttt_discover.c.at_half",
    "D_0 = delta^2/2 exactly where the reference has weight 1/2.",
    D_0(sp.S.Zero, delta),
    delta**2 / 2,
    (
        Link(
            "A(0) - A(0) = 0",
            delta**2 / 2,
            Combination((Use(FORMULA, {reference_logit: sp.S.Zero}),)),
        ),
    ),
    source="reconstructed",
)
_fall_short = 2 * overlap_factor * decay
EXCESS_BELOW = bound(
    "ttt_discover.c.excess_below",
    "D_0 - delta^2/2 - tau_0 has not the sign of tau_0.",
    reference_logit * _excess,
    "<=",
    sp.S.Zero,
    (
        Link(
            "kappa is below 1",
            sp.S.Zero,
            Combination(
                (
                    Use(W_PEAK, _from_half),
                    Use(KAPPA_BELOW_ONE, {phi: sp.S.Zero}, reference_logit**2),
                    Use(FROM_HALF, times=reference_logit),
                )
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
EXCESS_ABOVE = bound(
    "ttt_discover.c.excess_above",
    "tau_0 (D_0 - delta^2/2 - tau_0) >= "
    "-2 tau_0 sinh(tau_0/2) e^(-delta^2/8) min(1, sqrt(2 pi)/delta).",
    -_fall_short * reference_logit * sp.sinh(reference_logit / 2),
    "<=",
    reference_logit * _excess,
    (
        Link(
            "kappa is 1 less the overlap",
            reference_logit * _excess,
            Combination(
                (Use(W_SEPARATED, _from_half), Use(FROM_HALF, times=-reference_logit)),
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
EXCESS = bound(
    "ttt_discover.c.excess",
    "|D_0 - delta^2/2 - tau_0| <= 2 sinh(|tau_0|/2) e^(-delta^2/8) min(1, sqrt(2 pi)/delta).",
    sp.Abs(_excess),
    "<=",
    _fall_short * sp.sinh(sp.Abs(reference_logit) / 2),
    (
        Link(
            "divide by |tau_0|; both sides are 0 at tau_0 = 0",
            _fall_short * sp.sinh(sp.Abs(reference_logit) / 2),
            Cited(
                "a number between -x and 0, or between 0 and x, is at most |x| in size",
                (EXCESS_BELOW, EXCESS_ABOVE, AT_HALF),
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
_floor = delta**2 / 2 + sp.Min(0, reference_logit)
FLOOR = bound(
    "ttt_discover.c.floor",
    "D_0 >= delta^2/2 + min(0, tau_0).",
    _floor,
    "<=",
    D_0.head,
    (
        Link(
            "kappa lies in (0, 1): integrate between 0 and tau_0",
            delta**2 / 2 + W(reference_logit, sp.S.Zero, delta),
            Cited(MONOTONE_INTEGRAL, (KAPPA_POSITIVE, KAPPA_BELOW_ONE)),
            "<=",
        ),
        Link("it is D_0", D_0.head, Combination((Use(FROM_HALF, times=_minus),))),
    ),
    source="ours",
)

# the critical anchor

CRITICAL = identity(
    "ttt_discover.c.critical",
    "gamma_c = (1 - A_o/A_n)/(b D_0).",
    gamma_c.head,
    gamma_c.formula,
    by_algebra("definition of D_0", gamma_c.formula, gamma_c, D_0),
    source="reconstructed",
)
CRITICAL_AT_HALF = identity(
    "ttt_discover.c.critical_at_half",
    "gamma_c = 2 (1 - A_o/A_n)/(b delta^2) where the reference has weight 1/2.",
    gamma_c.head.subs(reference_logit, 0),
    2 * reward_share / (inverse_temperature * delta**2),
    (
        Link(
            "definition of D_0",
            gamma_c.formula.subs(reference_logit, 0),
            Combination((Use(CRITICAL, {reference_logit: sp.S.Zero}),)),
        ),
        Link(
            "D_0 = delta^2/2",
            2 * reward_share / (inverse_temperature * delta**2),
            Combination(
                (
                    Use(
                        AT_HALF,
                        times=-2
                        * reward_share
                        / (inverse_temperature * delta**2 * D_0(sp.S.Zero, delta)),
                    ),
                )
            ),
        ),
    ),
    source="reconstructed",
)
_per_share = inverse_temperature * reward_new / (reward_new - reward_old)
CRITICAL_VANISHES = bound(
    "ttt_discover.c.critical_vanishes",
    "1/gamma_c >= b (delta^2/2 + min(0, tau_0))/(1 - A_o/A_n): gamma_c -> 0 as the modes part.",
    _per_share * _floor,
    "<=",
    1 / gamma_c.head,
    (
        Link(
            "the floor of D_0",
            _per_share * D_0.head,
            Combination((Use(FLOOR, times=_per_share),)),
            "<=",
        ),
        Link(
            "it is 1/gamma_c",
            1 / gamma_c.head,
            Combination((Use(CRITICAL, times=1 / (gamma_c.head * gamma_c.formula)),)),
        ),
    ),
    kind="limit",
    where=pays_more,
    source="reconstructed",
)

CLAIMS = (
    AT_HALF,
    EXCESS_BELOW,
    EXCESS_ABOVE,
    EXCESS,
    FLOOR,
    CRITICAL,
    CRITICAL_AT_HALF,
    CRITICAL_VANISHES,
)
