"""Replay under forward KL (reconstructed), in the denominator and in the numerator.

Denominator: F = KL(p_n ‖ (1−λ)q + λp_o), whose mixture is one of the same two modes. Numerator:
F = KL((1−λ)p_n + λp_o ‖ q). Units: nats; means' gradients along μ_n − μ_o, whitened, at correct
means.
"""

from __future__ import annotations

import math
from dataclasses import replace

from numerics.monte_carlo import forward_kl, reverse_kl
from numerics.monte_carlo.mixture import replayed_logit, sigmoid
from numerics.monte_carlo.scheme import Scheme


def denominator_objective(phi: float, delta: float, replay: float) -> Scheme:
    """KL of p_n from the mixture."""
    return forward_kl.objective(replayed_logit(phi, replay), delta)


def denominator_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E_{p_n}[(1−λ)q′/mix], q′ = β(1−β)(p_o − p_n) = dq/dφ.

    With b the mixture's weight of p_o, p_n = mix − b(p_o − p_n), and ∫ q′ = 0 leaves a square.
    """
    effective = replayed_logit(phi, replay)
    square = reverse_kl.weight_curvature(effective, effective, delta)
    slope = (1 - replay) * sigmoid(phi) * sigmoid(-phi)
    return replace(square, factor=slope * sigmoid(effective))


def denominator_old_mean_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E_{p_n}[(1−λ)β p_o/mix · C⁻¹(y − m_o)], of whose old part, b p_o, only (1−λ)β moves."""
    effective = replayed_logit(phi, replay)
    pull = forward_kl.old_mean_gradient(effective, delta)
    moving = (1 - replay) * sigmoid(phi) / sigmoid(effective)
    return replace(pull, factor=moving * pull.factor)


def _data_logit(replay: float) -> float:
    """The logit of λ. Raises ValueError at 0, where the data hold no old mode."""
    if replay == 0:
        raise ValueError("replay must be positive in the numerator, got 0")
    return math.log(replay) - math.log1p(-replay)


def numerator_objective(phi: float, delta: float, replay: float) -> Scheme:
    """The relative entropy of one mixture of the two modes from another."""
    return reverse_kl.objective(_data_logit(replay), phi, delta)


def numerator_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E[d log q/dφ] = E[β − r_o] under the data, which hold p_o with weight λ."""
    return reverse_kl.mass_covering_gradient(phi, _data_logit(replay), delta)


def numerator_old_mean_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E[r_o C⁻¹(y − m_o)] under the data.

    E_q of the same is 0 at correct means. Taken off λ/β times as a baseline, it leaves of the data
    the new mode alone, 1 − λ/β times.
    """
    pull = forward_kl.old_mean_gradient(phi, delta)
    return replace(pull, factor=(1 - replay / sigmoid(phi)) * pull.factor)
