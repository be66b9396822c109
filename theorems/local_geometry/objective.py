r"""R and its gradient with the weight and both means free on the line, in terms of A and S."""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Substitution,
    Use,
    by_algebra,
    identity,
)
from theorems.local_geometry.quantities import (
    NAMES,
    NEW_MEAN,
    OLD_MEAN,
    TARGET,
    R_free,
    distance,
    ell_new,
    ell_old,
    gradient,
    learner,
    log_ratio,
    new_mean,
    old_mean,
    q_new,
    q_old,
    theta,
)
from theorems.mixture import (
    along,
    alpha,
    beta,
    c,
    delta,
    line,
    new_mean_across,
    new_mean_along,
    normal,
    phi,
    tau,
    y,
    z,
)
from theorems.old_drift.gradient import OLD_MEAN_GRADIENT
from theorems.old_drift.plane import drift, old_mean_across, old_mean_along
from theorems.overlap.quantities import A

SOURCE = "reconstructed"
NEAR = {
    OLD_MEAN: (-sp.Rational(1, 2), sp.Rational(1, 2)),
    NEW_MEAN: (sp.Integer(2), sp.Integer(4)),
}


def softplus(x: Expr) -> Expr:
    """log(1 + e^x)."""
    return sp.log(1 + sp.exp(x))


# means of softplus are A

_gap = new_mean - old_mean
_signed, _modulus = c + _gap * z - _gap**2 / 2, c + distance * z - _gap**2 / 2
SOFTPLUS_LAW = identity(
    "local_geometry.a.law",
    "E[log(1 + e^(c + L))] with L ~ N(-D^2/2, D^2), D = m_n - m_o of either sign, is A(c, |D|).",
    line(normal(z) * softplus(_signed), z),
    A(c, distance),
    (
        Link(
            "a multiple of a centred normal has the law of its modulus",
            line(normal(z) * softplus(_modulus), z),
            Cited(
                "a centred normal law is fixed by its variance",
                (
                    identity(
                        "local_geometry.a.same_variance",
                        "D z and |D| z have the same variance.",
                        line(normal(z) * (_gap * z) ** 2, z),
                        line(normal(z) * (distance * z) ** 2, z),
                        by_algebra("|D|^2 = D^2", line(normal(z) * (distance * z) ** 2, z)),
                    ),
                ),
            ),
        ),
        Link(
            "shift by half the distance",
            line(normal(z + distance / 2) * softplus(c + distance * z), z),
            Substitution(z, z, z + distance / 2),
        ),
        Link("definition", A(c, distance), Algebra((A,))),
    ),
    box=NEAR,
    source=SOURCE,
)


def _log_ratio(new: bool) -> Claim:
    """E[log q/p_alpha] under one component: its own log-density and weight come out, the softplus
    of either log-ratio to the other component stays."""
    name, sign = ("new", 1) if new else ("old", -1)
    ell, density, mean = (ell_new, q_new, new_mean) if new else (ell_old, q_old, old_mean)
    weights = (1 - beta) / (1 - alpha) if new else beta / alpha
    own = sp.log(weights) + (new_mean - delta if new else old_mean) ** 2 / 2
    of_learner = sign * (phi + (new_mean**2 - old_mean**2) / 2 - _gap * along)
    of_target = sign * (tau + delta**2 / 2 - delta * along)
    centred = line(normal(z) * softplus(_signed.subs(c, sign * phi)), z)
    shift = tau + delta * (delta - new_mean) if new else -tau + delta * old_mean

    def seen(variable: Expr, at: Expr) -> Expr:
        return line(normal(at) * softplus(shift + delta * (at - delta / 2)), variable)

    return identity(
        f"local_geometry.a.log_ratio_{name}",
        f"E[log q/p_alpha] under the learner's {name} component, at any means: the weights, the "
        "distance of the component from its mode, and A of learner and target.",
        ell.head,
        ell.formula,
        (
            Link(
                "take the component out of each logarithm",
                own
                + line(density * softplus(of_learner), along)
                - line(density * softplus(of_target), along),
                Algebra((ell,)),
            ),
            Link(
                "both as seen from the component's mean",
                own + centred - seen(z, z),
                Substitution(along, z, mean - sign * z),
            ),
            Link("rename", own + centred - seen(y, y), Algebra()),
            Link(
                "the target's from the midpoint of its modes",
                own + centred - seen(y, y + delta / 2),
                Substitution(y, y, y + delta / 2),
            ),
            Link(
                "both are A",
                ell.formula,
                Combination((Use(SOFTPLUS_LAW, {c: sign * phi}),), unfold=(A,)),
            ),
        ),
        box=NEAR,
        source=SOURCE,
    )


