"""SDFT (reconstructed): reverse KL to an EMA teacher whose target is anchored to demonstrations.

phi, teacher_logit: logits of the student's and the teacher's old weight; tau: that of the anchor;
delta: Mahalanobis distance, > 0; anchor_strength ν in [0, 1]; ema_rate ρ in (0, 1]; step h in
(0, 4]. The teacher's target is the mixture of logit (1-ν) teacher_logit + ν tau. Means are frozen
at their correct values. Each returns an Estimate at the precision of ctx; Unreachable if too dear.
"""

from __future__ import annotations

from numerics.precise.derivative import first, hessian, second
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import boundary, relative_entropy, seeds, weight_gap, weights
from numerics.precise.local_geometry import free_divergence
from numerics.precise.quadrature import Integrand, integrate
from numerics.precise.reverse_kl import weight_gradient


def student_step(
    ctx: Context,
    phi: Real,
    teacher_logit: Real,
    tau: Real,
    delta: Real,
    anchor_strength: Real,
    step: Real,
) -> Estimate:
    """The student's next logit: phi - h ∂R/∂phi, R differentiated numerically."""
    target = _target(teacher_logit, tau, anchor_strength)
    slope = weight_gradient(ctx, phi, target, delta)
    rounding = ctx.ldexp(abs(phi) + step * (abs(teacher_logit) + abs(tau)), 3 - ctx.prec)
    return Estimate((phi - step * slope.value[0],), step * slope.error + rounding)


def teacher_step(
    ctx: Context,
    phi: Real,
    teacher_logit: Real,
    tau: Real,
    delta: Real,
    anchor_strength: Real,
    ema_rate: Real,
    step: Real,
) -> Estimate:
    """The teacher's next logit: (1-ρ) of its own and ρ of the student's next."""
    student = student_step(ctx, phi, teacher_logit, tau, delta, anchor_strength, step)
    value = (1 - ema_rate) * teacher_logit + ema_rate * student.value[0]
    rounding = ctx.ldexp(abs(teacher_logit) + abs(student.value[0]), 3 - ctx.prec)
    return Estimate((value,), ema_rate * student.error + rounding)


def drift_impulse(
    ctx: Context,
    phi: Real,
    teacher_logit: Real,
    tau: Real,
    delta: Real,
    anchor_strength: Real,
    step: Real,
) -> Estimate:
    """h times the size of the whitened ∇_{m_o}R to the teacher's target, which points along
    μ_n - μ_o, numerically. It moves by at most h delta/4 per unit of the target's logit."""
    target = _target(teacher_logit, tau, anchor_strength)
    slope = first(ctx, lambda mean: free_divergence(ctx, phi, target, delta, mean, delta), ctx.zero)
    poles = (*boundary(ctx, phi, delta), *boundary(ctx, target, delta))
    pull = integrate(ctx, slope, seeds(delta, poles), poles)
    rounding = ctx.ldexp(delta * (abs(teacher_logit) + abs(tau)), 3 - ctx.prec)
    return Estimate((step * abs(pull.value[0]),), step * (pull.error + rounding))


def spectral_radius(
    ctx: Context, tau: Real, delta: Real, anchor_strength: Real, ema_rate: Real, step: Real
) -> Estimate:
    """Of the Jacobian of (phi, teacher_logit) -> the next two at the fixed point (tau, tau), from
    numerical second derivatives of R in the two. Its entries are not negative for h <= 4, so the
    larger eigenvalue is (trace + √discriminant)/2."""
    curvature = hessian(lambda direction: _along(ctx, tau, delta, anchor_strength, direction), 2)
    a, b = 1 - step * curvature.value[0], -step * curvature.value[1]
    c, d = ema_rate * a, 1 - ema_rate + ema_rate * b
    off = step * curvature.error + ctx.ldexp(1, 4 - ctx.prec)  # of every entry
    discriminant = (a - d) ** 2 + 4 * b * c
    slack = 4 * off * (abs(a - d) + abs(b) + abs(c) + off)
    root = ctx.sqrt(max(discriminant, ctx.zero))
    spread = slack / root if slack < discriminant else ctx.sqrt(2 * slack)
    return Estimate(((a + d + root) / 2,), off + spread / 2)


def _target(teacher_logit: Real, tau: Real, anchor_strength: Real) -> Real:
    """The logit of the teacher's target."""
    return (1 - anchor_strength) * teacher_logit + anchor_strength * tau


def _along(
    ctx: Context,
    tau: Real,
    delta: Real,
    anchor_strength: Real,
    direction: tuple[int, ...],
) -> Estimate:
    """The second derivative of R along a direction of (phi, teacher_logit) at (tau, tau)."""

    def family(t: Real) -> Integrand:
        phi, teacher_logit = (tau + u * t for u in direction)
        target = _target(teacher_logit, tau, anchor_strength)
        gap = weight_gap(ctx, phi, target)
        student, teacher = weights(ctx, phi), weights(ctx, target)
        return relative_entropy(ctx, student, teacher, gap, ctx.zero, delta)

    curvature, noise = second(ctx, family, ctx.zero, ctx.ldexp(1, -4))
    poles = boundary(ctx, tau, delta)
    estimate = integrate(ctx, curvature, seeds(delta, poles), poles)
    return Estimate(estimate.value, estimate.error + 2 * noise)  # ∫|first derivative| < 2
