"""Replay under forward KL (reconstructed), in the denominator and in the numerator.

Denominator: F = KL(p_n ‖ (1−λ)q + λp_o), a mixture that holds p_o with weight λ + (1−λ)β and p_n
with (1−λ)(1−β). Numerator: F = KL((1−λ)p_n + λp_o ‖ q). Units: nats; means' gradients along
μ_n − μ_o, whitened, at correct means.
"""

from __future__ import annotations

import math
from dataclasses import replace

from numerics.monte_carlo import forward_kl, reverse_kl
from numerics.monte_carlo.mixture import sigmoid
from numerics.monte_carlo.scheme import Scheme


def _denominator(phi: float, replay: float) -> tuple[float, float]:
    """The denominator's weights of p_o and of p_n."""
    return replay + (1 - replay) * sigmoid(phi), (1 - replay) * sigmoid(-phi)


def denominator_objective(phi: float, delta: float, replay: float) -> Scheme:
    """KL of p_n from the mixture of those weights."""
    old, new = _denominator(phi, replay)
    return forward_kl.objective(math.log(old / new), delta)


def denominator_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E_{p_n}[(1−λ)q′/mix], q′ = β(1−β)(p_o − p_n); taking off ∫ q′ = 0 leaves a square."""
    old, new = _denominator(phi, replay)
    slope = (1 - replay) * sigmoid(phi) * sigmoid(-phi)
    square = reverse_kl.weight_curvature(math.log(old / new), 0.0, delta)
    return replace(square, factor=slope * old)


def denominator_old_mean_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E_{p_n}[(1−λ)β p_o/mix · C⁻¹(y − m_o)]."""
    old, new = _denominator(phi, replay)
    pull = forward_kl.old_mean_gradient(math.log(old / new), delta)
    return replace(pull, factor=pull.factor * (1 - replay) * sigmoid(phi) / old)


def _logit(weight: float) -> float:
    return math.log(weight) - math.log1p(-weight)


def numerator_objective(phi: float, delta: float, replay: float) -> Scheme:
    """The relative entropy of one mixture of the two modes from another."""
    return reverse_kl.objective(_logit(replay), phi, delta)


def numerator_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E[d log q/dφ] = E[β − r_o] under the data, which hold p_o with weight λ."""
    return reverse_kl.mass_covering_gradient(phi, _logit(replay), delta)


def numerator_old_mean_gradient(phi: float, delta: float, replay: float) -> Scheme:
    """−E[r_o C⁻¹(y − m_o)] under the data. E_q of the same is 0 at correct means; taken off λ/β
    times as a baseline, it leaves of the data the new mode alone, 1 − λ/β times."""
    pull = forward_kl.old_mean_gradient(phi, delta)
    return replace(pull, factor=pull.factor * (1 - replay / sigmoid(phi)))
