"""False variants of the claims about OAPL, each with a witness."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Parameter, Relation
from theorems.mixture import DELTA, PHI, TAU, alpha, line, p_alpha, phi, tau
from theorems.oapl.drift import SIZE
from theorems.oapl.locality import LEAK, leak
from theorems.oapl.quantities import (
    OAPL,
    OFFSET,
    TEMPERATURE,
    V_star,
    dOAPL,
    grad_old_OAPL,
    offset,
    residual_drift,
    soft,
    temperature,
)
from theorems.oapl.realisable import reward_new, reward_old
from theorems.oapl.support import BOUNDED_REWARD, DENSITY, created_mass, oscillation
from theorems.reverse_kl.quantities import dKL_reverse
from theorems.ttt_discover.quantities import (
    GAP,
    REFERENCE_LOGIT,
    q_ref,
    reference_logit,
    reference_weight,
)

_RATIONALS = dict[Parameter, int | str]
_QUARTERS: _RATIONALS = {  # alpha_0 = 1/4 and beta* = 3/4, nearly
    REFERENCE_LOGIT: "-11/10",
    TAU: "11/10",
    DELTA: 2,
    TEMPERATURE: "1/2",
    OFFSET: "3/10",
}
_SOFT: _RATIONALS = {REFERENCE_LOGIT: "-3/5", TAU: 1, DELTA: "1/4", TEMPERATURE: "1/2", GAP: 1}
_value, _floor, _baseline, _oscillation = BOUNDED_REWARD


def _false(
    slug: str,
    text: str,
    of: tuple[str, ...],
    sides: tuple[Expr, Relation, Expr],
    at: _RATIONALS,
) -> Control:
    """A control that fails at these values."""
    id, (left, relation, right) = f"oapl.control.{slug}", sides
    variant = Claim(id, text, left, relation, right, "bound")
    hint = {parameter: sp.Rational(value) for parameter, value in at.items()}
    return Control(id, text, tuple(f"oapl.{each}" for each in of), variant, hint)


CONTROLS = (
    _false(
        "no_logarithm",
        "V* = T E_ref[e^(v/T)], without the log.",
        ("a.baseline",),
        (V_star.head, "=", temperature * sp.exp(offset / temperature) * line(p_alpha)),
        _QUARTERS,
    ),
    _false(
        "no_temperature",
        "V* = T log E_ref[e^v], with e^v for e^(v/T).",
        ("a.baseline",),
        (
            V_star.head,
            "=",
            temperature * (offset + sp.log(line(q_ref * (p_alpha / q_ref) ** temperature))),
        ),
        _QUARTERS,
    ),
    _false(
        "weight_swapped",
        "The loss vanishes at 1 - beta* too.",
        (
            "a.loss",
            "a.only_zero",
            "a.quadratic",
            "a.ratio_at_one",
            "a.ratio_sign",
            "a.score_sign",
        ),
        (OAPL.head.subs(phi, -tau), "=", sp.S.Zero),
        _QUARTERS,
    ),
    _false(
        "on_policy",
        "The slope of the loss is that of 2 T^2 KL(q || q_beta*), away from the reference too.",
        ("a.gradient", "a.towards", "b.at_reference", "b.stationary"),
        (dOAPL.head, "=", 2 * temperature**2 * dKL_reverse.head),
        {PHI: 2, **_QUARTERS},
    ),
    _false(
        "limits_without_temperature",
        "V_o - V_n = logit beta* - tau_0.",
        ("a.limits_differ", "a.limit_old", "a.limit_new", "b.shift"),
        (reward_old - reward_new, "=", tau - reference_logit),
        _QUARTERS,
    ),
    _false(
        "weight_kept_whole",
        "The old weight never falls.",
        ("b.kept_old", "b.kept_new"),
        (reference_weight, "<=", alpha),
        {REFERENCE_LOGIT: 1, TAU: -1},
    ),
    _false(
        "ceiling_without_temperature",
        "The ideal policy is at most e^Omega times the reference.",
        ("b.density",),
        (DENSITY.left, "<=", sp.exp(oscillation)),
        {_value: 1, _floor: 0, _baseline: 0, _oscillation: 1, TEMPERATURE: "1/2"},
    ),
    _false(
        "recovered",
        "A lost mode is recovered by a bounded reward that pays for it: the ideal policy puts at "
        "least half its mass on L > 0.",
        (
            "b.created",
            "b.created_by_any",
            "b.baseline_floor",
            "b.slope",
            "b.slope_of_any",
        ),
        (sp.Rational(1, 2), "<=", created_mass(soft)),
        {TAU: 0, DELTA: 4, TEMPERATURE: "1/2", GAP: 1},
    ),
    _false(
        "no_weight",
        "The gradient in the old mean has no factor alpha_0.",
        ("c.gradient", "c.slope_of_any", "c.baseline_drops", "c.across", "c.towards_new"),
        (grad_old_OAPL.head, "=", grad_old_OAPL.formula / reference_weight),
        _SOFT,
    ),
    _false(
        "half_the_size",
        "The size of that gradient has 3 sqrt(3)/16 for 3 sqrt(3)/8.",
        ("c.size",),
        (SIZE.left, "<=", SIZE.right / 2),
        _SOFT,
    ),
    _false(
        "residual_of_reference",
        "The residual is taken at the reference's weight.",
        ("d.residual", "d.split"),
        (residual_drift.head, "=", residual_drift.formula.subs(tau, reference_logit)),
        _QUARTERS,
    ),
    _false(
        "leak_without_reach",
        "E_{p_n}[r_o |y - mu_o|] <= (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8).",
        ("d.leak", "d.direction", "d.size_of_any", "d.size"),
        (LEAK.left, "<=", leak),
        {PHI: 5, DELTA: 8},
    ),
)
