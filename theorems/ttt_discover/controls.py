"""False variants of the claims about TTT-Discover, each with a witness."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Parameter, Relation
from theorems.mixture import DELTA, PHI, TAU, beta, delta, phi, tau
from theorems.overlap.quantities import E2, decay, kappa
from theorems.reverse_kl.quantities import KL_new_data, KL_reverse, W, spread
from theorems.ttt_discover.collapse import chi_squared
from theorems.ttt_discover.concavity import TANGENT
from theorems.ttt_discover.drift import SIZE
from theorems.ttt_discover.optimum import at_far
from theorems.ttt_discover.quantities import (
    ANCHOR,
    D_0,
    GAP,
    INVERSE_TEMPERATURE,
    REFERENCE_LOGIT,
    REWARD_NEW,
    REWARD_OLD,
    J,
    anchor,
    curvature_J,
    dJ,
    entropic_drift,
    gamma_c,
    gap,
    inverse_temperature,
    payoff,
    reference_logit,
    reward_new,
    reward_old,
    reward_share,
    soft_payoff,
    soft_pull,
)
from theorems.ttt_discover.threshold import by_gap

_RATIONALS = dict[Parameter, int | str]
_HALF_TWO: _RATIONALS = {REFERENCE_LOGIT: 0, DELTA: 2, INVERSE_TEMPERATURE: 1}
_PAYS = {REWARD_OLD: 1, REWARD_NEW: 2}
_SOFT: _RATIONALS = {
    PHI: "-3/10",
    REFERENCE_LOGIT: "-3/5",
    DELTA: 2,
    INVERSE_TEMPERATURE: 1,
    GAP: 1,
}


def _false(
    slug: str,
    text: str,
    of: tuple[str, ...],
    sides: tuple[Expr, Relation, Expr],
    at: _RATIONALS,
) -> Control:
    """A control that fails at these values."""
    id, (left, relation, right) = f"ttt_discover.control.{slug}", sides
    variant = Claim(id, text, left, relation, right, "bound")
    hint = {parameter: sp.Rational(value) for parameter, value in at.items()}
    return Control(id, text, tuple(f"ttt_discover.{each}" for each in of), variant, hint)


_threshold = ("c.lost", "c.kept", "c.just_below", "c.just_above", "c.margin", "c.accumulated")
_entropic = spread * (reward_new - reward_old) / (inverse_temperature * payoff)

CONTROLS = (
    _false(
        "unanchored_rises",
        "Without the anchor J rises in beta.",
        ("a.decreasing", "a.lost", "a.limit"),
        (sp.S.Zero, "<=", dJ.head.subs(anchor, 0)),
        {PHI: 0, **_HALF_TWO, **_PAYS},
    ),
    _false(
        "direction_swapped",
        "The anchor is KL(q_ref || q).",
        ("a.objective", "a.gradient", "c.three_points", "c.value", "c.kl_positive"),
        (
            J.head,
            "=",
            sp.log(payoff) / inverse_temperature - anchor * KL_reverse(reference_logit, phi, delta),
        ),
        {PHI: 2, **_HALF_TWO, **_PAYS, ANCHOR: 1},
    ),
    _false(
        "curvature_of_anchor_alone",
        "The curvature of J is that of the anchor alone.",
        ("b.curvature", "b.concave"),
        (curvature_J.head, "=", -anchor * kappa.head / spread),
        {PHI: 0, **_HALF_TWO, **_PAYS, ANCHOR: 1},
    ),
    _false(
        "above_tangents",
        "J lies above its tangents in beta.",
        ("b.tangent", "d.maximiser"),
        (TANGENT.right, "<=", TANGENT.left),
        {PHI: 0, TAU: 2, **_HALF_TWO, **_PAYS, ANCHOR: 1},
    ),
    _false(
        "always_lost",
        "The old mass is lost at every anchor strength (here gamma_c = 1/4, gamma = 1).",
        (
            "c.slope",
            "c.slope_below",
            "c.slope_above",
            *_threshold,
        ),
        (dJ.head, "<", sp.S.Zero),
        {PHI: -3, **_HALF_TWO, **_PAYS, ANCHOR: 1},
    ),
    _false(
        "never_lost",
        "A small weight beats none at every anchor strength (here gamma_c = 1/4, gamma = 1/8).",
        (*_threshold, "c.value_below", "c.value_above"),
        (sp.S.Zero, "<=", dJ.head),
        {PHI: -5, **_HALF_TWO, **_PAYS, ANCHOR: "1/8"},
    ),
    _false(
        "constant_off_half",
        "D_0 = delta^2/2 at every weight of the reference.",
        ("c.constant", "c.from_half", "c.between", "c.at_half", "c.symmetrised", "c.positive"),
        (D_0.head, "=", delta**2 / 2),
        {REFERENCE_LOGIT: 1, DELTA: 2},
    ),
    _false(
        "constant_told_labels",
        "D_0 = delta^2/2 + tau_0: kappa replaced by 1.",
        (
            "c.excess",
            "c.excess_below",
            "c.excess_above",
            "c.floor",
            "c.from_minus_infinity",
            "c.pointwise",
        ),
        (D_0.head, "=", delta**2 / 2 + reference_logit),
        {REFERENCE_LOGIT: 1, DELTA: 2},
    ),
    _false(
        "critical_by_odds",
        "gamma_c = (A_n/A_o - 1)/(b D_0).",
        ("c.critical", "c.critical_at_half", "c.critical_vanishes", "c.critical_by_gap"),
        (gamma_c.head, "=", (reward_new / reward_old - 1) / (inverse_temperature * D_0.head)),
        {**_HALF_TWO, **_PAYS},
    ),
    _false(
        "quarter_divergence",
        "KL(q || p_n) <= beta^2 (e^(delta^2) - 1)/4.",
        ("c.kl_quadratic",),
        (KL_new_data.head, "<=", beta**2 * chi_squared / 4),
        {PHI: -5, DELTA: 1},
    ),
    _false(
        "balance_at_new_reward",
        "At the optimum gamma times the integral of kappa is (1 - A_o/A_n)/b.",
        ("d.balance", "d.stationary", "d.ascent"),
        (
            dJ.head,
            "=",
            spread * (anchor * W(reference_logit, phi, delta) - reward_share / inverse_temperature),
        ),
        {PHI: 0, **_HALF_TWO, **_PAYS, ANCHOR: 1},
    ),
    _false(
        "lower_half",
        "The slope is not negative at tau_0 - (e^(b G) - 1)/(b gamma) at finite delta either: the "
        "maximiser, here -2.00, lies above that logit, here -0.86.",
        (
            "e.upper",
            "e.latent",
            "e.latent_concave",
            "e.latent_upper",
            "e.latent_lower",
            "e.latent_above",
            "e.latent_limit",
        ),
        (sp.S.Zero, "<=", dJ.head.subs({**by_gap, phi: at_far})),
        {
            REFERENCE_LOGIT: 0,
            DELTA: 1,
            INVERSE_TEMPERATURE: 1,
            REWARD_OLD: 1,
            GAP: 1,
            ANCHOR: 2,
        },
    ),
    _false(
        "no_weight",
        "The drift has no factor beta.",
        ("f.drift", "f.stein", "f.reward_slope", "f.shift", "f.across"),
        (entropic_drift.head, "=", gap * delta * soft_pull.head / soft_payoff.head),
        _SOFT,
    ),
    _false(
        "away_from_new",
        "Ascent pulls the old mean away from the new mode.",
        ("f.towards_new",),
        (entropic_drift.head, "<=", sp.S.Zero),
        _SOFT,
    ),
    _false(
        "no_exponential",
        "The bound of the drift has no factor e^(b G).",
        ("f.size", "f.classical", "f.pull_bound", "f.payoff_bound", "f.reward_floor"),
        (entropic_drift.head, "<=", SIZE.right * sp.exp(-inverse_temperature * gap)),
        {
            PHI: 6,
            REFERENCE_LOGIT: "11/10",
            DELTA: "1/4",
            INVERSE_TEMPERATURE: 2,
            GAP: 2,
        },
    ),
    _false(
        "smaller_constant",
        "E_{p_o}[s_o s_n] <= (3/10) sqrt((1 - alpha)/alpha) e^(-delta^2/8).",
        ("f.soft_overlap", "f.soft_overlap_bound", "f.profile_peak"),
        (
            sp.exp(-tau) * E2(tau, delta),
            "<=",
            sp.Rational(3, 10) * sp.exp(-tau / 2) * decay,
        ),
        {TAU: 1, DELTA: "1/4"},
    ),
)
