r"""Part (b): replay in the numerator moves the minimum to \beta = \lambda."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.forward_replay.quantities import (
    SOURCE,
    KL_numerator,
    dKL_numerator,
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
from theorems.mixture import beta, delta, phi, tau
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.quantities import KL_reverse, dKL_mass_covering
from theorems.reverse_kl.targets import MASS_COVERING

OBJECTIVE = identity(
    "forward_replay.b.objective",
    "The new data with replayed old data are the mixture of weight lambda: the objective is the "
    "divergence of that mixture from the learner.",
    KL_numerator.head,
    KL_numerator.formula,
    by_algebra("the same mixture", KL_numerator.formula, KL_numerator, KL_reverse),
    source=SOURCE,
)
GRADIENT = identity(
    "forward_replay.b.gradient",
    "The derivative in phi is (beta - lambda) kappa(phi, delta), exactly.",
    dKL_numerator.head,
    (beta - share) * kappa.head,
    (
        Link(
            "the mass-covering direction towards the mixture of weight lambda",
            dKL_mass_covering(phi, share_logit, delta),
            Algebra((dKL_numerator, dKL_mass_covering)),
        ),
        Link(
            "its gradient",
            (beta - share) * kappa.head,
            Combination((Use(MASS_COVERING, {tau: share_logit}),)),
        ),
    ),
    source=SOURCE,
)
STATIONARY = identity(
    "forward_replay.b.stationary",
    "At beta = lambda the derivative vanishes (1 is added on both sides).",
    1 + dKL_numerator(share_logit, delta, share),
    sp.S.One,
    (Link("beta - lambda = 0", sp.S.One, Combination((Use(GRADIENT, {phi: share_logit}),))),),
    box=NEAR,
    source=SOURCE,
)
RISES = positive(
    "forward_replay.b.rises",
    "Above lambda the derivative is positive: descent lowers the old weight.",
    dKL_numerator.head,
    (
        Link(
            "kappa is positive",
            (beta - share) * kappa.head,
            Combination((Use(KAPPA_POSITIVE, times=beta - share),)),
            "<",
        ),
        Link(
            "the gradient",
            dKL_numerator.head,
            Combination((Use(GRADIENT, times=sp.S.NegativeOne),)),
        ),
    ),
    kind="monotone",
    where=(share < beta,),
    source=SOURCE,
)
FALLS = bound(
    "forward_replay.b.falls",
    "Below lambda the derivative is negative: descent raises the old weight.",
    dKL_numerator.head,
    "<",
    sp.S.Zero,
    (
        Link("the gradient", (beta - share) * kappa.head, Combination((Use(GRADIENT),))),
        Link(
            "kappa is positive",
            sp.S.Zero,
            Combination((Use(KAPPA_POSITIVE, times=share - beta),)),
            "<",
        ),
    ),
    kind="monotone",
    where=(beta < share,),
    source=SOURCE,
)
ZERO = identity(
    "forward_replay.b.zero",
    "At beta = lambda the learner is the mixture itself: the divergence is 0 (1 is added on both "
    "sides).",
    1 + KL_numerator(share_logit, delta, share),
    sp.S.One,
    by_algebra("log 1 = 0", sp.S.One, KL_numerator),
    box=NEAR,
    source=SOURCE,
)
MINIMISER = positive(
    "forward_replay.b.minimiser",
    "At every other weight the divergence is positive: the only minimiser is beta = lambda.",
    KL_numerator.head,
    (
        Link(
            "away from 0 on either side",
            KL_numerator.head,
            Cited("mean value theorem", (FALLS, ZERO, RISES)),
            "<",
        ),
    ),
    kind="minimiser",
    where=(sp.Ne(beta, share),),
    source=SOURCE,
)

CLAIMS = (OBJECTIVE, GRADIENT, STATIONARY, RISES, FALLS, ZERO, MINIMISER)
