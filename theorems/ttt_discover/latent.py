r"""Part (e), continued: the latent-label limit \kappa -> 1, the labels being told.

There the optimum is held from below too; at finite distances of the modes it is not.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import beta, phi, tau
from theorems.overlap.identities import KAPPA_BELOW_ONE
from theorems.overlap.quantities import decay
from theorems.reverse_kl.bounds import (
    GRADIENT_PEAK,
    GRADIENT_SEPARATED,
    overlap_factor,
)
from theorems.reverse_kl.quantities import spread
from theorems.ttt_discover.concavity import GRADIENT
from theorems.ttt_discover.optimum import at_far, at_near, odds
from theorems.ttt_discover.quantities import (
    anchor,
    dJ,
    dJ_latent,
    inverse_temperature,
    payoff,
    reference_logit,
    reward_new,
    reward_old,
)
from theorems.ttt_discover.threshold import by_gap

_latent_slope = dJ_latent.head / spread
LATENT = identity(
    "ttt_discover.e.latent",
    "With the labels told, kappa = 1, the slope is beta (1 - beta) (gamma (tau_0 - phi) "
    "- (A_n - A_o)/(b (beta A_o + (1 - beta) A_n))).",
    dJ_latent.head,
    dJ_latent.formula,
    by_algebra("differentiate", dJ_latent.formula, dJ_latent),
    source="reconstructed",
)
_latent_fall = anchor + spread * (reward_new - reward_old) ** 2 / (inverse_temperature * payoff**2)
LATENT_CONCAVE = positive(
    "ttt_discover.e.latent_concave",
    "With the labels told the slope in beta falls strictly, so it has one zero.",
    -sp.diff(dJ_latent.formula / spread, phi),
    (
        Link("both terms are positive", _latent_fall, Combination(remainder=_latent_fall), "<"),
        Link("differentiate", -sp.diff(dJ_latent.formula / spread, phi), Algebra()),
    ),
    kind="convex",
    source="ours",
)
LATENT_UPPER = bound(
    "ttt_discover.e.latent_upper",
    "With the labels told the maximiser lies below tau_0 - (1 - e^(-b G))/(b gamma).",
    _latent_slope.subs({**by_gap, phi: at_near}),
    "<",
    sp.S.Zero,
    (
        Link(
            "slope",
            (dJ_latent.formula / spread).subs({**by_gap, phi: at_near}),
            Combination((Use(LATENT, {**by_gap, phi: at_near}, 1 / spread.subs(phi, at_near)),)),
        ),
        Link(
            "the mixture pays less than the new mode",
            sp.S.Zero,
            Combination(
                remainder=(
                    beta
                    * (odds - 1) ** 2
                    / (inverse_temperature * odds * (beta + (1 - beta) * odds))
                ).subs(phi, at_near)
            ),
            "<",
        ),
    ),
    source="reconstructed",
)
LATENT_LOWER = positive(
    "ttt_discover.e.latent_lower",
    "With the labels told the maximiser lies above tau_0 - (e^(b G) - 1)/(b gamma).",
    _latent_slope.subs({**by_gap, phi: at_far}),
    (
        Link(
            "the mixture pays more than the old mode",
            (dJ_latent.formula / spread).subs({**by_gap, phi: at_far}),
            Combination(
                remainder=(
                    (1 - beta)
                    * (odds - 1) ** 2
                    / (inverse_temperature * (beta + (1 - beta) * odds))
                ).subs(phi, at_far)
            ),
            "<",
        ),
        Link(
            "slope",
            _latent_slope.subs({**by_gap, phi: at_far}),
            Combination((Use(LATENT, {**by_gap, phi: at_far}, -1 / spread.subs(phi, at_far)),)),
        ),
    ),
    source="reconstructed",
)
_from_reference = phi - reference_logit
LATENT_ABOVE = bound(
    "ttt_discover.e.latent_above",
    "Towards the reference dJ/dphi pulls less than with the labels told.",
    _from_reference * (dJ_latent.head - dJ.head),
    "<=",
    sp.S.Zero,
    (
        Link(
            "kappa is at most 1",
            sp.S.Zero,
            Combination(
                (
                    Use(LATENT, times=_from_reference),
                    Use(GRADIENT, times=-_from_reference),
                    Use(GRADIENT_PEAK, {tau: reference_logit}, anchor),
                    Use(
                        KAPPA_BELOW_ONE,
                        {phi: sp.S.Zero},
                        anchor * spread * _from_reference**2,
                    ),
                )
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
_separated = 2 * overlap_factor * decay * (sp.sinh(phi / 2) - sp.sinh(reference_logit / 2))
LATENT_LIMIT = bound(
    "ttt_discover.e.latent_limit",
    "By at most 2 gamma beta (1 - beta) min(1, sqrt(2 pi)/delta) e^(-delta^2/8) "
    "|sinh(phi/2) - sinh(tau_0/2)|, which vanishes as the modes part.",
    -anchor * spread * _from_reference * _separated,
    "<=",
    _from_reference * (dJ_latent.head - dJ.head),
    (
        Link(
            "kappa is 1 less the overlap",
            _from_reference * (dJ_latent.head - dJ.head),
            Combination(
                (
                    Use(LATENT, times=-_from_reference),
                    Use(GRADIENT, times=_from_reference),
                    Use(GRADIENT_SEPARATED, {tau: reference_logit}, anchor),
                )
            ),
            "<=",
        ),
    ),
    kind="limit",
    source="ours",
)

CLAIMS = (
    LATENT,
    LATENT_CONCAVE,
    LATENT_UPPER,
    LATENT_LOWER,
    LATENT_ABOVE,
    LATENT_LIMIT,
)
