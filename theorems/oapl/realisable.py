r"""Part (a): the realisable reward, its baseline, the loss and where it vanishes."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import L, alpha, beta, delta, line, p_alpha, phi, q, r_n, r_o, tau, y
from theorems.oapl.quantities import (
    OAPL,
    V_star,
    dOAPL,
    offset,
    reward,
    temperature,
)
from theorems.reverse_kl.bounds import MONOTONE_INTEGRAL
from theorems.ttt_discover.concavity import EXP_TANGENT
from theorems.ttt_discover.quantities import q_ref, reference_logit, reference_weight

gap = phi - tau
differ = (sp.Ne(phi, tau),)

# the loss

BASELINE = identity(
    "oapl.a.baseline",
    "V* = k: e^(v/T) is the density q_beta* over the reference, times e^(k/T).",
    V_star.head,
    offset,
    by_algebra("q_beta* has integral 1", offset, V_star),
    source="reconstructed",
)
LOSS = identity(
    "oapl.a.loss",
    "The loss is T^2 E_ref[(log q/q_beta*)^2].",
    OAPL.head,
    OAPL.formula,
    by_algebra("V* = k, and k cancels", OAPL.formula, OAPL, V_star),
    box=NEAR,
    source="reconstructed",
)
GRADIENT = identity(
    "oapl.a.gradient",
    "Its derivative in phi is 2 T^2 E_ref[(r_o - beta) log q/q_beta*].",
    dOAPL.head,
    dOAPL.formula,
    by_algebra("differentiate under the integral", dOAPL.formula, dOAPL, V_star),
    box=NEAR,
    source="reconstructed",
)

# where it vanishes

_ratio = sp.log(q / p_alpha)
_score = sp.diff(_ratio, phi)
_odds_slope = beta * (1 - beta) / (1 - beta + beta * sp.exp(L))
SCORE_SIGN = bound(
    "oapl.a.score_sign",
    "r_o - beta, the derivative of log q in phi, has the sign of L.",
    sp.S.Zero,
    "<=",
    L * _score,
    (
        Link(
            "beta (1 - beta)(e^L - 1)/(1 - beta + beta e^L)",
            L * _score,
            Combination(remainder=2 * _odds_slope * sp.exp(L / 2) * L * sp.sinh(L / 2)),
            "<=",
        ),
    ),
    source="reconstructed",
)
SCORE_AT_ONE = positive(
    "oapl.a.score_at_one",
    "At y = 1, where L = delta, it is positive.",
    _score.subs(y, 1),
    (
        Link(
            "beta (1 - beta)(e^delta - 1)/(1 - beta + beta e^delta)",
            _score.subs(y, 1),
            Combination(remainder=_odds_slope.subs(y, 1) * (sp.exp(delta) - 1)),
            "<",
        ),
    ),
    source="reconstructed",
)
RATIO_AT_TARGET = identity(
    "oapl.a.ratio_at_target",
    "At beta* the log-ratio vanishes.",
    _ratio.subs(phi, tau),
    sp.S.Zero,
    by_algebra("log 1 = 0", sp.S.Zero),
    source="reconstructed",
)
RATIO_SIGN = bound(
    "oapl.a.ratio_sign",
    "log q/q_beta* has the sign of (phi - tau) L.",
    sp.S.Zero,
    "<=",
    gap * L * _ratio,
    (
        Link(
            "it starts from 0 at phi = tau",
            gap * L * _ratio,
            Cited("mean value theorem", (RATIO_AT_TARGET, SCORE_SIGN)),
            "<=",
        ),
    ),
    source="reconstructed",
)
RATIO_AT_ONE = bound(
    "oapl.a.ratio_at_one",
    "At y = 1 it vanishes at beta* alone.",
    sp.S.Zero,
    "<",
    gap * _ratio.subs(y, 1),
    (
        Link(
            "it starts from 0 at phi = tau",
            gap * _ratio.subs(y, 1),
            Cited("mean value theorem", (RATIO_AT_TARGET, SCORE_AT_ONE)),
            "<",
        ),
    ),
    where=differ,
    source="reconstructed",
)
_POSITIVE_INTEGRAL = "a continuous function that is nonnegative and not 0 has a positive integral"
_square = q_ref * _ratio**2
SQUARE = bound(
    "oapl.a.square",
    "The integrand of the loss is not negative.",
    sp.S.Zero,
    "<=",
    _square,
    (Link("a square", _square, Combination(remainder=_square), "<="),),
    source="reconstructed",
)
ONLY_ZERO = bound(
    "oapl.a.only_zero",
    "Away from beta* the loss is positive.",
    sp.S.Zero,
    "<",
    OAPL.head,
    (
        Link(
            "the log-ratio does not vanish at y = 1",
            temperature**2 * line(_square),
            Cited(_POSITIVE_INTEGRAL, (SQUARE, RATIO_AT_ONE)),
            "<",
        ),
        Link("it is the loss", OAPL.head, Algebra((OAPL, V_star))),
    ),
    kind="minimiser",
    where=differ,
    box=NEAR,
    source="reconstructed",
)
SCORE_BELOW = bound(
    "oapl.a.score_below",
    "|r_o - beta| < 1.",
    _score**2,
    "<=",
    sp.S.One,
    (
        Link(
            "both factors of the difference of squares are positive",
            sp.S.One,
            Combination(remainder=(r_n + beta) * (r_o + 1 - beta)),
            "<=",
        ),
    ),
    source="reconstructed",
)
RATIO_BELOW = bound(
    "oapl.a.ratio_below",
    "|log q/q_beta*| <= |phi - tau|.",
    _ratio**2,
    "<=",
    gap**2,
    (
        Link(
            "it starts from 0 at phi = tau",
            gap**2,
            Cited("mean value theorem", (RATIO_AT_TARGET, SCORE_BELOW)),
            "<=",
        ),
    ),
    source="reconstructed",
)
QUADRATIC = bound(
    "oapl.a.quadratic",
    "The loss is at most T^2 (phi - tau)^2: it is 0 at beta*.",
    OAPL.head,
    "<=",
    temperature**2 * gap**2,
    (
        Link("the loss", temperature**2 * line(q_ref * _ratio**2), Algebra((OAPL, V_star))),
        Link(
            "the log-ratio is at most |phi - tau|",
            temperature**2 * line(q_ref * gap**2),
            Cited(MONOTONE_INTEGRAL, (RATIO_BELOW,)),
            "<=",
        ),
        Link("q_ref is a density", temperature**2 * gap**2, Algebra()),
    ),
    box=NEAR,
    source="reconstructed",
)
TOWARDS = bound(
    "oapl.a.towards",
    "The derivative of the loss has the sign of phi - tau: from every start descent goes to beta*.",
    sp.S.Zero,
    "<",
    gap * dOAPL.head,
    (
        Link(
            "both factors have the sign of L, up to that of phi - tau",
            2 * temperature**2 * gap * line(q_ref * _score * _ratio),
            Cited(_POSITIVE_INTEGRAL, (SCORE_SIGN, RATIO_SIGN, SCORE_AT_ONE, RATIO_AT_ONE)),
            "<",
        ),
        Link("derivative", gap * dOAPL.head, Algebra((dOAPL, V_star))),
    ),
    where=differ,
    box=NEAR,
    source="ours",
)

# the mode limits of the reward

reward_old = temperature * sp.log(alpha / reference_weight) + offset
reward_new = temperature * sp.log((1 - alpha) / (1 - reference_weight)) + offset


def _mode_limit(slug: str, mode: str, limit: Expr, sign: int) -> Claim:
    """|v - limit| where sign·L goes to minus infinity."""
    odds, odds_ref = sp.exp(sign * (tau + L)), sp.exp(sign * (reference_logit + L))

    def side(way: str, left: Expr, right: Expr, grows: Expr, rest: Expr) -> Claim:
        return bound(
            f"oapl.a.{slug}_{way}",
            f"The reward against its limit in the {mode} mode, from {way}.",
            left,
            "<=",
            right,
            (
                Link(
                    "0 <= log(1 + x) <= x",
                    right,
                    Combination(
                        (Use(EXP_TANGENT, {phi: sp.log(1 + grows)}, temperature),),
                        temperature * sp.log(1 + rest),
                    ),
                    "<=",
                ),
            ),
            source="ours",
        )

    above = side("above", reward - limit, temperature * odds, odds, odds_ref)
    below = side("below", -temperature * odds_ref, reward - limit, odds_ref, odds)
    size = temperature * (odds + odds_ref)
    return bound(
        f"oapl.a.{slug}",
        f"Far into the {mode} mode the reward tends to its limit there, "
        f"T log of the weights' ratio plus k.",
        sp.Abs(reward - limit),
        "<=",
        size,
        (
            Link(
                "between both bounds",
                size,
                Cited("a number between -x and x is at most x in size", (above, below)),
                "<=",
            ),
        ),
        kind="limit",
        source="ours",
    )


LIMIT_OLD = _mode_limit("limit_old", "old", reward_old, -1)
LIMIT_NEW = _mode_limit("limit_new", "new", reward_new, 1)
LIMITS_DIFFER = identity(
    "oapl.a.limits_differ",
    "The mode limits differ by V_o - V_n = T (logit beta* - tau_0).",
    reward_old - reward_new,
    temperature * (tau - reference_logit),
    by_algebra("logits of the weights", temperature * (tau - reference_logit)),
    source="reconstructed",
)

CLAIMS = (
    BASELINE,
    LOSS,
    GRADIENT,
    QUADRATIC,
    SCORE_SIGN,
    RATIO_SIGN,
    RATIO_AT_ONE,
    ONLY_ZERO,
    TOWARDS,
    LIMIT_OLD,
    LIMIT_NEW,
    LIMITS_DIFFER,
)
