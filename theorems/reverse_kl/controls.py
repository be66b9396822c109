r"""False variants of Theorem 2.2, each with a witness."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Relation, by_algebra, identity
from theorems.mixture import DELTA, PHI, TAU, delta, new_mean_across, new_mean_along, phi, tau
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.bounds import gap, kappa_peak
from theorems.reverse_kl.flow import landing
from theorems.reverse_kl.quantities import (
    KL_free,
    KL_reverse,
    W,
    curvature_reverse,
    dKL_mass_covering,
    dKL_new_data,
    dKL_reverse,
    kl_bernoulli,
    old_mean_across,
    old_mean_along,
    spread,
)


def _false(
    slug: str,
    text: str,
    of: tuple[str, ...],
    sides: tuple[Expr, Relation, Expr],
    at: tuple[int | str, int | str, int | str],
) -> Control:
    """A control that fails at (phi, tau, delta) = at."""
    id, (left, relation, right) = f"reverse_kl.control.{slug}", sides
    variant = Claim(id, text, left, relation, right, "bound")
    hint = dict(zip((PHI, TAU, DELTA), map(sp.Rational, at), strict=True))
    return Control(id, text, tuple(f"reverse_kl.{each}" for each in of), variant, hint)


# the collapsed learner: equal weights, m_o = m_n anywhere

_free = KL_free.definition
_old = (old_mean_along, old_mean_across)
_new = (new_mean_along, new_mean_across)
_collapsed = dict(zip(_old, _new, strict=True)) | {phi: sp.S.Zero}


def _collapsed_gradient(variables: tuple[Expr, ...]) -> Expr:
    """The gradient of R in these, where beta = 1/2 and m_o = m_n."""
    return sp.Tuple(*(sp.diff(_free, each).subs(_collapsed) for each in variables))


WEIGHT_RESTS = identity(
    "reverse_kl.control.weight_rests",
    "At m_o = m_n the weight gradient vanishes.",
    sp.diff(_free, phi).subs(_collapsed),
    sp.S.Zero,
    by_algebra("both components have the same density", sp.S.Zero),
    source="ours",
)
MEANS_MOVE_TOGETHER = identity(
    "reverse_kl.control.means_move_together",
    "At beta = 1/2 and m_o = m_n both means have the same gradient.",
    _collapsed_gradient(_old),
    _collapsed_gradient(_new),
    by_algebra("both components have the same weight and density", _collapsed_gradient(_new)),
    source="ours",
)

CONTROLS = (
    _false(
        "ninth",
        "R <= (phi - tau)^2/9.",
        ("f.quadratic", "f.bernoulli_quadratic", "f.softplus_curvature", "f.softplus_slope"),
        (KL_reverse.head, "<=", gap**2 / 9),
        ("1/4", "-1/4", 8),
    ),
    _false(
        "symmetric",
        "R(phi; tau) = R(tau; phi).",
        (
            "b.objective_through_softplus",
            "b.log_ratio_old",
            "b.log_ratio_new",
            "b.objective_accumulated",
            "a.zero_at_target",
            "f.bernoulli",
            "f.bernoulli_accumulated",
            "f.weight_gap",
        ),
        (KL_reverse.head, "=", KL_reverse(tau, phi, delta)),
        (0, 2, 4),
    ),
    _false(
        "direction_swapped",
        "dR/dphi = (beta - alpha) kappa, the derivative of KL(p_alpha || q).",
        (
            "b.between_modes",
            "b.gradient",
            "b.gradient_through_softplus",
            "g.mass_covering",
        ),
        (dKL_reverse.head, "=", dKL_mass_covering.formula),
        (0, 2, 4),
    ),
    _false(
        "kappa_one",
        "dR/dphi = beta (1 - beta)(phi - tau): kappa replaced by 1.",
        (
            "b.gradient",
            "b.tilt",
            "b.accumulated",
            "b.accumulated_through_softplus",
            "c.kappa_separated",
            "c.accumulated_separated",
            "c.separated",
            "c.separated_or_zero",
            "c.accumulated_sign",
            "c.sign",
        ),
        (dKL_reverse.head, "=", spread * gap),
        (0, 2, 2),
    ),
    _false(
        "step_five",
        "A step of 5 never overshoots.",
        ("e.no_overshoot", "e.four_is_sharp", "c.quarter"),
        (sp.S.Zero, "<=", gap * (landing(sp.Integer(5)) - tau)),
        ("1/2", "-1/2", 8),
    ),
    Control(
        "reverse_kl.control.all_parameters",
        "The flow over (phi, m_o, m_n) reaches the target from every start.",
        (
            "reverse_kl.e.converges",
            "reverse_kl.a.nonnegative",
            "reverse_kl.a.different_components",
        ),
        None,
        invariant=(WEIGHT_RESTS, MEANS_MOVE_TOGETHER),
    ),
    _false(
        "weight_swapped_alone",
        "R = 0 at weight 1 - alpha with the means left in place.",
        (
            "a.unique_minimiser",
            "a.unique_up_to_labels",
            "a.zero_at_target_means",
            "a.zero_at_swapped_labels",
            "a.same_mean_along",
            "a.same_mean_across",
            "a.same_weight",
        ),
        (KL_reverse(-tau, tau, delta), "=", sp.S.Zero),
        (-1, 1, 4),
    ),
    _false(
        "peak_below",
        "R >= kappa(0) KL(Bern beta || Bern alpha).",
        ("d.least", "d.peak", "c.least", "c.accumulated_least", "d.weight_increases"),
        (kappa_peak * kl_bernoulli, "<=", KL_reverse.head),
        (3, 0, 2),
    ),
    _false(
        "kappa_at_ends",
        "(dR/dphi)/(beta (1 - beta)(phi - tau)) <= max(kappa(phi), kappa(tau)).",
        ("c.peak", "c.accumulated_peak", "c.kappa_peak"),
        (
            gap * dKL_reverse.head,
            "<=",
            spread * sp.Max(kappa(phi, delta), kappa(tau, delta)) * gap**2,
        ),
        (3, -3, 2),
    ),
    _false(
        "rate_at_peak",
        "(phi - tau) dR/dphi >= kappa(0) (phi - tau)^2/4: the rate taken at weight 1/2.",
        (
            "e.rate",
            "e.contracts",
            "e.spread_at_reach",
            "e.kappa_at_reach",
            "e.accumulated_at_reach",
        ),
        (kappa_peak * gap**2 / 4, "<=", gap * dKL_reverse.head),
        (2, 0, 4),
    ),
    _false(
        "curvature_in_logit",
        "The second derivative of R in beta is kappa alone.",
        ("d.curvature", "d.curvature_integral", "d.convex"),
        (curvature_reverse.head, "=", kappa.head),
        (1, 0, 2),
    ),
    _false(
        "bernoulli_below",
        "R = KL(Bern beta || Bern alpha): the data tell as much as the labels.",
        (
            "f.data_processing",
            "f.chain_rule",
            "f.labels_nonnegative",
            "f.learner_labels",
            "f.target_labels",
        ),
        (KL_reverse.head, "=", kl_bernoulli),
        (1, -1, 2),
    ),
    _false(
        "new_data_retains",
        "For the target p_n alone dR/dphi = beta (1 - beta) times the integral of kappa from 0 to "
        "phi, with its zero at phi = 0.",
        (
            "g.new_data_objective",
            "g.new_data_gradient",
            "g.new_data_accumulated",
            "g.both_ways",
            "g.means_differ",
            "g.divergences_positive",
            "g.new_data_loses",
        ),
        (dKL_new_data.head, "=", spread * W(phi, sp.S.Zero, delta)),
        (-1, 0, 2),
    ),
)
