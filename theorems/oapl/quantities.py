r"""What OAPL speaks of: the regression of log q/q_ref on the reward, from a frozen reference.

The realisable reward is v = T log(q_{\beta*}/q_ref) + k. Where the old mean is free the reward is
the soft one, v = -G s_o(y), with s_o taken at the weight \beta*.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import new_mean, old_mean
from theorems.language import Expr, Lane, Parameter, Quantity
from theorems.mixture import (
    DELTA,
    PHI,
    TAU,
    L,
    beta,
    delta,
    line,
    mix,
    normal,
    p_alpha,
    p_n,
    p_o,
    phi,
    q,
    r_o,
    s_n,
    s_o,
    sigma,
    tau,
    y,
)
from theorems.overlap.quantities import E2, decay, sech_kernel
from theorems.ttt_discover.quantities import (
    GAP,
    REFERENCE_LOGIT,
    gap,
    q_ref,
    reference_logit,
    reference_weight,
)

temperature = sp.Symbol("temperature", positive=True)
offset = sp.Symbol("offset", real=True)
TEMPERATURE = Parameter(
    "temperature",
    temperature,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 4), sp.Integer(2)),
    "temperature T of the regression",
    typical=sp.Rational(1, 2),
)
OFFSET = Parameter(
    "offset",
    offset,
    sp.Interval(-sp.oo, sp.oo),
    (sp.S.NegativeOne, sp.S.One),
    "constant k in the realisable reward",
    typical=sp.Rational(3, 10),
)

reward = temperature * sp.log(p_alpha / q_ref) + offset
soft = (1 + sp.tanh((tau + L) / 2)) / 2  # s_o


def _lift(logit: Expr) -> Expr:
    """The log-density of the mixture of this logit over e^(-delta^2/8) N(midpoint, 1)."""
    return sp.log(sp.cosh((logit + L) / 2)) - sp.log(sp.cosh(logit / 2))


log_ratio = _lift(phi) - _lift(tau)  # log q/q_beta*
score = (sp.tanh((phi + L) / 2) - sp.tanh(phi / 2)) / 2  # r_o - beta
midpoint_ref = (
    decay * normal(y) * sp.cosh((reference_logit + L) / 2) / sp.cosh(reference_logit / 2)
)  # q_ref


def baseline_of(value: Expr) -> Expr:
    """T log E_ref[e^(v/T)] of a reward."""
    return temperature * sp.log(line(q_ref * sp.exp(value / temperature)))


def regression(policy: Expr, value: Expr, baseline: Expr) -> Expr:
    """E_ref[(T log(q/q_ref) - (v - V*))^2]."""
    return line(q_ref * (temperature * sp.log(policy / q_ref) - (value - baseline)) ** 2)


V_star = Quantity(
    "baseline",
    "V_star",
    (REFERENCE_LOGIT, TAU, DELTA, TEMPERATURE, OFFSET),
    baseline_of(reward),
    offset,
    "V* = T log E_ref[e^(v/T)] of the realisable reward",
)
SETTING = (PHI, REFERENCE_LOGIT, TAU, DELTA, TEMPERATURE, OFFSET)
OAPL = Quantity(
    "loss",
    "OAPL",
    SETTING,
    regression(q, reward, V_star.head),
    temperature**2 * line(midpoint_ref * log_ratio**2),
    "E_ref[(T log(q/q_ref) - (v - V*))^2] for the realisable reward",
)
dOAPL = Quantity(
    "weight_gradient",
    "dOAPL",
    SETTING,
    sp.Derivative(OAPL.definition, phi),
    2 * temperature**2 * line(midpoint_ref * score * log_ratio),
    "derivative of the loss in the logit phi",
)

# The first axis of the line runs from the new mode to the old one, against mu_n - mu_o.
free_policy = mix(reference_weight, normal(y, old_mean), normal(y, new_mean))
at_correct = {old_mean: delta / 2, new_mean: -delta / 2}
grad_old_OAPL = Quantity(
    "old_mean_gradient",
    "grad_old_OAPL",
    (REFERENCE_LOGIT, TAU, DELTA, TEMPERATURE, GAP),
    -sp.Derivative(regression(free_policy, -gap * s_o, baseline_of(-gap * s_o)), old_mean).subs(
        at_correct
    ),
    -2 * temperature * reference_weight * gap * delta * sp.exp(-tau) * E2(tau, delta),
    "component along mu_n - mu_o of the whitened gradient of the loss in the old mean, at the "
    "reference, v = -G s_o",
)
residual_drift = Quantity(
    "residual_drift",
    "residual_drift",
    (REFERENCE_LOGIT, TAU, DELTA, TEMPERATURE),
    2
    * temperature
    * (1 - reference_weight)
    * line(p_n * (s_o - s_n) * r_o.subs(phi, reference_logit) * (delta / 2 - y)),
    temperature
    * (1 - reference_weight)
    * sp.exp(reference_logit / 2)
    * decay
    * line(sech_kernel(reference_logit) * sp.tanh((tau + L) / 2) * (delta / 2 - y)),
    "component along mu_n - mu_o of 2T(1 - alpha_0) E_{p_n}[e r_o (y - mu_o)], the new mode's part "
    "of the old mean's gradient, for the residual e = s_o - s_n",
)

_for_proofs: dict[Lane, str] = {
    "precise": "proofs speak of it; what is made of it is measured",
    "monte_carlo": "proofs speak of it; what is made of it is measured",
}
_pull = sigma(phi + L) * log_ratio * (delta / 2 - y)  # e r_o (y - mu_o)/T, along mu_n - mu_o
grad_old_residual = Quantity(
    "residual_gradient",
    "grad_old_residual",
    SETTING,
    -sp.Derivative(
        regression(mix(beta, normal(y, old_mean), normal(y, new_mean)), reward, offset), old_mean
    ).subs(at_correct),
    2
    * temperature**2
    * (reference_weight * line(p_o * _pull) + (1 - reference_weight) * line(p_n * _pull)),
    "component along mu_n - mu_o of the whitened gradient of the loss in the old mean, correct "
    "means, for the realisable reward",
    exempt=_for_proofs,
)
QUANTITIES = (V_star, OAPL, dOAPL, grad_old_OAPL, residual_drift)
AUXILIARY = (grad_old_residual,)
