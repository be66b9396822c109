r"""What the local geometry speaks of: R with the weight and both means free, and its Hessian.

Means are measured from \mu_o along \mu_n - \mu_o, whitened: the target is (\tau, 0, \delta). Given
the coordinate along, the coordinates across are alike; two planes' worth of them stand for R^d.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Expr, Lane, Parameter, Quantity
from theorems.local_geometry.eigenvalues import lambda_2, lambda_3
from theorems.mixture import (
    DELTA,
    PHI,
    TAU,
    along,
    alpha,
    beta,
    delta,
    line,
    mix,
    new_mean_across,
    new_mean_along,
    normal,
    phi,
    tau,
    y,
)
from theorems.old_drift.plane import drift
from theorems.overlap.quantities import A, S, decay, kappa, sech_kernel
from theorems.reverse_kl.quantities import KL_free, old_mean_across, old_mean_along

old_mean, new_mean = sp.symbols("old_mean new_mean", real=True)
OLD_MEAN = Parameter(
    "old_mean",
    old_mean,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-1), sp.Integer(1)),
    "m_o - mu_o along mu_n - mu_o, whitened",
    typical=sp.Rational(1, 10),
)
NEW_MEAN = Parameter(
    "new_mean",
    new_mean,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Rational(5, 4), sp.Integer(5)),
    "m_n - mu_o along mu_n - mu_o, whitened",
    typical=sp.Rational(16, 5),
)
FREE = (PHI, TAU, DELTA, OLD_MEAN, NEW_MEAN)
theta = (phi, old_mean, new_mean)
TARGET = (tau, sp.S.Zero, delta)
NAMES = ("phi", "old", "new")

# densities of the coordinate along, origin mu_o
p_old, p_new = normal(along), normal(along, delta)
q_old, q_new = normal(along, old_mean), normal(along, new_mean)
target, learner = mix(alpha, p_old, p_new), mix(beta, q_old, q_new)
s_old, s_new = alpha * p_old / target, (1 - alpha) * p_new / target
log_ratio = sp.log(learner / target)
psi = (s_old - alpha, s_old * along, s_new * (along - delta))  # score at the target
v = (sp.S.One, along, delta - along)  # (1, z_o, -z_n)
v_midpoint = tuple(each.subs(along, delta / 2 - y) for each in v)  # from the midpoint

distance = sp.Abs(new_mean - old_mean)
spread = alpha * (1 - alpha)
loss = sp.sech(tau / 2) * decay / 4  # (1/2) sqrt(alpha(1 - alpha)) e^(-delta^2/8)

_proofs: dict[Lane, str] = {
    "precise": "measured as part of a vector, or proofs alone speak of it",
    "monte_carlo": "estimated as part of a vector, or proofs alone speak of it",
}


# objective and gradient

ell_old = Quantity(
    "mean_log_ratio_old",
    "ell_old",
    FREE,
    line(q_old * log_ratio, along),
    sp.log(beta / alpha) + old_mean**2 / 2 + A(-phi, distance) - A(-tau + delta * old_mean, delta),
    "mean of log q/p_alpha under the learner's old component",
    exempt=_proofs,
)
ell_new = Quantity(
    "mean_log_ratio_new",
    "ell_new",
    FREE,
    line(q_new * log_ratio, along),
    sp.log((1 - beta) / (1 - alpha))
    + (new_mean - delta) ** 2 / 2
    + A(phi, distance)
    - A(tau + delta * (delta - new_mean), delta),
    "mean of log q/p_alpha under the learner's new component",
    exempt=_proofs,
)
R_free = Quantity(
    "objective",
    "R_free",
    FREE,
    line(learner * log_ratio, along),
    beta * ell_old.head + (1 - beta) * ell_new.head,
    "reverse KL divergence KL(q || p_alpha), weight and both means of the learner free on the line",
    through=(ell_old, ell_new),
)


def on_the_line(formula: Expr, old: Expr, new: Expr) -> Expr:
    """A formula of the plane with both means on the line."""
    means = {
        old_mean_along: old,
        old_mean_across: sp.S.Zero,
        new_mean_along: new,
        new_mean_across: sp.S.Zero,
    }
    return formula.subs(means, simultaneous=True)


_pull = drift[0].formula
_slopes = (
    beta * (1 - beta) * (ell_old.head - ell_new.head),
    on_the_line(_pull, old_mean, new_mean),
    on_the_line(_pull, new_mean, old_mean).subs(phi, -phi),
)
gradient = tuple(
    Quantity(
        f"gradient_{name}",
        f"grad_{name}",
        FREE,
        sp.Derivative(R_free.definition, variable),
        slope,
        f"derivative of R in {variable}",
        exempt=_proofs,
    )
    for name, variable, slope in zip(NAMES, theta, _slopes, strict=True)
)
grad_free = Quantity(
    "gradient",
    "grad_free",
    FREE,
    sp.Tuple(*(each.head for each in gradient)),
    sp.Tuple(*(each.formula for each in gradient)),
    "gradient of R in (phi, m_o, m_n) on the line",
    through=(ell_old, ell_new),
)

# Hessian at the target: D minus what overlap takes

PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
ACROSS = ((1, 1), (1, 2), (2, 2))
D = sp.diag(spread, alpha, 1 - alpha)
taken = {(i, j): line(sech_kernel(tau) * v_midpoint[i] * v_midpoint[j]) for i, j in PAIRS}
_ACROSS_MEANS = {1: old_mean_across, 2: new_mean_across}


def _at_target(a: Expr, b: Expr) -> Expr:
    return sp.Subs(sp.Derivative(R_free.definition, a, b), theta, TARGET)


def _across_at_target(a: Expr, b: Expr) -> Expr:
    zero = sp.S.Zero
    return sp.Subs(
        sp.Derivative(KL_free.definition, a, b),
        (phi, old_mean_along, old_mean_across, new_mean_along, new_mean_across),
        (tau, zero, zero, delta, zero),
    )


def _along(pair: tuple[int, int]) -> Quantity:
    i, j = pair
    name = f"{NAMES[i]}_{NAMES[j]}"
    return Quantity(
        f"hessian_{name}",
        f"H_{name}",
        (TAU, DELTA),
        _at_target(theta[i], theta[j]),
        D[i, j] - loss * taken[pair],
        f"second derivative of R in {theta[i]}, {theta[j]} at the target, along mu_n - mu_o",
        exempt=_proofs,
    )


H_phi = Quantity(
    "weight_curvature",
    "H_phi",
    (TAU, DELTA),
    _at_target(phi, phi),
    spread * kappa(tau, delta),
    "second derivative of R in the logit phi at the target",
)
along_entries = {pair: H_phi if pair == (0, 0) else _along(pair) for pair in PAIRS}
across_entries = {
    (i, j): Quantity(
        f"hessian_{NAMES[i]}_{NAMES[j]}_across",
        f"H_{NAMES[i]}_{NAMES[j]}_across",
        (TAU, DELTA),
        _across_at_target(_ACROSS_MEANS[i], _ACROSS_MEANS[j]),
        D[i, j] - loss * S(tau, delta) * (1 if i == j else -1),
        "second derivative of R at the target in one coordinate across mu_n - mu_o",
        exempt=_proofs,
    )
    for i, j in ACROSS
}
H_along = Quantity(
    "hessian_along",
    "H_along",
    (TAU, DELTA),
    sp.Tuple(*(each.head for each in along_entries.values())),
    sp.Tuple(*(each.formula for each in along_entries.values())),
    "Hessian of R at the target on the line: phi phi, phi m_o, phi m_n, m_o m_o, m_o m_n, m_n m_n",
)
H_across = Quantity(
    "hessian_across",
    "H_across",
    (TAU, DELTA),
    sp.Tuple(*(each.head for each in across_entries.values())),
    sp.Tuple(*(each.formula for each in across_entries.values())),
    "Hessian of R at the target in one coordinate across: m_o m_o, m_o m_n, m_n m_n",
)

# directions

U, W = sp.symbols("u_phi u_old u_new", real=True), sp.symbols("w_old w_new", real=True)
DIRECTIONS = tuple(
    Parameter(
        symbol.name,
        symbol,
        sp.Interval(-sp.oo, sp.oo),
        (sp.Integer(-2), sp.Integer(2)),
        f"component of a direction, {way}",
        typical=sp.Rational(k, 2),
    )
    for k, (symbol, way) in enumerate(
        (
            *((each, "along mu_n - mu_o") for each in U),
            *((each, "across mu_n - mu_o") for each in W),
        ),
        1,
    )
)

# its eigenvalues

along_heads = tuple(each.head for each in along_entries.values())
across_heads = tuple(each.head for each in across_entries.values())


def _negated(entries: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(-entry for entry in entries)


least_along, least_across = lambda_3(*along_heads), lambda_2(*across_heads)
greatest_along = -lambda_3(*_negated(along_heads))
greatest_across = -lambda_2(*_negated(across_heads))
lambda_min = Quantity(
    "smallest_eigenvalue",
    "lambda_min",
    (TAU, DELTA),
    sp.Min(least_along, least_across),
    least_along,
    "smallest eigenvalue of the Hessian of R at the target, in R^d for d >= 2",
    exempt={"monte_carlo": "an eigenvalue of an average is biased"},
    through=(lambda_3, *along_entries.values()),
)
_greatest = sp.Max(greatest_along, greatest_across)
lambda_max = Quantity(
    "largest_eigenvalue",
    "lambda_max",
    (TAU, DELTA),
    _greatest,
    _greatest,
    "largest eigenvalue of the Hessian of R at the target, in R^d for d >= 2",
    exempt=_proofs,
)

QUANTITIES = (R_free, grad_free, H_phi, H_along, H_across, lambda_min)
AUXILIARY = (
    ell_old,
    ell_new,
    *gradient,
    *(each for each in along_entries.values() if each is not H_phi),
    *across_entries.values(),
    lambda_2,
    lambda_3,
    lambda_max,
)
