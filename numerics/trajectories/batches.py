"""Learning from finite batches: draws with latent labels, score-function gradients, plain steps.

Whitened coordinates in R^d, old mode N(0, I), new mode N(delta e_1, I). Every method draws from a
law of its own, a mixture of the learner's two components and the two true ones, and descends along
the batch's mean of w(y) ∇log q(y), whose expectation is its objective's gradient. The draws of
step k are a function of (seed, k) alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from numerics.monte_carlo.compiled import kernel
from numerics.monte_carlo.generator import HALF, LOW, normals, philox, uniform
from numerics.point import Unreachable

Array: TypeAlias = NDArray[np.float64]
_LABELS = np.uint64(1)  # the counter's second word: 0 for normals, 1 for labels


class Weight(IntEnum):
    """What multiplies the score ∇log q of a draw; q the learner, b the law of the draws."""

    LIKELIHOOD = 0  # −1: forward KL from the draws' law
    DILUTED = 1  # −(1−λ)q/((1−λ)q + λp_o): forward KL with replay in the denominator
    LOG_RATIO = 2  # (q/b) log(q/target): reverse KL
    REWARDED = 3  # γ log(q/target) − e^{bv}/(b E e^{bv}): the entropic objective, anchored
    REGRESSION = 4  # 2T² log(q/target): regression of T log q/reference on a realisable reward


@dataclass(frozen=True, slots=True)
class Law:
    """How a method draws and weighs.

    learner: the share of draws from the learner; old: of the others, the share from the old mode.
    target: a logit, at the true means. factor: λ, γ or T, whichever the weight holds. rewards:
    e^{bv} is their mean under the responsibilities of the target; its expectation under q is the
    batch's own. anchor_strength ν and ema_rate ρ: the target's logit is (1−ν) teacher + ν target,
    and the teacher's follows the learner's.
    """

    weight: Weight
    learner: float
    old: float
    target: float = 0.0
    factor: float = 1.0
    rewards: tuple[float, float] = (1.0, 1.0)
    inverse_temperature: float = 1.0
    anchor_strength: float = 1.0
    ema_rate: float = 0.0

    def starvation(self, beta: float, size: int) -> float:
        """The probability that no draw of a batch has the latent label old."""
        return float(_starving(self.learner, self.old, beta, size))


@dataclass(frozen=True, slots=True)
class Learner:
    """After `steps` batches: the logits of learner and teacher, both means (whitened, from the old
    one), how many batches were starved, and the mean and variance of that number, given the
    weights that the learner had on its way."""

    steps: int
    phi: float
    teacher: float
    old_mean: Array
    new_mean: Array
    starved: int = 0
    expected: float = 0.0
    variance: float = 0.0


def train(
    law: Law,
    learner: Learner,
    delta: float,
    *,
    steps: int,
    size: int,
    step: float,
    seed: int,
    free: bool,
) -> Learner:
    """The learner after so many more batches of `size` draws, by steps of length `step`.

    free: whether the means learn as well. Training in two calls is training in one. Raises
    Unreachable where a state leaves double precision.
    """
    state = np.array([learner.phi, learner.teacher])
    means = np.array([learner.old_mean, learner.new_mean])
    numbers = np.array([*_numbers(law), delta, step])
    tally = np.zeros(3)
    seed_, first = np.uint64(seed), np.uint64(learner.steps)
    _train(int(law.weight), numbers, state, means, tally, seed_, first, steps, size, free)
    if not (np.all(np.isfinite(state)) and np.all(np.isfinite(means))):
        raise Unreachable("the learner leaves double precision: its steps are too long")
    return Learner(
        learner.steps + steps,
        float(state[0]),
        float(state[1]),
        means[0],
        means[1],
        learner.starved + int(tally[0]),
        learner.expected + float(tally[1]),
        learner.variance + float(tally[2]),
    )


def _numbers(law: Law) -> tuple[float, ...]:
    return (
        law.learner,
        law.old,
        law.target,
        law.factor,
        *law.rewards,
        law.inverse_temperature,
        law.anchor_strength,
        law.ema_rate,
    )


@kernel
def _starving(learner: float, old: float, beta: float, size: int) -> float:
    return (1.0 - learner * beta - (1.0 - learner) * old) ** size


@kernel
def _sigma(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def _softplus(x: float) -> float:
    """log(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


@kernel
def _log_mixture(logit: float, old: float, new: float) -> float:
    """log(σ(logit) e^old + σ(−logit) e^new)."""
    return new + _softplus(logit + old - new) - _softplus(logit)


@kernel
def _log_normal(y: Any, mean: Any) -> float:
    """The log-density of N(mean, I) at y, up to the constant that all modes share."""
    total = 0.0
    for i in range(len(y)):
        total -= 0.5 * (y[i] - mean[i]) ** 2
    return total


@kernel
def _draw(
    seed: Any,
    k: Any,
    i: int,
    z: Any,
    learner: float,
    old: float,
    beta: float,
    means: Any,
    truth: Any,
    y: Any,
) -> bool:
    """Fills y with draw i of step k; whether its latent label is old."""
    x0, x1, x2, x3 = philox(np.uint64(i), _LABELS, k & LOW, k >> HALF, seed & LOW, seed >> HALF)
    own = uniform(x0, x1) < learner
    label = uniform(x2, x3) < (beta if own else old)
    centres = means if own else truth
    centre = centres[0] if label else centres[1]
    for j in range(len(y)):
        y[j] = centre[j] + z[j, i]
    return label


@kernel
def _weight(
    kind: int,
    factor: float,
    learner: float,
    old: float,
    log_q: float,
    log_target: float,
    log_old: float,
    log_new: float,
) -> float:
    """What multiplies the score of a draw, from its log-densities."""
    if kind == 0:
        return -1.0
    if kind == 1:
        return -1.0 / (1.0 + factor / (1.0 - factor) * math.exp(log_old - log_q))
    log_ratio = log_q - log_target
    if kind == 2:
        others = old * math.exp(log_old - log_q) + (1.0 - old) * math.exp(log_new - log_q)
        return log_ratio / (learner + (1.0 - learner) * others) if learner < 1.0 else log_ratio
    if kind == 3:
        return factor * log_ratio
    return 2.0 * factor**2 * log_ratio


@kernel
def _train(
    kind: int,
    numbers: Any,
    state: Any,
    means: Any,
    tally: Any,
    seed: Any,
    first: Any,
    steps: int,
    size: int,
    free: bool,
) -> None:
    learner, old, anchor, factor, reward_old, reward_new, b, nu, rho, delta, step = numbers
    dimension = means.shape[1]
    truth = np.zeros((2, dimension))
    truth[1, 0] = delta
    z, y = np.empty((dimension, size + size % 2)), np.empty(dimension)
    slope, pull = np.empty(2), np.empty((2, 2, dimension))  # by weights, by rewards
    for index in range(steps):
        k = first + np.uint64(index)
        normals(seed, k, z)
        beta, target = _sigma(state[0]), (1.0 - nu) * state[1] + nu * anchor
        slope[:], pull[:], earned, fed = 0.0, 0.0, 0.0, False
        for i in range(size):
            label = _draw(seed, k, i, z, learner, old, beta, means, truth, y)
            fed = fed or label
            own_old, own_new = _log_normal(y, means[0]), _log_normal(y, means[1])
            true_old, true_new = _log_normal(y, truth[0]), _log_normal(y, truth[1])
            log_q = _log_mixture(state[0], own_old, own_new)
            log_target = _log_mixture(target, true_old, true_new)
            w = _weight(kind, factor, learner, old, log_q, log_target, true_old, true_new)
            r_o = _sigma(state[0] + own_old - own_new)
            s_o = _sigma(target + true_old - true_new)
            reward = reward_old * s_o + reward_new * (1.0 - s_o)
            earned += reward
            slope[0] += w * (r_o - beta)
            slope[1] += reward * (r_o - beta)
            for j in range(dimension):
                score_old, score_new = (
                    r_o * (y[j] - means[0, j]),
                    (1.0 - r_o) * (y[j] - means[1, j]),
                )
                pull[0, 0, j] += w * score_old
                pull[0, 1, j] += w * score_new
                pull[1, 0, j] += reward * score_old
                pull[1, 1, j] += reward * score_new
        share = 1.0 / (b * earned) if kind == 3 else 0.0
        state[0] -= step * (slope[0] / size - share * slope[1])
        state[1] += rho * (state[0] - state[1])
        if free:
            means -= step * (pull[0] / size - share * pull[1])
        starving = _starving(learner, old, beta, size)
        tally[0] += 0.0 if fed else 1.0
        tally[1] += starving
        tally[2] += starving * (1.0 - starving)
