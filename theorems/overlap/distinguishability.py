r"""Part (f): kappa without cancellation, its order in phi and delta, and its bounds."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Divergence,
    Expr,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import L, beta, delta, line, normal, p_n, p_o, phi, q, r_n, r_o, sigma, tau, y
from theorems.overlap.identities import KAPPA_FORMULA
from theorems.overlap.quantities import TV, S, decay, kappa
from theorems.overlap.reasons import positive_integral
from theorems.overlap.sech import EVEN


def _spread_integrand(power: int, logit: Expr = phi) -> Expr:
    """Density times sinh(L/2)^2 cosh(L/2)/(cosh phi + cosh L)^power."""
    bump = sp.sinh(L / 2) ** 2 * sp.cosh(L / 2)
    return normal(y) * bump / (sp.cosh(logit) + sp.cosh(L)) ** power


def _spread(power: int, logit: Expr = phi) -> Expr:
    """2 e^(-delta^2/8) E[sinh(L/2)^2 cosh(L/2)/(cosh phi + cosh L)^power], L ~ N(0, delta^2)."""
    return 2 * decay * line(_spread_integrand(power, logit))


KAPPA_SPREAD = identity(
    "overlap.f.without_cancellation",
    "kappa = 2 e^(-delta^2/8) E[sinh(L/2)^2 cosh(L/2)/(cosh phi + cosh L)], L ~ N(0, delta^2).",
    kappa.head,
    _spread(1),
    (
        Link("sech form", kappa.formula, Combination((Use(KAPPA_FORMULA),))),
        Link(
            "S is even: symmetrise",
            1 - sp.cosh(phi / 2) * decay * (S.head + S(-phi, delta)) / 2,
            Combination((Use(EVEN, times=sp.cosh(phi / 2) * decay / 2),)),
        ),
        Link(
            "1 = e^(-delta^2/8) E[cosh(L/2)]",
            decay * line(normal(y) * sp.cosh(L / 2))
            - sp.cosh(phi / 2) * decay * (S.head + S(-phi, delta)) / 2,
            Algebra(),
        ),
        Link("sech(a + b) + sech(a - b) over one denominator", _spread(1), Algebra((S,))),
    ),
    source="ours",
)
KAPPA_EVEN = identity(
    "overlap.f.even",
    "kappa is even in phi.",
    kappa(-phi, delta),
    kappa.head,
    (
        Link(
            "sech form",
            1 - sp.cosh(phi / 2) * decay * S(-phi, delta),
            Combination((Use(KAPPA_FORMULA, at={phi: -phi}),)),
        ),
        Link(
            "S is even",
            kappa.formula,
            Combination((Use(EVEN, times=-sp.cosh(phi / 2) * decay),)),
        ),
        Link("sech form", kappa.head, Combination((Use(KAPPA_FORMULA, times=sp.S.NegativeOne),))),
    ),
    source="reconstructed",
)

# order in phi

_SINH_POSITIVE = positive(
    "overlap.f.sinh_positive",
    "cosh has a positive derivative on the half-line.",
    sp.diff(sp.cosh(delta), delta),
    (
        Link(
            "sinh is positive there",
            sp.sinh(delta),
            Combination(remainder=sp.sinh(delta)),
            "<",
        ),
    ),
    source="reconstructed",
)
COSH_ORDER = bound(
    "overlap.f.cosh_order",
    "cosh, which is even, grows with the size of its argument.",
    sp.cosh(tau),
    "<=",
    sp.cosh(phi),
    (
        Link(
            "cosh(tau) = cosh|tau| <= cosh|phi|",
            sp.cosh(phi),
            Cited("mean value theorem", (_SINH_POSITIVE,)),
            "<=",
        ),
    ),
    where=(sp.Abs(tau) <= sp.Abs(phi),),
    source="reconstructed",
)
KAPPA_DECREASING = bound(
    "overlap.f.decreasing",
    "kappa does not grow with |phi|: kappa(phi) <= kappa(tau) where |tau| <= |phi|.",
    kappa.head,
    "<=",
    kappa(tau, delta),
    (
        Link("without cancellation", _spread(1), Combination((Use(KAPPA_SPREAD),))),
        Link(
            "a smaller denominator",
            _spread(1, tau),
            Combination(
                (
                    Use(
                        COSH_ORDER,
                        times=2 * decay * line(_spread_integrand(1) / (sp.cosh(tau) + sp.cosh(L))),
                    ),
                )
            ),
            "<=",
        ),
        Link(
            "without cancellation",
            kappa(tau, delta),
            Combination((Use(KAPPA_SPREAD, at={phi: tau}, times=sp.S.NegativeOne),)),
        ),
    ),
    where=(sp.Abs(tau) <= sp.Abs(phi),),
    kind="monotone",
    source="reconstructed",
)
KAPPA_SLOPE = identity(
    "overlap.f.slope",
    "The derivative of kappa in phi is -sinh(phi) times a mean that is positive.",
    sp.diff(_spread(1), phi),
    -sp.sinh(phi) * _spread(2),
    by_algebra("differentiate under the integral", -sp.sinh(phi) * _spread(2)),
    source="ours",
)
KAPPA_SLOPE_POSITIVE = positive(
    "overlap.f.strictly_decreasing",
    "So kappa decreases strictly in |phi|: the mean in its slope is positive.",
    _spread(2),
    (
        Link(
            "the integrand is not negative anywhere and positive somewhere",
            _spread(2),
            positive_integral("overlap.f.spread", _spread_integrand(2)),
            "<",
        ),
    ),
    kind="monotone",
    source="reconstructed",
)

# order in delta

_growth = 2 * delta / beta * line(p_n * r_o**2 * r_n)
KAPPA_GROWTH = identity(
    "overlap.f.growth",
    "The derivative of kappa = 1 - E_{p_n}[sigma(phi + L)]/beta in delta is "
    "(2 delta/beta) E_{p_n}[r_o^2 r_n].",
    -sp.diff(line(p_n * sigma(phi + L)), delta) / beta,
    _growth,
    (
        Link(
            "integrate by parts, twice",
            _growth,
            Divergence(((y, p_o * r_n**2 / (1 - beta) - p_n * r_o / (2 * beta)),), (y,)),
        ),
    ),
    source="ours",
)
KAPPA_INCREASING = positive(
    "overlap.f.increasing",
    "kappa increases strictly in delta.",
    _growth,
    (Link("a positive integrand", _growth, Combination(remainder=_growth), "<"),),
    kind="monotone",
    source="reconstructed",
)

# bounds

_tilt = (p_o - p_n) * (r_o - sp.Rational(1, 2))
KAPPA_TOTAL_VARIATION = bound(
    "overlap.f.total_variation",
    "kappa is at most the total variation distance.",
    kappa.head,
    "<=",
    TV.head,
    (
        Link("kappa = E_{p_o}[r_o] - E_{p_n}[r_o]", line(_tilt), Algebra((kappa,))),
        Link(
            "|r_o - 1/2| is at most 1/2",
            TV.head,
            Combination(
                remainder=line(sp.Max(p_o - p_n, 0) * r_n + sp.Max(p_n - p_o, 0) * r_o),
                unfold=(TV,),
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
_gap_squared, _sum_squared = (
    identity(
        f"overlap.f.hellinger_{name}",
        f"The integral of (sqrt(p_o) {sign} sqrt(p_n))^2 in closed form.",
        line((sp.sqrt(p_o) + factor * sp.sqrt(p_n)) ** 2),
        2 + factor * 2 * decay,
        by_algebra("Bhattacharyya coefficient", 2 + factor * 2 * decay),
        source="reconstructed",
    )
    for name, sign, factor in (("gap", "-", -1), ("sum", "+", 1))
)
_hellinger = sp.sqrt(1 - sp.exp(-(delta**2) / 4))
TV_HELLINGER = bound(
    "overlap.f.hellinger",
    "The total variation distance is at most sqrt(1 - e^(-delta^2/4)).",
    TV.head,
    "<=",
    _hellinger,
    (
        Link(
            "|p_o - p_n| = |sqrt(p_o) - sqrt(p_n)| (sqrt(p_o) + sqrt(p_n))",
            _hellinger,
            Cited("Cauchy-Schwarz inequality", (_gap_squared, _sum_squared)),
            "<=",
        ),
    ),
    source="reconstructed",
)
_pearson = beta * (1 - beta) * line((p_o - p_n) ** 2 / q)
KAPPA_PEARSON = identity(
    "overlap.f.pearson",
    "kappa = beta(1 - beta) times the integral of (p_o - p_n)^2/q.",
    kappa.head,
    _pearson,
    by_algebra("p_o - p_n = q (r_o - beta)/(beta(1 - beta))", _pearson, kappa),
    source="reconstructed",
)


def _chi_squared_bound(id: str, text: str, weight: Expr, other: Expr, mode: Expr) -> Expr:
    """kappa <= weight (e^(delta^2) - 1), from q = weight·other + (1 − weight)·mode."""
    right = weight * (sp.exp(delta**2) - 1)
    spare = weight**2 * line((p_o - p_n) ** 2 * other / (mode * q))
    return bound(
        id,
        text,
        kappa.head,
        "<=",
        right,
        (
            Link("chi-squared of q's parts", _pearson, Combination((Use(KAPPA_PEARSON),))),
            Link(
                "q is at least its other component",
                weight * line((p_o - p_n) ** 2 / mode),
                Combination(remainder=spare),
                "<=",
            ),
            Link("Gaussian moments", right, Algebra()),
        ),
        source="ours",
    )


KAPPA_CHI_SQUARED = _chi_squared_bound(
    "overlap.f.chi_squared_old", "kappa <= beta (e^(delta^2) - 1).", beta, p_o, p_n
)
KAPPA_CHI_SQUARED_NEW = _chi_squared_bound(
    "overlap.f.chi_squared_new", "kappa <= (1 - beta)(e^(delta^2) - 1).", 1 - beta, p_n, p_o
)

CLAIMS = (
    KAPPA_SPREAD,
    KAPPA_EVEN,
    COSH_ORDER,
    KAPPA_DECREASING,
    KAPPA_SLOPE,
    KAPPA_SLOPE_POSITIVE,
    KAPPA_GROWTH,
    KAPPA_INCREASING,
    KAPPA_TOTAL_VARIATION,
    TV_HELLINGER,
    KAPPA_PEARSON,
    KAPPA_CHI_SQUARED,
    KAPPA_CHI_SQUARED_NEW,
)
