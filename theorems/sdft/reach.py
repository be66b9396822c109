r"""Part (b): the part of the way to its target that a step goes at least, within a reach.

The reach B bounds the size of all three logits; c = h \sigma(B)\sigma(-B)\kappa(B, \delta).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Combination, Link, Use, bound
from theorems.mixture import PHI, delta, phi, tau
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.bounds import MONOTONE_INTEGRAL
from theorems.reverse_kl.flow import KAPPA_AT_REACH, REACH, SPREAD_AT_REACH, reach
from theorems.reverse_kl.quantities import spread
from theorems.sdft.one_step import MIXED, SOURCE, share_to_target
from theorems.sdft.quantities import TEACHER_LOGIT, chi, mean_kappa, nu, step, target

TRIANGLE = "triangle inequality"
CLOSE = {
    PHI: (sp.Integer(-2), sp.Integer(2)),
    TEACHER_LOGIT: (sp.Integer(-2), sp.Integer(2)),
    REACH: (sp.Integer(2), sp.Integer(6)),
}
WITHIN_REACH = tuple(sp.Abs(logit) <= reach for logit in (phi, chi, tau))

TARGET_WITHIN = bound(
    "sdft.b.target_within_reach",
    "The teacher's target is within the reach of teacher and demonstrations.",
    sp.Abs(target),
    "<=",
    reach,
    (
        Link(
            "a mean of both",
            (1 - nu) * sp.Abs(chi) + nu * sp.Abs(tau),
            Cited(TRIANGLE),
            "<=",
        ),
        Link(
            "both are within",
            reach,
            Combination(remainder=(1 - nu) * (reach - sp.Abs(chi)) + nu * (reach - sp.Abs(tau))),
            "<=",
        ),
    ),
    where=(*WITHIN_REACH[1:], *MIXED),
    box=CLOSE,
    source=SOURCE,
)
kappa_at_reach = kappa(reach, delta)
mean_to_target = mean_kappa(phi, target, delta)
MEAN_AT_REACH = bound(
    "sdft.b.mean_kappa_at_reach",
    "The mean of kappa between student and target is at least kappa at the reach.",
    kappa_at_reach,
    "<=",
    mean_to_target,
    (
        Link(
            "integrate between student and target",
            mean_to_target,
            Cited(MONOTONE_INTEGRAL, (KAPPA_AT_REACH, TARGET_WITHIN)),
            "<=",
        ),
    ),
    where=(*WITHIN_REACH, *MIXED),
    box=CLOSE,
    source=SOURCE,
)
spread_at_reach = spread.subs(phi, reach)
least_share = step * spread_at_reach * kappa_at_reach  # c
LEAST_SHARE = bound(
    "sdft.b.least_share",
    "A step goes at least the part c = h sigma(B) sigma(-B) kappa(B) of the way to the target.",
    least_share,
    "<=",
    share_to_target,
    (
        Link(
            "beta (1 - beta) at the reach",
            step * spread * kappa_at_reach,
            Combination(
                (
                    Use(SPREAD_AT_REACH, times=step * KAPPA_COUPLED.right.subs(phi, reach)),
                    Use(KAPPA_COUPLED, {phi: reach}, step * (spread_at_reach - spread)),
                )
            ),
            "<=",
        ),
        Link(
            "kappa at the reach",
            share_to_target,
            Combination((Use(MEAN_AT_REACH, times=step * spread),)),
            "<=",
        ),
    ),
    where=MEAN_AT_REACH.where,
    box=CLOSE,
    source=SOURCE,
)

CLAIMS = (TARGET_WITHIN, MEAN_AT_REACH, LEAST_SHARE)
