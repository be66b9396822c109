r"""What TTT-Discover speaks of: the anchored entropic objective, its collapse and its drift.

The rewards A_o = E_{p_o}[e^{bv}] < A_n = E_{p_n}[e^{bv}] are numbers; where the drift asks for the
reward itself it is the soft one, v = -G s_o(y), with s_o taken at the reference's weight.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import learner, new_mean, old_mean
from theorems.language import Expr, Lane, Parameter, Quantity
from theorems.mixture import (
    DELTA,
    PHI,
    L,
    beta,
    delta,
    line,
    mix,
    p_n,
    p_o,
    phi,
    q,
    sigma,
)
from theorems.overlap.identities import KAPPA_COUPLED
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.quantities import (
    KL_new_data,
    KL_reverse,
    W,
    dKL_reverse,
    per_weight,
    primitive,
    spread,
    u,
)

reference_logit = sp.Symbol("reference_logit", real=True)
inverse_temperature, anchor, gap = sp.symbols("inverse_temperature anchor gap", positive=True)
reward_old, reward_new = sp.symbols("reward_old reward_new", positive=True)
_POSITIVE = sp.Interval.open(0, sp.oo)

REFERENCE_LOGIT = Parameter(
    "reference_logit",
    reference_logit,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-4), sp.Integer(4)),
    "logit of the reference's weight on the old mode",
    weight="reference_weight",
    typical=sp.Rational(-3, 5),
)
INVERSE_TEMPERATURE = Parameter(
    "inverse_temperature",
    inverse_temperature,
    _POSITIVE,
    (sp.Rational(1, 4), sp.Integer(2)),
    "inverse temperature b of the entropic objective",
)
REWARD_OLD = Parameter(
    "reward_old",
    reward_old,
    _POSITIVE,
    (sp.Rational(1, 2), sp.Integer(2)),
    "A_o = E_{p_o}[e^(b v)], what the old mode pays",
)
REWARD_NEW = Parameter(
    "reward_new",
    reward_new,
    _POSITIVE,
    (sp.Integer(2), sp.Integer(6)),
    "A_n = E_{p_n}[e^(b v)], what the new mode pays",
    typical=sp.Integer(2),
)
ANCHOR = Parameter(
    "anchor",
    anchor,
    _POSITIVE,
    (sp.Rational(1, 8), sp.Integer(4)),
    "strength gamma of the KL anchor to the reference",
)
GAP = Parameter(
    "gap",
    gap,
    _POSITIVE,
    (sp.Rational(1, 4), sp.Integer(2)),
    "how much more the new mode pays, G",
)
SETTING = (
    PHI,
    REFERENCE_LOGIT,
    DELTA,
    INVERSE_TEMPERATURE,
    REWARD_OLD,
    REWARD_NEW,
    ANCHOR,
)

reference_weight = sigma(reference_logit)
q_ref = mix(reference_weight)
payoff = beta * reward_old + (1 - beta) * reward_new
reward_share = 1 - reward_old / reward_new
soft_label = reference_weight * p_o / q_ref  # s_o at the reference's weight
soft = (1 + sp.tanh((reference_logit + L) / 2)) / 2  # the same
soft_new = 1 - soft
weighting = sp.exp(-inverse_temperature * gap * soft)  # e^{bv}, v = -G s_o

_for_proofs: dict[Lane, str] = {
    "precise": "proofs speak of it; what is made of it is measured",
    "monte_carlo": "proofs speak of it; what is made of it is measured",
}


def anchored(divergence: Expr) -> Expr:
    """The entropic term minus the anchored divergence from the reference."""
    return sp.log(payoff) / inverse_temperature - anchor * divergence


J = Quantity(
    "objective",
    "J",
    SETTING,
    anchored(line(q * sp.log(q / q_ref))),
    anchored(KL_reverse(phi, reference_logit, delta)),
    "objective (1/b) log(beta A_o + (1 - beta) A_n) - gamma KL(q || q_ref)",
)
dJ = Quantity(
    "weight_gradient",
    "dJ",
    SETTING,
    sp.Derivative(J.definition, phi),
    -spread * (reward_new - reward_old) / (inverse_temperature * payoff)
    - anchor * dKL_reverse(phi, reference_logit, delta),
    "derivative of the objective in the logit phi",
)
curvature_J = Quantity(
    "weight_curvature",
    "curvature_J",
    SETTING,
    per_weight(sp.Derivative(per_weight(sp.Derivative(J.definition, phi)), phi)),
    -((reward_new - reward_old) ** 2) / (inverse_temperature * payoff**2)
    - anchor * kappa.head / spread,
    "second derivative of the objective in the weight beta",
    exempt=_for_proofs,
)
D_0 = Quantity(
    "collapse_constant",
    "D_0",
    (REFERENCE_LOGIT, DELTA),
    line(p_n * sp.log(p_n / q_ref)) + line(p_o * sp.log(q_ref / p_n)),
    delta**2 / 2 + primitive(reference_logit),
    "pull of the anchor at beta = 0, E_{p_n}[log p_n/q_ref] + E_{p_o}[log q_ref/p_n]",
)
gamma_c = Quantity(
    "critical_anchor",
    "gamma_c",
    (REFERENCE_LOGIT, DELTA, INVERSE_TEMPERATURE, REWARD_OLD, REWARD_NEW),
    reward_share / (inverse_temperature * D_0.definition),
    reward_share / (inverse_temperature * D_0.head),
    "the critical anchor (1 - A_o/A_n)/(b D_0): up to it the old mass is lost",
    exempt={"monte_carlo": "a threshold is a quotient of means, which no z-test covers"},
)

D_accumulated = Quantity(
    "accumulated_constant",
    "D_accumulated",
    (REFERENCE_LOGIT, DELTA),
    sp.Integral(KAPPA_COUPLED.right.subs(phi, u), (u, -sp.oo, reference_logit)),
    D_0.head,
    "integral of kappa(u, delta), in a positive form, over u up to the reference's logit",
    positive=True,
    exempt=_for_proofs,
)
distance = sp.Symbol("distance", positive=True)
DISTANCE = Parameter(
    "distance",
    distance,
    _POSITIVE,
    (sp.Rational(1, 4), sp.Integer(4)),
    "how far the optimum's logit lies below the reference's",
)
ascent = Quantity(
    "ascent",
    "ascent",
    (PHI, DISTANCE, DELTA),
    sp.Integral(KAPPA_COUPLED.right.subs(phi, u), (u, phi, phi + distance)),
    W(phi + distance, phi, delta),
    "integral of kappa(u, delta), in a positive form, over u from phi to phi + distance",
    positive=True,
    exempt=_for_proofs,
)
dJ_latent = Quantity(
    "latent_gradient",
    "dJ_latent",
    SETTING,
    sp.Derivative(
        anchored(
            beta * sp.log(beta / reference_weight)
            + (1 - beta) * sp.log((1 - beta) / (1 - reference_weight))
        ),
        phi,
    ),
    spread
    * (
        anchor * (reference_logit - phi)
        - (reward_new - reward_old) / (inverse_temperature * payoff)
    ),
    "derivative of the objective in the logit phi with the labels told, the limit kappa = 1",
    exempt=_for_proofs,
)
SOFT_SETTING = (PHI, REFERENCE_LOGIT, DELTA, INVERSE_TEMPERATURE, GAP)
soft_payoff = Quantity(
    "soft_payoff",
    "soft_payoff",
    SOFT_SETTING,
    line(q * weighting),
    line(q * weighting),
    "E_q[e^(b v)] for the soft reward v = -G s_o",
    positive=True,
    exempt=_for_proofs,
)
soft_pull = Quantity(
    "soft_pull",
    "soft_pull",
    (REFERENCE_LOGIT, DELTA, INVERSE_TEMPERATURE, GAP),
    line(p_o * weighting * soft * soft_new),
    line(p_o * weighting * soft * soft_new),
    "E_{p_o}[e^(b v) s_o s_n] for the soft reward v = -G s_o",
    positive=True,
    exempt=_for_proofs,
)

# The first axis of the line runs from the new mode to the old one, against mu_n - mu_o.
entropic_drift = Quantity(
    "entropic_drift",
    "entropic_drift",
    SOFT_SETTING,
    -sp.Derivative(
        sp.log(line(learner() * sp.exp(-inverse_temperature * gap * soft_label)))
        / inverse_temperature,
        old_mean,
    ).subs({old_mean: delta / 2, new_mean: -delta / 2}),
    beta * gap * delta * soft_pull.head / soft_payoff.head,
    "component along mu_n - mu_o of the whitened gradient of (1/b) log E_q[e^(b v)] in the old "
    "mean, correct means, v = -G s_o",
    through=(soft_pull, soft_payoff),
)

QUANTITIES = (J, dJ, D_0, gamma_c, entropic_drift)
AUXILIARY = (
    curvature_J,
    D_accumulated,
    ascent,
    dJ_latent,
    soft_payoff,
    soft_pull,
    W,
    KL_new_data,
)
