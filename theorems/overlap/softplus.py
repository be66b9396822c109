r"""Part (i): the softplus mean A, and the divergence of two mixtures in terms of it."""

from __future__ import annotations

import sympy as sp

from theorems.language import Algebra, Combination, Divergence, Link, Use, identity
from theorems.mixture import (
    L,
    alpha,
    beta,
    c,
    delta,
    line,
    p_alpha,
    p_n,
    p_o,
    phi,
    q,
    sigma,
    tau,
    y,
)
from theorems.overlap.quantities import E2, A, eps_n
from theorems.overlap.reasons import REFLECTION

SOFTPLUS_DERIVATIVE = identity(
    "overlap.i.derivative",
    "The derivative of A in c is eps_n(c, delta), which is positive.",
    sp.diff(A.definition, c),
    eps_n(c, delta),
    (
        Link("differentiate under the integral", line(p_n * sigma(c + L)), Algebra()),
        Link("sigma(c + L) is the responsibility", eps_n(c, delta), Algebra((eps_n,))),
    ),
    source="ours",
)
SOFTPLUS_DISTANCE = identity(
    "overlap.i.derivative_in_delta",
    "The derivative of A in delta is -delta E_{p_n}[r_o^2] at the logit c, which is negative.",
    sp.diff(A.definition, delta),
    -delta * E2(c, delta),
    (
        Link(
            "integrate by parts, twice",
            -delta * E2(c, delta),
            Divergence(
                (
                    (
                        y,
                        p_n * sp.log(1 + sp.exp(c + L)) / 2 - p_o * sp.exp(c) / (1 + sp.exp(c + L)),
                    ),
                ),
                (y,),
                (E2,),
            ),
        ),
    ),
    source="ours",
)
SOFTPLUS_MIRROR = identity(
    "overlap.i.mirror",
    "Seen from the old mode, A(c) = E_{p_o}[log(1 + e^(c - L))].",
    line(p_o * sp.log(1 + sp.exp(c - L))),
    A.head,
    (
        Link(
            "reflect the line",
            A.definition,
            REFLECTION,
        ),
        Link("definition", A.head, Algebra((A,))),
    ),
    source="ours",
)
_bernoulli = beta * sp.log(beta / alpha) + (1 - beta) * sp.log((1 - beta) / (1 - alpha))
_new_part = (1 - beta) * (A(phi, delta) - A(tau, delta))
_decomposed = _bernoulli + beta * (A(-phi, delta) - A(-tau, delta)) + _new_part
KL_DECOMPOSED = identity(
    "overlap.i.kl",
    "KL(q_phi || q_tau) = KL(Bern beta || Bern alpha) + beta [A(-phi) - A(-tau)] "
    "+ (1 - beta)[A(phi) - A(tau)].",
    line(q * sp.log(q / p_alpha)),
    _decomposed,
    (
        Link(
            "take the component out of each logarithm",
            _bernoulli
            + beta * line(p_o * sp.log(1 + sp.exp(-phi - L)))
            - beta * line(p_o * sp.log(1 + sp.exp(-tau - L)))
            + _new_part,
            Algebra((A,)),
        ),
        Link(
            "the old mode's means are A as well",
            _decomposed,
            Combination(
                (
                    Use(SOFTPLUS_MIRROR, at={c: -phi}, times=beta),
                    Use(SOFTPLUS_MIRROR, at={c: -tau}, times=-beta),
                )
            ),
        ),
    ),
    source="ours",
)

CLAIMS = (SOFTPLUS_DERIVATIVE, SOFTPLUS_DISTANCE, SOFTPLUS_MIRROR, KL_DECOMPOSED)
