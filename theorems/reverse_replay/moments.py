"""Part (b): second moments of weighted draws, which grow by at most 1/(1 - lambda)."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.language import (
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import L, beta, delta, line, p_n, p_o, phi, q, r_o, y
from theorems.overlap.identities import KAPPA_POSITIVE, KAPPA_VARIANCE
from theorems.overlap.quantities import eps_o, kappa
from theorems.reverse_kl.quantities import spread
from theorems.reverse_replay.quantities import (
    REPLAYED,
    SHARED,
    SOURCE,
    b,
    behaviour,
    logit_b,
    omega,
    omega2,
    replay,
    score2,
)
from theorems.reverse_replay.weights import MINUS, NEW, value

SQUARED = identity(
    "reverse_replay.b.squared",
    "At every point b omega^2 g^2 = q omega g^2, so that E_b[omega^2 g^2] = E_q[omega g^2].",
    behaviour * omega**2 * value**2,
    q * omega * value**2,
    by_algebra("omega = q/b", q * omega * value**2),
    source=SOURCE,
)
INFLATION = bound(
    "reverse_replay.b.inflation",
    "At every point q omega g^2 <= q g^2/(1 - lambda): no second moment grows by more.",
    q * omega * value**2,
    "<=",
    q * value**2 / (1 - replay),
    (
        Link(
            "omega is at most 1/(1 - lambda)",
            q * value**2 / (1 - replay),
            Combination(remainder=replay * p_o * q * value**2 / ((1 - replay) * behaviour)),
            "<=",
        ),
    ),
    where=SHARED,
    source=SOURCE,
)
FALLS = bound(
    "reverse_replay.b.falls",
    "On the old side of the midpoint q omega g^2 <= q g^2: it falls for g living there.",
    q * omega * value**2,
    "<=",
    q * value**2,
    (
        Link(
            "p_o exceeds p_n there",
            q * value**2,
            Combination(remainder=replay * NEW * q * p_n * (sp.exp(L) - 1) * value**2 / behaviour),
            "<=",
        ),
    ),
    where=(y > 0, *SHARED),
    source=SOURCE,
)
RESPONSIBILITY = identity(
    "reverse_replay.b.responsibility",
    "For g = r_o, E_b[omega^2 g^2] = beta^2 (1 - eps_o(logit b))/b.",
    line(behaviour * omega**2 * r_o**2),
    beta**2 * (1 - eps_o(logit_b, delta)) / b,
    by_algebra("q r_o = beta p_o", beta**2 * (1 - eps_o(logit_b, delta)) / b, eps_o),
    box=NEAR,
    source="ours",
)
_between = (p_o - q) ** 2 * (p_o + (1 - replay) * q) / (q * behaviour)
RESPONSIBILITY_FALLS = bound(
    "reverse_replay.b.responsibility_falls",
    "It is at most E_q[r_o^2] = beta (1 - eps_o(phi)): it falls for the old responsibility.",
    beta**2 * (1 - eps_o(logit_b, delta)) / b,
    "<=",
    beta * (1 - eps_o.head),
    (
        Link(
            "the integral of p_o - q is 0",
            beta * (1 - eps_o.head),
            Combination(remainder=beta**2 * replay * line(_between), unfold=(eps_o,)),
            "<=",
        ),
    ),
    where=SHARED,
    source="ours",
)
WEIGHT_MOMENT = identity(
    "reverse_replay.b.weight_moment",
    "E_b[omega^2] = 1 + lambda^2 (1 - beta) kappa(logit b)/((1 - lambda) b).",
    omega2.head,
    omega2.formula,
    by_algebra("q - b = -lambda (1 - beta) (p_o - p_n)", omega2.formula, omega2, kappa),
    source="ours",
)
WEIGHT_INFLATES = bound(
    "reverse_replay.b.inflates",
    "For g = 1 the second moment grows: 1 < E_b[omega^2] with replay.",
    sp.S.One,
    "<",
    omega2.head,
    (
        Link(
            "kappa is positive",
            omega2.formula,
            Combination(
                (Use(KAPPA_POSITIVE, {phi: logit_b}, replay**2 * NEW / ((1 - replay) * b)),)
            ),
            "<",
        ),
        Link("the moment", omega2.head, Combination((Use(WEIGHT_MOMENT, times=MINUS),))),
    ),
    where=REPLAYED,
    source="ours",
)
WEIGHT_INFLATION = bound(
    "reverse_replay.b.weight_inflation",
    "For g = 1 it grows by at most 1/(1 - lambda).",
    omega2.head,
    "<=",
    1 / (1 - replay),
    (
        Link(
            "b is at least (1 - lambda) q",
            1 / (1 - replay),
            Combination(
                remainder=replay / (1 - replay) * line(p_o * q / behaviour), unfold=(omega2,)
            ),
            "<=",
        ),
    ),
    where=SHARED,
    source=SOURCE,
)
SCORE_MOMENT = identity(
    "reverse_replay.b.score_moment",
    "E_b[omega^2 (r_o - beta)^2] = beta^2 (1 - beta) kappa(logit b)/((1 - lambda) b).",
    score2.head,
    score2.formula,
    by_algebra("q (r_o - beta) = beta (1 - beta) (p_o - p_n)", score2.formula, score2, kappa),
    source="ours",
)
_plain = line(q * (r_o - beta) ** 2)
SCORE_INFLATION = bound(
    "reverse_replay.b.score_inflation",
    "For the score of the logit it is at most E_q[(r_o - beta)^2]/(1 - lambda) = "
    "beta (1 - beta) kappa(phi)/(1 - lambda).",
    score2.head,
    "<=",
    spread * kappa.head / (1 - replay),
    (
        Link(
            "b is at least (1 - lambda) q",
            _plain / (1 - replay),
            Combination(
                remainder=replay / (1 - replay) * line(p_o * q * (r_o - beta) ** 2 / behaviour),
                unfold=(score2,),
            ),
            "<=",
        ),
        Link(
            "variance of the responsibility",
            spread * kappa.head / (1 - replay),
            Combination((Use(KAPPA_VARIANCE, times=-spread / (1 - replay)),)),
        ),
    ),
    where=SHARED,
    source=SOURCE,
)

CLAIMS = (
    SQUARED,
    INFLATION,
    FALLS,
    RESPONSIBILITY,
    RESPONSIBILITY_FALLS,
    WEIGHT_MOMENT,
    WEIGHT_INFLATES,
    WEIGHT_INFLATION,
    SCORE_MOMENT,
    SCORE_INFLATION,
)
