"""TTT-Discover (reconstructed): an entropic objective with a KL anchor to a reference.

phi, reference_logit: logits of the learner's and the reference's old weight; delta: Mahalanobis
distance, > 0; inverse_temperature b > 0; reward_old A_o = E_{p_o}e^{bv} and reward_new A_n =
E_{p_n}e^{bv}, 0 < A_o < A_n; anchor γ > 0; gap G > 0. Correct means; values in nats. Each returns
an Estimate at the precision of ctx; Unreachable if too dear.
"""

from __future__ import annotations

from numerics.precise.derivative import first, tiny
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    boundary,
    gaussian,
    log_quotient,
    log_ratio,
    responsibility,
    seeds,
    tilted,
    weights,
)
from numerics.precise.quadrature import Integrand, Pole, integrate
from numerics.precise.reverse_kl import objective as divergence
from numerics.precise.reverse_kl import weight_gradient as divergence_gradient


def objective(
    ctx: Context,
    phi: Real,
    reference_logit: Real,
    delta: Real,
    inverse_temperature: Real,
    reward_old: Real,
    reward_new: Real,
    anchor: Real,
) -> Estimate:
    """J = (1/b) log E_q e^{bv} - γ KL(q‖q_ref)."""
    entropic = _entropic(ctx, phi, inverse_temperature, reward_old, reward_new)
    distance = divergence(ctx, phi, reference_logit, delta)
    value = entropic - anchor * distance.value[0]
    rounding = ctx.ldexp(1 + abs(entropic) + 1 / inverse_temperature, 3 - ctx.prec)
    return Estimate((value,), anchor * distance.error + rounding)


def weight_gradient(
    ctx: Context,
    phi: Real,
    reference_logit: Real,
    delta: Real,
    inverse_temperature: Real,
    reward_old: Real,
    reward_new: Real,
    anchor: Real,
) -> Estimate:
    """dJ/dphi, the objective differentiated numerically."""
    step = tiny(ctx)
    at = ctx.mpc(phi, step)
    slope = _entropic(ctx, at, inverse_temperature, reward_old, reward_new).imag / step
    distance = divergence_gradient(ctx, phi, reference_logit, delta)
    value = slope - anchor * distance.value[0]
    rounding = ctx.ldexp(abs(slope) + anchor * abs(distance.value[0]), 6 - ctx.prec)
    return Estimate((value,), anchor * distance.error + rounding)


def collapse_constant(ctx: Context, reference_logit: Real, delta: Real) -> Estimate:
    """D_0 = E_{p_n}[log p_n/q_ref] + E_{p_o}[log q_ref/p_n], both expectations on the same nodes:
    (p_o - p_n) log(q_ref/p_n) is nowhere negative, so that nothing cancels."""
    p_o, p_n, odds = gaussian(ctx, ctx.zero), gaussian(ctx, delta), log_ratio(ctx.zero, delta)
    alpha = weights(ctx, reference_logit)

    def integrand(x: Real) -> Real:
        new, apart = p_n(x), tilted(ctx, p_n(x), odds(x))[1]
        reference = alpha.old * p_o(x) + alpha.new * new
        return apart * log_quotient(ctx, reference, new, alpha.old * apart)

    poles = boundary(ctx, reference_logit, delta)
    return integrate(ctx, integrand, seeds(delta, poles), poles)


def critical_anchor(
    ctx: Context,
    reference_logit: Real,
    delta: Real,
    inverse_temperature: Real,
    reward_old: Real,
    reward_new: Real,
) -> Estimate:
    """γ_c = (1 - A_o/A_n)/(b D_0), at and below which the old mass collapses."""
    constant = collapse_constant(ctx, reference_logit, delta)
    D_0 = constant.value[0]
    value = (reward_new - reward_old) / (reward_new * inverse_temperature * D_0)
    return Estimate((value,), abs(value) * (constant.error / D_0 + ctx.ldexp(1, 4 - ctx.prec)))


def entropic_drift(
    ctx: Context,
    phi: Real,
    reference_logit: Real,
    delta: Real,
    inverse_temperature: Real,
    gap: Real,
) -> Estimate:
    """The component along μ_n - μ_o of the whitened ∇_{m_o}(1/b) log E_q e^{bv} at correct means,
    numerically, v = -G s_o, s_o the old responsibility at the reference's weight.

    E_q e^{bv} = e^{-bG}(1 + E_q[e^{bG s_n} - 1]), where the 1 does not move with the mean.
    """
    beta, p_n = weights(ctx, phi), gaussian(ctx, delta)
    s_n = responsibility(ctx, -reference_logit, delta, ctx.zero)
    strength = inverse_temperature * gap

    def family(old_mean: Real) -> Integrand:
        q_o = gaussian(ctx, old_mean)

        def integrand(x: Real) -> Real:
            q = beta.old * q_o(x) + beta.new * p_n(x)
            return q * ctx.expm1(strength * s_n(x))

        return integrand

    (pole,) = boundary(ctx, reference_logit, delta)
    tame = (Pole(pole.centre, pole.half_width / 2),)  # |s_n| <= 1 up to there, infinite at the pole
    places = seeds(delta, tame)
    level = integrate(ctx, family(ctx.zero), places, tame)
    slope = integrate(ctx, first(ctx, family, ctx.zero), places, tame)
    scale = inverse_temperature * (1 + level.value[0])
    value = slope.value[0] / scale
    relative = level.error / (1 + level.value[0]) + ctx.ldexp(1, 4 - ctx.prec)
    return Estimate((value,), slope.error / scale + abs(value) * relative)


def _entropic(
    ctx: Context, phi: Real, inverse_temperature: Real, reward_old: Real, reward_new: Real
) -> Real:
    """(1/b) log E_q e^{bv}, analytic in phi."""
    beta = weights(ctx, phi)
    return ctx.log(beta.old * reward_old + beta.new * reward_new) / inverse_temperature
