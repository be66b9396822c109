"""Parts (a) and (f): the shape of F in the weight, its ends, and bounds."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.gradient import WEIGHT_GRADIENT
from theorems.forward_kl.quantities import (
    MINUS,
    NEAR,
    SOURCE,
    KL_forward,
    dKL_forward,
    entropy,
    kl_from_new,
)
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Link,
    Use,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import L, beta, delta, line, mix, p_n, p_o, phi, q, sigma
from theorems.overlap.identities import KAPPA_COUPLED, KAPPA_POSITIVE
from theorems.overlap.quantities import A, kappa

# (a) shape in the weight itself, and its ends

_weight = sp.Symbol("w", positive=True)
_of_weight = kl_from_new(mix(_weight))
_slope = sp.diff(_of_weight, _weight)
_curvature = sp.diff(_slope, _weight)
_variance = line(p_n * (p_n - p_o) ** 2 / q**2)
_separation = KAPPA_COUPLED.right

SLOPE = identity(
    "forward_kl.a.slope",
    "In the weight dF/dbeta = kappa/(1 - beta).",
    _slope.subs(_weight, beta),
    kappa.head / (1 - beta),
    (
        Link(
            "chain rule, dbeta/dphi = beta (1 - beta)",
            dKL_forward.head / (beta * (1 - beta)),
            Algebra((dKL_forward,)),
        ),
        Link(
            "the gradient",
            kappa.head / (1 - beta),
            Combination((Use(WEIGHT_GRADIENT, times=1 / (beta * (1 - beta))),)),
        ),
    ),
    box=NEAR,
    source=SOURCE,
)
INCREASING = positive(
    "forward_kl.a.increasing",
    "F is strictly increasing in beta.",
    _slope.subs(_weight, beta),
    (
        Link(
            "kappa is positive",
            kappa.head / (1 - beta),
            Combination((Use(KAPPA_POSITIVE, times=1 / sigma(-phi)),)),
            "<",
        ),
        Link("the slope", _slope.subs(_weight, beta), Combination((Use(SLOPE, times=MINUS),))),
    ),
    kind="monotone",
    box=NEAR,
    source=SOURCE,
)
SECOND_DERIVATIVE = identity(
    "forward_kl.a.second_derivative",
    "d^2F/dbeta^2 = E_{p_n}[(p_n - p_o)^2/q^2].",
    _curvature.subs(_weight, beta),
    _variance,
    by_algebra("differentiate under the integral", _variance),
    box=NEAR,
    source=SOURCE,
)
CURVATURE = Claim(
    "forward_kl.a.curvature",
    "d^2F/dbeta^2 >= (dF/dbeta)^2: even e^(-F) is concave in beta.",
    (kappa.head / (1 - beta)) ** 2,
    "<=",
    _variance,
    "convex",
    (
        Link(
            "variance of (p_n - p_o)/q under the new mode",
            _variance,
            Combination(
                (Use(SLOPE, times=-2 * kappa.head / (1 - beta)),),
                line(p_n * ((p_n - p_o) / q - kappa.head / (1 - beta)) ** 2),
            ),
            "<=",
        ),
    ),
    box=NEAR,
    source="ours",
)
STRICTLY_CONVEX = positive(
    "forward_kl.a.convex",
    "F is strictly convex in beta.",
    _variance,
    (
        Link(
            "a square of a positive integral",
            (_separation / (1 - beta)) ** 2,
            Combination(remainder=(_separation / sigma(-phi)) ** 2),
            "<",
        ),
        Link(
            "it is kappa",
            (kappa.head / (1 - beta)) ** 2,
            Combination((Use(KAPPA_COUPLED, times=-(kappa.head + _separation) / (1 - beta) ** 2),)),
        ),
        Link(
            "square of the slope",
            _variance,
            Combination((Use(CURVATURE),)),
            "<=",
        ),
    ),
    kind="convex",
    box=NEAR,
    source=SOURCE,
)
LOWER_END = identity(
    "forward_kl.a.lower_end",
    "At beta = 0 the cross-entropy -E_{p_n}[log q] is the entropy of p_n, (1 + log(2 pi))/2, so "
    "F = 0: the minimiser has no old mass at all.",
    -line(p_n * sp.log(mix(_weight).subs(_weight, 0))),
    entropy,
    by_algebra("variance of the new mode", entropy),
    source=SOURCE,
)
UPPER_END = identity(
    "forward_kl.a.upper_end",
    "F = delta^2/2 at beta = 1.",
    _of_weight.subs(_weight, 1),
    delta**2 / 2,
    (
        Link("the log-ratio is affine", line(-p_n * L), Algebra()),
        Link("mean of L", delta**2 / 2, Algebra()),
    ),
    box=NEAR,
    source=SOURCE,
)
LOWER_SLOPE = identity(
    "forward_kl.a.lower_slope",
    "dF/dbeta = 0 at beta = 0, the end where the minimum lies (1 is added on both sides).",
    1 + _slope.subs(_weight, 0),
    sp.S.One,
    by_algebra("both modes integrate to 1", sp.S.One),
    box=NEAR,
    source="ours",
)
UPPER_SLOPE = identity(
    "forward_kl.a.upper_slope",
    "dF/dbeta = e^(delta^2) - 1 at beta = 1.",
    _slope.subs(_weight, 1),
    sp.exp(delta**2) - 1,
    by_algebra("complete the square", sp.exp(delta**2) - 1),
    box=NEAR,
    source="ours",
)
LOWER_CURVATURE = identity(
    "forward_kl.a.lower_curvature",
    "d^2F/dbeta^2 = e^(delta^2) - 1 at beta = 0: there F = (e^(delta^2) - 1) beta^2/2 to first "
    "order.",
    _curvature.subs(_weight, 0),
    sp.exp(delta**2) - 1,
    by_algebra("complete the square", sp.exp(delta**2) - 1),
    box=NEAR,
    source="ours",
)
MINIMISER = positive(
    "forward_kl.a.minimiser",
    "F > 0 at every beta > 0: the only minimiser is beta = 0.",
    KL_forward.head,
    (
        Link(
            "increasing from 0",
            KL_forward.head,
            Cited("mean value theorem", (INCREASING, LOWER_END)),
            "<",
        ),
    ),
    kind="minimiser",
    source=SOURCE,
)

# (f) bounds of the objective

SOFTPLUS_FORM = identity(
    "forward_kl.f.softplus_form",
    "F = log(1 + e^phi) - A(phi).",
    KL_forward.head,
    KL_forward.formula,
    (
        Link(
            "p_n/q = (1 + e^phi)/(1 + e^(phi + L))",
            line(p_n * (sp.log(1 + sp.exp(phi)) - sp.log(1 + sp.exp(phi + L)))),
            Algebra((KL_forward,)),
        ),
        Link("the new mode integrates to 1", KL_forward.formula, Algebra((A,))),
    ),
    source="ours",
)
SOFTPLUS_BOUND = Claim(
    "forward_kl.f.softplus",
    "F < log(1 + e^phi) = -log(1 - beta).",
    KL_forward.head,
    "<",
    sp.log(1 + sp.exp(phi)),
    "bound",
    (
        Link("softplus form", KL_forward.formula, Combination((Use(SOFTPLUS_FORM),))),
        Link(
            "a softplus is positive",
            sp.log(1 + sp.exp(phi)),
            Combination(remainder=A(phi, delta)),
            "<",
        ),
    ),
    source=SOURCE,
)
CHORD = Claim(
    "forward_kl.f.chord",
    "F < beta delta^2/2.",
    KL_forward.head,
    "<",
    beta * delta**2 / 2,
    "bound",
    (
        Link(
            "the chord from beta = 0 to beta = 1",
            beta * delta**2 / 2,
            Cited(
                "a strictly convex function lies below its chords",
                (STRICTLY_CONVEX, LOWER_END, UPPER_END),
            ),
            "<",
        ),
    ),
    source=SOURCE,
)

CLAIMS_A = (
    INCREASING,
    SLOPE,
    SECOND_DERIVATIVE,
    CURVATURE,
    STRICTLY_CONVEX,
    LOWER_END,
    UPPER_END,
    LOWER_SLOPE,
    UPPER_SLOPE,
    LOWER_CURVATURE,
    MINIMISER,
)
CLAIMS_F = (SOFTPLUS_FORM, SOFTPLUS_BOUND, CHORD)
