"""What Theorem 2.1 speaks of: the objective F = KL(p_n || q) and its gradients."""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Parameter, Quantity
from theorems.mixture import DELTA, PHI, beta, delta, line, mix, normal, p_n, phi, q, y
from theorems.overlap.quantities import E2, A, kappa

MINUS = sp.S.NegativeOne
SOURCE = "Theorem 2.1"
NEAR = {DELTA: (sp.Rational(1, 4), sp.Integer(4))}  # where integrals over the line are cheap

old_mean, new_mean = sp.symbols("old_mean new_mean", real=True)
_REALS = sp.Interval(-sp.oo, sp.oo)
_MEANS = (sp.Integer(-4), sp.Integer(4))
OLD_MEAN = Parameter("old_mean", old_mean, _REALS, _MEANS, "the learner's old mean on the line")
NEW_MEAN = Parameter("new_mean", new_mean, _REALS, _MEANS, "the learner's new mean on the line")


def kl_from_new(density: Expr) -> Expr:
    """KL(p_n || density) on the line."""
    return line(p_n * sp.log(p_n / density))


entropy = (1 + sp.log(2 * sp.pi)) / 2  # -E_{p_n}[log p_n] on the line

KL_forward = Quantity(
    "objective",
    "KL_forward",
    (PHI, DELTA),
    kl_from_new(q),
    sp.log(1 + sp.exp(phi)) - A(phi, delta),
    "forward KL on new data, F = KL(p_n || q)",
)
dKL_forward = Quantity(
    "weight_gradient",
    "dKL_forward",
    (PHI, DELTA),
    sp.Derivative(KL_forward.definition, phi),
    beta * kappa.head,
    "derivative of F in the logit phi of the old weight",
)


def learner(old_factor: Expr = sp.S.One, new_factor: Expr = sp.S.One) -> Expr:
    """The learner's density with both means free, times densities of further coordinates."""
    return mix(beta, normal(y, old_mean) * old_factor, normal(y, new_mean) * new_factor)


KL_free = kl_from_new(learner())

# The first axis of the line runs from the new mode to the old one, against mu_n - mu_o.
grad_old_forward = Quantity(
    "old_mean_gradient",
    "grad_old_forward",
    (PHI, DELTA),
    -sp.Derivative(KL_free, old_mean).subs({old_mean: delta / 2, new_mean: -delta / 2}),
    -delta * E2.head,
    "component along mu_n - mu_o of the whitened gradient of F in the old mean, correct means",
)
