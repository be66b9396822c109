r"""Part (a): replay in the denominator leaves the minimum at \beta = 0 and imposes a floor."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.gradient import GRADIENT_POSITIVE, WEIGHT_GRADIENT
from theorems.forward_kl.quantities import KL_forward, dKL_forward
from theorems.forward_replay.quantities import (
    SHARED,
    SOURCE,
    KL_denominator,
    b,
    dKL_denominator,
    logit_b,
    mixed,
    share_logit,
)
from theorems.forward_replay.quantities import replay as share
from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import beta, delta, mix, phi, q, sigma
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.overlap.quantities import kappa

MINUS = sp.S.NegativeOne
kappa_b = kappa(logit_b, delta)
kappa_share = kappa(share_logit, delta)
new = sigma(-phi)  # the weight 1 - beta of the new mode, manifestly positive

MIXTURE = identity(
    "forward_replay.a.mixture",
    "The learner mixed with old data is the mixture of weight b = lambda + (1 - lambda) beta.",
    mixed(q),
    mix(b),
    by_algebra("collect", mix(b)),
    source=SOURCE,
)
FLOOR = bound(
    "forward_replay.a.floor",
    "lambda < b: the old mass lambda is an imposed floor.",
    share,
    "<",
    b,
    (Link("(1 - lambda) beta", b, Combination(remainder=(1 - share) * beta), "<"),),
    where=SHARED,
    source=SOURCE,
)
WEIGHT_RISES = positive(
    "forward_replay.a.weight_rises",
    "b increases strictly with phi, hence with beta.",
    sp.diff(b, phi),
    (
        Link(
            "(1 - lambda) beta (1 - beta)",
            sp.diff(b, phi),
            Combination(remainder=(1 - share) * beta * new),
            "<",
        ),
    ),
    kind="monotone",
    where=SHARED,
    source=SOURCE,
)
LOGIT = identity(
    "forward_replay.a.logit",
    "The odds of b are (lambda + e^phi)/(1 - lambda).",
    b / (1 - b),
    sp.exp(logit_b),
    by_algebra("one denominator", sp.exp(logit_b)),
    source=SOURCE,
)
OBJECTIVE = identity(
    "forward_replay.a.objective",
    "The objective is forward KL at the effective weight.",
    KL_denominator.head,
    KL_forward(logit_b, delta),
    by_algebra("the same mixture", KL_forward(logit_b, delta), KL_denominator, KL_forward),
    source=SOURCE,
)
GRADIENT = identity(
    "forward_replay.a.gradient",
    "The derivative in phi is beta kappa(logit b, delta).",
    dKL_denominator.head,
    beta * kappa_b,
    (
        Link(
            "chain rule",
            dKL_forward(logit_b, delta) * sp.diff(logit_b, phi),
            Algebra((dKL_denominator, dKL_forward)),
        ),
        Link(
            "forward KL has the derivative b kappa(logit b)",
            beta * kappa_b,
            Combination((Use(WEIGHT_GRADIENT, {phi: logit_b}, sp.diff(logit_b, phi)),)),
        ),
    ),
    source=SOURCE,
)
RISES = positive(
    "forward_replay.a.positive",
    "The derivative is positive: descent always lowers the old weight.",
    dKL_denominator.head,
    (
        Link(
            "kappa is positive",
            beta * kappa_b,
            Combination((Use(KAPPA_POSITIVE, {phi: logit_b}, beta),)),
            "<",
        ),
        Link("the gradient", dKL_denominator.head, Combination((Use(GRADIENT, times=MINUS),))),
    ),
    kind="monotone",
    source=SOURCE,
)
MINIMISER = bound(
    "forward_replay.a.minimiser",
    "Every beta > 0 has a larger objective than beta = 0, where it is forward KL at the weight "
    "lambda: the only minimiser is beta = 0.",
    KL_forward(share_logit, delta),
    "<",
    KL_denominator.head,
    (
        Link(
            "forward KL increases from lambda to b",
            KL_forward(logit_b, delta),
            Cited("mean value theorem", (GRADIENT_POSITIVE, FLOOR)),
            "<",
        ),
        Link(
            "at the effective weight",
            KL_denominator.head,
            Combination((Use(OBJECTIVE, times=MINUS),)),
        ),
    ),
    kind="minimiser",
    where=SHARED,
    source=SOURCE,
)

CLAIMS = (
    MIXTURE,
    FLOOR,
    WEIGHT_RISES,
    LOGIT,
    OBJECTIVE,
    GRADIENT,
    RISES,
    MINIMISER,
)
