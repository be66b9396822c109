"""Replay under reverse KL (reconstructed): draws from the behaviour b = (1-λ)q + λp_o, importance
weights ω = q/b.

phi, tau: logits of the learner's and the target's old weight; delta: Mahalanobis distance, > 0;
replay: fraction λ of old draws, in [0, 1); batch: draws in a batch; radius: distance from the axis
through the means, >= 0. Correct means. Each returns an Estimate at the precision of ctx;
Unreachable if too dear.
"""

from __future__ import annotations

from collections.abc import Callable

from numerics.precise.evaluation import Context, Estimate, Real
from numerics.precise.line import (
    Weights,
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
from numerics.precise.quadrature import (
    Integrand,
    depth,
    integrate,
    longest_step,
    nats_within,
    trapezoid,
)


def replayed_gradient(ctx: Context, phi: Real, tau: Real, delta: Real, replay: Real) -> Estimate:
    """E_b[ω g], g = (r_o - beta) log(q/p_alpha) the score-function form of dR/dphi."""
    q, p = _mixture(ctx, weights(ctx, phi), delta), _mixture(ctx, weights(ctx, tau), delta)
    gap, apart = weight_gap(ctx, phi, tau), _apart(ctx, delta)
    integrand = product(
        _behaviour(ctx, phi, delta, replay),
        _importance(ctx, phi, delta, replay),
        _score(ctx, phi, delta),
        lambda x: log_quotient(ctx, q(x), p(x), gap * apart(x)),
    )
    return _integrate(ctx, integrand, phi, delta, replay, (phi, tau))


def weight_second_moment(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """E_b[ω²]."""
    omega = _importance(ctx, phi, delta, replay)
    integrand = product(_behaviour(ctx, phi, delta, replay), omega, omega)
    return _integrate(ctx, integrand, phi, delta, replay)


def score_second_moment(ctx: Context, phi: Real, delta: Real, replay: Real) -> Estimate:
    """E_b[ω²(r_o - beta)²]."""
    weighed = product(_importance(ctx, phi, delta, replay), _score(ctx, phi, delta))
    integrand = product(_behaviour(ctx, phi, delta, replay), weighed, weighed)
    return _integrate(ctx, integrand, phi, delta, replay)


def starvation(ctx: Context, phi: Real, replay: Real, batch: Real) -> Estimate:
    """The probability that no draw of a batch has latent label old: each is fresh, and new."""
    value = ((1 - replay) * weights(ctx, phi).new) ** batch
    return Estimate((value,), value * ctx.ldexp(1 + batch, 4 - ctx.prec))


def leaked_score(ctx: Context, phi: Real, delta: Real, radius: Real) -> Estimate:
    """E_{p_n}[r_o ‖Σ^{-1/2}(y - μ_o)‖] over the coordinate along, y at `radius` from the axis.

    The norm √(x² + radius²) is a coordinate of its own: x = radius sinh u has norm radius cosh u =
    dx/du, and in the limit radius = 0 x = ±e^u has norm e^u = dx/du. Either way nothing is singular
    nearby but r_o, whatever the radius.
    """
    if radius:

        def around(u: Real) -> tuple[Real, Real]:
            return radius * ctx.sinh(u), radius * ctx.cosh(u)

        return _in_norm(ctx, phi, delta, radius, around, lambda x: ctx.asinh(x / radius))

    def half(side: int) -> Estimate:
        def outward(u: Real) -> tuple[Real, Real]:
            return side * ctx.exp(u), ctx.exp(u)

        return _in_norm(ctx, phi, delta, radius, outward, lambda x: ctx.log(side * x))

    left, right = half(-1), half(1)
    return Estimate((left.value[0] + right.value[0],), left.error + right.error)


def _in_norm(
    ctx: Context,
    phi: Real,
    delta: Real,
    radius: Real,
    place: Callable[[Real], tuple[Real, Real]],
    back: Callable[[Real], Real],
) -> Estimate:
    """∫p_n r_o norm dx with (x, norm) = place(u), norm = dx/du, u = back(x).

    Turned by an angle a in u, |p_n| grows by less than e^{(speed a)²/2} while a <= pi/8.
    """
    p_n, r_o = gaussian(ctx, delta), responsibility(ctx, phi, ctx.zero, delta)

    def integrand(u: Real) -> Real:
        x, norm = place(u)
        return norm**2 * p_n(x) * r_o(x)

    (pole,) = boundary(ctx, phi, delta)
    small = 1 / (1 + delta)
    places = (-1, -small, small, ctx.one, delta / 2, delta, pole.centre)
    seeds = [back(x).real for x in places if x]
    nats = nats_within(ctx, max(map(abs, places)))
    speed = ctx.sqrt(1 + 2 * delta**2 + radius**2)
    angle = abs(back(ctx.mpc(pole.centre, pole.half_width)).imag)
    there = max(abs(integrand(seeds[-1] + shift * angle)) for shift in (-1, 0, 1))
    remaining = nats - depth(ctx, there, max(map(abs, map(integrand, seeds))))
    step = min(
        longest_step(ctx, nats, speed * ctx.pi / 8),
        longest_step(ctx, remaining, speed * angle),
    )
    return trapezoid(ctx, integrand, seeds, step / speed, nats)


def _behaved(ctx: Context, phi: Real, replay: Real) -> Weights:
    """The weights of the behaviour b."""
    beta = weights(ctx, phi)
    return Weights(replay + (1 - replay) * beta.old, (1 - replay) * beta.new)


def _mixture(ctx: Context, prior: Weights, delta: Real) -> Integrand:
    p_o, p_n = gaussian(ctx, ctx.zero), gaussian(ctx, delta)
    return lambda x: prior.old * p_o(x) + prior.new * p_n(x)


def _apart(ctx: Context, delta: Real) -> Integrand:
    """p_o - p_n, to its relative precision."""
    p_n, odds = gaussian(ctx, delta), log_ratio(ctx.zero, delta)
    return lambda x: tilted(ctx, p_n(x), odds(x))[1]


def _behaviour(ctx: Context, phi: Real, delta: Real, replay: Real) -> Integrand:
    return _mixture(ctx, _behaved(ctx, phi, replay), delta)


def _importance(ctx: Context, phi: Real, delta: Real, replay: Real) -> Integrand:
    """ω = q/b."""
    q, b = _mixture(ctx, weights(ctx, phi), delta), _behaviour(ctx, phi, delta, replay)
    return lambda x: q(x) / b(x)


def _score(ctx: Context, phi: Real, delta: Real) -> Integrand:
    """r_o - beta, written (beta p_o - beta q)/q with q = p_n + beta (p_o - p_n)."""
    beta, apart = weights(ctx, phi), _apart(ctx, delta)
    q = _mixture(ctx, beta, delta)
    return lambda x: beta.old * beta.new * apart(x) / q(x)


def _integrate(
    ctx: Context,
    integrand: Integrand,
    phi: Real,
    delta: Real,
    replay: Real,
    more_logits: tuple[Real, ...] = (),
) -> Estimate:
    """∫ integrand; singular at the zeros of b, and of the mixtures of the logits given besides."""
    behaved = _behaved(ctx, phi, replay)
    logits = (ctx.log(behaved.old / behaved.new), *more_logits)
    poles = tuple(pole for logit in logits for pole in boundary(ctx, logit, delta))
    return integrate(ctx, integrand, seeds(delta, poles), poles)
