r"""Part (d): what the impulses of all steps add up to: the distance that a step takes off pays for
its impulse."""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Combination, Link, Use, bound
from theorems.mixture import beta, delta, phi, tau
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.overlap.quantities import decay
from theorems.reverse_kl.flow import reach
from theorems.sdft.contraction import DEVIATING, DOMAIN, NEARER, deviation, furthest
from theorems.sdft.impulses import IMPULSE, IMPULSE_FORMULA, apart, lower, peak, size
from theorems.sdft.one_step import MAXIMUM, MIXED, SOURCE, lowest
from theorems.sdft.quantities import chi, impulse, nu, rho, step, student, target, teacher
from theorems.sdft.reach import CLOSE, TRIANGLE, WITHIN_REACH, least_share, spread_at_reach
from theorems.sdft.unanchored import GAP_SHRINKS, gap, gap_after

ABOVE = tuple(lowest <= logit for logit in (phi, chi, tau))
TARGET_ABOVE = bound(
    "sdft.d.target_above",
    "The teacher's target is above a lower bound of teacher and demonstrations.",
    lowest,
    "<=",
    target,
    (
        Link(
            "a mean of both",
            target,
            Combination(remainder=(1 - nu) * (chi - lowest) + nu * (tau - lowest)),
            "<=",
        ),
    ),
    where=(*ABOVE[1:], *MIXED),
    source=SOURCE,
)
_unit = step * delta * sp.exp(-lowest / 2) * decay
IMPULSE_ABOVE = bound(
    "sdft.d.impulse_above",
    "The impulse, where all logits are at least m: (3 sqrt(3)/16) h beta delta e^(-m/2) "
    "e^(-delta^2/8) |phi - tau_t| at most.",
    impulse.head,
    "<=",
    peak * beta * _unit * apart,
    (
        Link("slope of eps_o", peak * size * lower * apart, Combination((Use(IMPULSE),)), "<="),
        Link(
            "student and target are above m",
            peak * beta * _unit * apart,
            Cited("the exponential increases", (TARGET_ABOVE,)),
            "<=",
        ),
    ),
    where=(*ABOVE, *MIXED),
    source=SOURCE,
)
APART = bound(
    "sdft.d.apart",
    "Student and target are at most 2 D apart, if student and teacher are within D of tau.",
    apart,
    "<=",
    2 * deviation,
    (
        Link(
            "by way of tau",
            sp.Abs(phi - tau) + (1 - nu) * sp.Abs(chi - tau),
            Cited(TRIANGLE),
            "<=",
        ),
        Link(
            "the student is within D",
            deviation + (1 - nu) * sp.Abs(chi - tau),
            Combination(remainder=deviation - sp.Abs(phi - tau)),
            "<=",
        ),
        Link(
            "so is the teacher",
            2 * deviation,
            Combination(remainder=(1 - nu) * (deviation - sp.Abs(chi - tau)) + nu * deviation),
            "<=",
        ),
    ),
    where=(*DEVIATING, *MIXED),
    box=CLOSE,
    source=SOURCE,
)
_spare = 1 - 2 * peak * beta
IMPULSE_WITHIN = bound(
    "sdft.d.impulse_within",
    "The impulse is at most h delta e^(-m/2) e^(-delta^2/8) D, if all logits are at least m and "
    "student and teacher within D of tau.",
    impulse.head,
    "<=",
    _unit * deviation,
    (
        Link(
            "all logits are at least m",
            peak * beta * _unit * apart,
            Combination((Use(IMPULSE_ABOVE),)),
            "<=",
        ),
        Link(
            "3 sqrt(3)/8 < 1",
            _unit * deviation,
            Combination((Use(APART, times=peak * beta * _unit),), _spare * _unit * deviation),
            "<=",
        ),
    ),
    where=(*ABOVE, *DEVIATING, *MIXED),
    box=CLOSE,
    source=SOURCE,
)
IMPULSE_FURTHEST = bound(
    "sdft.d.impulse_furthest",
    "The impulse is at most h delta e^(-m/2) e^(-delta^2/8) times the larger distance of student "
    "and teacher from tau.",
    impulse.head,
    "<=",
    _unit * furthest(phi, chi),
    (
        Link(
            "D is the larger distance",
            _unit * furthest(phi, chi),
            Cited(MAXIMUM, (IMPULSE_WITHIN,)),
            "<=",
        ),
    ),
    where=(*ABOVE, *MIXED),
    source=SOURCE,
)
_rate = rho * nu * step * spread_at_reach
_room = _unit * furthest(phi, chi) - impulse.head
PAID = bound(
    "sdft.d.paid",
    "The larger distance of student and teacher from tau pays for the impulse: rho c nu times it "
    "is at most h delta e^(-m/2) e^(-delta^2/8) times what a step takes off that distance.",
    rho * least_share * nu * impulse.head,
    "<=",
    _unit * (furthest(phi, chi) - furthest(student.head, teacher.head)),
    (
        Link(
            "the impulse by the distance",
            rho * least_share * nu * _unit * furthest(phi, chi),
            Combination(
                (
                    Use(IMPULSE_FURTHEST, times=_rate * KAPPA_COUPLED.right.subs(phi, reach)),
                    Use(KAPPA_COUPLED, {phi: reach}, -_rate * _room),
                )
            ),
            "<=",
        ),
        Link(
            "the distance shrinks by 1 - rho c nu",
            _unit * (furthest(phi, chi) - furthest(student.head, teacher.head)),
            Combination((Use(NEARER, times=_unit),)),
            "<=",
        ),
    ),
    where=(*ABOVE, *WITHIN_REACH, *DOMAIN),
    box=CLOSE,
    source=SOURCE,
)
_without = {nu: sp.S.Zero}
_no_anchor = {nu: sp.S.Zero, tau: chi}
PAID_WITHOUT = bound(
    "sdft.d.paid_without_anchor",
    "Without an anchor their own distance |phi - chi| pays: rho times the impulse is at most "
    "h delta e^(-m/2) e^(-delta^2/8) times what a step takes off it, so the sum is finite too.",
    rho * impulse.head.subs(_without),
    "<=",
    _unit * (sp.Abs(gap) - sp.Abs(gap_after)),
    (
        Link(
            "the target is the teacher",
            rho * impulse.formula.subs(_without),
            Combination((Use(IMPULSE_FORMULA, _without, rho),)),
        ),
        Link(
            "both logits are at least m",
            rho * peak * beta * _unit * sp.Abs(gap),
            Combination(
                (
                    Use(IMPULSE_FORMULA, _no_anchor, -rho),
                    Use(IMPULSE_ABOVE, _no_anchor, rho),
                )
            ),
            "<=",
        ),
        Link(
            "3 sqrt(3)/16 < 1",
            rho * _unit * sp.Abs(gap),
            Combination(remainder=(1 - peak * beta) * rho * _unit * sp.Abs(gap)),
            "<=",
        ),
        Link(
            "the distance shrinks by 1 - rho",
            _unit * (sp.Abs(gap) - sp.Abs(gap_after)),
            Combination((Use(GAP_SHRINKS, times=_unit),)),
            "<=",
        ),
    ),
    where=(*ABOVE[:2], *GAP_SHRINKS.where),
    source="ours",
)

CLAIMS = (
    TARGET_ABOVE,
    IMPULSE_ABOVE,
    APART,
    IMPULSE_WITHIN,
    IMPULSE_FURTHEST,
    PAID,
    PAID_WITHOUT,
)
