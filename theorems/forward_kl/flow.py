"""Part (d), the gradient flow of the weight, phi' = -dF/dphi: the old mass falls to 0."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.gradient import WEIGHT_GRADIENT
from theorems.forward_kl.quantities import NEAR, SOURCE, dKL_forward
from theorems.forward_kl.regimes import MIDDLE_BELOW, PLATEAU_BOUND, TAIL, TAIL_BELOW, chi_squared
from theorems.forward_kl.shape import STRICTLY_CONVEX
from theorems.language import (
    Cited,
    Claim,
    Combination,
    Link,
    Parameter,
    Path,
    Process,
    Use,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import PHI, L, beta, delta, line, p_n, phi, q, sigma
from theorems.overlap.distinguishability import KAPPA_CHI_SQUARED
from theorems.overlap.identities import KAPPA_BELOW_ONE, KAPPA_POSITIVE
from theorems.overlap.quantities import decay, kappa

_new = sigma(-phi)  # the weight 1 - beta of the new mode, manifestly positive
_steep = sp.exp(3 * delta**2) - sp.exp(delta**2)
start = sp.Symbol("start", real=True)
below = sp.Symbol("below", positive=True)
time = sp.Symbol("t", nonnegative=True)
START = Parameter(
    "start",
    start,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-3), sp.Integer(3)),
    "logit at time 0",
)
BELOW = Parameter(
    "below",
    below,
    sp.Interval.open(0, sp.oo),
    (sp.Integer(0), sp.Integer(6)),
    "how far the logit is below 0",
)
# the velocity

_velocity = -beta * kappa.head

VELOCITY = identity(
    "forward_kl.d.velocity",
    "Along the flow beta' = -beta^2 (1 - beta) kappa.",
    -sp.diff(beta, phi) * dKL_forward.head,
    -(beta**2) * (1 - beta) * kappa.head,
    (
        Link(
            "dbeta/dphi = beta (1 - beta)",
            -(beta**2) * (1 - beta) * kappa.head,
            Combination((Use(WEIGHT_GRADIENT, times=-beta * (1 - beta)),)),
        ),
    ),
    source=SOURCE,
)
DECREASING = Claim(
    "forward_kl.d.decreasing",
    "beta decreases strictly.",
    -(beta**2) * (1 - beta) * kappa.head,
    "<",
    sp.S.Zero,
    "sign",
    (
        Link(
            "kappa is positive",
            sp.S.Zero,
            Combination((Use(KAPPA_POSITIVE, times=beta**2 * _new),)),
            "<",
        ),
    ),
    source=SOURCE,
)
_over_new = q / p_n
_gap = ((1 - sp.exp(L)) / _over_new) ** 2
SPEED = positive(
    "forward_kl.d.speed",
    "Below weight 1/2 the speed beta kappa grows with the logit: its derivative at phi = -x is "
    "positive for x > 0.",
    sp.diff(dKL_forward.definition, phi).subs(phi, -below),
    (
        Link(
            "convexity, and a tangent of the leakage's slope in beta",
            sp.diff(dKL_forward.definition, phi).subs(phi, -below),
            Combination(
                (Use(STRICTLY_CONVEX, {phi: -below}, (beta**3 * _new).subs(phi, -below)),),
                sp.tanh(below / 2)
                * (beta**2 * _new * line(p_n * _gap * (1 + _over_new))).subs(phi, -below),
            ),
            "<",
        ),
    ),
    kind="monotone",
    box=NEAR,
    source="ours",
)

# rates of 1/beta and 1/beta^2 along the flow, and what they give at every time

RECIPROCAL_RATE = identity(
    "forward_kl.d.reciprocal_rate",
    "Along the flow (1/beta)' = (1 - beta) kappa.",
    sp.diff(1 / beta, phi) * _velocity,
    (1 - beta) * kappa.head,
    by_algebra("chain rule", (1 - beta) * kappa.head),
    source=SOURCE,
)
SQUARE_RATE = identity(
    "forward_kl.d.square_rate",
    "Along the flow (1/beta^2)' = 2 (1 - beta) kappa/beta.",
    sp.diff(1 / beta**2, phi) * _velocity,
    2 * (1 - beta) * kappa.head / beta,
    by_algebra("chain rule", 2 * (1 - beta) * kappa.head / beta),
    source=SOURCE,
)
RECIPROCAL_RATE_BELOW_ONE = Claim(
    "forward_kl.d.reciprocal_rate_below_one",
    "(1 - beta) kappa < 1.",
    (1 - beta) * kappa.head,
    "<",
    sp.S.One,
    "bound",
    (
        Link(
            "kappa is below 1",
            sp.S.One,
            Combination((Use(KAPPA_BELOW_ONE, times=_new),), beta),
            "<",
        ),
    ),
    source=SOURCE,
)
RECIPROCAL_RATE_IN_PLATEAU = Claim(
    "forward_kl.d.reciprocal_rate_in_plateau",
    "(1 - beta) (1 - cosh(phi/2) e^(-delta^2/8)) <= (1 - beta) kappa.",
    (1 - beta) * (1 - sp.cosh(phi / 2) * decay),
    "<=",
    (1 - beta) * kappa.head,
    "bound",
    (
        Link(
            "the plateau",
            (1 - beta) * kappa.head,
            Combination((Use(PLATEAU_BOUND, times=_new),)),
            "<=",
        ),
    ),
    source="ours",
)
SQUARE_RATE_ABOVE = Claim(
    "forward_kl.d.square_rate_above",
    "2 (1 - beta) kappa/beta <= 2 (e^(delta^2) - 1).",
    2 * (1 - beta) * kappa.head / beta,
    "<=",
    2 * chi_squared,
    "bound",
    (
        Link(
            "chi-squared bound",
            2 * chi_squared,
            Combination((Use(KAPPA_CHI_SQUARED, times=2 * _new / beta),), 2 * beta * chi_squared),
            "<=",
        ),
    ),
    source=SOURCE,
)
SQUARE_RATE_TAIL = Claim(
    "forward_kl.d.square_rate_tail",
    "2 ((e^(delta^2) - 1) - beta (e^(3 delta^2) - e^(delta^2))) <= 2 (1 - beta) kappa/beta.",
    2 * (chi_squared - beta * _steep),
    "<=",
    2 * (1 - beta) * kappa.head / beta,
    "bound",
    (
        Link(
            "the tail, times (1 - beta)/beta",
            2 * (1 - beta) * kappa.head / beta,
            Combination(
                (Use(TAIL_BELOW, times=2 * _new / beta),),
                2 * beta**2 * (chi_squared + (1 + _new) * chi_squared**2 * (sp.exp(delta**2) + 2)),
            ),
            "<=",
        ),
    ),
    box=TAIL,
    source="ours",
)
SQUARE_RATE_MIDDLE = Claim(
    "forward_kl.d.square_rate_middle",
    "8 (1 - beta)^2 kappa(0) <= 2 (1 - beta) kappa/beta.",
    8 * (1 - beta) ** 2 * kappa(0, delta),
    "<=",
    2 * (1 - beta) * kappa.head / beta,
    "bound",
    (
        Link(
            "kappa is at least 4 beta (1 - beta) kappa(0)",
            2 * (1 - beta) * kappa.head / beta,
            Combination((Use(MIDDLE_BELOW, times=2 * _new / beta),)),
            "<=",
        ),
    ),
    source="ours",
)

WEIGHT_FLOW = Process(
    "forward_kl.weight_flow",
    PHI,
    _velocity,
    START,
    time,
    "gradient flow of F in the logit, phi' = -beta kappa",
    sp.S.Zero,
    SPEED,
)
_beta_0 = sigma(start)
_COMPARISON = "comparison principle for scalar differential inequalities"

PATH_RECIPROCAL = Path(
    "forward_kl.d.path_reciprocal",
    "beta(t) >= 1/(1/beta_0 + t).",
    WEIGHT_FLOW,
    1 / (1 / _beta_0 + time),
    "<=",
    beta,
    Cited(_COMPARISON, (RECIPROCAL_RATE, RECIPROCAL_RATE_BELOW_ONE)),
    source=SOURCE,
)
PATH_ROOT = Path(
    "forward_kl.d.path_root",
    "beta(t) >= (beta_0^(-2) + 2 (e^(delta^2) - 1) t)^(-1/2).",
    WEIGHT_FLOW,
    1 / sp.sqrt(1 / _beta_0**2 + 2 * chi_squared * time),
    "<=",
    beta,
    Cited(_COMPARISON, (SQUARE_RATE, SQUARE_RATE_ABOVE)),
    source=SOURCE,
)
PATH_PLATEAU = Path(
    "forward_kl.d.path_plateau",
    "With C the larger of cosh(phi_0/2) and cosh(phi(t)/2): "
    "1/beta_0 + (1 - beta_0) (1 - C e^(-delta^2/8)) t <= 1/beta(t), so beta is about 1/t there.",
    WEIGHT_FLOW,
    1 / _beta_0 + (1 - _beta_0) * (1 - sp.Max(sp.cosh(start / 2), sp.cosh(phi / 2)) * decay) * time,
    "<=",
    1 / beta,
    Cited(_COMPARISON, (RECIPROCAL_RATE, RECIPROCAL_RATE_IN_PLATEAU, DECREASING)),
    source="ours",
)
PATH_TAIL = Path(
    "forward_kl.d.path_tail",
    "beta_0^(-2) + 2 ((e^(delta^2) - 1) - beta_0 (e^(3 delta^2) - e^(delta^2))) t <= beta(t)^(-2): "
    "from late starts beta is (2 (e^(delta^2) - 1) t)^(-1/2) to first order.",
    WEIGHT_FLOW,
    1 / _beta_0**2 + 2 * (chi_squared - _beta_0 * _steep) * time,
    "<=",
    1 / beta**2,
    Cited(_COMPARISON, (SQUARE_RATE, SQUARE_RATE_TAIL, DECREASING)),
    source="ours",
)
PATH_TO_ZERO = Path(
    "forward_kl.d.path_to_zero",
    "beta_0^(-2) + 8 (1 - beta_0)^2 kappa(0) t <= beta(t)^(-2): from every start beta falls to 0.",
    WEIGHT_FLOW,
    1 / _beta_0**2 + 8 * (1 - _beta_0) ** 2 * kappa(0, delta) * time,
    "<=",
    1 / beta**2,
    Cited(_COMPARISON, (SQUARE_RATE, SQUARE_RATE_MIDDLE, DECREASING)),
    source=SOURCE,
)

CLAIMS = (
    VELOCITY,
    DECREASING,
    SPEED,
    RECIPROCAL_RATE,
    SQUARE_RATE,
    RECIPROCAL_RATE_BELOW_ONE,
    RECIPROCAL_RATE_IN_PLATEAU,
    SQUARE_RATE_ABOVE,
    SQUARE_RATE_TAIL,
    SQUARE_RATE_MIDDLE,
    PATH_RECIPROCAL,
    PATH_ROOT,
    PATH_PLATEAU,
    PATH_TAIL,
    PATH_TO_ZERO,
)
