"""Parts (a) and (b): weighted draws are unbiased, and their weights bounded."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Link,
    Parameter,
    Relation,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import beta, phi, q, r_n, r_o, sigma
from theorems.reverse_kl.gradient import SPLIT
from theorems.reverse_kl.quantities import dKL_reverse, ell_n, ell_o, spread
from theorems.reverse_replay.quantities import (
    REPLAYED,
    SHARED,
    SOURCE,
    b,
    behaviour,
    dKL_replayed,
    omega,
    replay,
)

MINUS = sp.S.NegativeOne
NEW = sigma(-phi)  # the weight 1 - beta of the new mode, manifestly positive
_DENSITIES = (sp.Rational(1, 64), sp.Integer(2))
_HALF_LINE = sp.Interval.open(0, sp.oo)
value = sp.Symbol("value", real=True)
learner, old = sp.symbols("learner old", positive=True)
VALUE = Parameter(
    "value",
    value,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-4), sp.Integer(4)),
    "value of g, a function of the draw, at a point",
)
LEARNER = Parameter(
    "learner", learner, _HALF_LINE, _DENSITIES, "the learner's density at a point, any means"
)
OLD = Parameter("old", old, _HALF_LINE, _DENSITIES, "the old mode's density at a point")
VARIABLES = (VALUE, LEARNER, OLD)

# (a) unbiased

UNBIASED = identity(
    "reverse_replay.a.unbiased",
    "At every point b omega g = q g, so that E_b[omega g] = E_q[g] for every g; with "
    "g = log q/p_alpha the objective is unchanged.",
    behaviour * omega * value,
    q * value,
    by_algebra("b is the mixture of weight lambda + (1 - lambda) beta", q * value),
    source=SOURCE,
)
GRADIENT = identity(
    "reverse_replay.a.gradient",
    "The weighted score-function gradient has the mean dR/dphi: so is the minimiser.",
    dKL_replayed.head,
    dKL_reverse.head,
    (
        Link(
            "b omega = q, and q (r_o - beta) = beta (1 - beta) (p_o - p_n)",
            spread * (ell_o.head - ell_n.head),
            Algebra((dKL_replayed, ell_o, ell_n)),
        ),
        Link("between the modes", dKL_reverse.head, Combination((Use(SPLIT, times=MINUS),))),
    ),
    source=SOURCE,
)

# (b) the weights

_any = learner / ((1 - replay) * learner + replay * old)
ANY_POSITIVE = positive(
    "reverse_replay.b.positive",
    "Whatever the learner's means, the weights are positive.",
    _any,
    (Link("densities are positive", _any, Combination(remainder=_any), "<"),),
    where=SHARED,
    source=SOURCE,
)
_room = replay * old / ((1 - replay) * ((1 - replay) * learner + replay * old))
ANY_BELOW = bound(
    "reverse_replay.b.at_most",
    "Whatever the learner's means, omega <= 1/(1 - lambda).",
    _any,
    "<=",
    1 / (1 - replay),
    (Link("b is at least (1 - lambda) q", 1 / (1 - replay), Combination(remainder=_room), "<="),),
    where=SHARED,
    source=SOURCE,
)
ANY_STRICTLY_BELOW = bound(
    "reverse_replay.b.below",
    "With replay, lambda > 0, omega < 1/(1 - lambda); without, omega = 1 is 1/(1 - lambda).",
    _any,
    "<",
    1 / (1 - replay),
    (Link("b exceeds (1 - lambda) q", 1 / (1 - replay), Combination(remainder=_room), "<"),),
    where=REPLAYED,
    source=SOURCE,
)
_through_share = beta / ((1 - replay) * beta + replay * r_o)
WEIGHT = identity(
    "reverse_replay.b.weight",
    "With m_o = mu_o, omega = beta/((1 - lambda) beta + lambda r_o).",
    omega,
    _through_share,
    by_algebra("beta p_o = r_o q", _through_share),
    source=SOURCE,
)
_above = beta * replay * r_n / (((1 - replay) * beta + replay * r_o) * b)


def _lower(slug: str, text: str, relation: Relation) -> Claim:
    """The lower bound of the weights, strict with replay."""
    return Claim(
        f"reverse_replay.b.{slug}",
        text,
        beta / b,
        relation,
        omega,
        "bound",
        (
            Link("r_o is below 1", _through_share, Combination(remainder=_above), relation),
            Link("the weight", omega, Combination((Use(WEIGHT, times=MINUS),))),
        ),
        where=REPLAYED if relation == "<" else SHARED,
        source=SOURCE,
    )


AT_LEAST = _lower("at_least", "With m_o = mu_o, beta/b <= omega.", "<=")
ABOVE = _lower("above", "With replay, lambda > 0, beta/b < omega.", "<")
_SHORT = replay * (r_o - beta) / ((1 - replay) * beta + replay * r_o)
SHORT = identity(
    "reverse_replay.b.short",
    "1 - omega has the sign of r_o - beta: omega < 1 on the old side of the midpoint.",
    1 - omega,
    _SHORT,
    by_algebra("one denominator", _SHORT),
    source=SOURCE,
)

CLAIMS = (
    UNBIASED,
    GRADIENT,
    ANY_POSITIVE,
    ANY_BELOW,
    ANY_STRICTLY_BELOW,
    WEIGHT,
    AT_LEAST,
    ABOVE,
    SHORT,
)
