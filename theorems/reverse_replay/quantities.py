r"""What replay under reverse KL speaks of: draws from b = (1 - \lambda)q + \lambda p_o, each
weighted by \omega = q/b."""

from __future__ import annotations

import sympy as sp

from theorems.forward_replay.quantities import mixed, mixed_logit, mixed_weight
from theorems.language import Parameter, Quantity
from theorems.mixture import (
    DELTA,
    PHI,
    TAU,
    beta,
    delta,
    line,
    mix,
    p_n,
    phi,
    q,
    r_o,
    y,
)
from theorems.overlap.quantities import decay, kappa, sech_kernel
from theorems.reverse_kl.quantities import dKL_reverse, log_ratio

SOURCE = "reconstructed"
replay = sp.Symbol("replay", nonnegative=True)
REPLAY = Parameter(
    "replay",
    replay,
    sp.Interval.Ropen(0, 1),
    (sp.Rational(1, 16), sp.Rational(15, 16)),
    "fraction of replayed old data among the draws",
    typical=sp.Rational(1, 4),
)
batch = sp.Symbol("batch", integer=True, positive=True)
BATCH = Parameter(
    "batch",
    batch,
    sp.Range(2, sp.oo),
    (sp.Integer(2), sp.Integer(40)),
    "draws in a batch",
    typical=sp.Integer(4),
)
radius = sp.Symbol("radius", nonnegative=True)
RADIUS = Parameter(
    "radius",
    radius,
    sp.Interval(0, sp.oo),
    (sp.S.Zero, sp.Integer(4)),
    "distance from the line through both means, whitened",
)
SHARED = (replay < 1,)  # a symbol knows that it is not negative, not that it is below 1
REPLAYED = (replay > 0, *SHARED)

behaviour = mixed(q, replay)
b = mixed_weight(replay)
omega = q / mix(b)  # the behaviour again, as the mixture that it is
logit_b = mixed_logit(replay)
kappa_b = kappa(logit_b, delta)
missed = (1 - replay) * (1 - beta)  # a draw is fresh, and has latent label new
norm = sp.sqrt((y - delta / 2) ** 2 + radius**2)

dKL_replayed = Quantity(
    "replayed_gradient",
    "dKL_replayed",
    (PHI, TAU, DELTA, REPLAY),
    line(behaviour * omega * (r_o - beta) * log_ratio),
    dKL_reverse.head,
    "mean under the behaviour of the weighted score-function gradient of reverse KL",
)
omega2 = Quantity(
    "weight_second_moment",
    "omega2",
    (PHI, DELTA, REPLAY),
    line(behaviour * omega**2),
    1 + replay**2 * (1 - beta) * kappa_b / ((1 - replay) * b),
    "second moment of the weights under the behaviour",
)
score2 = Quantity(
    "score_second_moment",
    "score2",
    (PHI, DELTA, REPLAY),
    line(behaviour * omega**2 * (r_o - beta) ** 2),
    beta**2 * (1 - beta) * kappa_b / ((1 - replay) * b),
    "second moment of the weighted score of the logit under the behaviour",
)
starvation = Quantity(
    "starvation",
    "starvation",
    (PHI, REPLAY, BATCH),
    missed**batch,
    missed**batch,
    "probability that no draw of a batch has latent label old",
)
leaked_score = Quantity(
    "leaked_score",
    "leaked_score",
    (PHI, DELTA, RADIUS),
    line(p_n * r_o * norm),
    sp.exp(phi / 2) * decay / 2 * line(sech_kernel() * norm),
    "mean size of the old mean's score under the new mode, at a distance from the axis",
)

QUANTITIES = (dKL_replayed, omega2, score2, starvation, leaked_score)
