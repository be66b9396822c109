"""Replay under reverse KL (reconstructed): the behaviour b = (1−λ)q + λp_o and its weights ω = q/b.

b is a mixture of the same two modes, known by its logit. Expectations under it are drawn from both
modes and from between them, where b's density over the proposal's is bounded. Starvation is counted
in batches of labels. Units: nats; scores of means whitened.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.generator import HALF, LOW, philox, uniform
from numerics.monte_carlo.mixture import (
    boundary,
    log_density,
    log_quotient,
    replayed_logit,
    sigmoid,
    softplus,
    weight_score,
)
from numerics.monte_carlo.scheme import Scheme, Tally
from numerics.monte_carlo.space import OLD, Array, Mean


def _everywhere(logit: float, new: Mean) -> tuple[Mean, ...]:
    return OLD, new, boundary(logit, new)


@integrand
def _weighted_gradient(
    new: float, proposal: float, phi: float, tau: float, behaviour: float
) -> float:
    drawn = math.exp(log_density(new, behaviour) - proposal)
    omega = math.exp(log_quotient(new, phi, behaviour))
    return drawn * omega * weight_score(new, phi) * log_quotient(new, phi, tau)


def replayed_gradient(phi: float, tau: float, delta: float, replay: float) -> Scheme:
    """E_b[ω g], g = (r_o − β) log q/p_α the score-function form of dR/dφ."""
    new, behaviour = (delta, 0.0), replayed_logit(phi, replay)
    arguments = (phi, tau, behaviour)
    return Scheme(_weighted_gradient, arguments, (new,), _everywhere(phi, new))


@integrand
def _log_squared_weight(new: float, proposal: float, phi: float, behaviour: float) -> float:
    return log_density(new, behaviour) - proposal + 2.0 * log_quotient(new, phi, behaviour)


def weight_second_moment(phi: float, delta: float, replay: float) -> Scheme:
    """E_b[ω²]."""
    new, behaviour = (delta, 0.0), replayed_logit(phi, replay)
    proposals = _everywhere(behaviour, new)
    return Scheme(_log_squared_weight, (phi, behaviour), (new,), proposals, logarithmic=True)


@integrand
def _log_squared_score(new: float, proposal: float, phi: float, behaviour: float) -> float:
    log_size = log_quotient(new, phi, behaviour) + math.log(abs(weight_score(new, phi)))
    return log_density(new, behaviour) - proposal + 2.0 * log_size


def score_second_moment(phi: float, delta: float, replay: float) -> Scheme:
    """E_b[ω² (r_o − β)²]."""
    new, behaviour = (delta, 0.0), replayed_logit(phi, replay)
    proposals = _everywhere(phi, new)
    return Scheme(_log_squared_score, (phi, behaviour), (new,), proposals, logarithmic=True)


@integrand
def _log_leaked(new: float, proposal: float, phi: float, delta: float, radius: float) -> float:
    distance = math.hypot(new / delta + 0.5 * delta, radius)
    return new - proposal - softplus(new - phi) + math.log(distance)


def leaked_score(phi: float, delta: float, radius: float) -> Scheme:
    """E_{p_n}[r_o ‖C⁻¹(y − μ_o)‖], the draws held at one distance from the axis through the means.

    The place along the axis is read off the log-ratio.
    """
    new = (delta, 0.0)
    arguments = (phi, delta, radius)
    return Scheme(_log_leaked, arguments, (new,), (boundary(phi, new),), logarithmic=True)


@kernel
def _starved(seed: Any, block: Any, out: Array, replay: float, beta: float, batch: float) -> None:
    """out ← 1 for every batch without an old label, 0 for the others.

    A draw is replayed, and then old, with chance λ; otherwise it is the learner's, and old with
    chance β. Its two uniforms are Philox at the counter (batch, draw, block).
    """
    for trial in range(out.shape[0]):
        out[trial] = 1.0
        for draw in range(int(batch)):
            at = np.uint64(trial), np.uint64(draw)
            x0, x1, x2, x3 = philox(*at, block & LOW, block >> HALF, seed & LOW, seed >> HALF)
            if uniform(x0, x1) < replay or uniform(x2, x3) < beta:
                out[trial] = 0.0
                break


def starvation(phi: float, replay: float, batch: float) -> Tally:
    """The chance that no draw of a batch has the latent label old."""
    return Tally(_starved, (replay, sigmoid(phi), batch))
