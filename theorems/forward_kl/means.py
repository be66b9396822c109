"""Part (e): the gradient of F in the old mean, and where F vanishes with every mean free."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import (
    MINUS,
    NEAR,
    SOURCE,
    KL_free,
    entropy,
    grad_old_forward,
    kl_from_new,
    learner,
    new_mean,
    old_mean,
)
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Divergence,
    Link,
    Parameter,
    Use,
    by_algebra,
    identity,
)
from theorems.mixture import beta, delta, line, mix, normal, p_n, phi, r_n, r_o, y, z
from theorems.overlap.bounds import CLASSICAL_NEW, S_EITHER_BOUND
from theorems.overlap.identities import EPS_NEW_FORMULA
from theorems.overlap.quantities import E2, decay, eps_n

_old_rest, _new_rest = sp.symbols("old_rest new_rest", positive=True)
_DENSITIES = (sp.Rational(1, 8), sp.Integer(4))
OLD_REST = Parameter(
    "old_rest",
    _old_rest,
    sp.Interval.open(0, sp.oo),
    _DENSITIES,
    "density of the remaining coordinates under the learner's old component",
)
NEW_REST = Parameter(
    "new_rest",
    _new_rest,
    sp.Interval.open(0, sp.oo),
    _DENSITIES,
    "density of the remaining coordinates under the learner's new component",
)
_pulled = beta * normal(y, old_mean) / learner() * (y - old_mean)

SCORE = identity(
    "forward_kl.e.score",
    "In each whitened coordinate of R^d: d log q/dm_o = r_o (y - m_o), whatever the others hold.",
    sp.diff(sp.log(learner(_old_rest, _new_rest)), old_mean),
    beta * normal(y, old_mean) * _old_rest / learner(_old_rest, _new_rest) * (y - old_mean),
    by_algebra(
        "differentiate the logarithm",
        beta * normal(y, old_mean) * _old_rest / learner(_old_rest, _new_rest) * (y - old_mean),
    ),
    source=SOURCE,
)
MEAN_GRADIENT = identity(
    "forward_kl.e.mean_gradient",
    "At any means dF/dm_o = -E_{p_n}[r_o (y - m_o)].",
    sp.diff(KL_free, old_mean),
    -line(p_n * _pulled),
    by_algebra("differentiate under the integral", -line(p_n * _pulled)),
    box=NEAR,
    source=SOURCE,
)
OLD_MEAN_GRADIENT = identity(
    "forward_kl.e.old_mean_gradient",
    "At correct means the gradient is -(mu_n - mu_o) E_{p_n}[r_o^2] in whitened coordinates.",
    grad_old_forward.head,
    -delta * E2.head,
    (
        Link(
            "differentiate under the integral",
            line(p_n * r_o * (y - delta / 2)),
            Algebra((grad_old_forward,)),
        ),
        Link(
            "integrate by parts, dr_o/dy = delta r_o r_n",
            line(p_n * r_o * (delta * r_n - delta)),
            Divergence(((y, -p_n * r_o),), (y,)),
        ),
        Link("r_n = 1 - r_o", -delta * E2.head, Algebra((E2,))),
    ),
    source=SOURCE,
)
ACROSS = identity(
    "forward_kl.e.across",
    "E_{p_n}[r_o (1 + x)] = E_{p_n}[r_o] for any coordinate x across mu_n - mu_o: r_o does not "
    "depend on x, which has mean 0, so the gradient vanishes across.",
    line(p_n * r_o) * line(normal(z) * (1 + z), z),
    eps_n.head,
    by_algebra("mean of a normal", eps_n.head, eps_n),
    box=NEAR,
    source=SOURCE,
)
PULL = Claim(
    "forward_kl.e.pull",
    "The component along mu_n - mu_o is negative: descent pulls the old mean straight towards the "
    "new mode.",
    grad_old_forward.head,
    "<",
    sp.S.Zero,
    "sign",
    (
        Link("the gradient", -delta * E2.head, Combination((Use(OLD_MEAN_GRADIENT),))),
        Link("a positive mean", sp.S.Zero, Combination(remainder=delta * E2.head), "<"),
    ),
    source=SOURCE,
)
LEAKAGE_SIZE = Claim(
    "forward_kl.e.leakage_size",
    "The size of the gradient is below delta eps_n.",
    -grad_old_forward.head,
    "<",
    delta * eps_n.head,
    "bound",
    (
        Link("the gradient", delta * E2.head, Combination((Use(OLD_MEAN_GRADIENT, times=MINUS),))),
        Link(
            "r_o^2 < r_o",
            delta * eps_n.head,
            Combination(remainder=delta * line(p_n * r_o * r_n), unfold=(E2, eps_n)),
            "<",
        ),
    ),
    source=SOURCE,
)
CLASSICAL_SIZE = Claim(
    "forward_kl.e.classical_size",
    "The size of the gradient is below (1/2) sqrt(beta/(1 - beta)) delta e^(-delta^2/8).",
    -grad_old_forward.head,
    "<",
    sp.exp(phi / 2) * delta * decay / 2,
    "bound",
    (
        Link("leakage", delta * eps_n.head, Combination((Use(LEAKAGE_SIZE),)), "<"),
        Link(
            "leakage is at most half the overlap",
            sp.exp(phi / 2) * delta * decay / 2,
            Combination((Use(CLASSICAL_NEW, times=delta),)),
            "<=",
        ),
    ),
    source=SOURCE,
)
SHARP_SIZE = Claim(
    "forward_kl.e.sharp_size",
    "The size of the gradient is below "
    "(1/2) sqrt(beta/(1 - beta)) min(delta, sqrt(2 pi)) e^(-delta^2/8).",
    -grad_old_forward.head,
    "<",
    sp.exp(phi / 2) * decay * delta * S_EITHER_BOUND.right / 2,
    "bound",
    (
        Link("leakage", delta * eps_n.head, Combination((Use(LEAKAGE_SIZE),)), "<"),
        Link("sech form", delta * eps_n.formula, Combination((Use(EPS_NEW_FORMULA, times=delta),))),
        Link(
            "both bounds of S",
            sp.exp(phi / 2) * decay * delta * S_EITHER_BOUND.right / 2,
            Combination((Use(S_EITHER_BOUND, times=sp.exp(phi / 2) * delta * decay / 2),)),
            "<=",
        ),
    ),
    source="ours",
)

# where F vanishes

_weight = sp.Symbol("w", positive=True)
_any_weight = kl_from_new(mix(_weight, normal(y, old_mean), normal(y, new_mean)))
_old_distance, _new_distance = old_mean + delta / 2, new_mean + delta / 2

ZERO_WITHOUT_OLD = identity(
    "forward_kl.e.zero_without_old",
    "At beta = 0 F is (m_n - mu_n)^2/2: zero only at m_n = mu_n.",
    _any_weight.subs(_weight, 0),
    _new_distance**2 / 2,
    by_algebra("mean of the log-ratio", _new_distance**2 / 2),
    box=NEAR,
    source=SOURCE,
)
ZERO_WITHOUT_NEW = identity(
    "forward_kl.e.zero_without_new",
    "At beta = 1 F is (m_o - mu_n)^2/2: zero only at m_o = mu_n.",
    _any_weight.subs(_weight, 1),
    _old_distance**2 / 2,
    by_algebra("mean of the log-ratio", _old_distance**2 / 2),
    box=NEAR,
    source=SOURCE,
)
ZERO_MERGED = identity(
    "forward_kl.e.zero_merged",
    "At m_o = m_n = mu_n the cross-entropy -E_{p_n}[log q] is the entropy of p_n whatever the "
    "weight, so F = 0.",
    -line(p_n * sp.log(learner())).subs({old_mean: -delta / 2, new_mean: -delta / 2}),
    entropy,
    by_algebra("q = p_n", entropy),
    box=NEAR,
    source=SOURCE,
)
_bump = sp.exp(-((y + delta / 2) ** 2) / 2)
_missing = beta * (1 - sp.exp(-(_old_distance**2) / 4)) + (1 - beta) * (
    1 - sp.exp(-(_new_distance**2) / 4)
)
_NORMALISED = identity(
    "forward_kl.e.learner_normalised",
    "The learner is a density.",
    line(learner()),
    sp.S.One,
    by_algebra("both components integrate to 1", sp.S.One),
    source=SOURCE,
)
_BUMP_BELOW_ONE = Claim(
    "forward_kl.e.bump_below_one",
    "The test function e^(-(y - mu_n)^2/2) lies in (0, 1].",
    _bump,
    "<=",
    sp.S.One,
    "bound",
    (Link("a negative exponent", sp.S.One, Combination(remainder=1 - _bump), "<="),),
    source="ours",
)
_BUMP_GAP = identity(
    "forward_kl.e.bump_gap",
    "What the learner misses of a bump at the new mode: the difference of its two means.",
    line(_bump * (p_n - learner())),
    _missing / sp.sqrt(2),
    by_algebra("complete the squares", _missing / sp.sqrt(2)),
    source="ours",
)
MERGED_ONLY = Claim(
    "forward_kl.e.merged_only",
    "(beta (1 - e^(-(m_o - mu_n)^2/4)) + (1 - beta) (1 - e^(-(m_n - mu_n)^2/4)))^2 <= F: between "
    "weights 0 and 1 F vanishes only at m_o = m_n = mu_n, so no component is left at mu_o.",
    _missing**2,
    "<=",
    KL_free,
    "bound",
    (
        Link(
            "twice the square of the difference of means of a test function in [0, 1]",
            KL_free,
            Cited("Pinsker's inequality", (_NORMALISED, _BUMP_BELOW_ONE, _BUMP_GAP)),
            "<=",
        ),
    ),
    box=NEAR,
    source="ours",
)

CLAIMS = (
    SCORE,
    MEAN_GRADIENT,
    OLD_MEAN_GRADIENT,
    ACROSS,
    PULL,
    LEAKAGE_SIZE,
    CLASSICAL_SIZE,
    SHARP_SIZE,
    ZERO_WITHOUT_OLD,
    ZERO_WITHOUT_NEW,
    ZERO_MERGED,
    MERGED_ONLY,
)
