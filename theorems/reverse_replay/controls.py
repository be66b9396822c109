"""False variants of replay under reverse KL."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Relation
from theorems.mixture import DELTA, PHI, POINT, TAU, beta, delta, line, p_n, phi, q, r_o, y
from theorems.overlap.quantities import decay, eps_o, kappa
from theorems.reverse_kl.quantities import dKL_reverse, log_ratio, spread
from theorems.reverse_replay import batches, leakage, moments, self_normalised, weights
from theorems.reverse_replay.quantities import (
    BATCH,
    RADIUS,
    REPLAY,
    batch,
    behaviour,
    omega,
    omega2,
    replay,
    score2,
    starvation,
)
from theorems.reverse_replay.self_normalised import other_weight, weight
from theorems.reverse_replay.weights import value

VARIABLES = (
    POINT,
    batches.FAILURE,
    leakage.DIMENSION,
    *weights.VARIABLES,
    *self_normalised.VARIABLES,
)
_NAMED = {p.name: p for p in (PHI, TAU, DELTA, REPLAY, BATCH, RADIUS, *VARIABLES)}
_half = sp.Rational(1, 2)
_quarter = sp.Rational(1, 4)
_AT = {"phi": sp.S.Zero, "replay": _quarter, "delta": sp.Integer(2)}


def _control(
    slug: str,
    text: str,
    left: Expr,
    relation: Relation,
    right: Expr,
    of: tuple[str, ...],
    **hint: Expr,
) -> Control:
    """A false claim; its hint names parameters where they differ from the usual ones."""
    id = f"reverse_replay.control.{slug}"
    variant = Claim(id, text, left, relation, right, "bound")
    named = {_NAMED[name]: at for name, at in {**_AT, **hint}.items()}
    return Control(id, text, tuple(f"reverse_replay.{claim}" for claim in of), variant, named)


CONTROLS = (
    _control(
        "unweighted_point",
        "Without weights the mean of g under the behaviour is that under the learner.",
        behaviour * value,
        "=",
        q * value,
        ("a.unbiased",),
        y=sp.S.One,
        value=sp.S.One,
    ),
    _control(
        "unweighted_gradient",
        "Without weights the mean of the score-function gradient is dR/dphi.",
        line(behaviour * (r_o - beta) * log_ratio),
        "=",
        dKL_reverse.head,
        ("a.gradient",),
        tau=-sp.S.One,
    ),
    _control(
        "weight_below_sum",
        "omega <= 1 + lambda.",
        omega,
        "<=",
        1 + replay,
        ("b.positive", "b.at_most", "b.below", "b.weight"),
        replay=_half,
        delta=sp.Integer(4),
        y=sp.Integer(-2),
    ),
    _control(
        "weight_above_weight",
        "omega >= beta/lambda.",
        beta / replay,
        "<=",
        omega,
        ("b.at_least", "b.above"),
        y=sp.Integer(2),
    ),
    _control(
        "short_on_new_side",
        "omega >= 1 at every point.",
        sp.S.One,
        "<=",
        omega,
        ("b.short", "b.falls"),
        y=sp.S.One,
    ),
    _control(
        "squared_as_learner",
        "At every point b omega^2 g^2 = q g^2: second moments do not change.",
        behaviour * omega**2 * value**2,
        "=",
        q * value**2,
        ("b.squared", "b.inflation"),
        y=sp.S.One,
        value=sp.S.One,
    ),
    _control(
        "never_inflated",
        "The second moment never grows: E_b[omega^2] <= 1.",
        omega2.head,
        "<=",
        sp.S.One,
        ("b.weight_moment", "b.inflates", "b.weight_inflation"),
    ),
    _control(
        "responsibility_inflated",
        "For the old responsibility it grows, too: E_q[r_o^2] <= E_b[omega^2 r_o^2].",
        beta * (1 - eps_o.head),
        "<=",
        moments.RESPONSIBILITY.right,
        ("b.responsibility", "b.responsibility_falls"),
    ),
    _control(
        "score_moment_kept",
        "For the score of the logit it stays beta (1 - beta) kappa(phi).",
        score2.head,
        "=",
        spread * kappa.head,
        ("b.score_moment", "b.score_inflation"),
    ),
    _control(
        "starvation_of_learner",
        "The probability that a batch misses the old mode is (1 - lambda beta)^N.",
        starvation.head,
        "=",
        (1 - replay * beta) ** batch,
        ("c.label",),
        replay=_half,
        batch=sp.Integer(4),
    ),
    _control(
        "starvation_squared",
        "With replay it is at most e^(-2 lambda N).",
        starvation.head,
        "<=",
        sp.exp(-2 * replay * batch),
        ("c.exponential", "c.fed"),
        phi=sp.Integer(-6),
        batch=sp.Integer(8),
    ),
    _control(
        "fed_without_replay",
        "Without replay it is at most (1 - 1/N)^N, too.",
        starvation(phi, sp.S.Zero, batch),
        "<=",
        (1 - 1 / batch) ** batch,
        ("c.without",),
        phi=sp.Integer(-6),
        batch=sp.Integer(8),
    ),
    _control(
        "starved_at_any_weight",
        "Without replay it is at least (1 - 1/N)^N at every weight.",
        (1 - 1 / batch) ** batch,
        "<=",
        starvation(phi, sp.S.Zero, batch),
        ("c.starved",),
        batch=sp.Integer(8),
    ),
    _control(
        "score_without_distance",
        "The leaked score on the axis, a mean of |y - mu_o|, is at most "
        "(1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8): the distance of the modes does not enter.",
        line(p_n * r_o * sp.Abs(y - delta / 2)),
        "<=",
        sp.exp(phi / 2) * decay / 2,
        ("d.score", "d.at_distance", "d.in_space", "d.coordinate"),
        delta=sp.Integer(8),
    ),
    _control(
        "self_normalised_unbiased",
        "A self-normalised batch, of one draw, estimates r_o without bias.",
        line(behaviour * r_o),
        "=",
        beta,
        ("e.unnormalised", "e.one_draw", "e.two_draws", "e.biased", "e.symmetric"),
    ),
    _control(
        "weights_do_not_vary",
        "The weights do not vary: E_b[(1 - omega)^2] = 0.",
        line(behaviour * (1 - omega) ** 2),
        "=",
        sp.S.Zero,
        ("e.mean_weight", "e.weight_variance"),
    ),
    _control(
        "estimate_without_weights",
        "Every batch gives beta for r_o, whatever its mean weight.",
        self_normalised.EXCESS.left,
        "=",
        beta,
        ("e.draw", "e.excess", "e.at_least", "e.at_most", "e.pair"),
        mean_weight=_half,
    ),
    _control(
        "divided_by_batch",
        "Divided by the number of draws, given weights keep the mean 1 of z^2, too.",
        (weight + other_weight) / 2 * self_normalised.SQUARE_ACROSS,
        "=",
        sp.S.One,
        ("e.across",),
        weight=_half,
        other_weight=_quarter,
    ),
)
