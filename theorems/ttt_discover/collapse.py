r"""Part (c), what decides: at \beta = 0 the slope of J in \beta is (\gamma - \gamma_c) D_0.

Both sides of the threshold are shown twice: by the slope of J, and by its value against J_0, that
at \beta = 0.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import KL_forward
from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import beta, delta, line, p_n, phi, q, tau
from theorems.reverse_kl.bounds import MONOTONE_INTEGRAL
from theorems.reverse_kl.gradient import GIBBS
from theorems.reverse_kl.gradient import GRADIENT as REVERSE_GRADIENT
from theorems.reverse_kl.quantities import KL_new_data, KL_reverse, spread
from theorems.reverse_kl.targets import MEANS_DIFFER
from theorems.ttt_discover.concavity import EXP_TANGENT, GRADIENT, OBJECTIVE_FORMULA
from theorems.ttt_discover.constant import BETWEEN, POSITIVE, VANISHES
from theorems.ttt_discover.critical import CRITICAL
from theorems.ttt_discover.quantities import (
    D_0,
    J,
    anchor,
    dJ,
    gamma_c,
    inverse_temperature,
    payoff,
    reference_logit,
    reward_new,
    reward_old,
    reward_share,
)

_minus = sp.S.NegativeOne
_at_phi = {reference_logit: phi}
_slope = dJ.head / spread  # in beta
margin = (anchor - gamma_c.head) * D_0.head
_reward_bend = beta * (reward_new - reward_old) ** 2 / (inverse_temperature * reward_new * payoff)
chi_squared = sp.exp(delta**2) - 1
margin_formula = anchor * D_0.head - reward_share / inverse_temperature
_bymargin = Use(CRITICAL, times=D_0.head)

# the slope in beta

SLOPE = identity(
    "ttt_discover.c.slope",
    "The slope of J in beta is (gamma - gamma_c) D_0 - gamma D_0(phi) "
    "- beta (A_n - A_o)^2/(b A_n (beta A_o + (1 - beta) A_n)), D_0(phi) taken at the learner.",
    _slope,
    margin - anchor * D_0(phi, delta) - _reward_bend,
    (
        Link("differentiate", dJ.formula / spread, Combination((Use(GRADIENT, times=1 / spread),))),
        Link(
            "accumulate kappa from the reference to the learner",
            margin_formula - anchor * D_0(phi, delta) - _reward_bend,
            Combination(
                (
                    Use(REVERSE_GRADIENT, {tau: reference_logit}, -anchor / spread),
                    Use(BETWEEN, {reference_logit: phi, phi: reference_logit}, anchor),
                )
            ),
        ),
        Link(
            "critical anchor",
            margin - anchor * D_0(phi, delta) - _reward_bend,
            Combination((_bymargin,)),
        ),
    ),
    source="reconstructed",
)
SLOPE_BELOW = bound(
    "ttt_discover.c.slope_below",
    "The slope of J in beta is below (gamma - gamma_c) D_0: negative everywhere for gamma up to "
    "gamma_c.",
    _slope,
    "<",
    margin,
    (
        Link(
            "D_0 at the learner is positive",
            margin,
            Combination((Use(SLOPE), Use(POSITIVE, _at_phi, anchor)), _reward_bend),
            "<",
        ),
    ),
    source="reconstructed",
)
reward_rest = reward_share**2 / inverse_temperature
SLOPE_ABOVE = bound(
    "ttt_discover.c.slope_above",
    "The slope of J in beta is at least (gamma - gamma_c) D_0 "
    "- e^phi (2 gamma (e^(delta^2) - 1) + (1 - A_o/A_n)^2/b): it tends to "
    "(gamma - gamma_c) D_0 as beta -> 0.",
    margin - sp.exp(phi) * (2 * anchor * chi_squared + reward_rest),
    "<=",
    _slope,
    (
        Link(
            "beta < e^phi, and the mixture pays at least (1 - beta) A_n",
            margin - anchor * VANISHES.right.subs(_at_phi) - _reward_bend,
            Combination(
                remainder=beta
                * sp.exp(phi)
                * (anchor * chi_squared + reward_rest * reward_old / payoff)
            ),
            "<=",
        ),
        Link(
            "D_0 at the learner vanishes",
            _slope,
            Combination((Use(VANISHES, _at_phi, anchor), Use(SLOPE, times=_minus))),
            "<=",
        ),
    ),
    kind="limit",
    source="ours",
)

# the value

END = sp.log(reward_new) / inverse_temperature - anchor * KL_forward(reference_logit, delta)
_shortfall = (sp.log(1 - beta * reward_share) + beta * reward_share) / inverse_temperature
THREE_POINTS = identity(
    "ttt_discover.c.three_points",
    "KL(q || q_ref) = KL(p_n || q_ref) - beta D_0 + KL(q || p_n).",
    KL_reverse(phi, reference_logit, delta),
    KL_forward(reference_logit, delta) - beta * D_0.head + KL_new_data.head,
    by_algebra(
        "the logarithms of q_ref cancel",
        KL_forward(reference_logit, delta) - beta * D_0.head + KL_new_data.head,
        KL_reverse,
        KL_forward,
        D_0,
        KL_new_data,
    ),
    source="ours",
)
_expansion = END + beta * margin - anchor * KL_new_data.head + _shortfall
VALUE = identity(
    "ttt_discover.c.value",
    "J = J_0 + beta (gamma - gamma_c) D_0 - gamma KL(q || p_n) + (log(1 - x) + x)/b, where J_0 is "
    "its value at beta = 0 and x = beta (1 - A_o/A_n).",
    J.head,
    _expansion,
    (
        Link("objective", J.formula, Combination((Use(OBJECTIVE_FORMULA),))),
        Link(
            "divergence from the reference, and beta A_o + (1 - beta) A_n = A_n (1 - x)",
            END + beta * margin_formula - anchor * KL_new_data.head + _shortfall,
            Combination((Use(THREE_POINTS, times=-anchor),)),
        ),
        Link("critical anchor", _expansion, Combination((Use(CRITICAL, times=beta * D_0.head),))),
    ),
    source="ours",
)
KL_POSITIVE = bound(
    "ttt_discover.c.kl_positive",
    "KL(q || p_n) is positive.",
    sp.S.Zero,
    "<",
    KL_new_data.head,
    (Link("the means differ", KL_new_data.head, Cited(GIBBS, (MEANS_DIFFER,)), "<"),),
    source="reconstructed",
)
_logarithm = sp.log(1 - beta * reward_share)
VALUE_BELOW = bound(
    "ttt_discover.c.value_below",
    "J < J_0 + beta (gamma - gamma_c) D_0: for gamma up to gamma_c nothing beats beta = 0.",
    J.head,
    "<",
    END + beta * margin,
    (
        Link("expansion at beta = 0", _expansion, Combination((Use(VALUE),))),
        Link(
            "log(1 - x) <= -x, and the divergence is positive",
            END + beta * margin,
            Combination(
                (
                    Use(EXP_TANGENT, {phi: _logarithm}, 1 / inverse_temperature),
                    Use(KL_POSITIVE, times=anchor),
                )
            ),
            "<",
        ),
    ),
    kind="minimiser",
    source="reconstructed",
)
KL_POINTWISE = bound(
    "ttt_discover.c.kl_pointwise",
    "q log(q/p_n) <= q (q/p_n - 1).",
    q * sp.log(q / p_n),
    "<=",
    q * (q / p_n - 1),
    (
        Link(
            "log u <= u - 1",
            q * (q / p_n - 1),
            Combination((Use(EXP_TANGENT, {phi: sp.log(q / p_n)}, q),)),
            "<=",
        ),
    ),
    source="reconstructed",
)
KL_QUADRATIC = bound(
    "ttt_discover.c.kl_quadratic",
    "KL(q || p_n) <= beta^2 (e^(delta^2) - 1).",
    KL_new_data.head,
    "<=",
    beta**2 * chi_squared,
    (
        Link("definition", line(q * sp.log(q / p_n)), Algebra((KL_new_data,))),
        Link("pointwise", line(q * (q / p_n - 1)), Cited(MONOTONE_INTEGRAL, (KL_POINTWISE,)), "<="),
        Link("Gaussian moments", beta**2 * chi_squared, Algebra()),
    ),
    source="reconstructed",
)
VALUE_ABOVE = bound(
    "ttt_discover.c.value_above",
    "J >= J_0 + beta ((gamma - gamma_c) D_0 "
    "- e^phi (gamma (e^(delta^2) - 1) + (1 - A_o/A_n)^2/b)): for gamma above gamma_c a small beta "
    "beats 0.",
    END + beta * (margin - sp.exp(phi) * (anchor * chi_squared + reward_rest)),
    "<=",
    J.head,
    (
        Link(
            "the divergence is quadratic",
            END + beta * (margin - sp.exp(phi) * reward_rest) - anchor * KL_new_data.head,
            Combination(
                (Use(KL_QUADRATIC, times=anchor),),
                anchor * chi_squared * beta**2 * sp.exp(phi),
            ),
            "<=",
        ),
        Link(
            "-log(1 - x) <= x/(1 - x), and the mixture pays at least (1 - beta) A_n",
            _expansion,
            Combination(
                (Use(EXP_TANGENT, {phi: -_logarithm}, 1 / inverse_temperature),),
                beta**2 * sp.exp(phi) * reward_rest * reward_old / payoff,
            ),
            "<=",
        ),
        Link("expansion at beta = 0", J.head, Combination((Use(VALUE, times=_minus),))),
    ),
    kind="limit",
    source="ours",
)

CLAIMS = (
    SLOPE,
    SLOPE_BELOW,
    SLOPE_ABOVE,
    THREE_POINTS,
    VALUE,
    KL_POSITIVE,
    VALUE_BELOW,
    KL_QUADRATIC,
    VALUE_ABOVE,
)
