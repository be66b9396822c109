r"""Theorem 2.2(c): kappa between two logits bounds the gradient.

Products with phi - tau stand for quotients by it: they hold for either order of the logits, and at
phi = tau.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Cited, Claim, Combination, Expr, Link, Use, bound
from theorems.mixture import beta, delta, phi, tau
from theorems.overlap.bounds import S_EITHER_BOUND
from theorems.overlap.distinguishability import KAPPA_DECREASING
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_FORMULA, KAPPA_POSITIVE
from theorems.overlap.quantities import decay, kappa
from theorems.reverse_kl.gradient import GRADIENT
from theorems.reverse_kl.quantities import W, dKL_reverse, spread

MONOTONE_INTEGRAL = "monotonicity of the integral"

gap = phi - tau
push = gap * dKL_reverse.head
kappa_least = sp.Min(kappa(phi, delta), kappa(tau, delta))
kappa_peak = kappa(sp.S.Zero, delta)

# kappa between two logits

KAPPA_PEAK = bound(
    "reverse_kl.c.kappa_peak",
    "kappa is largest at phi = 0.",
    kappa.head,
    "<=",
    kappa_peak,
    (
        Link(
            "0 is the least |logit|",
            kappa_peak,
            Combination((Use(KAPPA_DECREASING, {tau: sp.S.Zero}),)),
            "<=",
        ),
    ),
    source="reconstructed",
)
overlap_factor = sp.Min(1, sp.sqrt(2 * sp.pi) / delta)
KAPPA_SEPARATED = bound(
    "reverse_kl.c.kappa_separated",
    "kappa >= 1 - cosh(phi/2) min(1, sqrt(2 pi)/delta) e^(-delta^2/8).",
    1 - sp.cosh(phi / 2) * overlap_factor * decay,
    "<=",
    kappa.head,
    (
        Link(
            "S is at most min(1, sqrt(2 pi)/delta)",
            kappa.formula,
            Combination((Use(S_EITHER_BOUND, times=sp.cosh(phi / 2) * decay),)),
            "<=",
        ),
        Link(
            "sech form of kappa",
            kappa.head,
            Combination((Use(KAPPA_FORMULA, times=sp.S.NegativeOne),)),
        ),
    ),
    source="ours",
)


def _accumulated(
    slug: str, text: str, left: Expr, right: Expr, premise: Claim, source: str
) -> Claim:
    """A bound on kappa between tau and phi, integrated over that interval."""
    return bound(
        f"reverse_kl.c.{slug}",
        text,
        left,
        "<=",
        right,
        (Link("integrate between tau and phi", right, Cited(MONOTONE_INTEGRAL, (premise,)), "<="),),
        source=source,
    )


W_LEAST = _accumulated(
    "accumulated_least",
    "The mean of kappa between tau and phi is at least its smaller end value.",
    kappa_least * gap**2,
    gap * W.head,
    KAPPA_DECREASING,
    "reconstructed",
)
W_PEAK = _accumulated(
    "accumulated_peak",
    "The mean of kappa between tau and phi is at most kappa(0).",
    gap * W.head,
    kappa_peak * gap**2,
    KAPPA_PEAK,
    "reconstructed",
)
W_NONNEGATIVE = _accumulated(
    "accumulated_sign",
    "The integral of kappa from tau to phi has the sign of phi - tau.",
    sp.S.Zero,
    gap * W.head,
    KAPPA_POSITIVE,
    "reconstructed",
)
_separated = gap**2 - 2 * overlap_factor * decay * gap * (sp.sinh(phi / 2) - sp.sinh(tau / 2))
W_SEPARATED = _accumulated(
    "accumulated_separated",
    "The mean of kappa between tau and phi falls short of 1 by at most "
    "2 min(1, sqrt(2 pi)/delta) e^(-delta^2/8) (sinh(phi/2) - sinh(tau/2))/(phi - tau).",
    _separated,
    gap * W.head,
    KAPPA_SEPARATED,
    "ours",
)

# (c) the gradient

_to_gradient = Use(GRADIENT, times=-gap)
_from_gradient = Use(GRADIENT, times=gap)
GRADIENT_LEAST = bound(
    "reverse_kl.c.least",
    "(dR/dphi)/(beta (1 - beta)(phi - tau)) >= min(kappa(phi), kappa(tau)).",
    spread * kappa_least * gap**2,
    "<=",
    push,
    (
        Link(
            "least kappa",
            push,
            Combination((_to_gradient, Use(W_LEAST, times=spread))),
            "<=",
        ),
    ),
    source="Theorem 2.2",
)
GRADIENT_PEAK = bound(
    "reverse_kl.c.peak",
    "(dR/dphi)/(beta (1 - beta)(phi - tau)) <= kappa(0).",
    push,
    "<=",
    spread * kappa_peak * gap**2,
    (
        Link(
            "kappa at 0",
            spread * kappa_peak * gap**2,
            Combination((_from_gradient, Use(W_PEAK, times=spread))),
            "<=",
        ),
    ),
    source="Theorem 2.2",
)
GRADIENT_SIGN = bound(
    "reverse_kl.c.sign",
    "dR/dphi has the sign of phi - tau.",
    sp.S.Zero,
    "<=",
    push,
    (
        Link(
            "kappa is positive",
            push,
            Combination((_to_gradient, Use(W_NONNEGATIVE, times=spread))),
            "<=",
        ),
    ),
    kind="sign",
    source="Theorem 2.2",
)
GRADIENT_QUARTER = bound(
    "reverse_kl.c.quarter",
    "|dR/dphi| <= |phi - tau|/4, the sign being that of phi - tau.",
    push,
    "<=",
    gap**2 / 4,
    (
        Link(
            "kappa at 0",
            spread * kappa_peak * gap**2,
            Combination((Use(GRADIENT_PEAK),)),
            "<=",
        ),
        Link(
            "kappa < 1",
            spread * gap**2,
            Combination((Use(KAPPA_BELOW_ONE, {phi: sp.S.Zero}, spread * gap**2),)),
            "<=",
        ),
        Link(
            "1/4 - beta (1 - beta) is a square",
            gap**2 / 4,
            Combination(remainder=(beta - sp.Rational(1, 2)) ** 2 * gap**2),
            "<=",
        ),
    ),
    source="Theorem 2.2",
)
GRADIENT_SEPARATED = bound(
    "reverse_kl.c.separated",
    "dR/dphi >= beta (1 - beta) (phi - tau - 2 min(1, sqrt(2 pi)/delta) e^(-delta^2/8) "
    "(sinh(phi/2) - sinh(tau/2))) for phi >= tau, and mirrored below.",
    spread * _separated,
    "<=",
    push,
    (
        Link(
            "kappa bounded by the overlap",
            push,
            Combination((_to_gradient, Use(W_SEPARATED, times=spread))),
            "<=",
        ),
    ),
    source="ours",
)
GRADIENT_SEPARATED_OR_ZERO = bound(
    "reverse_kl.c.separated_or_zero",
    "|dR/dphi| >= beta (1 - beta) max(0, |phi - tau| - 2 min(1, sqrt(2 pi)/delta) e^(-delta^2/8) "
    "|sinh(phi/2) - sinh(tau/2)|).",
    spread * sp.Max(0, _separated),
    "<=",
    push,
    (
        Link(
            "the larger of both",
            push,
            Cited(
                "a number above two others is above their maximum",
                (GRADIENT_SIGN, GRADIENT_SEPARATED),
            ),
            "<=",
        ),
    ),
    source="ours",
)

CLAIMS = (
    KAPPA_PEAK,
    KAPPA_SEPARATED,
    W_LEAST,
    W_PEAK,
    W_NONNEGATIVE,
    W_SEPARATED,
    GRADIENT_LEAST,
    GRADIENT_PEAK,
    GRADIENT_SIGN,
    GRADIENT_QUARTER,
    GRADIENT_SEPARATED,
    GRADIENT_SEPARATED_OR_ZERO,
)
