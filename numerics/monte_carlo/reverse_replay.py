"""Replay under reverse KL (reconstructed): draws from b = (1−λ)q + λp_o, weighted by ω = q/b.

Starvation is counted in batches of labels drawn one by one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from numerics.monte_carlo.compiled import integrand, kernel
from numerics.monte_carlo.generator import HALF, LOW, philox, uniform
from numerics.monte_carlo.mixture import boundary, sigmoid, softplus, softplus_difference
from numerics.monte_carlo.scheme import Scheme, Tally
from numerics.monte_carlo.space import OLD, Array, Mean


@kernel
def _behaviour(new: float, phi: float, replay: float) -> tuple[float, float]:
    """log b/p_o, and the importance weight ω = q/b."""
    beta = math.exp(-softplus(-phi))
    log_q = softplus(new - phi) - softplus(-phi)
    old = (1.0 - replay) * beta + replay
    rest = (1.0 - replay) * (1.0 - beta)
    log_b = math.log(old) + softplus(new + math.log(rest) - math.log(old))
    return log_b, math.exp(log_q - log_b)


def _everywhere(phi: float, new: Mean) -> tuple[Mean, ...]:
    return OLD, new, boundary(phi, new)


@integrand
def _weighted_gradient(new: float, proposal: float, phi: float, tau: float, replay: float) -> float:
    log_b, omega = _behaviour(new, phi, replay)
    score = math.exp(-softplus(new - phi)) - math.exp(-softplus(-phi))
    return_of = softplus_difference(new - phi, new - tau) - softplus_difference(-phi, -tau)
    return math.exp(log_b - proposal) * omega * score * return_of


def replayed_gradient(phi: float, tau: float, delta: float, replay: float) -> Scheme:
    """E_b[ω g], g = (r_o − β) log q/p_α the score-function form of dR/dφ."""
    new = (delta, 0.0)
    return Scheme(_weighted_gradient, (phi, tau, replay), (new,), _everywhere(phi, new))


@integrand
def _squared_weight(new: float, proposal: float, phi: float, replay: float) -> float:
    log_b, omega = _behaviour(new, phi, replay)
    return math.exp(log_b - proposal) * omega * omega


def weight_second_moment(phi: float, delta: float, replay: float) -> Scheme:
    """E_b[ω²]."""
    new = (delta, 0.0)
    return Scheme(_squared_weight, (phi, replay), (new,), _everywhere(phi, new))


@integrand
def _squared_score(new: float, proposal: float, phi: float, replay: float) -> float:
    log_b, omega = _behaviour(new, phi, replay)
    score = math.exp(-softplus(new - phi)) - math.exp(-softplus(-phi))
    return math.exp(log_b - proposal) * (omega * score) ** 2


def score_second_moment(phi: float, delta: float, replay: float) -> Scheme:
    """E_b[ω² (r_o − β)²]."""
    new = (delta, 0.0)
    return Scheme(_squared_score, (phi, replay), (new,), _everywhere(phi, new))


@integrand
def _leaked(new: float, proposal: float, phi: float, delta: float, radius: float) -> float:
    distance = math.hypot(new / delta + 0.5 * delta, radius)
    return math.exp(new - proposal - softplus(new - phi)) * distance


def leaked_score(phi: float, delta: float, radius: float) -> Scheme:
    """E_{p_n}[r_o ‖Σ^{-1/2}(y − μ_o)‖] at a given distance from the axis, the coordinate along it
    read off the log-ratio."""
    new = (delta, 0.0)
    return Scheme(_leaked, (phi, delta, radius), (new,), (boundary(phi, new),))


@kernel
def _starved(seed: Any, block: Any, out: Array, replay: float, beta: float, batch: float) -> None:
    """out ← 1 for every batch without an old label. A draw is replayed, and then old, with chance
    λ; otherwise the learner's, and old with chance β."""
    for trial in range(out.shape[0]):
        out[trial] = 1.0
        for draw in range(int(batch)):
            at = np.uint64(trial), np.uint64(draw)
            x0, x1, x2, x3 = philox(*at, block & LOW, block >> HALF, seed & LOW, seed >> HALF)
            if uniform(x0, x1) < replay or uniform(x2, x3) < beta:
                out[trial] = 0.0
                break


def starvation(phi: float, replay: float, batch: float) -> Tally:
    """The share of batches in which no draw has the latent label old."""
    return Tally(_starved, (replay, sigmoid(phi), batch))