LOG_RATIO = (_log_ratio(new=False), _log_ratio(new=True))
OBJECTIVE = identity(
    "local_geometry.a.objective",
    "R = beta E_{q_o}[log q/p_alpha] + (1 - beta) E_{q_n}[log q/p_alpha].",
    R_free.head,
    R_free.formula,
    by_algebra("q = beta q_o + (1 - beta) q_n", R_free.formula, R_free, ell_old, ell_new),
    box=NEAR,
    source=SOURCE,
)
WEIGHT_SLOPE = identity(
    "local_geometry.a.weight_slope",
    "dR/dphi = beta (1 - beta) times the difference of E[log q/p_alpha] under both components.",
    gradient[0].head,
    gradient[0].formula,
    (
        Link(
            "differentiate under the integral",
            line(sp.diff(learner, phi) * (log_ratio + 1), along),
            Algebra((gradient[0],)),
        ),
        Link(
            "dq/dphi = beta (1 - beta)(q_o - q_n), of integral 0",
            gradient[0].formula,
            Algebra((ell_old, ell_new)),
        ),
    ),
    box=NEAR,
    source=SOURCE,
)


def _mean_slope(new: bool) -> Claim:
    """The plane's gradient in the old mean, at means on the line; labels swapped for the new."""
    slope = gradient[2 if new else 1]
    at = dict(zip((old_mean_along, new_mean_along), (old_mean, new_mean), strict=True))
    at |= {old_mean_across: sp.S.Zero, new_mean_across: sp.S.Zero}
    if new:
        at |= {phi: -phi, old_mean_along: new_mean, new_mean_along: old_mean}
    plane = drift[0].head.subs(at, simultaneous=True)
    name = "new" if new else "old"
    return identity(
        f"local_geometry.a.{name}_slope",
        f"The derivative of R in m_{name[0]} is a restoring force plus overlap terms.",
        slope.head,
        slope.formula,
        (
            Link(
                "what lies across integrates out" + (", the labels swapped" if new else ""),
                plane,
                Algebra((slope, drift[0])),
            ),
            Link(
                "the gradient in the plane",
                slope.formula,
                Combination((Use(OLD_MEAN_GRADIENT[0], at),)),
            ),
        ),
        box=NEAR,
        source=SOURCE,
    )


MEAN_SLOPES = (_mean_slope(new=False), _mean_slope(new=True))
AT_TARGET = (
    identity(
        "local_geometry.a.least",
        "R = 0 at the target.",
        R_free(tau, tau, delta, *TARGET[1:]),
        sp.S.Zero,
        by_algebra("log 1 = 0", sp.S.Zero, R_free),
        source=SOURCE,
    ),
    *(
        identity(
            f"local_geometry.a.rest_{name}",
            f"At the target the derivative of R in {variable} vanishes.",
            slope(tau, tau, delta, *TARGET[1:]),
            sp.S.Zero,
            by_algebra("log 1 = 0, and the components keep their mass", sp.S.Zero, slope),
            source=SOURCE,
        )
        for name, variable, slope in zip(NAMES, theta, gradient, strict=True)
    ),
)

CLAIMS = (*LOG_RATIO, OBJECTIVE, WEIGHT_SLOPE, *MEAN_SLOPES, *AT_TARGET)
