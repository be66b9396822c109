"""False variants of Theorem 2.1."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl import flow
from theorems.forward_kl.flow import BELOW, SPEED, START, WEIGHT_FLOW, time
from theorems.forward_kl.means import NEW_REST, OLD_REST
from theorems.forward_kl.quantities import (
    NEW_MEAN,
    OLD_MEAN,
    KL_forward,
    KL_free,
    dKL_forward,
    grad_old_forward,
    new_mean,
    old_mean,
)
from theorems.forward_kl.regimes import EXPONENT, chi_squared
from theorems.language import Claim, Control, Expr, Path, Relation
from theorems.mixture import DELTA, PHI, POINT, beta, delta, phi
from theorems.overlap.quantities import eps_n, eps_o, kappa


def _ids(*slugs: str) -> tuple[str, ...]:
    """The full ids of claims of this theorem."""
    return tuple(f"forward_kl.{slug}" for slug in slugs)


def _variant(
    slug: str, text: str, left: Expr, relation: Relation, right: Expr, *where: Expr
) -> Claim:
    """A false claim, named as its control."""
    return Claim(f"forward_kl.control.{slug}", text, left, relation, right, "bound", where=where)


def _control(variant: Claim | Path, of: tuple[str, ...], **hint: Expr) -> Control:
    """The variant as a control; the hint names parameters by their names."""
    named = {p.name: p for p in PARAMETERS}
    return Control(variant.id, variant.text, of, variant, {named[n]: v for n, v in hint.items()})


PARAMETERS = (
    DELTA,
    PHI,
    POINT,
    START,
    BELOW,
    EXPONENT,
    OLD_MEAN,
    NEW_MEAN,
    OLD_REST,
    NEW_REST,
)
_half = sp.Rational(1, 2)
_leakage_seventh = sp.exp(phi / 2 - delta**2 / 7) / 2

CONTROLS = (
    _control(
        _variant(
            "minimiser_inside",
            "F is least at beta = 1/2.",
            KL_forward(0, delta),
            "<=",
            KL_forward.head,
        ),
        _ids("a.minimiser", "a.increasing", "a.slope", "a.lower_end", "a.lower_slope"),
        phi=sp.Integer(-2),
        delta=sp.Integer(2),
    ),
    _control(
        _variant(
            "linear_in_weight",
            "F is linear in beta: F = beta delta^2/2.",
            KL_forward.head,
            "=",
            beta * delta**2 / 2,
        ),
        _ids(
            "a.convex", "a.curvature", "a.second_derivative", "a.lower_curvature", "a.upper_slope"
        ),
        phi=sp.Integer(0),
        delta=sp.Integer(1),
    ),
    _control(
        _variant(
            "quadratic_chord",
            "F <= beta^2 delta^2/2.",
            KL_forward.head,
            "<=",
            beta**2 * delta**2 / 2,
        ),
        _ids("f.chord", "a.upper_end"),
        phi=sp.Integer(-2),
        delta=sp.Integer(1),
    ),
    _control(
        _variant(
            "half_softplus",
            "F <= log(1 + e^phi)/2.",
            KL_forward.head,
            "<=",
            sp.log(1 + sp.exp(phi)) / 2,
        ),
        _ids("f.softplus", "f.softplus_form"),
        phi=sp.Integer(0),
        delta=sp.Integer(6),
    ),
    _control(
        _variant(
            "flipped_gradient",
            "dF/dphi = eps_n - beta.",
            dKL_forward.head,
            "=",
            eps_n.head - beta,
        ),
        _ids("b.score", "b.leakage_gradient", "b.weight_gradient", "b.positive", "d.decreasing"),
        phi=sp.Integer(0),
        delta=sp.Integer(2),
    ),
    _control(
        _variant(
            "old_leakage",
            "dF/dphi = beta - eps_o.",
            dKL_forward.head,
            "=",
            beta - eps_o.head,
        ),
        _ids("b.leakage_gradient", "c.leakage"),
        phi=sp.Integer(1),
        delta=sp.Integer(2),
    ),
    _control(
        _variant(
            "leakage_seventh",
            "beta - (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/7) <= dF/dphi.",
            beta - _leakage_seventh,
            "<=",
            dKL_forward.head,
        ),
        _ids("c.classical", "c.sharp"),
        phi=sp.Integer(0),
        delta=sp.Integer(10),
    ),
    _control(
        _variant(
            "plateau_too_long",
            "kappa >= 1/2 while beta (1 - beta) >= e^(-3 delta^2/4).",
            _half,
            "<=",
            kappa.head,
            sp.exp(-3 * delta**2 / 4) <= beta * (1 - beta),
        ),
        _ids("d.plateau", "d.plateau_bound", "d.plateau_end", "d.plateau_edge"),
        phi=sp.Integer(-6),
        delta=sp.Integer(3),
    ),
    _control(
        _variant(
            "tail_everywhere",
            "kappa = beta (e^(delta^2) - 1) at every weight.",
            kappa.head,
            "=",
            beta * chi_squared,
        ),
        _ids("d.tail_above", "d.tail_below", "d.tail_exponent", "d.square_rate_tail"),
        phi=sp.Integer(-1),
        delta=sp.Integer(1),
    ),
    _control(
        _variant(
            "middle_everywhere",
            "kappa(0) <= kappa: the weight does not matter.",
            kappa(0, delta),
            "<=",
            kappa.head,
        ),
        _ids("d.middle_below", "d.square_rate_middle"),
        phi=sp.Integer(2),
        delta=sp.Integer(2),
    ),
    _control(
        _variant(
            "speed_everywhere",
            "Above weight 1/2, too, the speed beta kappa grows with the logit.",
            sp.S.Zero,
            "<=",
            SPEED.right.subs(flow.below, -phi),
        ),
        _ids("d.speed"),
        phi=sp.Integer(4),
        delta=sp.Integer(1),
    ),
    _control(
        _variant(
            "no_saturation",
            "Along the flow (1/beta)' = kappa.",
            sp.diff(1 / beta, phi) * WEIGHT_FLOW.velocity,
            "=",
            kappa.head,
        ),
        _ids(
            "d.velocity",
            "d.reciprocal_rate",
            "d.square_rate",
            "d.reciprocal_rate_below_one",
            "d.reciprocal_rate_in_plateau",
            "d.square_rate_above",
        ),
        phi=sp.Integer(0),
        delta=sp.Integer(2),
    ),
    _control(
        Path(
            "forward_kl.control.fast_forgetting",
            "beta(t) <= 2/t for all large t.",
            WEIGHT_FLOW,
            beta,
            "<=",
            2 / time,
        ),
        _ids(
            "d.path_reciprocal",
            "d.path_root",
            "d.path_plateau",
            "d.path_tail",
            "d.path_to_zero",
        ),
        delta=sp.Integer(1),
        start=sp.S.Zero,
        phi=sp.Integer(-8),
    ),
    _control(
        _variant(
            "first_moment_pull",
            "The old-mean gradient is -(mu_n - mu_o) E_{p_n}[r_o].",
            grad_old_forward.head,
            "=",
            -delta * eps_n.head,
        ),
        _ids(
            "e.score",
            "e.mean_gradient",
            "e.old_mean_gradient",
            "e.across",
            "e.pull",
            "e.leakage_size",
        ),
        phi=sp.S.Zero,
        delta=sp.Integer(2),
    ),
    _control(
        _variant(
            "pull_seventh",
            "The size of the old-mean gradient is at most "
            "(1/2) sqrt(beta/(1 - beta)) delta e^(-delta^2/7).",
            -grad_old_forward.head,
            "<=",
            delta * _leakage_seventh,
        ),
        _ids("e.classical_size", "e.sharp_size"),
        phi=sp.S.Zero,
        delta=sp.Integer(12),
    ),
    _control(
        _variant(
            "zero_by_average",
            "F vanishes once the learner's mean is mu_n: at m_o = mu_n + 1, m_n = mu_n - 1 and "
            "weight 1/2, say.",
            KL_free.subs({old_mean: 1 - delta / 2, new_mean: -1 - delta / 2, phi: 0}),
            "=",
            sp.S.Zero,
        ),
        _ids("e.zero_without_old", "e.zero_without_new", "e.zero_merged", "e.merged_only"),
        delta=sp.Integer(1),
    ),
)
