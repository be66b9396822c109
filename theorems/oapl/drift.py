r"""Part (c): the gradient of the loss in a correct old mean, at the reference.

On the line the first axis of the plane runs against y: along \mu_n - \mu_o means along -y.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR, old_mean
from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Divergence,
    Expr,
    Link,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import (
    delta,
    line,
    normal,
    p_o,
    y,
    z,
)
from theorems.oapl.quantities import (
    at_correct,
    free_policy,
    grad_old_OAPL,
    offset,
    regression,
    soft,
    temperature,
)
from theorems.oapl.support import any_share
from theorems.ttt_discover.drift import SOFT_OVERLAP, SOFT_OVERLAP_BOUND
from theorems.ttt_discover.quantities import gap, q_ref, reference_weight

_minus = sp.S.NegativeOne
_along = delta / 2 - y  # y - mu_o, along mu_n - mu_o
_weight = 2 * temperature * reference_weight

# (c) at the reference

BASELINE_DROPS = identity(
    "oapl.c.baseline_drops",
    "The reference's score has mean 0, so V* drops out of the gradient.",
    line(q_ref * sp.diff(sp.log(free_policy), old_mean).subs(at_correct)),
    sp.S.Zero,
    by_algebra("mean of y - mu_o under the old mode", sp.S.Zero),
    source="reconstructed",
)


def _slope(part: str, value: Expr) -> Claim:
    """Minus the derivative of the loss in y's direction, at the reference, for a reward v."""
    loss = regression(free_policy, value, offset)
    rises = -sp.diff(value, y)  # along mu_n - mu_o
    right = -_weight * line(p_o * rises)
    return identity(
        f"oapl.c.slope{part}",
        "At the reference the gradient of the loss in the old mean is -2T alpha_0 E_{p_o}[grad v], "
        "along mu_n - mu_o.",
        -sp.diff(loss, old_mean).subs(at_correct),
        right,
        (
            Link(
                "differentiate under the integral; V* drops out",
                -_weight * line(p_o * value * _along),
                Algebra(),
            ),
            Link(
                "integrate by parts (Stein)",
                right,
                Divergence(((y, -_weight * p_o * value),), (y,)),
            ),
        ),
        box=NEAR,
        source="reconstructed",
    )


SLOPE_OF_ANY = _slope("_of_any", gap * any_share)
GRADIENT = identity(
    "oapl.c.gradient",
    "For the soft reward v = -G s_o it is -2T alpha_0 G delta ((1 - alpha)/alpha) E_{p_n}[s_o^2].",
    grad_old_OAPL.head,
    grad_old_OAPL.formula,
    (
        Link(
            "differentiate under the integral; V* drops out",
            _weight * gap * line(p_o * soft * _along),
            Algebra((grad_old_OAPL,)),
        ),
        Link(
            "integrate by parts (Stein)",
            -_weight * gap * delta * line(p_o * soft * (1 - soft)),
            Divergence(((y, _weight * gap * p_o * soft),), (y,)),
        ),
        Link(
            "balance",
            grad_old_OAPL.formula,
            Combination((Use(SOFT_OVERLAP, times=-_weight * gap * delta),)),
        ),
    ),
    source="reconstructed",
)
ACROSS = identity(
    "oapl.c.across",
    "E_{p_o}[(1 + x) s_o] = E_{p_o}[s_o] for any coordinate x across mu_n - mu_o: the reward does "
    "not depend on x, which has mean 0, so the gradient vanishes across.",
    line(p_o * soft) * line(normal(z) * (1 + z), z),
    line(p_o * soft),
    by_algebra("mean of a normal", line(p_o * soft)),
    source="reconstructed",
)
TOWARDS = bound(
    "oapl.c.towards_new",
    "It is negative: descent pulls the old mean straight towards the new mode.",
    grad_old_OAPL.head,
    "<",
    sp.S.Zero,
    (
        Link("the gradient", grad_old_OAPL.formula, Combination((Use(GRADIENT),))),
        Link("a positive mean", sp.S.Zero, Combination(remainder=-grad_old_OAPL.formula), "<"),
    ),
    kind="sign",
    source="reconstructed",
)
_size = _weight * gap * delta * SOFT_OVERLAP_BOUND.right
SIZE = bound(
    "oapl.c.size",
    "Its size is at most (3 sqrt(3)/8) T alpha_0 G delta sqrt((1 - alpha)/alpha) e^(-delta^2/8).",
    -grad_old_OAPL.head,
    "<=",
    _size,
    (
        Link("the gradient", -grad_old_OAPL.formula, Combination((Use(GRADIENT, times=_minus),))),
        Link(
            "the overlap of the soft labels",
            _size,
            Combination((Use(SOFT_OVERLAP_BOUND, times=_weight * gap * delta),)),
            "<=",
        ),
    ),
    source="reconstructed",
)

CLAIMS = (BASELINE_DROPS, SLOPE_OF_ANY, GRADIENT, ACROSS, TOWARDS, SIZE)
