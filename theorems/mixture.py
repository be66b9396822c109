r"""Symbols, densities, responsibilities and the log-ratio of the two-mode model.

Whitened coordinates with the origin midway between the modes turn the old mode into
N(+\delta/2, 1) and the new one into N(-\delta/2, 1) on the line through both means, so that the
log-ratio is L(y) = log p_o(y)/p_n(y) = \delta y. The plane that also holds a free new mean has its
origin at \mu_o and its first axis along \mu_n - \mu_o. Every scalar of Theorems 2.1 to 2.3 depends
on R^d only through this line or plane (`overlap.a`).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Parameter

delta = sp.Symbol("delta", positive=True)
phi, tau, c = sp.symbols("phi tau c", real=True)
y, z = sp.symbols("y z", real=True)
along, across = sp.symbols("along across", real=True)
new_mean_along, new_mean_across = sp.symbols("new_mean_along new_mean_across", real=True)

DELTA = Parameter(
    "delta",
    delta,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 4), sp.Integer(12)),
    "Mahalanobis distance of the two modes",
    typical=sp.Integer(2),
)
PHI = Parameter(
    "phi",
    phi,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-6), sp.Integer(6)),
    "logit of the learner's weight on the old mode",
    weight="beta",
    typical=sp.Rational(-3, 10),
)
TAU = Parameter(
    "tau",
    tau,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-4), sp.Integer(4)),
    "logit of the target's weight on the old mode",
    weight="alpha",
    typical=sp.Rational(-3, 5),
)
SHIFT = Parameter(
    "c",
    c,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-6), sp.Integer(6)),
    "shift of the log-ratio in A(c)",
    typical=sp.Rational(1, 2),
)
POINT = Parameter(
    "y",
    y,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-6), sp.Integer(6)),
    "a point of the line, whitened, origin midway between the modes",
    typical=sp.Rational(1, 2),
)
NEW_MEAN_ALONG = Parameter(
    "new_mean_along",
    new_mean_along,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-2), sp.Integer(6)),
    "m_n - mu_o along mu_n - mu_o, whitened",
    typical=sp.Rational(7, 5),
)
NEW_MEAN_ACROSS = Parameter(
    "new_mean_across",
    new_mean_across,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-3), sp.Integer(3)),
    "m_n - mu_o across mu_n - mu_o, whitened",
    typical=sp.Rational(-4, 5),
)


def sigma(x: Expr) -> Expr:
    """The logistic function."""
    return 1 / (1 + sp.exp(-x))


def line(f: Expr, variable: Expr = y) -> Expr:
    """The integral of f over the whole line."""
    return sp.Integral(f, (variable, -sp.oo, sp.oo))


def plane(f: Expr) -> Expr:
    """The integral of f over the whole plane."""
    return sp.Integral(f, (along, -sp.oo, sp.oo), (across, -sp.oo, sp.oo))


def normal(x: Expr, mean: Expr = sp.S.Zero) -> Expr:
    """The density of N(mean, 1)."""
    return sp.exp(-((x - mean) ** 2) / 2) / sp.sqrt(2 * sp.pi)


def normal_plane(mean_along: Expr, mean_across: Expr) -> Expr:
    """The density of N(mean, I) in the plane."""
    return normal(along, mean_along) * normal(across, mean_across)


p_o = normal(y, delta / 2)
p_n = normal(y, -delta / 2)
beta = sigma(phi)
alpha = sigma(tau)
L = delta * y


def mix(weight: Expr, old: Expr = p_o, new: Expr = p_n) -> Expr:
    """weight·old + (1 − weight)·new."""
    return weight * old + (1 - weight) * new


q = mix(beta)
p_alpha = mix(alpha)
r_o = beta * p_o / q
r_n = (1 - beta) * p_n / q
s_o = alpha * p_o / p_alpha
s_n = (1 - alpha) * p_n / p_alpha
