r"""What replay under forward KL speaks of: old data mixed into the denominator, or the numerator.

A fraction \lambda of old data makes the learner's weight \beta the weight
b = \lambda + (1 - \lambda)\beta of a mixture, whose odds are (\lambda + e^\phi)/(1 - \lambda).
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import (
    KL_forward,
    kl_from_new,
    learner,
    new_mean,
    old_mean,
)
from theorems.language import Expr, Parameter, Quantity
from theorems.mixture import DELTA, PHI, beta, delta, line, mix, p_o, phi, q
from theorems.overlap.quantities import E2, kappa
from theorems.reverse_kl.quantities import KL_reverse

SOURCE = "reconstructed"
replay = sp.Symbol("replay", positive=True)
REPLAY = Parameter(
    "replay",
    replay,
    sp.Interval.open(0, 1),
    (sp.Rational(1, 16), sp.Rational(15, 16)),
    "fraction of replayed old data",
    typical=sp.Rational(1, 4),
)
SHARED = (replay < 1,)  # a symbol knows that it is positive, not that it is below 1


def mixed(density: Expr, share: Expr = replay) -> Expr:
    """A density with a share of old data in it."""
    return mix(share, p_o, density)


def mixed_weight(share: Expr = replay) -> Expr:
    """The effective weight b of the old mode."""
    return share + (1 - share) * beta


def mixed_logit(share: Expr = replay) -> Expr:
    """The logit of the effective weight."""
    return sp.log((share + sp.exp(phi)) / (1 - share))


share_logit = sp.log(replay / (1 - replay))  # of the replayed fraction as an old weight
b = mixed_weight()
logit_b = mixed_logit()

_correct = {old_mean: delta / 2, new_mean: -delta / 2}


def _along(objective: Expr) -> Expr:
    """The component along mu_n - mu_o, against the line's axis, at correct means."""
    return -sp.Derivative(objective, old_mean).subs(_correct)


def kl_from_replayed(density: Expr) -> Expr:
    """KL((1 - lambda) p_n + lambda p_o || density) on the line."""
    data = mix(replay)
    return line(data * sp.log(data / density))


KL_denominator = Quantity(
    "denominator_objective",
    "KL_denominator",
    (PHI, DELTA, REPLAY),
    kl_from_new(mixed(q)),
    KL_forward(logit_b, delta),
    "forward KL on new data from the learner mixed with old data",
)
dKL_denominator = Quantity(
    "denominator_gradient",
    "dKL_denominator",
    (PHI, DELTA, REPLAY),
    sp.Derivative(KL_denominator.definition, phi),
    beta * kappa(logit_b, delta),
    "derivative in the logit phi with replay in the denominator",
)
grad_old_denominator = Quantity(
    "denominator_old_mean_gradient",
    "grad_old_denominator",
    (PHI, DELTA, REPLAY),
    _along(kl_from_new(mixed(learner()))),
    -delta * (1 - replay) * beta / b * E2(logit_b, delta),
    "component along mu_n - mu_o of the gradient in the old mean, replay in the denominator",
)
KL_numerator = Quantity(
    "numerator_objective",
    "KL_numerator",
    (PHI, DELTA, REPLAY),
    kl_from_replayed(q),
    KL_reverse(share_logit, phi, delta),
    "forward KL from new data with replayed old data among them",
)
dKL_numerator = Quantity(
    "numerator_gradient",
    "dKL_numerator",
    (PHI, DELTA, REPLAY),
    sp.Derivative(KL_numerator.definition, phi),
    (beta - replay) * kappa.head,
    "derivative in the logit phi with replay in the numerator",
)
grad_old_numerator = Quantity(
    "numerator_old_mean_gradient",
    "grad_old_numerator",
    (PHI, DELTA, REPLAY),
    _along(kl_from_replayed(learner())),
    -delta * (1 - replay / beta) * E2.head,
    "component along mu_n - mu_o of the gradient in the old mean, replay in the numerator",
)

QUANTITIES = (
    KL_denominator,
    dKL_denominator,
    grad_old_denominator,
    KL_numerator,
    dKL_numerator,
    grad_old_numerator,
)
