"""TTT-Discover (reconstructed): the entropic objective with a KL anchor, and the drift it causes.

The exponential means A_o, A_n of the reward are given, so the entropic part of J is closed and the
anchor KL(q_β‖q_{α_0}) is drawn. Units: the reward's; the drift in whitened coordinates.
"""

from __future__ import annotations

import math
from dataclasses import replace

from numerics.monte_carlo import reverse_kl
from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import boundary, sigmoid, softplus
from numerics.monte_carlo.scheme import Composed, Scheme, affine
from numerics.monte_carlo.space import OLD


def objective(
    phi: float,
    reference_logit: float,
    delta: float,
    inverse_temperature: float,
    reward_old: float,
    reward_new: float,
    anchor: float,
) -> Scheme:
    """J = (1/b) log(βA_o + (1−β)A_n) − γ KL(q_β‖q_{α_0})."""
    mean = sigmoid(phi) * reward_old + sigmoid(-phi) * reward_new
    divergence = reverse_kl.objective(phi, reference_logit, delta)
    return affine(divergence, -anchor, math.log(mean) / inverse_temperature)


def weight_gradient(
    phi: float,
    reference_logit: float,
    delta: float,
    inverse_temperature: float,
    reward_old: float,
    reward_new: float,
    anchor: float,
) -> Scheme:
    """dJ/dφ, that of the anchor by the score function."""
    mean = sigmoid(phi) * reward_old + sigmoid(-phi) * reward_new
    slope = sigmoid(phi) * sigmoid(-phi) * (reward_old - reward_new)
    pull = reverse_kl.weight_gradient(phi, reference_logit, delta)
    return affine(pull, -anchor, slope / (inverse_temperature * mean))


def collapse_constant(reference_logit: float, delta: float) -> Scheme:
    """D_0 = E_{p_n}[log p_n/q_{α_0}] + E_{p_o}[log q_{α_0}/p_n], both on the same draws.

    It is ∫ (p_o − p_n) log(q_{α_0}/p_n): that of d/dφ KL(q‖p_n), without its factor β(1−β).
    """
    return replace(reverse_kl.new_data_gradient(reference_logit, delta), factor=1.0)


@integrand
def _old_surplus(
    new: float, proposal: float, reference: float, payoff: float, baseline: float
) -> float:
    share = math.exp(-softplus(reference - new))
    return math.exp(-proposal) * (math.expm1(payoff * share) - baseline)


@integrand
def _learner_surplus(
    new: float, proposal: float, reference: float, payoff: float, phi: float
) -> float:
    share = math.exp(-softplus(reference - new))
    log_q = softplus(new - phi) - softplus(-phi)
    return math.exp(log_q - proposal) * math.expm1(payoff * share)


def entropic_drift(
    phi: float, reference_logit: float, delta: float, inverse_temperature: float, gap: float
) -> Composed:
    """∇_{m_o} (1/b) log E_q[e^{bv}] = (β/b) E_{p_o}[C⁻¹(y − μ_o) e^{bv}] / E_q[e^{bv}].

    v = −G s_o = −G + G s_n, and e^{−bG} is left out above and below. Above, the value of e^{bGs_n}
    at the mean is taken off as a baseline (E_{p_o}[C⁻¹(y − μ_o)] = 0). The denominator is at least
    1, so the quotient is smooth at every pair of means.
    """
    new, payoff = (delta, 0.0), inverse_temperature * gap
    baseline = math.expm1(payoff * sigmoid(-0.5 * delta**2 - reference_logit))
    switch = boundary(reference_logit, new)
    pull = Scheme(
        _old_surplus,
        (reference_logit, payoff, baseline),
        (new,),
        proposals=(OLD, switch),
        factor=sigmoid(phi) / inverse_temperature,
        score=OLD,
    )
    whole = Scheme(
        _learner_surplus,
        (reference_logit, payoff, phi),
        (new,),
        proposals=(OLD, new, switch),
        constant=1.0,
    )
    return Composed(lambda above, below: above / below, (pull, whole))
