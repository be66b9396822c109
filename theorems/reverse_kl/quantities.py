r"""What Theorem 2.2 speaks of: reverse KL objectives, each from its definition, and derivatives."""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Lane, Parameter, Quantity
from theorems.mixture import (
    DELTA,
    NEW_MEAN_ACROSS,
    NEW_MEAN_ALONG,
    PHI,
    TAU,
    alpha,
    beta,
    delta,
    line,
    mix,
    new_mean_across,
    new_mean_along,
    normal_plane,
    p_alpha,
    p_n,
    p_o,
    phi,
    plane,
    q,
    r_n,
    r_o,
    s_n,
    s_o,
    sigma,
    tau,
)
from theorems.overlap.quantities import A, kappa

REALS = sp.Interval(-sp.oo, sp.oo)
u = sp.Symbol("u", real=True)
old_mean_along, old_mean_across = sp.symbols("old_mean_along old_mean_across", real=True)
OLD_MEAN_ALONG = Parameter(
    "old_mean_along",
    old_mean_along,
    REALS,
    (sp.Integer(-2), sp.Integer(2)),
    "m_o - mu_o along mu_n - mu_o, whitened",
)
OLD_MEAN_ACROSS = Parameter(
    "old_mean_across",
    old_mean_across,
    REALS,
    (sp.Integer(-2), sp.Integer(2)),
    "m_o - mu_o across mu_n - mu_o, whitened",
)

spread = beta * (1 - beta)
log_ratio = sp.log(q / p_alpha)
kl_bernoulli = beta * (phi - tau) + sp.log((1 + sp.exp(tau)) / (1 + sp.exp(phi)))

# densities of the plane, with every mean of the learner free
q_free = mix(
    beta,
    normal_plane(old_mean_along, old_mean_across),
    normal_plane(new_mean_along, new_mean_across),
)
p_alpha_plane = mix(alpha, normal_plane(sp.S.Zero, sp.S.Zero), normal_plane(delta, sp.S.Zero))


def per_weight(derivative: Expr) -> Expr:
    """A derivative in phi as one in beta: d beta/d phi = beta(1 - beta)."""
    return derivative / spread


def primitive(x: Expr) -> Expr:
    """x - A(x) + A(-x), whose derivative in x is kappa(x, delta)."""
    return x - A(x, delta) + A(-x, delta)


_for_proofs: dict[Lane, str] = {
    "precise": "proofs speak of it; what is made of it is measured",
    "monte_carlo": "proofs speak of it; what is made of it is measured",
}

KL_reverse = Quantity(
    "objective",
    "KL_reverse",
    (PHI, TAU, DELTA),
    line(q * log_ratio),
    kl_bernoulli
    + beta * (A(-phi, delta) - A(-tau, delta))
    + (1 - beta) * (A(phi, delta) - A(tau, delta)),
    "reverse KL divergence KL(q || p_alpha) at correct means",
)
ell_o = Quantity(
    "mean_log_ratio_old",
    "ell_o",
    (PHI, TAU, DELTA),
    line(p_o * log_ratio),
    sp.log(beta / alpha) + A(-phi, delta) - A(-tau, delta),
    "mean of log q/p_alpha under the old mode",
    exempt=_for_proofs,
)
ell_n = Quantity(
    "mean_log_ratio_new",
    "ell_n",
    (PHI, TAU, DELTA),
    line(p_n * log_ratio),
    sp.log((1 - beta) / (1 - alpha)) + A(phi, delta) - A(tau, delta),
    "mean of log q/p_alpha under the new mode",
    exempt=_for_proofs,
)
W = Quantity(
    "accumulated_distinguishability",
    "W",
    (PHI, TAU, DELTA),
    sp.Integral(kappa(u, delta), (u, tau, phi)),
    primitive(phi) - primitive(tau),
    "integral of kappa(u, delta) over u from tau to phi",
    exempt=_for_proofs,
)
V = Quantity(
    "weighted_distinguishability",
    "V",
    (PHI, TAU, DELTA),
    sp.Integral((beta - sigma(u)) * kappa(u, delta), (u, tau, phi)),
    KL_reverse.head,
    "integral of (sigma(phi) - sigma(u)) kappa(u, delta) over u from tau to phi",
    exempt=_for_proofs,
)
J = Quantity(
    "label_divergence",
    "J_labels",
    (PHI, TAU, DELTA),
    line(q * (r_o * sp.log(r_o / s_o) + r_n * sp.log(r_n / s_n))),
    kl_bernoulli - KL_reverse.head,
    "mean under q of the Bernoulli divergence of the responsibilities, learner from target",
    exempt=_for_proofs,
)
dKL_reverse = Quantity(
    "weight_gradient",
    "dKL_reverse",
    (PHI, TAU, DELTA),
    sp.Derivative(KL_reverse.definition, phi),
    spread * W.formula,
    "derivative of KL(q || p_alpha) in the logit phi, correct means",
)
curvature_reverse = Quantity(
    "weight_curvature",
    "curvature_reverse",
    (PHI, TAU, DELTA),
    per_weight(sp.Derivative(per_weight(sp.Derivative(KL_reverse.definition, phi)), phi)),
    kappa.head / spread,
    "second derivative of KL(q || p_alpha) in the weight beta, correct means",
)
KL_new_data = Quantity(
    "new_data_objective",
    "KL_new_data",
    (PHI, DELTA),
    line(q * sp.log(q / p_n)),
    sp.log(1 - beta) + beta * (phi + delta**2 / 2 + A(-phi, delta)) + (1 - beta) * A(phi, delta),
    "KL(q || p_n): reverse KL on the new data alone",
    exempt=_for_proofs,
)
dKL_new_data = Quantity(
    "new_data_gradient",
    "dKL_new_data",
    (PHI, DELTA),
    sp.Derivative(KL_new_data.definition, phi),
    spread * (delta**2 / 2 + primitive(phi)),
    "derivative of KL(q || p_n) in the logit phi: reverse KL on the new data alone",
)
dKL_mass_covering = Quantity(
    "mass_covering_gradient",
    "dKL_mass_covering",
    (PHI, TAU, DELTA),
    sp.Derivative(line(p_alpha * sp.log(p_alpha / q)), phi),
    (beta - alpha) * kappa.head,
    "derivative of KL(p_alpha || q) in the logit phi: the other direction, the same target",
)
_plane_only = "an integral over the plane that only proofs speak of"
KL_free = Quantity(
    "free_objective",
    "KL_free",
    (PHI, TAU, DELTA, OLD_MEAN_ALONG, OLD_MEAN_ACROSS, NEW_MEAN_ALONG, NEW_MEAN_ACROSS),
    plane(q_free * sp.log(q_free / p_alpha_plane)),
    plane(q_free * sp.log(q_free / p_alpha_plane)),
    "reverse KL divergence KL(q || p_alpha) with the weight and both means of the learner free",
    exempt={
        "derived": _plane_only,
        "certified": _plane_only,
        "precise": _plane_only,
        "monte_carlo": _plane_only,
    },
)

QUANTITIES = (
    KL_reverse,
    dKL_reverse,
    curvature_reverse,
    dKL_new_data,
    dKL_mass_covering,
)
AUXILIARY = (
    ell_o,
    ell_n,
    W,
    V,
    J,
    KL_new_data,
    KL_free,
)
