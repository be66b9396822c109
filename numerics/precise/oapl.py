"""OAPL (reconstructed): regression of a log-ratio to a frozen reference on an advantage.

phi, reference_logit: logits of the learner's and the reference's old weight; tau: that of the
realisable optimum, or of the soft reward's responsibility; delta: Mahalanobis distance, > 0;
temperature T > 0; offset k real; gap G > 0. Values in nats or nats². Each returns an Estimate at
the precision of ctx; Unreachable if too dear.
"""

from __future__ import annotations

from numerics.precise.derivative import first
from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    boundary,
    gaussian,
    log_quotient,
    log_ratio,
    product,
    responsibility,
    seeds,
    tilted,
    weight_gap,
    weights,
)
from numerics.precise.quadrature import Integrand, integrate


def baseline(
    ctx: Context, reference_logit: Real, tau: Real, delta: Real, temperature: Real, offset: Real
) -> Estimate:
    """V* = T log E_ref e^{v/T} for the realisable reward v = T log(q_tau/q_ref) + k."""
    reward = _realisable(ctx, reference_logit, tau, delta, temperature, offset)
    reference = _mixture(ctx, reference_logit, delta)
    mean = _integrate(
        ctx,
        lambda x: reference(x) * ctx.exp(reward(x) / temperature),
        (reference_logit, tau),
        delta,
    )
    level = mean.value[0]
    rounding = _rounding(ctx, (reference_logit, tau), temperature, offset)
    error = temperature * mean.error / level + rounding
    return Estimate((temperature * ctx.log(level),), error)


def loss(
    ctx: Context,
    phi: Real,
    reference_logit: Real,
    tau: Real,
    delta: Real,
    temperature: Real,
    offset: Real,
) -> Estimate:
    """E_ref[(T log(q/q_ref) - (v - V*))²], v and V* those of `baseline`.

    What the residual is off by everywhere moves its mean square by at most twice that times the
    root of it, and the square.
    """
    logits = phi, reference_logit, tau
    best = baseline(ctx, reference_logit, tau, delta, temperature, offset)
    square = _square(ctx, logits, delta, temperature, offset, best.value[0])
    estimate = _integrate(ctx, square, logits, delta)
    off = best.error + _rounding(ctx, logits, temperature, offset)
    error = estimate.error + 2 * ctx.sqrt(abs(estimate.value[0])) * off + off**2
    return Estimate(estimate.value, error)


def weight_gradient(
    ctx: Context,
    phi: Real,
    reference_logit: Real,
    tau: Real,
    delta: Real,
    temperature: Real,
    offset: Real,
) -> Estimate:
    """d/dphi of the loss, numerically; |d log q/dphi| < 1."""
    logits = phi, reference_logit, tau
    best = baseline(ctx, reference_logit, tau, delta, temperature, offset)
    slope = first(
        ctx,
        lambda logit: _square(
            ctx, (logit, reference_logit, tau), delta, temperature, offset, best.value[0]
        ),
        phi,
    )
    estimate = _integrate(ctx, slope, logits, delta)
    off = best.error + _rounding(ctx, logits, temperature, offset)
    return Estimate(estimate.value, estimate.error + 2 * temperature * off)


def old_mean_gradient(
    ctx: Context, reference_logit: Real, tau: Real, delta: Real, temperature: Real, gap: Real
) -> Estimate:
    """The component along μ_n - μ_o of the whitened ∇_{m_o} of the loss at the reference,
    numerically, for the soft reward v = -G s_o, s_o the old responsibility at weight σ(tau).

    V* = -G: a constant meets only the reference's score, whose mean is 0, and v - V* = G s_n is
    small where the old mode lives.
    """
    alpha, reference = weights(ctx, reference_logit), _mixture(ctx, reference_logit, delta)
    p_o, s_n = gaussian(ctx, ctx.zero), responsibility(ctx, -tau, delta, ctx.zero)

    def family(old_mean: Real) -> Integrand:
        move = log_ratio(old_mean, ctx.zero)

        def integrand(x: Real) -> Real:
            at_reference = reference(x)
            change = alpha.old * tilted(ctx, p_o(x), move(x))[1]
            moved = log_quotient(ctx, at_reference + change, at_reference, change)
            return at_reference * (temperature * moved - gap * s_n(x)) ** 2

        return integrand

    return _integrate(ctx, first(ctx, family, ctx.zero), (reference_logit, tau), delta)


