"""The two-component mixture, one draw at a time, through log-ratios and never through 0/0.

A draw is known by its log-ratios to the old density: `new` = log p_n/p_o = −L and `proposal` =
log m/p_o, m the density it was drawn from. The learner's log-odds of old against new are φ − new.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.space import Mean


def sigmoid(x: float) -> float:
    """1/(1 + e^{−x}), with full relative precision in both tails."""
    tail = math.exp(-abs(x))
    return (1.0 if x > 0 else tail) / (1.0 + tail)


def boundary(logit: float, new: Mean) -> Mean:
    """A point of the segment from the old mean to `new` to draw misassignment from.

    It is where a mixture of that logit has responsibilities ½, kept within the weights of the two
    components; the midpoint at weight ½. Any point gives the same mean, this one a small variance.
    """
    square = new[0] ** 2 + new[1] ** 2
    if square == 0:
        return new
    larger, smaller = sigmoid(abs(logit)), sigmoid(-abs(logit))
    fraction = min(max(0.5 + logit / square, smaller), larger)
    return fraction * new[0], fraction * new[1]


def replayed_logit(phi: float, replay: float) -> float:
    """The logit of (1−λ)q + λp_o, a mixture of the same two modes that holds 1−λ of q's new one:
    its odds, plus 1, are (1 + e^φ)/(1−λ)."""
    return log_abs_expm1(softplus(phi) - math.log1p(-replay))


@kernel
def softplus(x: float) -> float:
    """log(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


@kernel
def softplus_difference(x: float, y: float) -> float:
    """softplus(x) − softplus(y), with full relative precision when x is close to y."""
    if abs(x - y) > 1.0:
        return softplus(x) - softplus(y)
    return math.log1p(math.expm1(x - y) * math.exp(-softplus(-y)))


@kernel
def log_abs_expm1(x: float) -> float:
    """log |e^x − 1|."""
    return max(x, 0.0) + math.log(-math.expm1(-abs(x)))


@kernel
def log_density(new: float, phi: float) -> float:
    """log q/p_o."""
    return softplus(new - phi) - softplus(-phi)


@kernel
def log_quotient(new: float, phi: float, tau: float) -> float:
    """log q_φ/q_τ."""
    return softplus_difference(new - phi, new - tau) - softplus_difference(-phi, -tau)


@kernel
def weight_score(new: float, phi: float) -> float:
    """d log q/dφ = r_o − β, with full relative precision at every weight."""
    if new < 0:
        return -math.expm1(new) * math.exp(-softplus(new - phi) - softplus(phi))
    return math.expm1(-new) * math.exp(-softplus(phi - new) - softplus(-phi))


@integrand
def log_misassigned_old(new: float, proposal: float, phi: float) -> float:
    """log p_o r_n / m."""
    return -proposal - softplus(phi - new)


@integrand
def log_misassigned_new(new: float, proposal: float, phi: float) -> float:
    """log p_n r_o / m."""
    return new - proposal - softplus(new - phi)


@integrand
def kept_apart(new: float, proposal: float, phi: float) -> float:
    """1 − p_n (p_o/q) / m = 1 − p_o (p_n/q) / m, by whichever loses no digits at this weight."""
    if phi < 0:
        return -math.expm1(-proposal + softplus_difference(phi, phi - new))
    return -math.expm1(new - proposal + softplus_difference(-phi, new - phi))
