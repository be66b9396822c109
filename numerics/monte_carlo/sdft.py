"""SDFT (reconstructed): a step of student and teacher, and the push it gives a correct old mean.

The student descends R = KL(q_φ‖p_α), α = σ((1−ν)χ + ντ), estimated as in Theorem 2.2: teacher logit
χ, demonstrations τ, anchor strength ν. Units: logits; the push in whitened coordinates.
"""

from __future__ import annotations

import math

from numerics.monte_carlo import reverse_kl
from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import boundary, sigmoid, softplus
from numerics.monte_carlo.scheme import Scheme, affine


def _target(teacher_logit: float, tau: float, anchor_strength: float) -> float:
    return (1 - anchor_strength) * teacher_logit + anchor_strength * tau


def student_step(
    phi: float, teacher_logit: float, tau: float, delta: float, anchor_strength: float, step: float
) -> Scheme:
    """φ − h ∂_φR(φ; (1−ν)χ + ντ)."""
    target = _target(teacher_logit, tau, anchor_strength)
    return affine(reverse_kl.weight_gradient(phi, target, delta), -step, phi)


def teacher_step(
    phi: float,
    teacher_logit: float,
    tau: float,
    delta: float,
    anchor_strength: float,
    ema_rate: float,
    step: float,
) -> Scheme:
    """(1−ρ)χ + ρ · (the student after its step)."""
    student = student_step(phi, teacher_logit, tau, delta, anchor_strength, step)
    return affine(student, ema_rate, (1 - ema_rate) * teacher_logit)


@integrand
def _log_misassigned_between(new: float, proposal: float, low: float, high: float) -> float:
    return -proposal - softplus(low - new) - softplus(new - high)


def drift_impulse(
    phi: float, teacher_logit: float, tau: float, delta: float, anchor_strength: float, step: float
) -> Scheme:
    """h β δ |ε_o(φ) − ε_o((1−ν)χ + ντ)|, ε_o = E_{p_o}[r_n], both on the same draws.

    r_n falls with the logit, so the difference has one sign, and it is a product at every draw:
    σ(a) − σ(b) = σ(a) σ(−b) (1 − e^{b−a}), where a − b = |φ − target| is the same for all draws.
    """
    target = _target(teacher_logit, tau, anchor_strength)
    low, high = min(phi, target), max(phi, target)
    new = (delta, 0.0)
    return Scheme(
        _log_misassigned_between,
        (low, high),
        (new,),
        proposals=(boundary(low, new), boundary(high, new)),
        factor=step * sigmoid(phi) * delta * -math.expm1(low - high),
        logarithmic=True,
    )
