r"""The overlap lemma: setting and quantities that Theorems 2.1 to 2.3 rest on (reconstructed).

The claims stand in the rooms beside this file: setting (a), (b); identities (c), (e); bounds (d);
kappa (f); sech, trapezoid and tails (g); bayes (h); softplus (i); shape and cubes (j). The other
theorems take the lemma from here.
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.mixture import DELTA, PHI, SHIFT
from theorems.overlap.quantities import (
    BC,
    E2,
    TV,
    A,
    B,
    KL_components,
    S,
    chi2,
    eps_n,
    eps_o,
    kappa,
)


def _argument() -> Argument:
    from theorems.overlap.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="overlap",
    title="The overlap lemma",
    source="reconstructed",
    statement=(
        "Two modes N(mu_o, Sigma) and N(mu_n, Sigma) at Mahalanobis distance delta overlap by the "
        "Bhattacharyya coefficient e^(-delta^2/8). With correct means the misassignments are "
        "eps_o, eps_n = (1/2) e^(-/+ phi/2) e^(-delta^2/8) S(phi, delta), with "
        "S <= min(1, sqrt(2 pi)/delta); they balance, beta eps_o = (1 - beta) eps_n, and "
        "kappa = 1 - eps_o - eps_n lies in (0, 1). Everything depends on R^d through delta alone."
    ),
    parameters=(PHI, DELTA, SHIFT),
    quantities=(BC, eps_o, eps_n, S, kappa, E2, A, B, TV, chi2, KL_components),
    argument=_argument,
    section=0,
)
