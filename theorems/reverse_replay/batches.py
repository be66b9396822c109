"""Part (c): how often a batch misses the old mode, with replay and without."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import beta, phi
from theorems.reverse_replay.quantities import SHARED, SOURCE, b, batch, missed, replay, starvation

POWERS = "powers of nonnegative numbers keep their order"
failure = sp.Symbol("failure", positive=True)
FAILURE = Parameter(
    "failure",
    failure,
    sp.Interval.Lopen(0, 1),
    (sp.Rational(1, 64), sp.Integer(1)),
    "bound asked for of the probability that a batch misses the old mode",
    typical=sp.Rational(1, 8),
)
LABEL = identity(
    "reverse_replay.c.label",
    "A draw is fresh, and has latent label new, with probability (1 - lambda)(1 - beta) = 1 - b: "
    "no draw of a batch has latent label old with probability (1 - b)^N.",
    1 - b,
    missed,
    by_algebra("collect", missed),
    source=SOURCE,
)
WITHOUT = identity(
    "reverse_replay.c.without",
    "Without replay it is (1 - beta)^N.",
    starvation(phi, sp.S.Zero, batch),
    (1 - beta) ** batch,
    by_algebra("lambda = 0", (1 - beta) ** batch, starvation),
    source=SOURCE,
)
_decay = sp.exp(-replay)
_ONE_DRAW = bound(
    "reverse_replay.c.one_draw",
    "(1 - lambda)(1 - beta) < e^(-lambda).",
    missed,
    "<",
    _decay,
    (
        Link("1 - beta < 1", 1 - replay, Combination(remainder=(1 - replay) * beta), "<"),
        Link("e^u >= 1 + u", _decay, Combination(remainder=_decay - 1 + replay), "<="),
    ),
    where=SHARED,
    source=SOURCE,
)
_limit = sp.exp(-replay * batch)
EXPONENTIAL = bound(
    "reverse_replay.c.exponential",
    "With replay it is below e^(-lambda N), whatever the weight.",
    starvation.head,
    "<",
    _limit,
    (
        Link("independent draws", missed**batch, Algebra((starvation,))),
        Link("power by power", _limit, Cited(POWERS, (_ONE_DRAW,)), "<"),
    ),
    where=SHARED,
    source=SOURCE,
)
_RARE = (beta <= 1 / batch,)
_NEW_DRAW = bound(
    "reverse_replay.c.new_draw",
    "1 - 1/N <= 1 - beta for beta <= 1/N.",
    1 - 1 / batch,
    "<=",
    1 - beta,
    (Link("given", 1 - beta, Combination(remainder=1 / batch - beta), "<="),),
    where=_RARE,
    source=SOURCE,
)
STARVED = bound(
    "reverse_replay.c.starved",
    "Without replay it is at least (1 - 1/N)^N for beta <= 1/N.",
    (1 - 1 / batch) ** batch,
    "<=",
    starvation(phi, sp.S.Zero, batch),
    (
        Link("power by power", (1 - beta) ** batch, Cited(POWERS, (_NEW_DRAW,)), "<="),
        Link(
            "without replay",
            starvation(phi, sp.S.Zero, batch),
            Combination((Use(WITHOUT, times=sp.S.NegativeOne),)),
        ),
    ),
    where=_RARE,
    source=SOURCE,
)
_LARGE = (-sp.log(failure) <= replay * batch,)
_EXPONENT = bound(
    "reverse_replay.c.exponent",
    "-lambda N <= log p for N >= log(1/p)/lambda.",
    -replay * batch,
    "<=",
    sp.log(failure),
    (
        Link(
            "given",
            sp.log(failure),
            Combination(remainder=replay * batch + sp.log(failure)),
            "<=",
        ),
    ),
    where=_LARGE,
    source=SOURCE,
)
FED = bound(
    "reverse_replay.c.fed",
    "With replay it is below p once N >= log(1/p)/lambda.",
    starvation.head,
    "<",
    failure,
    (
        Link("exponential bound", _limit, Combination((Use(EXPONENTIAL),)), "<"),
        Link(
            "e^(log p) = p",
            failure,
            Cited("the exponential function is increasing", (_EXPONENT,)),
            "<=",
        ),
    ),
    where=(*_LARGE, *SHARED),
    source=SOURCE,
)

CLAIMS = (LABEL, WITHOUT, EXPONENTIAL, STARVED, FED)
