r"""Theorem 2.2(e): flow and descent of the weight alone reach the target at a rate."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.flow import START, start, time
from theorems.language import Cited, Combination, Expr, Link, Parameter, Path, Process, Use, bound
from theorems.mixture import PHI, delta, phi, tau
from theorems.overlap.distinguishability import COSH_ORDER, KAPPA_DECREASING
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.overlap.quantities import decay, kappa
from theorems.reverse_kl.bounds import (
    GRADIENT_QUARTER,
    GRADIENT_SEPARATED,
    GRADIENT_SIGN,
    MONOTONE_INTEGRAL,
    gap,
    overlap_factor,
    push,
)
from theorems.reverse_kl.gradient import GRADIENT
from theorems.reverse_kl.quantities import W, dKL_reverse, spread

reach = sp.Symbol("reach", nonnegative=True)
step = sp.Symbol("step", positive=True)
REACH = Parameter(
    "reach",
    reach,
    sp.Interval(0, sp.oo),
    (sp.Rational(1, 2), sp.Integer(6)),
    "a bound of |phi| and |tau|",
)
STEP = Parameter(
    "step",
    step,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 4), sp.Integer(8)),
    "step size of gradient descent in phi",
)
_within = (sp.Abs(phi) <= reach, sp.Abs(tau) <= reach)

# the rate within |phi|, |tau| <= reach

_spread_at_reach = spread.subs(phi, reach)
SPREAD_AT_REACH = bound(
    "reverse_kl.e.spread_at_reach",
    "beta (1 - beta) is at least its value at a larger |logit|.",
    _spread_at_reach,
    "<=",
    spread,
    (
        Link(
            "beta (1 - beta) = 1/(2 (1 + cosh(phi))), and cosh grows with |phi|",
            spread,
            Combination(
                (
                    Use(
                        COSH_ORDER,
                        {phi: reach, tau: phi},
                        1 / (2 * (1 + sp.cosh(phi)) * (1 + sp.cosh(reach))),
                    ),
                )
            ),
            "<=",
        ),
    ),
    where=_within[:1],
    source="reconstructed",
)
_kappa_at_reach = kappa(reach, delta)
KAPPA_AT_REACH = bound(
    "reverse_kl.e.kappa_at_reach",
    "kappa is at least its value at a larger |logit|.",
    _kappa_at_reach,
    "<=",
    kappa.head,
    (
        Link(
            "kappa falls",
            kappa.head,
            Combination((Use(KAPPA_DECREASING, {phi: reach, tau: phi}),)),
            "<=",
        ),
    ),
    where=_within[:1],
    source="reconstructed",
)
W_AT_REACH = bound(
    "reverse_kl.e.accumulated_at_reach",
    "The mean of kappa between tau and phi is at least kappa at the larger |logit|.",
    _kappa_at_reach * gap**2,
    "<=",
    gap * W.head,
    (
        Link(
            "integrate between tau and phi",
            gap * W.head,
            Cited(MONOTONE_INTEGRAL, (KAPPA_AT_REACH,)),
            "<=",
        ),
    ),
    where=_within,
    source="reconstructed",
)
_rate = _spread_at_reach * _kappa_at_reach
_kappa_positive = KAPPA_COUPLED.right.subs(phi, reach)
RATE = bound(
    "reverse_kl.e.rate",
    "(phi - tau) dR/dphi >= c (phi - tau)^2 with c = sigma(B) sigma(-B) kappa(B), for "
    "|phi|, |tau| <= B.",
    _rate * gap**2,
    "<=",
    push,
    (
        Link(
            "the spread of the weight",
            spread * _kappa_at_reach * gap**2,
            Combination(
                (
                    Use(SPREAD_AT_REACH, times=_kappa_positive * gap**2),
                    Use(KAPPA_COUPLED, {phi: reach}, (_spread_at_reach - spread) * gap**2),
                )
            ),
            "<=",
        ),
        Link(
            "the accumulated kappa",
            push,
            Combination((Use(W_AT_REACH, times=spread), Use(GRADIENT, times=-gap))),
            "<=",
        ),
    ),
    where=_within,
    source="reconstructed",
)

# gradient flow

FLOW = Process(
    "weight_flow",
    PHI,
    -dKL_reverse.head,
    START,
    time,
    "gradient flow of the weight alone, phi' = -dR/dphi",
)
_furthest = sp.Max(sp.Abs(start), sp.Abs(tau))
CONVERGES = Path(
    "reverse_kl.e.converges",
    "The weight-only flow reaches the target from every start: |phi(t) - tau| <= "
    "|phi_0 - tau| e^(-c t), c = sigma(B) sigma(-B) kappa(B), B = max(|phi_0|, |tau|).",
    FLOW,
    sp.Abs(gap),
    "<=",
    sp.Abs(start - tau) * sp.exp(-time * _rate.subs(reach, _furthest)),
    Cited("comparison principle (Gronwall's inequality)", (RATE, GRADIENT_SIGN)),
    source="Theorem 2.2",
)

# gradient descent

_short = sp.Min(step, 4)


def landing(size: Expr) -> Expr:
    """phi after one step of gradient descent."""
    return phi - size * dKL_reverse.head


NO_OVERSHOOT = bound(
    "reverse_kl.e.no_overshoot",
    "A step h of at most 4 never overshoots: phi - h dR/dphi stays on its side of tau.",
    sp.S.Zero,
    "<=",
    gap * (landing(_short) - tau),
    (
        Link(
            "|dR/dphi| <= |phi - tau|/4",
            gap * (landing(_short) - tau),
            Combination((Use(GRADIENT_QUARTER, times=_short),), (1 - _short / 4) * gap**2),
            "<=",
        ),
    ),
    source="Theorem 2.2",
)
CONTRACTS = bound(
    "reverse_kl.e.contracts",
    "A step h of at most 4 contracts the distance to tau by 1 - h c.",
    gap * (landing(_short) - tau),
    "<=",
    (1 - _short * _rate) * gap**2,
    (
        Link(
            "the rate",
            (1 - _short * _rate) * gap**2,
            Combination((Use(RATE, times=_short),)),
            "<=",
        ),
    ),
    where=_within,
    source="Theorem 2.2",
)
FOUR_IS_SHARP = bound(
    "reverse_kl.e.four_is_sharp",
    "4 is sharp: a step h from phi = 0 lands at a product with -tau of at most "
    "tau^2 (1 - h/4) + (h/2) min(1, sqrt(2 pi)/delta) e^(-delta^2/8) tau sinh(tau/2), negative for "
    "h > 4 and delta large.",
    (gap * (landing(step) - tau)).subs(phi, 0),
    "<=",
    tau**2 * (1 - step / 4) + step / 2 * overlap_factor * decay * tau * sp.sinh(tau / 2),
    (
        Link(
            "dR/dphi for well separated modes",
            tau**2 * (1 - step / 4) + step / 2 * overlap_factor * decay * tau * sp.sinh(tau / 2),
            Combination((Use(GRADIENT_SEPARATED, {phi: sp.S.Zero}, step),)),
            "<=",
        ),
    ),
    kind="limit",
    source="Theorem 2.2",
)

CLAIMS = (
    SPREAD_AT_REACH,
    KAPPA_AT_REACH,
    W_AT_REACH,
    RATE,
    CONVERGES,
    NO_OVERSHOOT,
    CONTRACTS,
    FOUR_IS_SHARP,
)
