r"""Part (c), the collapse constant D_0: kappa accumulated up to the reference's logit."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Link,
    Use,
    bound,
    identity,
    positive,
)
from theorems.mixture import L, c, delta, line, p_n, p_o, phi, tau
from theorems.overlap.quantities import A
from theorems.overlap.softplus import SOFTPLUS_MIRROR
from theorems.reverse_kl.bounds import (
    MONOTONE_INTEGRAL,
)
from theorems.reverse_kl.gradient import W_FORMULA, softplus
from theorems.reverse_kl.quantities import W, dKL_new_data, spread
from theorems.reverse_kl.targets import NEW_DATA_FORMULA, NEW_DATA_LOSES
from theorems.ttt_discover.concavity import EXP_TANGENT
from theorems.ttt_discover.quantities import (
    D_0,
    q_ref,
    reference_logit,
    reference_weight,
)

_minus = sp.S.NegativeOne
_at_reference = {phi: reference_logit}
_from_half = {phi: reference_logit, tau: sp.S.Zero}
_spread_at_reference = spread.subs(_at_reference)

# three forms of D_0

FORMULA = identity(
    "ttt_discover.c.constant",
    "D_0 = delta^2/2 + tau_0 - A(tau_0) + A(-tau_0).",
    D_0.head,
    D_0.formula,
    (
        Link(
            "q_ref/p_n = (1 - alpha_0)(1 + e^(tau_0 + L)) = alpha_0 e^L (1 + e^-(tau_0 + L))",
            delta**2 / 2
            + reference_logit
            + line(p_o * softplus(-reference_logit - L))
            - A(reference_logit, delta),
            Algebra((D_0, A)),
        ),
        Link(
            "seen from the old mode, A is the same",
            D_0.formula,
            Combination((Use(SOFTPLUS_MIRROR, {c: -reference_logit}),)),
        ),
    ),
    source="reconstructed",
)
FROM_HALF = identity(
    "ttt_discover.c.from_half",
    "D_0 = delta^2/2 + the integral of kappa from 0 to tau_0.",
    D_0.head,
    delta**2 / 2 + W(reference_logit, sp.S.Zero, delta),
    (
        Link("through A", D_0.formula, Combination((Use(FORMULA),))),
        Link(
            "accumulate kappa",
            delta**2 / 2 + W(reference_logit, sp.S.Zero, delta),
            Combination((Use(W_FORMULA, _from_half, _minus),)),
        ),
    ),
    source="reconstructed",
)
BETWEEN = identity(
    "ttt_discover.c.between",
    "Between two references D_0 grows by the integral of kappa between their logits.",
    D_0.head,
    D_0(phi, delta) + W(reference_logit, phi, delta),
    (
        Link("through A", D_0.formula, Combination((Use(FORMULA),))),
        Link(
            "accumulate kappa",
            D_0(phi, delta) + W(reference_logit, phi, delta),
            Combination(
                (
                    Use(FORMULA, {reference_logit: phi}, _minus),
                    Use(W_FORMULA, {phi: reference_logit, tau: phi}, _minus),
                )
            ),
        ),
    ),
    source="reconstructed",
)
_log_ratio = sp.log(q_ref / p_n)
_chi_squared = reference_weight * (p_o - p_n) ** 2 * (1 / p_n + 1 / q_ref)
POINTWISE = bound(
    "ttt_discover.c.pointwise",
    "(u - 1) log u <= (u - 1)^2 (1 + 1/u) at u = q_ref/p_n.",
    (p_o - p_n) * _log_ratio,
    "<=",
    _chi_squared,
    (
        Link(
            "log u <= u - 1 and -log u <= 1/u - 1",
            _chi_squared,
            Combination(
                (
                    Use(EXP_TANGENT, {phi: _log_ratio}, q_ref / reference_weight),
                    Use(EXP_TANGENT, {phi: -_log_ratio}, p_n / reference_weight),
                )
            ),
            "<=",
        ),
    ),
    source="ours",
)
_lost_reference = (reference_weight + sp.exp(reference_logit)) * (sp.exp(delta**2) - 1)
VANISHES = bound(
    "ttt_discover.c.from_minus_infinity",
    "D_0 <= (alpha_0 + e^tau_0)(e^(delta^2) - 1), which vanishes with alpha_0: so D_0 is the "
    "integral of kappa from minus infinity to tau_0.",
    D_0.head,
    "<=",
    _lost_reference,
    (
        Link("one integral", line((p_o - p_n) * _log_ratio), Algebra((D_0,))),
        Link("pointwise", line(_chi_squared), Cited(MONOTONE_INTEGRAL, (POINTWISE,)), "<="),
        Link(
            "q_ref is at least (1 - alpha_0) p_n",
            (reference_weight + sp.exp(reference_logit)) * line((p_o - p_n) ** 2 / p_n),
            Combination(
                remainder=sp.exp(reference_logit)
                * reference_weight
                * line((p_o - p_n) ** 2 * p_o / (p_n * q_ref))
            ),
            "<=",
        ),
        Link("Gaussian moments", _lost_reference, Algebra()),
    ),
    kind="limit",
    source="ours",
)
POSITIVE = positive(
    "ttt_discover.c.positive",
    "D_0 is positive.",
    D_0.head,
    (
        Link(
            "alpha_0 D_0 is the sum of both divergences of q_ref and p_n",
            D_0.head,
            Combination(
                (
                    Use(NEW_DATA_LOSES, _at_reference, 1 / _spread_at_reference),
                    Use(NEW_DATA_FORMULA, _at_reference, 1 / _spread_at_reference),
                    Use(FORMULA, times=_minus),
                )
            ),
            "<",
        ),
    ),
    source="reconstructed",
)
SYMMETRISED = identity(
    "ttt_discover.c.symmetrised",
    "alpha_0 (1 - alpha_0) D_0 is the slope of KL(q || p_n) at the reference.",
    _spread_at_reference * D_0.head,
    dKL_new_data(reference_logit, delta),
    (
        Link(
            "both through A",
            dKL_new_data(reference_logit, delta),
            Combination(
                (
                    Use(FORMULA, times=_spread_at_reference),
                    Use(NEW_DATA_FORMULA, _at_reference, _minus),
                )
            ),
        ),
    ),
    source="ours",
)

CLAIMS = (
    FORMULA,
    FROM_HALF,
    BETWEEN,
    POINTWISE,
    VANISHES,
    POSITIVE,
    SYMMETRISED,
)
