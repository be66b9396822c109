r"""Part (d): bounds of misassignment.

The classical bound is the inequality of arithmetic and geometric means under the integral; the
sharper one replaces the Gaussian density by its maximum.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Cited, Combination, Link, Substitution, Use, bound
from theorems.mixture import L, delta, line, normal, phi, q, y, z
from theorems.overlap.identities import EPS_NEW_FORMULA, EPS_OLD_FORMULA
from theorems.overlap.quantities import S, decay, eps_n, eps_o
from theorems.overlap.sech import SECH_AREA, SECH_SPREAD

# (d)

_geometric_mean = sp.sech(phi / 2) / 2 * decay * normal(y)  # sqrt(beta(1 - beta) p_o p_n)
_root_gap_squared = 4 * _geometric_mean * sp.sinh((phi + L) / 4) ** 2

AM_GM = bound(
    "overlap.d.am_gm",
    "Arithmetic and geometric mean: q >= 2 sqrt(beta(1 - beta) p_o p_n) at every point, where "
    "sqrt(beta(1 - beta)) = 1/(2 cosh(phi/2)).",
    2 * _geometric_mean,
    "<=",
    q,
    (
        Link(
            "the gap is (sqrt(beta p_o) - sqrt((1 - beta) p_n))^2",
            q,
            Combination(remainder=_root_gap_squared),
            "<=",
        ),
    ),
    source="reconstructed",
)
CLASSICAL_OLD = bound(
    "overlap.d.classical_old",
    "eps_o <= (1/2) sqrt((1 - beta)/beta) e^(-delta^2/8), the square root being e^(-phi/2).",
    eps_o.head,
    "<=",
    sp.exp(-phi / 2) * decay / 2,
    (
        Link(
            "arithmetic and geometric mean in the denominator",
            sp.exp(-phi / 2) * decay / 2,
            Combination(
                remainder=line(sp.exp(-phi / 2) * decay * normal(y) * _root_gap_squared / (2 * q)),
                unfold=(eps_o,),
            ),
            "<=",
        ),
    ),
    source="Theorem 2.3",
)
CLASSICAL_NEW = bound(
    "overlap.d.classical_new",
    "eps_n <= (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8), the square root being e^(phi/2).",
    eps_n.head,
    "<=",
    sp.exp(phi / 2) * decay / 2,
    (
        Link(
            "arithmetic and geometric mean in the denominator",
            sp.exp(phi / 2) * decay / 2,
            Combination(
                remainder=line(sp.exp(phi / 2) * decay * normal(y) * _root_gap_squared / (2 * q)),
                unfold=(eps_n,),
            ),
            "<=",
        ),
    ),
    source="Theorem 2.1",
)
S_AT_MOST_ONE = bound(
    "overlap.d.at_most_one",
    "S <= 1.",
    S.head,
    "<=",
    sp.S.One,
    (
        Link(
            "sech is at most 1",
            sp.S.One,
            Combination(remainder=line(normal(y) * (1 - sp.sech((phi + L) / 2))), unfold=(S,)),
            "<=",
        ),
    ),
    source="reconstructed",
)
_area = line(sp.sech((phi + L) / 2))
S_DENSITY_BOUND = bound(
    "overlap.d.density_bound",
    "S <= sqrt(2 pi)/delta.",
    S.head,
    "<=",
    sp.sqrt(2 * sp.pi) / delta,
    (
        Link(
            "the density is at most 1/sqrt(2 pi)",
            _area / sp.sqrt(2 * sp.pi),
            Combination(
                remainder=line(
                    (1 - sp.exp(-(y**2) / 2)) * sp.sech((phi + L) / 2) / sp.sqrt(2 * sp.pi)
                ),
                unfold=(S,),
            ),
            "<=",
        ),
        Link(
            "area under sech",
            sp.sqrt(2 * sp.pi) / delta,
            Combination((Use(SECH_AREA, times=1 / sp.sqrt(2 * sp.pi)),)),
        ),
    ),
    source="ours",
)
_either = sp.Min(1, sp.sqrt(2 * sp.pi) / delta)
S_EITHER_BOUND = bound(
    "overlap.d.either_bound",
    "S <= min(1, sqrt(2 pi)/delta).",
    S.head,
    "<=",
    _either,
    (
        Link(
            "below both",
            _either,
            Cited("definition of the minimum", (S_AT_MOST_ONE, S_DENSITY_BOUND)),
            "<=",
        ),
    ),
    source="ours",
)
SHARPER_OLD = bound(
    "overlap.d.sharper_old",
    "eps_o <= (1/2) sqrt((1 - beta)/beta) e^(-delta^2/8) min(1, sqrt(2 pi)/delta).",
    eps_o.head,
    "<=",
    sp.exp(-phi / 2) * decay * _either / 2,
    (
        Link("sech form", eps_o.formula, Combination((Use(EPS_OLD_FORMULA),))),
        Link(
            "bound of S",
            sp.exp(-phi / 2) * decay * _either / 2,
            Combination((Use(S_EITHER_BOUND, times=sp.exp(-phi / 2) * decay / 2),)),
            "<=",
        ),
    ),
    source="ours",
)
SHARPER_NEW = bound(
    "overlap.d.sharper_new",
    "eps_n <= (1/2) sqrt(beta/(1 - beta)) e^(-delta^2/8) min(1, sqrt(2 pi)/delta).",
    eps_n.head,
    "<=",
    sp.exp(phi / 2) * decay * _either / 2,
    (
        Link("sech form", eps_n.formula, Combination((Use(EPS_NEW_FORMULA),))),
        Link(
            "bound of S",
            sp.exp(phi / 2) * decay * _either / 2,
            Combination((Use(S_EITHER_BOUND, times=sp.exp(phi / 2) * decay / 2),)),
            "<=",
        ),
    ),
    source="ours",
)
_TANGENT = bound(
    "overlap.d.tangent",
    "1 - e^(-y^2/2) <= y^2/2.",
    1 - sp.exp(-(y**2) / 2),
    "<=",
    y**2 / 2,
    (
        Link(
            "e^u >= 1 + u",
            y**2 / 2,
            Combination(remainder=sp.exp(-(y**2) / 2) - 1 + y**2 / 2),
            "<=",
        ),
    ),
    source="ours",
)
_loss = 1 - delta * S.head / sp.sqrt(2 * sp.pi)
PREFACTOR_LOSS_NONNEGATIVE = bound(
    "overlap.d.prefactor_loss_nonnegative",
    "0 <= 1 - delta S/sqrt(2 pi).",
    sp.S.Zero,
    "<=",
    _loss,
    (
        Link(
            "bound of S",
            _loss,
            Combination((Use(S_DENSITY_BOUND, times=delta / sp.sqrt(2 * sp.pi)),)),
            "<=",
        ),
    ),
    source="ours",
)
PREFACTOR_LOSS = bound(
    "overlap.d.prefactor_loss",
    "1 - delta S/sqrt(2 pi) <= (pi^2 + phi^2)/(2 delta^2): for large delta the exponent 1/8 is "
    "sharp and the classical prefactor loses the factor delta/sqrt(2 pi).",
    _loss,
    "<=",
    (sp.pi**2 + phi**2) / (2 * delta**2),
    (
        Link(
            "area under sech",
            delta / (2 * sp.pi) * _area - delta * S.head / sp.sqrt(2 * sp.pi),
            Combination((Use(SECH_AREA, times=-delta / (2 * sp.pi)),)),
        ),
        Link(
            "collect",
            delta / (2 * sp.pi) * line((1 - sp.exp(-(y**2) / 2)) * sp.sech((phi + L) / 2)),
            Algebra((S,)),
        ),
        Link(
            "1 - e^(-y^2/2) <= y^2/2 under the integral",
            delta / (4 * sp.pi) * line(y**2 * sp.sech((phi + L) / 2)),
            Cited("monotonicity of the integral", (_TANGENT,)),
            "<=",
        ),
        Link(
            "y = (z - phi)/delta",
            line((z - phi) ** 2 * sp.sech(z / 2), z) / (4 * sp.pi * delta**2),
            Substitution(y, z, (z - phi) / delta),
        ),
        Link(
            "spread of sech",
            (sp.pi**2 + phi**2) / (2 * delta**2),
            Combination((Use(SECH_SPREAD, times=1 / (4 * sp.pi * delta**2)),)),
        ),
    ),
    kind="limit",
    source="ours",
)

CLAIMS = (
    AM_GM,
    CLASSICAL_OLD,
    CLASSICAL_NEW,
    S_AT_MOST_ONE,
    S_DENSITY_BOUND,
    S_EITHER_BOUND,
    SHARPER_OLD,
    SHARPER_NEW,
    PREFACTOR_LOSS_NONNEGATIVE,
    PREFACTOR_LOSS,
)