def residual_drift(
    ctx: Context, reference_logit: Real, tau: Real, delta: Real, temperature: Real
) -> Estimate:
    """2T(1-α_0)E_{p_n}[e r_o Σ^{-1/2}(y - μ_o)] along μ_n - μ_o, the residual e = s_o - s_n at
    weight σ(tau), r_o at the reference."""
    s_o = responsibility(ctx, tau, ctx.zero, delta)
    s_n = responsibility(ctx, -tau, delta, ctx.zero)
    r_o = responsibility(ctx, reference_logit, ctx.zero, delta)
    score = product(gaussian(ctx, delta), lambda x: s_o(x) - s_n(x), r_o, lambda x: x)
    mean = _integrate(ctx, score, (reference_logit, tau), delta)
    factor = 2 * temperature * weights(ctx, reference_logit).new
    rounding = abs(mean.value[0]) * ctx.ldexp(1, 4 - ctx.prec)
    return Estimate((factor * mean.value[0],), factor * (mean.error + rounding))


def _square(
    ctx: Context,
    logits: tuple[Real, Real, Real],
    delta: Real,
    temperature: Real,
    offset: Real,
    best: Real,
) -> Integrand:
    """q_ref (T log(q/q_ref) - (v - V*))², logits (phi, reference_logit, tau)."""
    phi, reference_logit, tau = logits
    reference = _mixture(ctx, reference_logit, delta)
    reward = _realisable(ctx, reference_logit, tau, delta, temperature, offset)
    log_policy = _log_mixtures(ctx, phi, reference_logit, delta)
    return lambda x: reference(x) * (temperature * log_policy(x) - (reward(x) - best)) ** 2


def _realisable(
    ctx: Context, reference_logit: Real, tau: Real, delta: Real, temperature: Real, offset: Real
) -> Integrand:
    """v = T log(q_tau/q_ref) + k."""
    log_optimum = _log_mixtures(ctx, tau, reference_logit, delta)
    return lambda x: temperature * log_optimum(x) + offset


def _log_mixtures(ctx: Context, logit: Real, other: Real, delta: Real) -> Integrand:
    """log q_logit/q_other."""
    p_n, odds = gaussian(ctx, delta), log_ratio(ctx.zero, delta)
    above, below = _mixture(ctx, logit, delta), _mixture(ctx, other, delta)
    gap = weight_gap(ctx, logit, other)
    return lambda x: log_quotient(ctx, above(x), below(x), gap * tilted(ctx, p_n(x), odds(x))[1])


def _mixture(ctx: Context, logit: Real, delta: Real) -> Integrand:
    prior, p_o, p_n = weights(ctx, logit), gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    return lambda x: prior.old * p_o(x) + prior.new * p_n(x)


def _rounding(ctx: Context, logits: tuple[Real, ...], temperature: Real, offset: Real) -> Real:
    """What rounding puts the residual off by: log-ratios of mixtures are within their logits."""
    size = temperature * (1 + sum(map(abs, logits))) + abs(offset)
    return ctx.ldexp(size, 4 - ctx.prec)


def _integrate(
    ctx: Context, integrand: Integrand, logits: tuple[Real, ...], delta: Real
) -> Estimate:
    poles = tuple(pole for logit in logits for pole in boundary(ctx, logit, delta))
    return integrate(ctx, integrand, seeds(delta, poles), poles)
