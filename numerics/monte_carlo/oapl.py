"""OAPL (reconstructed): regression of T log(q/q_{α_0}) on a reward v less its baseline V*.

Every expectation is under the reference q_{α_0}. Units: the reward's, squared for the loss;
gradients in means along μ_n − μ_o, whitened, at correct means.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.mixture import (
    boundary,
    log_density,
    log_quotient,
    sigmoid,
    softplus,
    weight_score,
)
from numerics.monte_carlo.scheme import Composed, Scheme
from numerics.monte_carlo.space import OLD, Mean

ASIDE = 2.0  # squares of log-ratios live beyond both means, not at them


def _proposals(reference: float, new: Mean) -> tuple[Mean, ...]:
    return OLD, new, boundary(reference, new)


def _proposals_for_squares(reference: float, new: Mean) -> tuple[Mean, ...]:
    return (*_proposals(reference, new), (-ASIDE, 0.0), (new[0] + ASIDE, 0.0))


@kernel
def _drawn(new: float, proposal: float, reference: float) -> float:
    """q_{α_0}/m."""
    return math.exp(log_density(new, reference) - proposal)


@integrand
def _tilted(new: float, proposal: float, tau: float, reference: float) -> float:
    return _drawn(new, proposal, reference) * math.exp(log_quotient(new, tau, reference))


def baseline(
    reference_logit: float, tau: float, delta: float, temperature: float, offset: float
) -> Composed:
    """V* = T log E e^{v/T}, v = T log(q_{β*}/q_{α_0}) + k; k is moved out of the logarithm."""
    new = (delta, 0.0)
    tilt = Scheme(
        _tilted, (tau, reference_logit), (new,), proposals=_proposals(reference_logit, new)
    )
    return Composed(lambda mean: offset + temperature * math.log(mean), (tilt,))


# In the loss V* stands inside a square, where an estimate of it would leave a bias. It need not be
# estimated: e^{v/T} q_{α_0} = e^{k/T} q_{β*}, and densities integrate to 1, so V* = k. The residual
# T log(q_φ/q_{α_0}) − (v − V*) is then T log(q_φ/q_{β*}) at every draw, whatever the offset.


@integrand
def _square(new: float, proposal: float, phi: float, tau: float, reference: float) -> float:
    return _drawn(new, proposal, reference) * log_quotient(new, phi, tau) ** 2


def loss(
    phi: float,
    reference_logit: float,
    tau: float,
    delta: float,
    temperature: float,
    offset: float,
) -> Scheme:
    """E[(T log(q_φ/q_{α_0}) − (v − V*))²]; the offset drops out."""
    new = (delta, 0.0)
    return Scheme(
        _square,
        (phi, tau, reference_logit),
        (new,),
        proposals=_proposals_for_squares(reference_logit, new),
        factor=temperature**2,
    )


@integrand
def _half_slope(new: float, proposal: float, phi: float, tau: float, reference: float) -> float:
    return _drawn(new, proposal, reference) * log_quotient(new, phi, tau) * weight_score(new, phi)


def weight_gradient(
    phi: float,
    reference_logit: float,
    tau: float,
    delta: float,
    temperature: float,
    offset: float,
) -> Scheme:
    """2T E[(T log(q_φ/q_{α_0}) − (v − V*)) d log q_φ/dφ]; the offset drops out."""
    new = (delta, 0.0)
    return Scheme(
        _half_slope,
        (phi, tau, reference_logit),
        (new,),
        proposals=_proposals_for_squares(reference_logit, new),
        factor=2 * temperature**2,
    )


@integrand
def _old_surplus(new: float, proposal: float, tau: float, constant: float) -> float:
    return math.exp(-proposal) * (math.exp(-softplus(tau - new)) - constant)


def old_mean_gradient(
    reference_logit: float, tau: float, delta: float, temperature: float, gap: float
) -> Scheme:
    """−2T E[(v − V*) r_o C⁻¹(y − m_o)] at q = q_{α_0}, v = −G s_o = −G + G s_n, s at weight σ(τ).

    q_{α_0} r_o = α_0 p_o and E_{p_o}[C⁻¹(y − μ_o)] = 0, so constants drop out, V* among them; the
    one taken off is s_n at the mean, for a small variance.
    """
    new = (delta, 0.0)
    return Scheme(
        _old_surplus,
        (tau, sigmoid(-0.5 * delta**2 - tau)),
        (new,),
        proposals=(OLD, boundary(tau, new)),
        factor=-2 * temperature * gap * sigmoid(reference_logit),
        score=OLD,
    )


@kernel
def _leaked(new: float, tau: float, reference: float) -> float:
    """(s_o − s_n) r_o p_n/p_o."""
    return math.tanh(0.5 * (tau - new)) * math.exp(new - softplus(new - reference))


@integrand
def _leaked_surplus(
    new: float, proposal: float, tau: float, reference: float, constant: float
) -> float:
    return math.exp(-proposal) * (_leaked(new, tau, reference) - constant)


def residual_drift(reference_logit: float, tau: float, delta: float, temperature: float) -> Scheme:
    """2T(1−α_0) E_{p_n}[e r_o C⁻¹(y − μ_o)], e = s_o − s_n a residual within ±1, s at weight σ(τ).

    The multiple of p_o that e r_o p_n is at the old mean is taken off as a baseline.
    """
    new = (delta, 0.0)
    return Scheme(
        _leaked_surplus,
        (tau, reference_logit, _leaked(-0.5 * delta**2, tau, reference_logit)),
        (new,),
        proposals=(OLD, boundary(reference_logit, new), boundary(tau, new)),
        factor=2 * temperature * sigmoid(-reference_logit),
        score=OLD,
    )
