r"""False variants of the local geometry, each with a witness."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from theorems.language import Claim, Control, Expr, Parameter, Path, Relation
from theorems.local_geometry import (
    blocks,
    condition,
    descent,
    fisher,
    flow,
    forms,
    hessian,
    objective,
    rayleigh,
    spectrum,
)
from theorems.local_geometry.eigenvalues import MATRIX, form_of_three, matrix, square
from theorems.local_geometry.quantities import (
    DIRECTIONS,
    NEW_MEAN,
    OLD_MEAN,
    H_phi,
    R_free,
    U,
    W,
    across_entries,
    along_entries,
    gradient,
    lambda_max,
    lambda_min,
    new_mean,
    old_mean,
    spread,
)
from theorems.mixture import DELTA, PHI, TAU, alpha, beta, delta, tau
from theorems.overlap.quantities import decay, eps_o, kappa
from theorems.reverse_kl.quantities import kl_bernoulli

_LEARNER = {
    PHI: sp.Rational(3, 10),
    OLD_MEAN: sp.Rational(1, 10),
    NEW_MEAN: sp.Rational(16, 5),
}
_GENERIC = {TAU: sp.Rational(-3, 5), DELTA: sp.Integer(2)}
_U, _W = DIRECTIONS[:3], DIRECTIONS[3:5]


def _false(
    slug: str,
    text: str,
    of: Iterable[Claim | Path],
    sides: tuple[Expr, Relation, Expr],
    hint: dict[Parameter, Expr],
) -> Control:
    """A control that fails at its hint."""
    id, (left, relation, right) = f"local_geometry.control.{slug}", sides
    variant = Claim(id, text, left, relation, right, "bound")
    return Control(id, text, tuple(claim.id for claim in of), variant, hint)


def _direction(parameters: tuple[Parameter, ...], *values: int) -> dict[Parameter, Expr]:
    return dict(zip(parameters, map(sp.Integer, values), strict=True))


_off = [pair for pair in along_entries if pair != (0, 0)]
_matrix = dict(zip(MATRIX, map(sp.Integer, (2, 1, 0, 1, 1, 0)), strict=True))
_half_size = sum(slope.head**2 for slope in gradient) / 2

CONTROLS = (
    _false(
        "size_one",
        "In operator norm D - H is at most (1/2) sqrt(alpha (1 - alpha)) e^(-delta^2/8): 1 for "
        "max(2, 1 + delta^2/2).",
        (forms.TAKEN_FORM, forms.SIZE_ALONG, forms.BELOW, spectrum.LOWER),
        (
            forms.plain_along - forms.form_along,
            "<=",
            sp.sqrt(spread) / 2 * decay * square(U),
        ),
        {TAU: sp.S.Zero, DELTA: sp.S.One, **_direction(_U, 0, 1, -1)},
    ),
    _false(
        "size_one_across",
        "The same across.",
        (forms.TAKEN_FORM_ACROSS, forms.SIZE_ACROSS, forms.BELOW_ACROSS),
        (
            forms.plain_across - forms.form_across,
            "<=",
            sp.sqrt(spread) / 2 * decay * square(W),
        ),
        {TAU: sp.S.Zero, DELTA: sp.S.One, **_direction(_W, 1, -1)},
    ),
    _false(
        "twice_the_rate",
        "The objective falls at twice the rate: |grad R|^2/2 >= 2 lambda_min R.",
        (
            *descent.CLAIMS,
            *flow.LINEARISED,
            *flow.EIGENVECTOR,
            flow.DECAY,
            flow.NEARER,
            flow.LINEAR_DECAY,
            flow.SLOWEST,
        ),
        (2 * lambda_min.head * R_free.head, "<=", _half_size),
        {**_LEARNER, TAU: sp.S.Zero, DELTA: sp.Integer(3)},
    ),
    _false(
        "no_overlap",
        "H_phiphi = alpha (1 - alpha).",
        (hessian.FISHER[0, 0], hessian.TAKEN[0, 0], hessian.ENTRY[0, 0], hessian.WEIGHT_CURVATURE),
        (H_phi.head, "=", spread),
        _GENERIC,
    ),
    _false(
        "weight_apart",
        "The weight and the old mean do not mix: H is D off the diagonal.",
        (
            *(hessian.FISHER[pair] for pair in _off),
            *(hessian.TAKEN[pair] for pair in _off),
            *(hessian.ENTRY[pair] for pair in _off),
        ),
        (along_entries[0, 1].head, "=", sp.S.Zero),
        _GENERIC,
    ),
    _false(
        "pull_apart",
        "Across, misassignment couples both means with a minus: -alpha eps_o.",
        (*(claim for claims in hessian.ACROSS.values() for claim in claims), *hessian.MISASSIGNED),
        (across_entries[1, 2].head, "=", -alpha * eps_o(tau, delta)),
        _GENERIC,
    ),
    _false(
        "labelled",
        "R is the divergence of the labelled pairs, as if nothing were misassigned.",
        (*objective.LOG_RATIO, objective.OBJECTIVE),
        (
            R_free.head,
            "=",
            kl_bernoulli + beta * old_mean**2 / 2 + (1 - beta) * (new_mean - delta) ** 2 / 2,
        ),
        {**_LEARNER, **_GENERIC},
    ),
    _false(
        "restoring_force_alone",
        "The derivative of R in m_o is beta m_o: no overlap terms.",
        (objective.WEIGHT_SLOPE, hessian.DECOUPLED, *objective.MEAN_SLOPES),
        (gradient[1].head, "=", beta * old_mean),
        {**_LEARNER, **_GENERIC},
    ),
    _false(
        "weight_alone",
        "R = 0 wherever the weight is the target's.",
        objective.AT_TARGET,
        (R_free(tau, tau, delta, old_mean, new_mean), "=", sp.S.Zero),
        {**_LEARNER, **_GENERIC},
    ),
    _false(
        "mean_eigenvalue",
        "The mean eigenvalue bounds the quadratic form from below.",
        rayleigh.CLAIMS,
        (
            sum(matrix[k] for k in (0, 3, 5)) / 3 * square(U),
            "<=",
            form_of_three(matrix, U),
        ),
        {**_matrix, **_direction(_U, 0, 0, 1)},
    ),
    _false(
        "weight_is_slowest",
        "The slowest direction is the weight's: lambda_min = alpha (1 - alpha) kappa.",
        (
            *blocks.CLAIMS,
            spectrum.ALONG_BELOW,
            spectrum.SMALLEST,
            spectrum.UPPER_ALONG,
            spectrum.UPPER,
            spectrum.LEAST,
            spectrum.LEAST_ACROSS,
        ),
        (lambda_min.head, "=", spread * kappa(tau, delta)),
        _GENERIC,
    ),
    _false(
        "degenerate",
        "Close modes leave a direction without curvature: lambda_min <= 0.",
        (
            *fisher.CLAIMS,
            spectrum.POSITIVE,
        ),
        (lambda_min.head, "<=", sp.S.Zero),
        {TAU: sp.S.Zero, DELTA: sp.Rational(1, 2)},
    ),
    _false(
        "stiffest_undiminished",
        "lambda_max = max(alpha, 1 - alpha) at every distance.",
        (
            forms.NOT_NEGATIVE,
            forms.NOT_NEGATIVE_ACROSS,
            forms.ABOVE,
            forms.ABOVE_ACROSS,
            *condition.CLAIMS,
        ),
        (lambda_max.head, "=", forms.larger),
        _GENERIC,
    ),
)
