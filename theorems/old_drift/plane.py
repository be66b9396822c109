r"""The plane through \mu_o, \mu_n and m_n: quantities of old-component drift, from the objective.

Whitened, origin \mu_o, first axis along \mu_n - \mu_o. Gradients are derivatives of the reverse KL
with all four coordinates of the means free; the scalars are means of responsibilities.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theorems.language import Expr, Parameter, Quantity
from theorems.mixture import (
    DELTA,
    NEW_MEAN_ACROSS,
    NEW_MEAN_ALONG,
    PHI,
    TAU,
    across,
    along,
    alpha,
    beta,
    delta,
    mix,
    new_mean_across,
    new_mean_along,
    normal_plane,
    phi,
    plane,
    tau,
)
from theorems.overlap.quantities import S

old_mean_along, old_mean_across = sp.symbols("old_mean_along old_mean_across", real=True)
OLD_MEAN_ALONG = Parameter(
    "old_mean_along",
    old_mean_along,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-2), sp.Integer(3)),
    "m_o - mu_o along mu_n - mu_o, whitened",
    typical=sp.Rational(3, 10),
)
OLD_MEAN_ACROSS = Parameter(
    "old_mean_across",
    old_mean_across,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-2), sp.Integer(2)),
    "m_o - mu_o across mu_n - mu_o, whitened",
    typical=sp.Rational(1, 5),
)
LEARNER = (PHI, NEW_MEAN_ALONG, NEW_MEAN_ACROSS)
NEW_FREE = (PHI, TAU, DELTA, NEW_MEAN_ALONG, NEW_MEAN_ACROSS)
ALL_FREE = (PHI, TAU, DELTA, OLD_MEAN_ALONG, OLD_MEAN_ACROSS, NEW_MEAN_ALONG, NEW_MEAN_ACROSS)

points = (along, across)
old_mean = (old_mean_along, old_mean_across)
new_mean = (new_mean_along, new_mean_across)
between = tuple(new - old for new, old in zip(new_mean, old_mean, strict=True))
new_mode = (delta, sp.S.Zero)
correct = {old_mean_along: sp.S.Zero, old_mean_across: sp.S.Zero}  # m_o = mu_o

p_old, p_new = normal_plane(sp.S.Zero, sp.S.Zero), normal_plane(*new_mode)
q_old, q_new = normal_plane(*old_mean), normal_plane(*new_mean)
target = mix(alpha, p_old, p_new)
learner = mix(beta, q_old, q_new)
r_old = beta * q_old / learner
r_new = (1 - beta) * q_new / learner
s_old = alpha * p_old / target
s_new = (1 - alpha) * p_new / target
objective = plane(learner * sp.log(learner / target))

delta_q = sp.sqrt(new_mean_along**2 + new_mean_across**2)


def norm(vector: tuple[Expr, ...]) -> Expr:
    """The Euclidean size of a vector; of a whitened gradient it is the dual norm."""
    return sp.sqrt(sum(coordinate**2 for coordinate in vector))


def _misassignment(shift: Expr, distance: Expr) -> Expr:
    """The sech form of a misassignment, to be evaluated at any distance >= 0."""
    return sp.exp(-shift / 2 - distance**2 / 8) * S(shift, distance) / 2


eps_q = Quantity(
    "learner_misassignment",
    "eps_q",
    LEARNER,
    plane(p_old * r_new.subs(correct)),
    _misassignment(phi, delta_q),
    "misassignment of the old mode by the learner, E_{p_o}[r_n], at m_o = mu_o",
    positive=True,
)
eps_p = Quantity(
    "target_misassignment",
    "eps_p",
    (TAU, DELTA),
    plane(p_old * s_new),
    _misassignment(tau, delta),
    "misassignment of the old mode by the target, E_{p_o}[s_n]",
    positive=True,
)
leak_q = Quantity(
    "learner_leakage",
    "leak_q",
    LEARNER,
    plane(q_new * r_old.subs(correct)),
    sp.exp(phi) * _misassignment(phi, delta_q),
    "old responsibility of the learner under its new component, E_{q_n}[r_o], at m_o = mu_o",
    positive=True,
)
leak_p = Quantity(
    "target_leakage",
    "leak_p",
    (TAU, DELTA, NEW_MEAN_ALONG),
    plane(normal_plane(new_mean_along, sp.S.Zero) * s_old),
    sp.exp(tau / 2 + 3 * delta**2 / 8 - delta * new_mean_along / 2)
    * S(tau + delta**2 - delta * new_mean_along, delta)
    / 2,
    "old responsibility of the target under the learner's new component, E_{q_n}[s_o]",
    positive=True,
)


def _overlap_pull(axis: int) -> Expr:
    """(f): the restoring force and the overlap terms, one coordinate of the gradient."""
    return beta * (
        old_mean[axis]
        + eps_q(phi, *between) * between[axis]
        - (1 - leak_p(tau, delta, old_mean_along)) * new_mode[axis]
    )


def _new_pull(axis: int) -> Expr:
    """(d): one coordinate of the gradient in the new mean."""
    return (1 - beta) * (
        (new_mean[axis] - new_mode[axis])
        - leak_q.head * new_mean[axis]
        + leak_p.head * new_mode[axis]
    )


def _old_pull(axis: int) -> Expr:
    """(a): the same at m_o = mu_o, where nothing cancels."""
    return beta * (eps_q.head * new_mean[axis] - eps_p.head * new_mode[axis])


AXES = ("along", "across")


def _at_correct(gradient: Expr) -> Expr:
    """At m_o = mu_o; carried out when a proof asks, not when the quantity is declared."""
    return sp.Subs(gradient, tuple(correct), tuple(correct.values()))


def _coordinates(
    name: str,
    symbol: str,
    parameters: tuple[Parameter, ...],
    gradient: Callable[[int], Expr],
    formula: Callable[[int], Expr],
    text: str,
) -> tuple[Quantity, ...]:
    """The coordinates of a gradient; the lanes that start from the definition measure vectors."""
    return tuple(
        Quantity(
            f"{name}_{way}",
            f"{symbol}_{way}",
            parameters,
            gradient(axis),
            formula(axis),
            f"whitened gradient of the reverse KL in {text}, {way} mu_n - mu_o",
            exempt={
                "precise": "measured at m_o = mu_o only, as a vector",
                "monte_carlo": "estimated at m_o = mu_o only, as a vector",
            },
        )
        for axis, way in enumerate(AXES)
    )


drift = _coordinates(
    "free_old_mean_gradient",
    "drift",
    ALL_FREE,
    lambda axis: sp.Derivative(objective, old_mean[axis]),
    _overlap_pull,
    "the old mean, at any m_o",
)
drift_of_old = _coordinates(
    "old_mean_gradient",
    "drift_old",
    NEW_FREE,
    lambda axis: _at_correct(sp.Derivative(objective, old_mean[axis])),
    _old_pull,
    "the old mean, at m_o = mu_o",
)
drift_of_new = _coordinates(
    "new_mean_gradient",
    "drift_new",
    NEW_FREE,
    lambda axis: _at_correct(sp.Derivative(objective, new_mean[axis])),
    _new_pull,
    "the new mean, at m_o = mu_o",
)


def _vector(name: str, symbol: str, coordinates: tuple[Quantity, ...], text: str) -> Quantity:
    return Quantity(
        name,
        symbol,
        NEW_FREE,
        sp.Tuple(*(each.head for each in coordinates)),
        sp.Tuple(*(each.formula for each in coordinates)),
        f"whitened gradient of the reverse KL in {text} at m_o = mu_o (along, across)",
    )


drift_old = _vector("old_mean_gradient", "drift_old", drift_of_old, "the old mean")
drift_new = _vector("new_mean_gradient", "drift_new", drift_of_new, "the new mean")
