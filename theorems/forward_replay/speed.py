r"""Part (a), how fast: \kappa stays of order 1 as \beta falls; without replay it goes to 0."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.gradient import WEIGHT_GRADIENT
from theorems.forward_kl.quantities import dKL_forward
from theorems.forward_kl.regimes import MIDDLE_BELOW, chi_squared
from theorems.forward_replay.denominator import GRADIENT, MINUS, kappa_b, kappa_share, new
from theorems.forward_replay.quantities import (
    SHARED,
    b,
    dKL_denominator,
    logit_b,
    mixed,
    share_logit,
)
from theorems.forward_replay.quantities import replay as share
from theorems.language import Claim, Combination, Expr, Link, Use, bound, positive
from theorems.mixture import L, beta, delta, line, mix, normal, p_n, p_o, phi, q, y
from theorems.overlap.distinguishability import KAPPA_CHI_SQUARED, KAPPA_SPREAD
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.overlap.quantities import decay, kappa
from theorems.overlap.reasons import positive_integral

# kappa at the effective weight, and at the floor

_behind = (p_o - p_n) ** 2 / (mix(share) * mixed(q))
KAPPA_ABOVE = bound(
    "forward_replay.a.kappa_above",
    "(1 - beta) kappa(logit lambda) <= kappa(logit b).",
    (1 - beta) * kappa_share,
    "<=",
    kappa_b,
    (
        Link(
            "b/(mixture of weight b) is at least lambda/(mixture of weight lambda)",
            kappa_b,
            Combination(
                remainder=(1 - share) ** 2 * beta * new * line(_behind * p_n), unfold=(kappa,)
            ),
            "<=",
        ),
    ),
    where=SHARED,
    kind="limit",
    source="ours",
)
KAPPA_BELOW = bound(
    "forward_replay.a.kappa_below",
    "kappa(logit b) <= (b/lambda) kappa(logit lambda): as beta falls it goes to kappa(logit "
    "lambda), not to 0.",
    kappa_b,
    "<=",
    b / share * kappa_share,
    (
        Link(
            "the mixture of weight b is at least 1 - beta times that of weight lambda",
            b / share * kappa_share,
            Combination(remainder=(1 - share) * b * beta * line(_behind * p_o), unfold=(kappa,)),
            "<=",
        ),
    ),
    where=SHARED,
    kind="limit",
    source="ours",
)
GRADIENT_ABOVE = bound(
    "forward_replay.a.gradient_above",
    "beta (1 - beta) kappa(logit lambda) <= dF/dphi.",
    beta * (1 - beta) * kappa_share,
    "<=",
    dKL_denominator.head,
    (
        Link(
            "kappa at the floor", beta * kappa_b, Combination((Use(KAPPA_ABOVE, times=beta),)), "<="
        ),
        Link("the gradient", dKL_denominator.head, Combination((Use(GRADIENT, times=MINUS),))),
    ),
    where=SHARED,
    source="ours",
)
EXPLICIT = bound(
    "forward_replay.a.gradient_explicit",
    "4 lambda (1 - lambda) beta (1 - beta) kappa(0) <= dF/dphi.",
    4 * share * (1 - share) * beta * (1 - beta) * kappa(0, delta),
    "<=",
    dKL_denominator.head,
    (
        Link(
            "kappa at a weight against kappa at weight 1/2",
            beta * (1 - beta) * kappa_share,
            Combination((Use(MIDDLE_BELOW, {phi: share_logit}, beta * new),)),
            "<=",
        ),
        Link("at the floor", dKL_denominator.head, Combination((Use(GRADIENT_ABOVE),)), "<="),
    ),
    where=SHARED,
    source="ours",
)

# against forward KL without replay

_coupled = KAPPA_COUPLED.right.subs(phi, share_logit)
_tail_gap = beta * (beta * chi_squared - kappa.head)
RATIO = bound(
    "forward_replay.a.speed_ratio",
    "kappa(logit lambda) dF/dphi without replay is at most e^phi (e^(delta^2) - 1) dF/dphi with "
    "it: in the end replay is faster, by a factor that grows like 1/beta.",
    kappa_share * dKL_forward.head,
    "<=",
    sp.exp(phi) * chi_squared * dKL_denominator.head,
    (
        Link(
            "without replay",
            kappa_share * beta * kappa.head,
            Combination((Use(WEIGHT_GRADIENT, times=kappa_share),)),
        ),
        Link(
            "kappa <= beta (e^(delta^2) - 1)",
            beta**2 * chi_squared * kappa_share,
            Combination(
                (
                    Use(KAPPA_CHI_SQUARED, times=beta * _coupled),
                    Use(KAPPA_COUPLED, {phi: share_logit}, -_tail_gap),
                )
            ),
            "<=",
        ),
        Link(
            "with replay",
            sp.exp(phi) * chi_squared * dKL_denominator.head,
            Combination((Use(GRADIENT_ABOVE, times=sp.exp(phi) * chi_squared),)),
            "<=",
        ),
    ),
    where=SHARED,
    source="ours",
)
_bump = normal(y) * sp.sinh(L / 2) ** 2 * sp.cosh(L / 2)
_both = (sp.cosh(phi) + sp.cosh(L)) * (sp.cosh(logit_b) + sp.cosh(L))
APART = positive(
    "forward_replay.a.apart",
    "The mean by which kappa differs at the two weights is positive.",
    line(_bump / _both),
    (
        Link(
            "the integrand is not negative anywhere and positive somewhere",
            line(_bump / _both),
            positive_integral("forward_replay.a.apart", _bump / _both),
            "<",
        ),
    ),
    where=SHARED,
    source="ours",
)


def _between(gap: Expr) -> Expr:
    """What times the mean in APART the difference of kappa is, |cosh phi - cosh logit b| twice
    e^(-delta^2/8), for the gap +-(1 - lambda - e^phi)."""
    odds = share + sp.exp(phi)
    return gap * decay * share * (1 + sp.exp(phi)) ** 2 / ((1 - share) * sp.exp(phi) * odds)


def _crossover(slug: str, text: str, where: Expr, ends: tuple[Expr, Expr], gap: Expr) -> Claim:
    """kappa at one weight is below kappa at the other."""
    less, more = (logit_b, phi) if ends[0] == kappa_b else (phi, logit_b)
    spread = KAPPA_SPREAD.right
    return bound(
        f"forward_replay.a.{slug}",
        text,
        ends[0],
        "<",
        ends[1],
        (
            Link(
                "without cancellation",
                spread.subs(phi, less),
                Combination((Use(KAPPA_SPREAD, {phi: less}),)),
            ),
            Link(
                "cosh phi - cosh logit b has the sign of 1 - lambda - e^phi",
                spread.subs(phi, more),
                Combination((Use(APART, times=_between(gap)),)),
                "<",
            ),
            Link(
                "without cancellation",
                ends[1],
                Combination((Use(KAPPA_SPREAD, {phi: more}, MINUS),)),
            ),
        ),
        where=(where, *SHARED),
        source="ours",
    )


_headroom = 1 - share - sp.exp(phi)
KAPPA_LARGER = _crossover(
    "kappa_larger",
    "Below the crossover e^phi = 1 - lambda, kappa(logit b) exceeds kappa(phi).",
    sp.exp(phi) < 1 - share,
    (kappa.head, kappa_b),
    _headroom,
)
KAPPA_SMALLER = _crossover(
    "kappa_smaller",
    "Above the crossover e^phi = 1 - lambda, kappa(logit b) is below kappa(phi).",
    1 - share < sp.exp(phi),
    (kappa_b, kappa.head),
    -_headroom,
)


def _compared(slug: str, text: str, larger: Claim, sides: tuple[Expr, Expr]) -> Claim:
    """The same order of the two gradients, beta times kappa."""
    first, last = (
        (WEIGHT_GRADIENT, GRADIENT) if larger is KAPPA_LARGER else (GRADIENT, WEIGHT_GRADIENT)
    )
    return bound(
        f"forward_replay.a.{slug}",
        text,
        sides[0],
        "<",
        sides[1],
        (
            Link("the gradient", beta * larger.left, Combination((Use(first),))),
            Link(
                "kappa is larger",
                beta * larger.right,
                Combination((Use(larger, times=beta),)),
                "<",
            ),
            Link("the gradient", sides[1], Combination((Use(last, times=MINUS),))),
        ),
        where=larger.where,
        source="ours",
    )


FASTER = _compared(
    "faster",
    "Where e^phi < 1 - lambda the old weight falls faster with replay than without.",
    KAPPA_LARGER,
    (dKL_forward.head, dKL_denominator.head),
)
SLOWER = _compared(
    "slower",
    "Where e^phi > 1 - lambda it falls slower: replay protects a large old weight.",
    KAPPA_SMALLER,
    (dKL_denominator.head, dKL_forward.head),
)

CLAIMS = (
    KAPPA_ABOVE,
    KAPPA_BELOW,
    GRADIENT_ABOVE,
    EXPLICIT,
    RATIO,
    APART,
    KAPPA_LARGER,
    KAPPA_SMALLER,
    FASTER,
    SLOWER,
)
