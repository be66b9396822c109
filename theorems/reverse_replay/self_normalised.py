r"""Part (e): weights divided by their sum are biased, for the old responsibility and any batch.

For g = r_o a batch with the mean weight m gives (\beta/\lambda)(1/m - (1 - \lambda)), which is
convex in m, and m has mean 1. Not every g that is not constant is biased: a function of a
coordinate across the line through both means is not, since the weights do not depend on it.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import L, beta, line, normal, p_o, phi, q, r_o, y, z
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.overlap.quantities import kappa
from theorems.reverse_replay.quantities import (
    REPLAYED,
    SOURCE,
    b,
    batch,
    behaviour,
    kappa_b,
    logit_b,
    omega,
    replay,
)
from theorems.reverse_replay.weights import NEW

_POSITIVE = sp.Interval.open(0, sp.oo)
_WEIGHTS = (sp.Rational(1, 8), sp.Rational(3, 2))
mean_weight, weight, other_weight = sp.symbols("mean_weight weight other_weight", positive=True)
MEAN_WEIGHT = Parameter(
    "mean_weight", mean_weight, _POSITIVE, _WEIGHTS, "mean of the weights of a batch"
)
WEIGHT = Parameter("weight", weight, _POSITIVE, _WEIGHTS, "weight of a draw")
OTHER_WEIGHT = Parameter("other_weight", other_weight, _POSITIVE, _WEIGHTS, "weight of another")
SECOND = Parameter(
    "z",
    z,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-6), sp.Integer(6)),
    "a second draw on the line, whitened, origin midway between the modes",
)
VARIABLES = (MEAN_WEIGHT, WEIGHT, OTHER_WEIGHT, SECOND)

UNNORMALISED = identity(
    "reverse_replay.e.unnormalised",
    "Without normalising r_o is estimated without bias: E_b[omega r_o] = beta.",
    line(behaviour * omega * r_o),
    beta,
    by_algebra("q r_o = beta p_o", beta),
    box=NEAR,
    source=SOURCE,
)
WEIGHTS_AVERAGE = identity(
    "reverse_replay.e.mean_weight",
    "The weights have mean 1 under the behaviour.",
    line(behaviour * omega),
    sp.S.One,
    by_algebra("b omega = q", sp.S.One),
    box=NEAR,
    source=SOURCE,
)
WEIGHTS_SPREAD = identity(
    "reverse_replay.e.weight_variance",
    "Their variance is lambda^2 (1 - beta) kappa(logit b)/((1 - lambda) b), over N for a batch.",
    line(behaviour * (1 - omega) ** 2),
    replay**2 * (1 - beta) * kappa_b / ((1 - replay) * b),
    by_algebra(
        "q - b = -lambda (1 - beta)(p_o - p_n)",
        replay**2 * (1 - beta) * kappa_b / ((1 - replay) * b),
        kappa,
    ),
    box=NEAR,
    source="ours",
)
_draw = beta * (1 - (1 - replay) * omega) / replay
DRAW = identity(
    "reverse_replay.e.draw",
    "A draw adds omega r_o = (beta/lambda)(1 - (1 - lambda) omega) to the weighted sum.",
    omega * r_o,
    _draw,
    by_algebra("omega ((1 - lambda) beta + lambda r_o) = beta", _draw),
    where=REPLAYED,
    source="ours",
)


def _estimate(mean: Expr) -> Expr:
    """What a batch of this mean weight gives for r_o, normalised by the sum of its weights."""
    return beta / replay * (1 / mean - (1 - replay))


def _around(mean: Expr, curvature: Expr) -> Expr:
    """Of second order about the mean weight 1, where r_o is estimated right."""
    return beta + beta / replay * ((1 - mean) + curvature * (1 - mean) ** 2)


EXCESS = identity(
    "reverse_replay.e.excess",
    "A batch of mean weight m gives beta + (beta/lambda)((1 - m) + (1 - m)^2/m): since m has "
    "mean 1, the bias is (beta/lambda) E[(1 - m)^2/m].",
    _estimate(mean_weight),
    _around(mean_weight, 1 / mean_weight),
    by_algebra("1/m - 1 = (1 - m) + (1 - m)^2/m", _around(mean_weight, 1 / mean_weight)),
    where=REPLAYED,
    source="ours",
)
_square = beta * (1 - mean_weight) ** 2 / (replay * mean_weight)
_most = 1 / (1 - replay)
AT_LEAST = bound(
    "reverse_replay.e.at_least",
    "m <= 1/(1 - lambda), so that the bias of a batch of N draws is at least (1 - lambda)(beta/"
    "lambda) times the variance of m: lambda beta (1 - beta) kappa(logit b)/(N b).",
    _around(mean_weight, 1 - replay),
    "<=",
    _estimate(mean_weight),
    (
        Link(
            "(1 - lambda) m <= 1",
            _estimate(mean_weight),
            Combination(remainder=_square * (1 - replay) * (_most - mean_weight)),
            "<=",
        ),
    ),
    where=(mean_weight <= _most, *REPLAYED),
    source="ours",
)
AT_MOST = bound(
    "reverse_replay.e.at_most",
    "m >= beta/b, so that it is at most (b/lambda) times the variance of m: "
    "lambda (1 - beta) kappa(logit b)/((1 - lambda) N).",
    _estimate(mean_weight),
    "<=",
    _around(mean_weight, b / beta),
    (
        Link(
            "m b >= beta",
            _around(mean_weight, b / beta),
            Combination(remainder=_square * b / beta * (mean_weight - beta / b)),
            "<=",
        ),
    ),
    where=(beta / b <= mean_weight, *REPLAYED),
    source="ours",
)


def _least_bias(draws: Expr) -> Expr:
    """The lower bound of the bias for a batch of so many draws."""
    return replay * beta * (1 - beta) * kappa_b / (draws * b)


BIASED = positive(
    "reverse_replay.e.biased",
    "With replay the lower bound of the bias is positive, whatever N: the self-normalised "
    "estimate of r_o is biased.",
    _least_bias(batch),
    (
        Link(
            "kappa is positive",
            _least_bias(batch),
            Combination((Use(KAPPA_POSITIVE, {phi: logit_b}, replay * beta * NEW / (batch * b)),)),
            "<",
        ),
    ),
    where=REPLAYED,
    source="ours",
)

# the mean over a batch of one draw, and of two

_alone = beta + replay * (1 - beta) * kappa.head
ONE_DRAW = identity(
    "reverse_replay.e.one_draw",
    "A batch of one draw gives r_o itself, E_b[r_o] = beta + lambda (1 - beta) kappa(phi).",
    line(behaviour * r_o),
    _alone,
    by_algebra("b - q = lambda (1 - beta)(p_o - p_n)", _alone, kappa),
    box=NEAR,
    source="ours",
)


def _other(f: Expr) -> Expr:
    """The same of the second draw."""
    return f.subs(y, z)


def _mean_of_two(f: Expr) -> Expr:
    """The integral over both draws."""
    return sp.Integral(f, (y, -sp.oo, sp.oo), (z, -sp.oo, sp.oo))


_pair = (q / behaviour + _other(q / behaviour)) / 2
_ratio = (omega * r_o + _other(omega * r_o)) / (omega + _other(omega))
_kept = p_o / behaviour + _other(p_o / behaviour)  # 2 (1 - (1 - lambda) m)/lambda
PAIR = bound(
    "reverse_replay.e.pair",
    "Two draws give at least beta + (beta/lambda)((1 - m) + (1 - lambda)(1 - m)^2) for r_o.",
    _around(_pair, 1 - replay),
    "<=",
    _ratio,
    (
        Link(
            "(1 - lambda) m <= 1",
            _ratio,
            Combination(remainder=beta * (1 - _pair) ** 2 * _kept / (2 * _pair)),
            "<=",
        ),
    ),
    where=REPLAYED,
    source="ours",
)
_both, _first, _second = (
    _mean_of_two(f)
    for f in (behaviour * _other(behaviour), q * _other(behaviour), behaviour * _other(q))
)
_squares = (
    _mean_of_two(q**2 / behaviour * _other(behaviour))
    + 2 * _mean_of_two(q * _other(q))
    + _mean_of_two(behaviour * _other(q**2 / behaviour))
)
_expanded = beta * _both + beta / replay * (
    _both - (_first + _second) / 2 + (1 - replay) * (_both - _first - _second + _squares / 4)
)
TWO_DRAWS = bound(
    "reverse_replay.e.two_draws",
    "Over batches of two draws the self-normalised estimate of r_o has at least the mean "
    "beta + lambda beta (1 - beta) kappa(logit b)/(2 b), above beta.",
    beta + _least_bias(sp.Integer(2)),
    "<=",
    _mean_of_two(behaviour * _other(behaviour) * _ratio),
    (
        Link("moments of the weights", _expanded, Algebra((kappa,))),
        Link(
            "term by term",
            _mean_of_two(behaviour * _other(behaviour) * _ratio),
            Cited("linearity and monotonicity of the integral", (PAIR,)),
            "<=",
        ),
    ),
    where=REPLAYED,
    source="ours",
)

# functions that are not biased

SQUARE_ACROSS = line(normal(z) * z**2, z)
ACROSS = identity(
    "reverse_replay.e.across",
    "The square of a coordinate across keeps its mean 1 under any weights divided by their sum: "
    "not every function that is not constant is biased.",
    (weight * SQUARE_ACROSS + other_weight * SQUARE_ACROSS) / (weight + other_weight),
    sp.S.One,
    by_algebra("weights do not depend on it", sp.S.One),
    source="ours",
)
SYMMETRIC = identity(
    "reverse_replay.e.symmetric",
    "On the line, one draw estimates L^2 without bias, since both modes agree on it.",
    line(behaviour * L**2),
    line(q * L**2),
    by_algebra("Gaussian moments", line(q * L**2)),
    source="ours",
)

CLAIMS = (
    UNNORMALISED,
    WEIGHTS_AVERAGE,
    WEIGHTS_SPREAD,
    DRAW,
    EXCESS,
    AT_LEAST,
    AT_MOST,
    BIASED,
    ONE_DRAW,
    PAIR,
    TWO_DRAWS,
    ACROSS,
    SYMMETRIC,
)
