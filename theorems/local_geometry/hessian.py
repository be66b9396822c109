r"""Parts (a), (b): the Hessian at the target is the Fisher information, entry by entry.

Part (c) as an identity: what overlap takes from D = diag(\alpha(1-\alpha), \alpha I, (1-\alpha) I).
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Claim,
    Combination,
    Link,
    Substitution,
    Use,
    by_algebra,
    identity,
)
from theorems.local_geometry.objective import SOURCE
from theorems.local_geometry.quantities import (
    NAMES,
    D,
    H_phi,
    across_entries,
    along_entries,
    loss,
    psi,
    s_new,
    s_old,
    spread,
    taken,
    target,
    v,
)
from theorems.mixture import (
    across,
    along,
    alpha,
    delta,
    line,
    new_mean_across,
    normal,
    phi,
    plane,
    tau,
    y,
)
from theorems.overlap.identities import EPS_NEW_FORMULA, EPS_OLD_FORMULA, KAPPA_VARIANCE
from theorems.overlap.quantities import S, eps_n, eps_o
from theorems.reverse_kl.quantities import KL_free, old_mean_across

_MINUS = sp.S.NegativeOne
_from_midpoint = Substitution(along, y, delta / 2 - y)
_WORDS = {"phi": "phi", "old": "m_o", "new": "m_n"}


def _named(pair: tuple[int, int]) -> tuple[str, str]:
    i, j = (NAMES[k] for k in pair)
    return f"{i}_{j}", f"{_WORDS[i]}, {_WORDS[j]}"


def _fisher(pair: tuple[int, int]) -> Claim:
    slug, words = _named(pair)
    entry = along_entries[pair]
    mean = line(target * psi[pair[0]] * psi[pair[1]], along)
    return identity(
        f"local_geometry.a.fisher_{slug}",
        f"The second derivative of R in {words} at the target, along mu_n - mu_o, is the mean of "
        "the product of both scores: the Fisher information.",
        entry.head,
        mean,
        by_algebra("q = p_alpha there: the second derivatives of q have integral 0", mean, entry),
        source=SOURCE,
    )


FISHER = {pair: _fisher(pair) for pair in along_entries}


def _taken(pair: tuple[int, int]) -> Claim:
    slug, words = _named(pair)
    i, j = pair
    mean = line(target * s_old * s_new * v[i] * v[j], along)
    return identity(
        f"local_geometry.c.taken_{slug}",
        f"The entry {words} of D - H is E[s_o s_n v v^T], v = (1, z_o, -z_n).",
        D[i, j] - along_entries[pair].head,
        mean,
        (
            Link(
                "Fisher information",
                D[i, j] - FISHER[pair].right,
                Combination((Use(FISHER[pair], times=_MINUS),)),
            ),
            Link("s_o^2 = s_o - s_o s_n, and Gaussian moments", mean, Algebra()),
        ),
        source=SOURCE,
    )


TAKEN = {pair: _taken(pair) for pair in along_entries}


def _entry(pair: tuple[int, int]) -> Claim:
    slug, words = _named(pair)
    i, j = pair
    lost, right = TAKEN[pair].right, D[i, j] - loss * taken[pair]
    return identity(
        f"local_geometry.c.entry_{slug}",
        f"The entry {words} of the Hessian as a mean against sech((tau + L)/2) from the midpoint.",
        along_entries[pair].head,
        right,
        (
            Link(
                "D less what overlap takes",
                D[i, j] - lost,
                Combination((Use(TAKEN[pair], times=_MINUS),)),
            ),
            Link(
                "from the midpoint",
                D[i, j] - line(lost.function.subs(along, delta / 2 - y)),
                _from_midpoint,
            ),
            Link("complete the square", right, Algebra()),
        ),
        source=SOURCE,
    )


ENTRY = {pair: _entry(pair) for pair in along_entries}
WEIGHT_CURVATURE = identity(
    "local_geometry.b.weight",
    "H_phiphi = alpha (1 - alpha) kappa(tau, delta).",
    H_phi.head,
    H_phi.formula,
    (
        Link("Fisher information", FISHER[0, 0].right, Combination((Use(FISHER[0, 0]),))),
        Link(
            "from the midpoint",
            line(FISHER[0, 0].right.function.subs(along, delta / 2 - y)),
            _from_midpoint,
        ),
        Link(
            "kappa as a variance",
            H_phi.formula,
            Combination((Use(KAPPA_VARIANCE, {phi: tau}, -spread),)),
        ),
    ),
    source=SOURCE,
)

# across

_scores = {1: s_old * across, 2: s_new * across}
_shares = {1: s_old, 2: s_new}


def _across(pair: tuple[int, int]) -> tuple[Claim, Claim, Claim]:
    slug, words = _named(pair)
    i, j = pair
    entry, sign = across_entries[pair], 1 if i == j else -1
    mean = line(target * _shares[i] * _shares[j], along)
    lost = sign * line(target * s_old * s_new, along)
    fisher = identity(
        f"local_geometry.a.fisher_{slug}_across",
        f"The second derivative of R in {words} at the target in a coordinate across: the mean of "
        "the product of both scores, of which the coordinate itself integrates out.",
        entry.head,
        mean,
        (
            Link(
                "q = p_alpha there: the second derivatives of q have integral 0",
                plane(normal(across) * target * _scores[i] * _scores[j]),
                Algebra((entry,)),
            ),
            Link("the coordinate has variance 1", mean, Algebra()),
        ),
        source=SOURCE,
    )
    taken_across = identity(
        f"local_geometry.c.taken_{slug}_across",
        f"In a coordinate across the entry {words} of D - H is E[s_o s_n v v^T], v = (z, -z).",
        D[i, j] - entry.head,
        lost,
        (
            Link("Fisher information", D[i, j] - mean, Combination((Use(fisher, times=_MINUS),))),
            Link("s_o^2 = s_o - s_o s_n", lost, Algebra()),
        ),
        source=SOURCE,
    )
    formula = identity(
        f"local_geometry.c.entry_{slug}_across",
        f"The entry {words} of the Hessian in a coordinate across, through S.",
        entry.head,
        entry.formula,
        (
            Link(
                "D less what overlap takes",
                D[i, j] - lost,
                Combination((Use(taken_across, times=_MINUS),)),
            ),
            Link(
                "from the midpoint",
                D[i, j] - sign * line((target * s_old * s_new).subs(along, delta / 2 - y)),
                _from_midpoint,
            ),
            Link("complete the square", entry.formula, Algebra((S,))),
        ),
        source=SOURCE,
    )
    return fisher, taken_across, formula


ACROSS = {pair: _across(pair) for pair in across_entries}
_misassigned = {
    (1, 1): alpha * (1 - eps_o(tau, delta)),
    (1, 2): alpha * eps_o(tau, delta),
    (2, 2): (1 - alpha) * (1 - eps_n(tau, delta)),
}
MISASSIGNED = tuple(
    identity(
        f"local_geometry.b.across_{_named(pair)[0]}",
        f"Across, the entry {_named(pair)[1]} of the Hessian is a share of correct or wrong "
        "assignments under the target.",
        across_entries[pair].head,
        right,
        (
            Link("through S", across_entries[pair].formula, Combination((Use(ACROSS[pair][2]),))),
            Link(
                "sech form of misassignment",
                right,
                Combination(
                    (
                        Use(
                            EPS_NEW_FORMULA if pair == (2, 2) else EPS_OLD_FORMULA,
                            {phi: tau},
                            -sp.diff(right, (eps_n if pair == (2, 2) else eps_o)(tau, delta)),
                        ),
                    )
                ),
            ),
        ),
        source=SOURCE,
    )
    for pair, right in _misassigned.items()
)
_flipped = {old_mean_across: -old_mean_across, new_mean_across: -new_mean_across}
DECOUPLED = identity(
    "local_geometry.a.even_across",
    "R is even in both means' coordinates across jointly, and so in each coordinate across: "
    "second derivatives that mix it with another coordinate vanish at the target.",
    KL_free.head.subs(_flipped, simultaneous=True),
    KL_free.head,
    (
        Link(
            "definition",
            KL_free.definition.subs(_flipped, simultaneous=True),
            Algebra((KL_free,)),
        ),
        Link(
            "reflect the coordinate across",
            KL_free.definition,
            Substitution(across, across, -across),
        ),
        Link("read back", KL_free.head, Algebra((KL_free,))),
    ),
    source=SOURCE,
)

CLAIMS = (
    *FISHER.values(),
    *(fisher for fisher, _, _ in ACROSS.values()),
    DECOUPLED,
    WEIGHT_CURVATURE,
    *MISASSIGNED,
    *TAKEN.values(),
    *ENTRY.values(),
    *(claim for _, *rest in ACROSS.values() for claim in rest),
)
