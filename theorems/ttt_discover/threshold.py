r"""Part (c), the threshold: up to \gamma_c the maximiser is 0, beyond it is positive.

The rewards are A_n = A_o e^{bG}, and the anchor is a multiple of the critical one.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    identity,
)
from theorems.mixture import phi
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.reverse_kl.gradient import CALCULUS
from theorems.reverse_kl.quantities import spread
from theorems.ttt_discover.collapse import (
    SLOPE_ABOVE,
    SLOPE_BELOW,
    chi_squared,
    margin,
    reward_rest,
)
from theorems.ttt_discover.constant import BETWEEN, POSITIVE, VANISHES
from theorems.ttt_discover.critical import CRITICAL
from theorems.ttt_discover.quantities import (
    D_0,
    D_accumulated,
    anchor,
    dJ,
    gamma_c,
    gap,
    inverse_temperature,
    reward_new,
    reward_old,
)

ratio = sp.Symbol("anchor_ratio", positive=True)
RATIO = Parameter(
    "anchor_ratio",
    ratio,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 2), sp.Integer(2)),
    "anchor strength in units of the critical one, gamma/gamma_c",
)
by_gap = {reward_new: reward_old * sp.exp(inverse_temperature * gap)}
_share_by_gap = 1 - sp.exp(-inverse_temperature * gap)
_critical = _share_by_gap / (inverse_temperature * D_accumulated.head)
_scaled = {**by_gap, anchor: ratio * _critical}
ACCUMULATED = identity(
    "ttt_discover.c.accumulated",
    "D_0 is the integral of kappa from minus infinity to tau_0.",
    D_accumulated.head,
    D_accumulated.formula,
    (
        Link(
            "D_0 grows by the integral of kappa, and vanishes at minus infinity",
            D_accumulated.formula,
            Cited(CALCULUS, (KAPPA_COUPLED, BETWEEN, POSITIVE, VANISHES)),
        ),
    ),
    source="reconstructed",
)
CRITICAL_BY_GAP = identity(
    "ttt_discover.c.critical_by_gap",
    "At A_n = A_o e^(b G) the critical anchor is (1 - e^(-b G))/(b D_0).",
    gamma_c.head.subs(by_gap),
    _critical,
    (
        Link(
            "critical anchor",
            gamma_c.formula.subs(by_gap),
            Combination((Use(CRITICAL, by_gap),)),
        ),
        Link(
            "accumulated",
            _critical,
            Combination(
                (
                    Use(
                        ACCUMULATED,
                        times=_critical / D_0.head,
                    ),
                )
            ),
        ),
    ),
    source="reconstructed",
)
_share_per_b = _share_by_gap / inverse_temperature
_margin_by_gap = (ratio - 1) * _share_per_b
MARGIN = identity(
    "ttt_discover.c.margin",
    "(gamma - gamma_c) D_0 = (gamma/gamma_c - 1)(1 - e^(-b G))/b at A_n = A_o e^(b G).",
    margin.subs(_scaled),
    _margin_by_gap,
    (
        Link(
            "critical anchor",
            (ratio - 1) * _critical * D_0.head,
            Combination((Use(CRITICAL_BY_GAP, times=-D_0.head),)),
        ),
        Link(
            "D_0 accumulated",
            _margin_by_gap,
            Combination((Use(ACCUMULATED, times=-(ratio - 1) * _critical),)),
        ),
    ),
    source="reconstructed",
)


def _substituted(logit: Expr) -> tuple[Expr, Link]:
    """dJ at this logit where gamma is the ratio times gamma_c, and gamma_c written out there."""
    rewards = {**by_gap, phi: logit}
    head = dJ.head.subs({**rewards, anchor: ratio * gamma_c.head.subs(by_gap)})
    written = dJ.head.subs({**rewards, anchor: ratio * _critical})
    reason = Cited("equals may be put for equals", (CRITICAL_BY_GAP,))
    return head, Link("the critical anchor", written, reason)


_lost, _lost_written = _substituted(phi)
LOST = bound(
    "ttt_discover.c.lost",
    "For gamma up to gamma_c J falls strictly in beta everywhere: the maximiser is 0.",
    _lost,
    "<",
    sp.S.Zero,
    (
        _lost_written,
        Link(
            "the slope is below the margin",
            spread * margin.subs(_scaled),
            Combination((Use(SLOPE_BELOW, _scaled, spread),)),
            "<",
        ),
        Link(
            "which is not positive",
            sp.S.Zero,
            Combination((Use(MARGIN, times=spread),), (1 - ratio) * spread * _share_per_b),
            "<=",
        ),
    ),
    where=(ratio <= 1,),
    source="reconstructed",
)
_steepest = (2 * anchor * chi_squared + reward_rest).subs(_scaled)
_near = sp.log((ratio - 1) * _share_per_b / (2 * _steepest))
_kept, _kept_written = _substituted(_near)
_spread_near = spread.subs(phi, _near)
KEPT = bound(
    "ttt_discover.c.kept",
    "For gamma above gamma_c J rises in beta at odds of (gamma - gamma_c) D_0/(2 K), "
    "K = 2 gamma (e^(delta^2) - 1) + (1 - A_o/A_n)^2/b: the maximiser is positive.",
    sp.S.Zero,
    "<",
    _kept,
    (
        Link(
            "half the margin is left",
            _spread_near * (ratio - 1) * _share_per_b / 2,
            Combination(remainder=(ratio - 1) * _share_per_b * _spread_near / 2),
            "<",
        ),
        Link(
            "the slope tends to the margin",
            _kept_written.to,
            Combination(
                (
                    Use(SLOPE_ABOVE, {**_scaled, phi: _near}, _spread_near),
                    Use(MARGIN, times=-_spread_near),
                )
            ),
            "<=",
        ),
        Link("the critical anchor", _kept, _kept_written.by),
    ),
    where=(ratio > 1,),
    source="ours",
)
_MILLIONTH = sp.Rational(1, 10**6)


def _just(slug: str, text: str, claim: Claim, at: Expr) -> Claim:
    """The claim at one ratio of the anchor to the critical one."""
    left, right = (side.subs(ratio, at) for side in (claim.left, claim.right))
    link = Link("at this anchor", right, Combination((Use(claim, {ratio: at}),)), "<")
    return bound(f"ttt_discover.c.{slug}", text, left, "<", right, (link,), source="ours")


JUST_BELOW = _just(
    "just_below",
    "At gamma = gamma_c (1 - 10^-6) the maximiser is 0.",
    LOST,
    1 - _MILLIONTH,
)
JUST_ABOVE = _just(
    "just_above",
    "At gamma = gamma_c (1 + 10^-6) the maximiser is positive.",
    KEPT,
    1 + _MILLIONTH,
)

CLAIMS = (
    ACCUMULATED,
    CRITICAL_BY_GAP,
    MARGIN,
    LOST,
    KEPT,
    JUST_BELOW,
    JUST_ABOVE,
)
