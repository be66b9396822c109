r"""Part (j): the shape lemmas, which turn boxes into corners."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
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
from theorems.mixture import (
    L,
    across,
    along,
    delta,
    line,
    normal,
    p_n,
    p_o,
    phi,
    r_n,
    r_o,
    sigma,
    tau,
    y,
)
from theorems.overlap.identities import EPS_NEW_FORMULA
from theorems.overlap.quantities import E2, S, decay, eps_n, sech_kernel
from theorems.overlap.reasons import positive_integral
from theorems.overlap.sech import EVEN

# (j) S in phi

S_phi = sp.diff(S.definition, phi)
S_phi_phi = sp.diff(S_phi, phi)
S_delta = sp.diff(S.definition, delta)
_sech = sp.sech((phi + L) / 2)


def _concavity() -> Claim:
    """Minus the second derivative of the log-integrand of S in any direction of (phi, y)."""
    log = sp.log(sech_kernel())
    form = sum(
        -u * v * sp.diff(log, a, b)
        for a, u in ((phi, along), (y, across))
        for b, v in ((phi, along), (y, across))
    )
    square = across**2 + (_sech * (along + delta * across) / 2) ** 2
    return bound(
        "overlap.j.jointly_log_concave",
        "The integrand of S is log-concave in (phi, y): minus its second derivative in the "
        "direction (along, across) is a sum of squares.",
        sp.S.Zero,
        "<=",
        form,
        (
            Link("a sum of squares", square, Combination(remainder=square), "<="),
            Link("differentiate", form, Algebra()),
        ),
        kind="shape",
        source="ours",
    )


JOINTLY_LOG_CONCAVE = _concavity()
LOG_CONCAVE = bound(
    "overlap.j.log_concave",
    "S is log-concave in phi: S S_phiphi <= S_phi^2.",
    S.head * S_phi_phi,
    "<=",
    S_phi**2,
    (
        Link(
            "marginals of log-concave functions are log-concave",
            S_phi**2,
            Cited("Prekopa's theorem", (JOINTLY_LOG_CONCAVE,)),
            "<=",
        ),
    ),
    kind="shape",
    source="ours",
)
S_DECREASING = bound(
    "overlap.j.decreasing",
    "S does not grow with |phi|: S(phi) <= S(tau) where |tau| <= |phi|.",
    S.head,
    "<=",
    S(tau, delta),
    (
        Link(
            "phi lies outside [-|tau|, |tau|]",
            S(tau, delta),
            Cited("an even concave function falls away from 0", (EVEN, LOG_CONCAVE)),
            "<=",
        ),
    ),
    where=(sp.Abs(tau) <= sp.Abs(phi),),
    kind="shape",
    source="ours",
)


def _shape(id: str, text: str, left: Expr, right: Expr, name: str, remainder: Expr) -> Claim:
    """left < right, the gap being an integral whose integrand is positive."""
    return bound(
        id,
        text,
        left,
        "<",
        right,
        (Link(name, right, Combination(remainder=remainder, unfold=(S,)), "<"),),
        kind="shape",
        source="ours",
    )


S_SLOPE_ABOVE = _shape(
    "overlap.j.slope_above",
    "S_phi/S < 1/2.",
    S_phi,
    S.head / 2,
    "1 + tanh is positive",
    line(sech_kernel() * sigma(phi + L)),
)
S_SLOPE_BELOW = _shape(
    "overlap.j.slope_below",
    "-1/2 < S_phi/S.",
    -S.head / 2,
    S_phi,
    "1 - tanh is positive",
    line(sech_kernel() * sigma(-phi - L)),
)
S_CURVATURE = _shape(
    "overlap.j.curvature",
    "S_phiphi/S < 1/4.",
    S_phi_phi,
    S.head / 4,
    "4 (sech)'' = sech - 2 sech^3",
    line(sech_kernel() * _sech**2) / 2,
)

# (j) in delta

HEAT = identity(
    "overlap.j.heat",
    "Heat equation: S_delta = delta S_phiphi.",
    S_delta,
    delta * S_phi_phi,
    (
        Link(
            "integrate by parts",
            delta * S_phi_phi,
            Divergence(((y, -normal(y) * sp.diff(_sech, phi)),), (y,)),
        ),
    ),
    source="ours",
)
_scaled_growth = S.definition + delta * S_delta
SCALED_INCREASING = positive(
    "overlap.j.scaled_increasing",
    "delta S increases strictly in delta: its derivative S + delta S_delta is positive.",
    _scaled_growth,
    (
        Link(
            "a positive integral",
            line(y**2 * sech_kernel()),
            positive_integral("overlap.j.scaled_increasing", y**2 * sech_kernel()),
            "<",
        ),
        Link(
            "integrate by parts",
            _scaled_growth,
            Divergence(((y, -y * sech_kernel()),), (y,)),
        ),
    ),
    kind="shape",
    source="ours",
)
SCALED_DECREASING = bound(
    "overlap.j.scaled_decreasing",
    "delta S does not grow with |phi|.",
    delta * S.head,
    "<=",
    delta * S(tau, delta),
    (
        Link(
            "S does not",
            delta * S(tau, delta),
            Combination((Use(S_DECREASING, times=delta),)),
            "<=",
        ),
    ),
    where=(sp.Abs(tau) <= sp.Abs(phi),),
    kind="shape",
    source="ours",
)
_damped_fall = decay * (delta / 4 * S.definition - S_delta)
_cubed = delta * decay / 2 * line(sech_kernel() * _sech**2)
DAMPED_DECREASING = positive(
    "overlap.j.damped_decreasing",
    "e^(-delta^2/8) S decreases strictly in delta: (delta/4) S - S_delta is positive.",
    _damped_fall,
    (
        Link("a positive integrand", _cubed, Combination(remainder=_cubed), "<"),
        Link(
            "heat equation, and 4 (sech)'' = sech - 2 sech^3",
            _damped_fall,
            Combination((Use(HEAT, times=decay),)),
        ),
    ),
    kind="shape",
    source="ours",
)


_eps_o, _eps_n = line(p_o * sigma(-phi - L)), line(p_n * sigma(phi + L))


def _falls(id: str, text: str, rate: Expr, name: str, remainder: Expr) -> Claim:
    """0 < rate, in phi, where rate is an integral with a positive integrand."""
    return positive(
        id, text, rate, (Link(name, rate, Combination(remainder=remainder), "<"),), kind="shape"
    )


def _falls_in_delta(id: str, text: str, definition: Expr, odds: Expr) -> Claim:
    """0 < -d(definition)/d delta, definition = odds e^(-delta^2/8) S/2."""
    rate = -sp.diff(definition, delta)
    return positive(
        id,
        text,
        rate,
        (
            Link(
                "so does e^(-delta^2/8) S",
                rate,
                Combination((Use(DAMPED_DECREASING, times=odds / 2),)),
                "<",
            ),
        ),
        kind="shape",
        source="ours",
    )


EPS_OLD_FALLS = _falls(
    "overlap.j.eps_o_in_phi",
    "eps_o = E_{p_o}[sigma(-phi - L)] decreases strictly in phi.",
    -sp.diff(_eps_o, phi),
    "the derivative of r_n is -r_o r_n",
    line(p_o * r_o * r_n),
)
EPS_NEW_RISES = _falls(
    "overlap.j.eps_n_in_phi",
    "eps_n = E_{p_n}[sigma(phi + L)] increases strictly in phi.",
    sp.diff(_eps_n, phi),
    "the derivative of r_o is r_o r_n",
    line(p_n * r_o * r_n),
)
EPS_OLD_FALLS_IN_DELTA = _falls_in_delta(
    "overlap.j.eps_o_in_delta",
    "eps_o decreases strictly in delta.",
    _eps_o,
    sp.exp(-phi / 2),
)
EPS_NEW_FALLS_IN_DELTA = _falls_in_delta(
    "overlap.j.eps_n_in_delta",
    "eps_n decreases strictly in delta.",
    _eps_n,
    sp.exp(phi / 2),
)
SECOND_MOMENT_FORMULA = identity(
    "overlap.j.second_moment_formula",
    "E_{p_n}[r_o^2] as an integral against the midpoint density.",
    E2.head,
    E2.formula,
    by_algebra("complete the square", E2.formula, E2),
    source="ours",
)
_slope_factor = sp.Rational(1, 2) - S_phi / S.head
SECOND_MOMENT = identity(
    "overlap.j.second_moment",
    "E_{p_n}[r_o^2] = eps_n (1/2 - S_phi/S).",
    E2.head,
    eps_n.head * _slope_factor,
    (
        Link(
            "sigma = (1 + tanh)/2, and tanh sech is -2 S_phi under the integral",
            sp.exp(phi / 2) * decay / 2 * (S.head / 2 - S_phi),
            Algebra((E2, S)),
        ),
        Link("factor", eps_n.formula * _slope_factor, Algebra()),
        Link(
            "sech form",
            eps_n.head * _slope_factor,
            Combination((Use(EPS_NEW_FORMULA, times=-_slope_factor),)),
        ),
    ),
    source="ours",
)

CLAIMS = (
    EVEN,
    JOINTLY_LOG_CONCAVE,
    LOG_CONCAVE,
    S_DECREASING,
    S_SLOPE_ABOVE,
    S_SLOPE_BELOW,
    S_CURVATURE,
    HEAT,
    SCALED_INCREASING,
    SCALED_DECREASING,
    DAMPED_DECREASING,
    EPS_OLD_FALLS,
    EPS_NEW_RISES,
    EPS_OLD_FALLS_IN_DELTA,
    EPS_NEW_FALLS_IN_DELTA,
    SECOND_MOMENT_FORMULA,
    SECOND_MOMENT,
)
