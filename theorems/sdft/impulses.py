r"""Part (d): the impulse that one step gives the old mean.

-d\varepsilon_o/d\phi = E_{p_o}[r_o r_n] is the mean of r_o^{3/2} r_n^{1/2} at the midpoint times
e^{-\phi/2} e^{-\delta^2/8}; that function of r_o is largest at 3/4.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Cited, Combination, Link, Use, bound, by_algebra, identity
from theorems.mixture import L, beta, delta, line, normal, p_o, phi, r_n, r_o, sigma, tau, y
from theorems.old_drift.size import CORRECT_SIZE
from theorems.overlap.quantities import decay, eps_o
from theorems.overlap.shape import EPS_OLD_FALLS
from theorems.sdft.one_step import SOURCE, at_target
from theorems.sdft.quantities import impulse, step, target

# the slope of eps_o

SLOPE = identity(
    "sdft.d.slope",
    "-d eps_o/dphi = E_{p_o}[r_o r_n].",
    -sp.diff(eps_o.definition, phi),
    line(p_o * r_o * r_n),
    by_algebra("the derivative of r_n is -r_o r_n", line(p_o * r_o * r_n)),
    source=SOURCE,
)
peak = 3 * sp.sqrt(3) / 16
_half = (phi + L) / 2
_odds = sp.exp(_half) * sp.sech(_half) ** 2 / 4  # r_o^(3/2) r_n^(1/2)
_old = sigma(phi + L)
_short_of_peak = (_old - sp.Rational(3, 4)) ** 2 * (_old**2 + _old / 2 + sp.Rational(3, 16))
SLOPE_BOUND = bound(
    "sdft.d.slope_bound",
    "E_{p_o}[r_o r_n] <= (3 sqrt(3)/16) e^(-phi/2) e^(-delta^2/8).",
    line(p_o * r_o * r_n),
    "<=",
    peak * sp.exp(-phi / 2) * decay,
    (
        Link(
            "complete the square",
            sp.exp(-phi / 2) * decay * line(normal(y) * _odds),
            Algebra(),
        ),
        Link(
            "r_o^3 r_n <= 27/256, with equality at r_o = 3/4",
            peak * sp.exp(-phi / 2) * decay,
            Combination(
                remainder=sp.exp(-phi / 2)
                * decay
                * line(normal(y) * (_short_of_peak + (peak - _odds) ** 2) / (2 * peak))
            ),
            "<=",
        ),
    ),
    source=SOURCE,
)
LIPSCHITZ = bound(
    "sdft.d.lipschitz",
    "|eps_o(phi) - eps_o(tau)| <= (3 sqrt(3)/16) e^(-min(phi, tau)/2) e^(-delta^2/8) |phi - tau|.",
    sp.Abs(eps_o.head - eps_o(tau, delta)),
    "<=",
    peak * sp.exp(-sp.Min(phi, tau) / 2) * decay * sp.Abs(phi - tau),
    (
        Link(
            "the slope is negative, and steepest at the lower logit at most",
            peak * sp.exp(-sp.Min(phi, tau) / 2) * decay * sp.Abs(phi - tau),
            Cited("mean value theorem", (SLOPE, EPS_OLD_FALLS, SLOPE_BOUND)),
            "<=",
        ),
    ),
    source=SOURCE,
)

# the impulse of one step

IMPULSE_FORMULA = identity(
    "sdft.d.impulse_formula",
    "The impulse on the old mean is h beta delta |eps_o(phi) - eps_o((1 - nu) chi + nu tau)|.",
    impulse.head,
    impulse.formula,
    (
        Link(
            "size of the gradient at correct means",
            impulse.formula,
            Combination((Use(CORRECT_SIZE, at_target, step),), unfold=(impulse,)),
        ),
    ),
    source=SOURCE,
)
size = step * beta * delta * decay
lower = sp.exp(-sp.Min(phi, target) / 2)
apart = sp.Abs(phi - target)
IMPULSE = bound(
    "sdft.d.impulse",
    "The impulse is at most (3 sqrt(3)/16) h beta delta e^(-min(phi, tau_t)/2) e^(-delta^2/8) "
    "|phi - tau_t|, tau_t the teacher's target.",
    impulse.head,
    "<=",
    peak * size * lower * apart,
    (
        Link("as a difference of eps_o", impulse.formula, Combination((Use(IMPULSE_FORMULA),))),
        Link(
            "slope of eps_o",
            peak * size * lower * apart,
            Combination((Use(LIPSCHITZ, at_target, step * beta * delta),)),
            "<=",
        ),
    ),
    source=SOURCE,
)

CLAIMS = (SLOPE, SLOPE_BOUND, LIPSCHITZ, IMPULSE_FORMULA, IMPULSE)
