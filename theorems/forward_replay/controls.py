"""False variants of replay under forward KL."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.flow import START
from theorems.forward_kl.quantities import dKL_forward
from theorems.forward_kl.regimes import chi_squared
from theorems.forward_replay import flow
from theorems.forward_replay.denominator import kappa_b, kappa_share
from theorems.forward_replay.quantities import (
    REPLAY,
    KL_denominator,
    dKL_denominator,
    dKL_numerator,
    grad_old_denominator,
    grad_old_numerator,
    mixed,
    replay,
    share_logit,
)
from theorems.language import Claim, Control, Expr, Relation
from theorems.mixture import DELTA, PHI, POINT, beta, delta, mix, phi, q
from theorems.overlap.quantities import E2, eps_n, kappa

VARIABLES = (POINT, START, *flow.SYSTEM_PARAMETERS)
_NAMED = {p.name: p for p in (DELTA, PHI, REPLAY, POINT)}
_AT = {"phi": sp.S.Zero, "replay": sp.Rational(1, 4), "delta": sp.Integer(2)}


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
    id = f"forward_replay.control.{slug}"
    variant = Claim(id, text, left, relation, right, "bound")
    named = {_NAMED[name]: value for name, value in {**_AT, **hint}.items()}
    return Control(id, text, tuple(f"forward_replay.{claim}" for claim in of), variant, named)


CONTROLS = (
    _control(
        "numerator_forgets",
        "In the numerator, too, descent always lowers the old weight: beta* = 0.",
        sp.S.Zero,
        "<",
        dKL_numerator.head,
        ("b.objective", "b.stationary", "b.rises", "b.falls", "b.zero", "b.minimiser"),
        phi=sp.Integer(-2),
    ),
    _control(
        "denominator_keeps",
        "In the denominator, too, the objective is least at beta = lambda.",
        KL_denominator(share_logit, delta, replay),
        "<=",
        KL_denominator.head,
        ("a.objective", "a.positive", "a.minimiser"),
        phi=sp.Integer(-3),
    ),
    _control(
        "numerator_without_kappa",
        "In the numerator the derivative is beta - lambda.",
        dKL_numerator.head,
        "=",
        beta - replay,
        ("b.gradient",),
    ),
    _control(
        "denominator_without_floor",
        "In the denominator the derivative is beta kappa(phi), as without replay.",
        dKL_denominator.head,
        "=",
        beta * kappa.head,
        ("a.gradient", "a.velocity", "a.decreasing"),
    ),
    _control(
        "weights_add",
        "Mixing lambda old data in adds lambda to the old weight.",
        mixed(q),
        "=",
        mix(replay + beta),
        ("a.mixture", "a.floor", "a.weight_rises", "a.logit"),
        y=sp.S.One,
    ),
    _control(
        "kappa_at_floor",
        "kappa(logit b) = kappa(logit lambda) at every weight.",
        kappa_b,
        "=",
        kappa_share,
        ("a.kappa_above", "a.kappa_below", "a.gradient_above", "a.gradient_explicit"),
    ),
    _control(
        "kappa_vanishes",
        "kappa(logit b) <= beta (e^(delta^2) - 1), as without replay.",
        kappa_b,
        "<=",
        beta * chi_squared,
        ("a.speed_ratio", "a.path_falls", "a.path_lasts", "a.path_faster"),
        phi=sp.Integer(-6),
        delta=sp.S.One,
    ),
    _control(
        "never_faster",
        "Replay in the denominator never speeds the fall of the old weight up.",
        dKL_denominator.head,
        "<=",
        dKL_forward.head,
        ("a.apart", "a.kappa_larger", "a.faster", "a.path_behind"),
        phi=sp.Integer(-2),
    ),
    _control(
        "always_faster",
        "Replay in the denominator always speeds the fall of the old weight up.",
        dKL_forward.head,
        "<=",
        dKL_denominator.head,
        ("a.kappa_smaller", "a.slower"),
        phi=sp.S.One,
    ),
    _control(
        "no_saturation",
        "Along the flow (1/beta)' = kappa(logit b).",
        sp.diff(1 / beta, phi) * flow.DENOMINATOR_FLOW.velocity,
        "=",
        kappa_b,
        ("a.reciprocal_rate", "a.rate_above", "a.rate_below"),
    ),
    _control(
        "old_data_do_not_hold",
        "In the numerator the old-mean gradient is -(mu_n - mu_o) (1 - lambda) E_{p_n}[r_o^2]: "
        "old data do not hold the old mean.",
        grad_old_numerator.head,
        "=",
        -delta * (1 - replay) * E2.head,
        ("c.numerator", "c.rests", "c.pull", "c.push"),
    ),
    _control(
        "first_moment",
        "In the denominator the old-mean gradient is -(mu_n - mu_o) E_{p_n}[r_o].",
        grad_old_denominator.head,
        "=",
        -delta * eps_n.head,
        ("c.denominator",),
    ),
    _control(
        "denominator_rests",
        "In the denominator, too, the old-mean gradient vanishes at beta = lambda.",
        grad_old_denominator(share_logit, delta, replay),
        "=",
        sp.S.Zero,
        ("c.denominator_pull", "c.denominator_at_share"),
    ),
)
