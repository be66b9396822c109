r"""Parts (a) and (b): why a line is enough, the law of the log-ratio, and closed forms."""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Expr, Link, Parameter, by_algebra, identity
from theorems.mixture import (
    L,
    across,
    along,
    delta,
    line,
    new_mean_across,
    new_mean_along,
    normal,
    p_n,
    p_o,
    y,
)
from theorems.overlap.quantities import BC, KL_components, chi2, decay

_REALS = sp.Interval(-sp.oo, sp.oo)
_POSITIVE = sp.Interval.open(0, sp.oo)
_cholesky_first, _cholesky_second = sp.symbols("cholesky_first cholesky_second", positive=True)
_cholesky_below, _rest = sp.symbols("cholesky_below rest", real=True)
GEOMETRY = (
    Parameter("along", along, _REALS, (sp.Integer(-3), sp.Integer(3)), "first plane coordinate"),
    Parameter("across", across, _REALS, (sp.Integer(-3), sp.Integer(3)), "second plane coordinate"),
    Parameter(
        "rest",
        _rest,
        _REALS,
        (sp.Integer(0), sp.Integer(4)),
        "whitened distance of a point of R^d from the plane through the means",
    ),
    Parameter(
        "cholesky_first",
        _cholesky_first,
        _POSITIVE,
        (sp.Rational(1, 4), sp.Integer(4)),
        "first diagonal entry of the Cholesky factor of Sigma",
    ),
    Parameter(
        "cholesky_below",
        _cholesky_below,
        _REALS,
        (sp.Integer(-3), sp.Integer(3)),
        "entry below the diagonal of the Cholesky factor of Sigma",
    ),
    Parameter(
        "cholesky_second",
        _cholesky_second,
        _POSITIVE,
        (sp.Rational(1, 4), sp.Integer(4)),
        "second diagonal entry of the Cholesky factor of Sigma",
    ),
)

# (a) the log-ratio

_cholesky = sp.Matrix([[_cholesky_first, 0], [_cholesky_below, _cholesky_second]])
_whitened = sp.Matrix([along, across])
_vector = _cholesky * _whitened
_squared_distance = along**2 + across**2 + _rest**2
_squared_distance_moved = (along - new_mean_along) ** 2 + (across - new_mean_across) ** 2 + _rest**2

WHITENING = identity(
    "overlap.a.whitening",
    "The norm of Sigma^-1 is Euclidean in whitened coordinates: v = C x has v' Sigma^-1 v = x' x "
    "for the Cholesky factor C of Sigma (two coordinates shown).",
    (_vector.T * (_cholesky * _cholesky.T).inv() * _vector)[0],
    (_whitened.T * _whitened)[0],
    by_algebra("cancel the factors", (_whitened.T * _whitened)[0]),
    source="reconstructed",
)
PLANE = identity(
    "overlap.a.plane",
    "The log-ratio of two unit normals does not see the coordinates orthogonal to the plane of "
    "their means, in any dimension: it is affine in two coordinates.",
    sp.log(sp.exp(-_squared_distance_moved / 2) / sp.exp(-_squared_distance / 2)),
    along * new_mean_along
    + across * new_mean_across
    - (new_mean_along**2 + new_mean_across**2) / 2,
    by_algebra(
        "expand the squares",
        along * new_mean_along
        + across * new_mean_across
        - (new_mean_along**2 + new_mean_across**2) / 2,
    ),
    source="reconstructed",
)
AFFINE = identity(
    "overlap.a.affine",
    "The log-ratio L = log p_o/p_n is delta times the coordinate along the means, "
    "with its zero midway.",
    sp.log(p_o / p_n),
    L,
    by_algebra("expand the squares", L),
    source="reconstructed",
)


def _law(mean: Expr) -> Expr:
    """The density of N(mean, delta^2) at L."""
    return sp.exp(-((L - mean) ** 2) / (2 * delta**2)) / sp.sqrt(2 * sp.pi * delta**2)


LAW_OLD = identity(
    "overlap.a.law_old",
    "Under the old mode L is N(delta^2/2, delta^2): its density is that of y over dL/dy = delta.",
    p_o / delta,
    _law(delta**2 / 2),
    by_algebra("change of variables y -> L", _law(delta**2 / 2)),
    source="reconstructed",
)
LAW_NEW = identity(
    "overlap.a.law_new",
    "Under the new mode L is N(-delta^2/2, delta^2).",
    p_n / delta,
    _law(-(delta**2) / 2),
    by_algebra("change of variables y -> L", _law(-(delta**2) / 2)),
    source="reconstructed",
)

# (b) closed forms

MIDPOINT = identity(
    "overlap.b.midpoint",
    "The geometric mean of the modes is e^(-delta^2/8) times the density midway between them.",
    sp.sqrt(p_o * p_n),
    decay * normal(y),
    by_algebra("complete the square", decay * normal(y)),
    source="reconstructed",
)
BHATTACHARYYA = identity(
    "overlap.b.bhattacharyya",
    "The Bhattacharyya coefficient is e^(-delta^2/8).",
    BC.head,
    decay,
    (
        Link("complete the square", line(decay * normal(y)), Algebra((BC,))),
        Link("the density integrates to 1", decay, Algebra()),
    ),
    source="reconstructed",
)
COMPONENT_KL = identity(
    "overlap.b.component_kl",
    "KL(p_n || p_o) = delta^2/2.",
    KL_components.head,
    delta**2 / 2,
    (
        Link("the log-ratio is affine", line(-L * p_n), Algebra((KL_components,))),
        Link("mean of L", delta**2 / 2, Algebra()),
    ),
    source="reconstructed",
)
COMPONENT_KL_SWAPPED = identity(
    "overlap.b.component_kl_swapped",
    "KL(p_o || p_n) = delta^2/2 as well.",
    line(p_o * sp.log(p_o / p_n)),
    delta**2 / 2,
    (
        Link("the log-ratio is affine", line(L * p_o), Algebra()),
        Link("mean of L", delta**2 / 2, Algebra()),
    ),
    source="reconstructed",
)
CHI_SQUARED = identity(
    "overlap.b.chi_squared",
    "The chi-squared divergence of the old mode from the new one is e^(delta^2) - 1.",
    chi2.head,
    sp.exp(delta**2) - 1,
    (
        Link(
            "complete the square",
            line(sp.exp(delta**2) * normal(y, 3 * delta / 2)) - 1,
            Algebra((chi2,)),
        ),
        Link("the density integrates to 1", sp.exp(delta**2) - 1, Algebra()),
    ),
    source="reconstructed",
)

CLAIMS = (
    WHITENING,
    PLANE,
    AFFINE,
    LAW_OLD,
    LAW_NEW,
    MIDPOINT,
    BHATTACHARYYA,
    COMPONENT_KL,
    COMPONENT_KL_SWAPPED,
    CHI_SQUARED,
)
