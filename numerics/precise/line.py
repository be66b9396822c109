"""The line through the two means, whitened: densities N(mean, 1), responsibilities, mixtures.

On it μ_o = 0 and μ_n = distance; directions across it integrate to one.
"""

from __future__ import annotations

from dataclasses import dataclass

from numerics.precise.evaluation import Context, Real
from numerics.precise.quadrature import Integrand, Pole


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the old and the new component, each with its own relative precision."""

    old: Real
    new: Real


def weights(ctx: Context, logit: Real) -> Weights:
    """(σ(logit), σ(-logit))."""
    return Weights(1 / (1 + ctx.exp(-logit)), 1 / (1 + ctx.exp(logit)))


def gaussian(ctx: Context, mean: Real) -> Integrand:
    """The density of N(mean, 1)."""
    height = 1 / ctx.sqrt(2 * ctx.pi)
    return lambda x: height * ctx.exp(-((x - mean) ** 2) / 2)


def log_ratio(mean: Real, other: Real) -> Integrand:
    """log N(x; mean, 1)/N(x; other, 1), the difference of squares in factors."""
    return lambda x: (mean - other) * (x - (mean + other) / 2)


def responsibility(ctx: Context, logit: Real, mean: Real, other: Real) -> Integrand:
    """Posterior weight of the component at `mean` with prior weight σ(logit), against `other`."""
    ratio = log_ratio(mean, other)
    return lambda x: 1 / (1 + ctx.exp(-logit - ratio(x)))


def relative_entropy(
    ctx: Context, first: Weights, second: Weights, gap: Real, old: Real, new: Real
) -> Integrand:
    """x -> a log(a/b), a and b the mixtures of N(old, 1) and N(new, 1) with the two weights.

    gap = first.old - second.old, to its own relative precision: where a and b nearly agree,
    log(a/b) is log1p of gap * (p_o - p_n)/b.
    """
    p_o, p_n, ratio = gaussian(ctx, old), gaussian(ctx, new), log_ratio(old, new)

    def integrand(x: Real) -> Real:
        at_old, at_new, log_odds = p_o(x), p_n(x), ratio(x)
        a = first.old * at_old + first.new * at_new
        b = second.old * at_old + second.new * at_new
        near = abs(log_odds.real) < 1
        apart = at_new * ctx.expm1(log_odds) if near else at_old - at_new
        return a * log_quotient(ctx, a, b, gap * apart)

    return integrand


def log_quotient(ctx: Context, a: Real, b: Real, excess: Real) -> Real:
    """log(a/b), excess = a - b to its own relative precision."""
    relative = excess / b
    return _log1p(ctx, relative) if 4 * abs(relative.real) < 1 else ctx.log(a / b)


def tilted(ctx: Context, density: Real, log_factor: Real) -> tuple[Real, Real]:
    """density * e^log_factor, and what it exceeds density by to its own relative precision."""
    if not log_factor:
        return density, ctx.zero
    if abs(log_factor.real) < 1:
        sinh = ctx.sinh(log_factor / 2)  # e^2t - 1 = 2 sinh t (sinh t + cosh t)
        excess = 2 * density * sinh * (sinh + ctx.sqrt(1 + sinh * sinh))
        return density + excess, excess
    value = density * ctx.exp(log_factor)
    return value, value - density


def _log1p(ctx: Context, z: Real) -> Real:
    """log(1 + z), |Re z| < 1/2. mpmath's own redoes |1 + z|² exactly when it is near 1, which
    exhausts the memory where Im z is e^-10^11."""
    if not isinstance(z, ctx.mpc):
        return ctx.log1p(z)
    x, y = z.real, z.imag
    return ctx.mpc(ctx.log1p(x * (2 + x) + y**2) / 2, ctx.atan2(y, 1 + x))


def weight_gap(ctx: Context, phi: Real, tau: Real) -> Real:
    """σ(phi) - σ(tau) without cancellation, of its real part nor of a complex step."""
    learner, target = weights(ctx, phi), weights(ctx, tau)
    if abs((phi - tau).real) < 1:
        return -ctx.expm1(tau - phi) * learner.old * target.new
    if (phi + tau).real < 0:
        return learner.old - target.old
    return target.new - learner.new


def boundary(ctx: Context, logit: Real, distance: Real) -> tuple[Pole, ...]:
    """Where logit + log p_o/p_n = 0; the mixture vanishes at ± iπ/distance from there."""
    if not distance:
        return ()
    return (Pole(distance / 2 + logit / distance, ctx.pi / abs(distance)),)


def seeds(distance: Real, boundaries: tuple[Pole, ...] = ()) -> tuple[Real, ...]:
    """Where integrands on the line peak: the means, the midpoint, their reflections (the means of
    p_o²/p_n and p_n²/p_o), the decision boundaries."""
    fixed = (0 * distance, distance / 2, distance, -distance, 2 * distance)
    return fixed + tuple(pole.centre for pole in boundaries)


def product(*factors: Integrand) -> Integrand:
    """The pointwise product."""

    def integrand(x: Real) -> Real:
        value = factors[0](x)
        for factor in factors[1:]:
            value = value * factor(x)
        return value

    return integrand
