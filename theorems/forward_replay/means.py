r"""Part (c): the gradient in the old mean, and where it rests."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.means import OLD_MEAN_GRADIENT
from theorems.forward_kl.quantities import NEAR, grad_old_forward
from theorems.forward_replay.quantities import (
    SHARED,
    SOURCE,
    b,
    grad_old_denominator,
    grad_old_numerator,
    logit_b,
    share_logit,
)
from theorems.forward_replay.quantities import replay as share
from theorems.language import (
    Algebra,
    Combination,
    Divergence,
    Link,
    Use,
    bound,
    identity,
    positive,
)
from theorems.mixture import beta, delta, line, mix, p_n, phi, r_n, r_o, y
from theorems.overlap.quantities import E2

MINUS = sp.S.NegativeOne
_data = mix(share)
NUMERATOR = identity(
    "forward_replay.c.numerator",
    "In the numerator the gradient is -(mu_n - mu_o) (1 - lambda/beta) E_{p_n}[r_o^2].",
    grad_old_numerator.head,
    grad_old_numerator.formula,
    (
        Link(
            "differentiate under the integral",
            line(_data * r_o * (y - delta / 2)),
            Algebra((grad_old_numerator,)),
        ),
        Link(
            "integrate by parts, dr_o/dy = delta r_o r_n",
            delta * line(_data * r_o * r_n - (1 - share) * p_n * r_o),
            Divergence(((y, -_data * r_o),), (y,)),
        ),
        Link(
            "balance: beta p_o r_n = (1 - beta) p_n r_o",
            grad_old_numerator.formula,
            Algebra((E2,)),
        ),
    ),
    source=SOURCE,
)
RESTS = identity(
    "forward_replay.c.rests",
    "It vanishes at beta = lambda, where the old mean stays correct (1 is added on both sides).",
    1 + grad_old_numerator(share_logit, delta, share),
    sp.S.One,
    (Link("1 - lambda/beta = 0", sp.S.One, Combination((Use(NUMERATOR, {phi: share_logit}),))),),
    box=NEAR,
    source=SOURCE,
)
PULL = bound(
    "forward_replay.c.pull",
    "Above beta = lambda descent pulls the old mean towards the new mode.",
    grad_old_numerator.head,
    "<",
    sp.S.Zero,
    (
        Link("the gradient", grad_old_numerator.formula, Combination((Use(NUMERATOR),))),
        Link(
            "beta - lambda is positive",
            sp.S.Zero,
            Combination(remainder=delta * (beta - share) / beta * E2.head),
            "<",
        ),
    ),
    kind="sign",
    where=(share < beta,),
    source="ours",
)
PUSH = positive(
    "forward_replay.c.push",
    "Below beta = lambda descent pushes it away from the new mode.",
    grad_old_numerator.head,
    (
        Link(
            "lambda - beta is positive",
            grad_old_numerator.formula,
            Combination(remainder=delta * (share - beta) / beta * E2.head),
            "<",
        ),
        Link(
            "the gradient",
            grad_old_numerator.head,
            Combination((Use(NUMERATOR, times=MINUS),)),
        ),
    ),
    where=(beta < share,),
    source="ours",
)
_kept = (1 - share) * beta / b
DENOMINATOR = identity(
    "forward_replay.c.denominator",
    "In the denominator it is -(mu_n - mu_o) ((1 - lambda) beta/b) E_{p_n}[r_o^2], r_o at the "
    "effective weight.",
    grad_old_denominator.head,
    grad_old_denominator.formula,
    (
        Link(
            "the learner's old component is a part (1 - lambda) beta/b of the mixture's",
            _kept * grad_old_forward(logit_b, delta),
            Algebra((grad_old_denominator, grad_old_forward)),
        ),
        Link(
            "forward KL at the effective weight",
            grad_old_denominator.formula,
            Combination((Use(OLD_MEAN_GRADIENT, {phi: logit_b}, _kept),)),
        ),
    ),
    source="ours",
)
DENOMINATOR_PULL = bound(
    "forward_replay.c.denominator_pull",
    "It vanishes nowhere: descent pulls the old mean towards the new mode at every weight.",
    grad_old_denominator.head,
    "<",
    sp.S.Zero,
    (
        Link("the gradient", grad_old_denominator.formula, Combination((Use(DENOMINATOR),))),
        Link(
            "a positive mean",
            sp.S.Zero,
            Combination(remainder=delta * _kept * E2(logit_b, delta)),
            "<",
        ),
    ),
    kind="sign",
    where=SHARED,
    source=SOURCE,
)
_twice = sp.log(share * (2 - share) / (1 - share) ** 2)  # logit of 1 - (1 - lambda)^2
_at_share = -delta * (1 - share) / (2 - share) * E2(_twice, delta)
DENOMINATOR_AT_SHARE = identity(
    "forward_replay.c.denominator_at_share",
    "At beta = lambda, where the numerator's gradient vanishes, it is -(mu_n - mu_o) "
    "((1 - lambda)/(2 - lambda)) E_{p_n}[r_o^2], r_o at the weight lambda (2 - lambda).",
    grad_old_denominator(share_logit, delta, share),
    _at_share,
    (
        Link(
            "b = lambda (2 - lambda)",
            _at_share,
            Combination((Use(DENOMINATOR, {phi: share_logit}),)),
        ),
    ),
    source="ours",
)

CLAIMS = (NUMERATOR, RESTS, PULL, PUSH, DENOMINATOR, DENOMINATOR_PULL, DENOMINATOR_AT_SHARE)
