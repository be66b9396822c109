r"""False variants of the overlap lemma, each with a point where it visibly fails."""

from __future__ import annotations

import sympy as sp

from theorems.language import Claim, Control, Expr, Parameter, Relation
from theorems.mixture import DELTA, PHI, SHIFT, L, beta, c, delta, line, p_o, phi, q, r_o, y
from theorems.overlap.cubes import cube, fourth
from theorems.overlap.quantities import A, S, chi2, decay, eps_n, eps_o, kappa
from theorems.overlap.shape import S_phi_phi
from theorems.overlap.tails import moment_above, moment_below


def _control(
    slug: str,
    text: str,
    of: tuple[str, ...],
    left: Expr,
    relation: Relation,
    right: Expr,
    hint: dict[Parameter, Expr],
) -> Control:
    """left relation right is false, and at the hint visibly so."""
    id = f"overlap.control.{slug}"
    variant = Claim(id, text, left, relation, right, "identity" if relation == "=" else "bound")
    return Control(id, text, tuple(f"overlap.{claim}" for claim in of), variant, hint)


_CUBES = (
    *("cube_even", "cube_jointly_log_concave", "cube_decreasing", "cube_slope_above"),
    *("cube_slope_below", "cube_scaled_increasing", "cube_heat", "cube_damped_decreasing"),
    *("cube_formula", "cube_formula_slope", "ratio_decreasing", "heat_slope", "slope_in_delta"),
)
_wrong_decay = sp.exp(-(delta**2) / 7)
CONTROLS = (
    _control(
        "exponent",
        "The exponent of the classical bound is 1/7.",
        ("d.classical_old", "d.classical_new", "d.am_gm", "d.prefactor_loss"),
        eps_o.head,
        "<=",
        sp.exp(-phi / 2) * _wrong_decay / 2,
        {PHI: sp.S.Zero, DELTA: sp.Integer(9)},
    ),
    _control(
        "prefactor",
        "The prefactor of the classical bound is 2/5.",
        ("d.classical_old", "d.classical_new", "d.at_most_one", "c.old", "c.new"),
        eps_o.head,
        "<=",
        2 * sp.exp(-phi / 2) * decay / 5,
        {PHI: sp.S.Zero, DELTA: sp.Rational(1, 2)},
    ),
    _control(
        "density_bound",
        "S <= 2/delta.",
        (
            "d.density_bound",
            "d.either_bound",
            "d.sharper_old",
            "d.sharper_new",
            "d.prefactor_loss_nonnegative",
        ),
        S.head,
        "<=",
        2 / delta,
        {PHI: sp.S.Zero, DELTA: sp.Integer(5)},
    ),
    _control(
        "balance",
        "beta eps_o = eps_n.",
        ("e.balance", "e.leakage", "e.distinguishability"),
        beta * eps_o.head,
        "=",
        eps_n.head,
        {PHI: sp.S.Zero, DELTA: sp.Integer(2)},
    ),
    _control(
        "distinguishability",
        "kappa <= 1 - e^(-delta^2/8).",
        ("f.total_variation", "f.hellinger", "f.erf", "e.sech_form", "e.below_one"),
        kappa.head,
        "<=",
        1 - decay,
        {PHI: sp.S.Zero, DELTA: sp.Integer(2)},
    ),
    _control(
        "bayes_at_every_weight",
        "Phi(-delta/2) <= eps_o at every weight.",
        ("h.bayes_error", "h.lower", "h.upper"),
        sp.erfc(delta / (2 * sp.sqrt(2))) / 2,
        "<=",
        eps_o.head,
        {PHI: sp.S.One, DELTA: sp.S.One},
    ),
    _control(
        "swapped_log_ratio",
        "The log-ratio has mean -delta^2/2 under the old mode.",
        ("a.affine", "a.law_old", "a.law_new", "a.plane", "a.whitening"),
        line(L * p_o),
        "=",
        -(delta**2) / 2,
        {DELTA: sp.Integer(2)},
    ),
    _control(
        "chi_squared",
        "The chi-squared divergence is e^(delta^2/2) - 1.",
        (
            "b.chi_squared",
            "b.bhattacharyya",
            "b.midpoint",
            "b.component_kl",
            "b.component_kl_swapped",
            "f.chi_squared_old",
            "f.chi_squared_new",
            "f.pearson",
        ),
        chi2.head,
        "=",
        sp.exp(delta**2 / 2) - 1,
        {DELTA: sp.Integer(2)},
    ),
    _control(
        "variance",
        "kappa is the variance of the old responsibility, not normalised.",
        ("e.variance", "e.coupled", "e.shift_old", "e.shift_new", "e.positive"),
        kappa.head,
        "=",
        line(q * (r_o - beta) ** 2),
        {PHI: sp.S.Zero, DELTA: sp.Integer(2)},
    ),
    _control(
        "increasing_in_weight",
        "kappa grows with |phi|: kappa(0) <= kappa(phi).",
        (
            "f.without_cancellation",
            "f.even",
            "f.decreasing",
            "f.slope",
            "f.strictly_decreasing",
            "f.cosh_order",
            "f.growth",
            "f.increasing",
        ),
        kappa(0, delta),
        "<=",
        kappa.head,
        {PHI: sp.Integer(2), DELTA: sp.Integer(2)},
    ),
    _control(
        "fourier_scale",
        "The Fourier form of S, here at phi = 0, has sech(w) in place of sech(pi w).",
        (
            "g.fourier",
            "g.gauss_wave",
            "g.sech_wave",
            "g.sech_area",
            "g.sech_spread",
            "g.sech_square",
            "g.pythagoras",
            "g.sech_modulus",
            "g.fourier_modulus",
            "g.sech_strip",
            "g.fourier_strip",
            "g.sech_trapezoid",
            "g.fourier_trapezoid",
        ),
        S(0, delta),
        "=",
        line(sp.exp(-(delta**2) * y**2 / 2) * sp.sech(y)),
        {DELTA: sp.Integer(2)},
    ),
    _control(
        "tail_sign",
        "The tail series starts P(X < 0) + (B_1 - A_1), with the sign of its terms reversed.",
        (
            "g.tail_series",
            "g.monotone_above",
            "g.monotone_below",
            "g.tail_terms",
            "g.accelerated",
            "g.thirty_terms",
        ),
        sp.Abs(
            eps_o.head - moment_below(sp.S.Zero) - moment_below(sp.S.One) + moment_above(sp.S.One)
        ),
        "<=",
        moment_above(sp.Integer(2)) + moment_below(sp.Integer(2)),
        {PHI: sp.Integer(3), DELTA: sp.S.Half},
    ),
    _control(
        "softplus_derivative",
        "The derivative of A in c is eps_o(c, delta).",
        ("i.derivative", "i.derivative_in_delta", "i.mirror", "i.kl"),
        sp.diff(A.definition, c),
        "=",
        eps_o(c, delta),
        {SHIFT: sp.S.One, DELTA: sp.Integer(2)},
    ),
    _control(
        "curvature",
        "S_phiphi <= S/5.",
        (
            "j.curvature",
            "j.slope_above",
            "j.slope_below",
            "j.even",
            "j.jointly_log_concave",
            "j.log_concave",
            "j.decreasing",
            "j.heat",
            "j.scaled_increasing",
            "j.scaled_decreasing",
            "j.damped_decreasing",
            "j.eps_o_in_phi",
            "j.eps_n_in_phi",
            "j.eps_o_in_delta",
            "j.eps_n_in_delta",
            "j.second_moment",
            "j.second_moment_formula",
        ),
        S_phi_phi,
        "<=",
        S.head / 5,
        {PHI: sp.Integer(6), DELTA: sp.Rational(1, 4)},
    ),
    _control(
        "cube_once",
        "E[sech^3] = S/2 - S_phiphi.",
        tuple(f"j.{slug}" for slug in _CUBES),
        cube,
        "=",
        S.head / 2 - S_phi_phi,
        {PHI: sp.Integer(1), DELTA: sp.Integer(1)},
    ),
    _control(
        "fourth",
        "S_phiphiphiphi is at most S/4.",
        ("j.fourth_above", "j.fourth_below"),
        fourth,
        "<=",
        S.head / 4,
        {PHI: sp.S.Zero, DELTA: sp.Rational(1, 4)},
    ),
)
