"""Part (d), how distinguishable the modes are: the plateau kappa = 1 and the tail kappa ~ beta."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import MINUS, SOURCE
from theorems.language import Claim, Combination, Expr, Given, Link, Parameter, Use
from theorems.mixture import DELTA, PHI, L, beta, delta, line, p_n, p_o, phi, q, sigma
from theorems.overlap.bounds import S_AT_MOST_ONE
from theorems.overlap.distinguishability import KAPPA_CHI_SQUARED, KAPPA_EVEN
from theorems.overlap.identities import KAPPA_FORMULA, KAPPA_LEAKAGE
from theorems.overlap.quantities import decay, eps_n, kappa

_new = sigma(-phi)  # the weight 1 - beta of the new mode, manifestly positive
_ratio = sp.exp(L)  # p_o/p_n
chi_squared = sp.exp(delta**2) - 1
TAIL = {
    DELTA: (sp.Rational(1, 4), sp.Integer(2)),
    PHI: (sp.Integer(-6), sp.S.Zero),
}
angle = sp.Symbol("angle", real=True)
exponent = sp.Symbol("exponent", positive=True)
EXPONENT = Parameter(
    "exponent",
    exponent,
    sp.Interval.open(0, 1),
    (sp.S.Zero, sp.S.One),
    "exponent s of the responsibilities' odds r_o/r_n",
    typical=sp.Rational(1, 2),
)

PLATEAU_BOUND = Claim(
    "forward_kl.d.plateau_bound",
    "1 - cosh(phi/2) e^(-delta^2/8) <= kappa, that is "
    "1 - (1/2) sqrt(e^(-delta^2/4)/(beta (1 - beta))) <= kappa.",
    1 - sp.cosh(phi / 2) * decay,
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "S is at most 1",
            kappa.formula,
            Combination((Use(S_AT_MOST_ONE, times=sp.cosh(phi / 2) * decay),)),
            "<=",
        ),
        Link("sech form", kappa.head, Combination((Use(KAPPA_FORMULA, times=MINUS),))),
    ),
    source="ours",
)
_in_plateau = sp.exp(-(delta**2) / 4) <= beta * (1 - beta)
_HYPOTHESIS = Claim(
    "forward_kl.d.plateau_hypothesis",
    "The hypothesis: e^(-delta^2/4) <= beta (1 - beta).",
    sp.exp(-(delta**2) / 4),
    "<=",
    beta * (1 - beta),
    "bound",
    (Link("given", beta * (1 - beta), Given(), "<="),),
    where=(_in_plateau,),
    source=SOURCE,
)
PLATEAU = Claim(
    "forward_kl.d.plateau",
    "kappa >= 1/2 while beta (1 - beta) >= e^(-delta^2/4).",
    sp.Rational(1, 2),
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "cosh(phi/2) = 1/(2 sqrt(beta (1 - beta))) is at most e^(delta^2/8)/2",
            1 - sp.cosh(phi / 2) * decay,
            Combination(
                (
                    Use(
                        _HYPOTHESIS,
                        times=1 / (beta * _new * (2 + 4 * sp.cosh(phi / 2) * decay)),
                    ),
                )
            ),
            "<=",
        ),
        Link("S is at most 1", kappa.head, Combination((Use(PLATEAU_BOUND),)), "<="),
    ),
    where=(_in_plateau,),
    source=SOURCE,
)


def _moment(s: Expr) -> Expr:
    """E_{p_n}[(r_o/r_n)^s], r_o/r_n = e^(phi + L): complete the square."""
    return sp.exp(s * phi - s * (1 - s) * delta**2 / 2)


def _squared_moment(s: Expr) -> Expr:
    """E_{p_n}[(p_o/p_n - 1)^2 (r_o/r_n)^s]."""
    return sp.exp(s * phi) * (
        sp.exp((2 + s) * (1 + s) * delta**2 / 2)
        - 2 * sp.exp((1 + s) * s * delta**2 / 2)
        + sp.exp(-s * (1 - s) * delta**2 / 2)
    )


# Odds x = r_o/r_n: x^s - r_o = x^s (x^s + (1 - x^s)(1 - x^n)) r_n for n = 1 - s, and the product
# is 4 sqrt(x) times two sinh of one sign. Writing s = sin^2(angle) shows that s and n are positive.
_s, _n, _log_odds = sp.sin(angle) ** 2, 1 - sp.sin(angle) ** 2, phi + L
_excess = (
    sp.exp(_s * _log_odds)
    * (
        sp.exp(_s * _log_odds)
        + 4 * sp.exp(_log_odds / 2) * sp.sinh(_s * _log_odds / 2) * sp.sinh(_n * _log_odds / 2)
    )
    / (1 + sp.exp(_log_odds))
)
_AT_EXPONENT = {angle: sp.asin(sp.sqrt(exponent))}
_LEAKAGE_ANGLE = Claim(
    "forward_kl.d.plateau_end_angle",
    "1 - (1/beta) E_{p_n}[(r_o/r_n)^s] <= kappa at s = sin^2(angle).",
    1 - _moment(_s) / beta,
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "r_o <= (r_o/r_n)^s under the integral",
            kappa.head,
            Combination((Use(KAPPA_LEAKAGE, times=MINUS),), line(p_n * _excess) / beta, (eps_n,)),
            "<=",
        ),
    ),
    source="ours",
)
PLATEAU_END = Claim(
    "forward_kl.d.plateau_end",
    "1 - (1/beta) e^(s phi - s (1 - s) delta^2/2) <= kappa for every s in (0, 1).",
    1 - _moment(exponent) / beta,
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "r_o <= (r_o/r_n)^s under the integral",
            kappa.head,
            Combination((Use(_LEAKAGE_ANGLE, _AT_EXPONENT),)),
            "<=",
        ),
    ),
    source="ours",
)
_edge = delta**2 * (sp.Rational(1, 2) - exponent)
PLATEAU_EDGE = Claim(
    "forward_kl.d.plateau_edge",
    "At phi = (1/2 - s) delta^2 with s in (0, 1): "
    "1 - kappa <= (1 + e^phi) e^(-(1 - s)^2 delta^2/2), so kappa is close to 1 for weights far "
    "above e^(-delta^2/2).",
    1 - (1 + sp.exp(_edge)) * sp.exp(-(((1 - exponent) * delta) ** 2) / 2),
    "<=",
    kappa(_edge, delta),
    "bound",
    (
        Link(
            "the best exponent, s = 1/2 - phi/delta^2",
            kappa(_edge, delta),
            Combination((Use(PLATEAU_END, {phi: _edge}),)),
            "<=",
        ),
    ),
    source="ours",
)
TAIL_ABOVE = Claim(
    "forward_kl.d.tail_above",
    "kappa <= beta (e^(delta^2) - 1).",
    kappa.head,
    "<=",
    beta * chi_squared,
    "bound",
    (Link("chi-squared bound", beta * chi_squared, Combination((Use(KAPPA_CHI_SQUARED),)), "<="),),
    box=TAIL,
    source=SOURCE,
)
_skew = sp.exp(3 * delta**2) - 3 * sp.exp(delta**2) + 2  # E_{p_n}[(p_o/p_n - 1)^3]
TAIL_BELOW = Claim(
    "forward_kl.d.tail_below",
    "beta (1 - beta) ((e^(delta^2) - 1) - beta (e^(3 delta^2) - 3 e^(delta^2) + 2)) <= kappa.",
    beta * (1 - beta) * (chi_squared - beta * _skew),
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "1/(1 + x) = 1 - x + x^2/(1 + x) at x = beta (p_o - p_n)/p_n",
            kappa.head,
            Combination(
                remainder=beta**3 * _new * line(p_n * (_ratio - 1) ** 4 / (q / p_n)),
                unfold=(kappa,),
            ),
            "<=",
        ),
    ),
    box=TAIL,
    source="ours",
)
_TAIL_ANGLE = Claim(
    "forward_kl.d.tail_exponent_angle",
    "beta ((e^(delta^2) - 1) - E_{p_n}[(p_o/p_n - 1)^2 (r_o/r_n)^s]) <= kappa at s = sin^2(angle).",
    beta * (chi_squared - _squared_moment(_s)),
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "r_o <= (r_o/r_n)^s under kappa = beta E_{p_n}[(p_o/p_n - 1)^2 r_n]",
            kappa.head,
            Combination(remainder=beta * line(p_n * (_ratio - 1) ** 2 * _excess), unfold=(kappa,)),
            "<=",
        ),
    ),
    source="ours",
)
TAIL_EXPONENT = Claim(
    "forward_kl.d.tail_exponent",
    "For every s in (0, 1): beta ((e^(delta^2) - 1) - e^(s phi) (e^((2 + s)(1 + s) delta^2/2) - "
    "2 e^(s (1 + s) delta^2/2) + e^(-s (1 - s) delta^2/2))) <= kappa, so kappa is "
    "beta (e^(delta^2) - 1) to first order for weights far below e^(-3 delta^2/2).",
    beta * (chi_squared - _squared_moment(exponent)),
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "r_o <= (r_o/r_n)^s under the integral",
            kappa.head,
            Combination((Use(_TAIL_ANGLE, _AT_EXPONENT),)),
            "<=",
        ),
    ),
    box=TAIL,
    source="ours",
)
_mirror = q.subs(phi, -phi)
MIDDLE_BELOW = Claim(
    "forward_kl.d.middle_below",
    "4 beta (1 - beta) kappa(0) <= kappa: distinguishability never vanishes at a positive weight.",
    4 * beta * (1 - beta) * kappa(0, delta),
    "<=",
    kappa.head,
    "bound",
    (
        Link(
            "kappa is even, and the harmonic mean of two mixtures is below their mean",
            kappa.head,
            Combination(
                (Use(KAPPA_EVEN, times=sp.Rational(1, 2)),),
                beta
                * _new
                * sp.tanh(phi / 2) ** 2
                / 2
                * line((p_o - p_n) ** 4 / ((p_o + p_n) * q * _mirror)),
                (kappa,),
            ),
            "<=",
        ),
    ),
    source="ours",
)

CLAIMS = (
    PLATEAU_BOUND,
    PLATEAU,
    PLATEAU_END,
    PLATEAU_EDGE,
    TAIL_ABOVE,
    TAIL_BELOW,
    TAIL_EXPONENT,
    MIDDLE_BELOW,
)
