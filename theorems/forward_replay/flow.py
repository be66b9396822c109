r"""Part (a), the gradient flow \phi' = -\beta\kappa(\mathrm{logit}\,b): \beta falls like 1/t."""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.flow import SPEED as PLAIN_SPEED
from theorems.forward_kl.flow import START, start, time
from theorems.forward_replay.denominator import GRADIENT, kappa_b, kappa_share, new
from theorems.forward_replay.quantities import (
    SHARED,
    SOURCE,
    b,
    dKL_denominator,
    logit_b,
    share_logit,
)
from theorems.forward_replay.quantities import replay as share
from theorems.forward_replay.speed import KAPPA_ABOVE, KAPPA_BELOW, KAPPA_LARGER
from theorems.language import (
    Cited,
    Combination,
    Expr,
    Link,
    Parameter,
    Path,
    Process,
    System,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import PHI, beta, phi, sigma
from theorems.overlap.identities import KAPPA_POSITIVE
from theorems.overlap.quantities import kappa

_COMPARISON = "comparison principle for scalar differential inequalities"

VELOCITY = identity(
    "forward_replay.a.velocity",
    "Along the flow beta' = -beta^2 (1 - beta) kappa(logit b).",
    -sp.diff(beta, phi) * dKL_denominator.head,
    -(beta**2) * (1 - beta) * kappa_b,
    (
        Link(
            "dbeta/dphi = beta (1 - beta)",
            -(beta**2) * (1 - beta) * kappa_b,
            Combination((Use(GRADIENT, times=-beta * (1 - beta)),)),
        ),
    ),
    source=SOURCE,
)
DECREASING = bound(
    "forward_replay.a.decreasing",
    "beta decreases strictly.",
    -(beta**2) * (1 - beta) * kappa_b,
    "<",
    sp.S.Zero,
    (
        Link(
            "kappa is positive",
            sp.S.Zero,
            Combination((Use(KAPPA_POSITIVE, {phi: logit_b}, beta**2 * new),)),
            "<",
        ),
    ),
    kind="sign",
    source=SOURCE,
)
RECIPROCAL_RATE = identity(
    "forward_replay.a.reciprocal_rate",
    "Along the flow (1/beta)' = (1 - beta) kappa(logit b).",
    sp.diff(1 / beta, phi) * -beta * kappa_b,
    (1 - beta) * kappa_b,
    by_algebra("chain rule", (1 - beta) * kappa_b),
    source=SOURCE,
)
RATE_ABOVE = bound(
    "forward_replay.a.rate_above",
    "(1 - beta)^2 kappa(logit lambda) <= (1 - beta) kappa(logit b).",
    (1 - beta) ** 2 * kappa_share,
    "<=",
    (1 - beta) * kappa_b,
    (
        Link(
            "kappa at the floor",
            (1 - beta) * kappa_b,
            Combination((Use(KAPPA_ABOVE, times=new),)),
            "<=",
        ),
    ),
    where=SHARED,
    source="ours",
)
_spare = 2 * beta + (1 - share) * beta**2 / share  # 1 + beta/lambda - (1 - beta) b/lambda
_rate = (1 + beta / share) * kappa_share
RATE_BELOW = bound(
    "forward_replay.a.rate_below",
    "(1 - beta) kappa(logit b) < (1 + beta/lambda) kappa(logit lambda).",
    (1 - beta) * kappa_b,
    "<",
    _rate,
    (
        Link(
            "kappa at the floor",
            (1 - beta) * b / share * kappa_share,
            Combination((Use(KAPPA_BELOW, times=new),)),
            "<=",
        ),
        Link(
            "(1 - beta) b < lambda + beta",
            _rate,
            Combination((Use(KAPPA_POSITIVE, {phi: share_logit}, _spare),)),
            "<",
        ),
    ),
    where=SHARED,
    source="ours",
)

DENOMINATOR_FLOW = Process(
    "forward_replay.denominator_flow",
    PHI,
    -beta * kappa_b,
    START,
    time,
    "gradient flow of the logit with replay in the denominator, phi' = -beta kappa(logit b)",
)
_beta_0 = sigma(start)
_least = (1 - _beta_0) ** 2 * kappa_share

PATH_FALLS = Path(
    "forward_replay.a.path_falls",
    "beta(t) <= 1/(1/beta_0 + (1 - beta_0)^2 kappa(logit lambda) t).",
    DENOMINATOR_FLOW,
    beta,
    "<=",
    1 / (1 / _beta_0 + _least * time),
    Cited(_COMPARISON, (RECIPROCAL_RATE, RATE_ABOVE, DECREASING)),
    source=SOURCE,
)
PATH_LASTS = Path(
    "forward_replay.a.path_lasts",
    "1/(1/beta_0 + (1 + beta_0/lambda) kappa(logit lambda) t) <= beta(t): from late starts beta "
    "is 1/(kappa(logit lambda) t) to first order.",
    DENOMINATOR_FLOW,
    1 / (1 / _beta_0 + (1 + _beta_0 / share) * kappa_share * time),
    "<=",
    beta,
    Cited(_COMPARISON, (RECIPROCAL_RATE, RATE_BELOW, DECREASING)),
    source=SOURCE,
)
PATH_FASTER = Path(
    "forward_replay.a.path_faster",
    "beta_0^(-2) + ((1 - beta_0)^2 kappa(logit lambda) t)^2 <= beta(t)^(-2). Without replay "
    "beta(t)^(-2) is at most beta_0^(-2) + 2 (e^(delta^2) - 1) t: from the same start replay has "
    "forgotten more from t = 2 (e^(delta^2) - 1)/((1 - beta_0)^4 kappa(logit lambda)^2) on.",
    DENOMINATOR_FLOW,
    1 / _beta_0**2 + (_least * time) ** 2,
    "<=",
    1 / beta**2,
    Cited(_COMPARISON, (RECIPROCAL_RATE, RATE_ABOVE, DECREASING)),
    source="ours",
)

# both flows side by side, their logits counted from the crossover log(1 - lambda)

plain, replayed = sp.symbols("plain replayed", real=True)
plain_start, replayed_start = sp.symbols("plain_start replayed_start", nonpositive=True)


def _logit(symbol: Expr, domain: Expr, what: str) -> Parameter:
    box = (sp.Integer(-4), sp.S.Zero)
    text = f"logit above the crossover log(1 - lambda), {what}"
    return Parameter(symbol.name, symbol, domain, box, text, typical=sp.S.NegativeOne)


_REALS, _BELOW = sp.Interval(-sp.oo, sp.oo), sp.Interval(-sp.oo, 0)
PLAIN = _logit(plain, _REALS, "without replay")
REPLAYED = _logit(replayed, _REALS, "with replay")
PLAIN_START = _logit(plain_start, _BELOW, "without replay, at time 0")
REPLAYED_START = _logit(replayed_start, _BELOW, "with replay, at time 0")
CLOCK = Parameter(
    "t",
    time,
    sp.Interval(0, sp.oo),
    (sp.S.Zero, sp.Integer(64)),
    "time",
)


def _from_crossover(speed: Expr, state: Expr) -> Expr:
    """Minus a speed, at the logit log(1 - lambda) + state."""
    return -speed.subs(phi, sp.log(1 - share) + state)


SIDE_BY_SIDE = System(
    "forward_replay.side_by_side",
    (PLAIN, REPLAYED),
    (PLAIN_START, REPLAYED_START),
    (_from_crossover(beta * kappa.head, plain), _from_crossover(beta * kappa_b, replayed)),
    CLOCK,
    "the flows of the logit without replay and with replay in the denominator",
)
PATH_BEHIND = Path(
    "forward_replay.a.path_behind",
    "From starts below the crossover the logit with replay never rises above the one without by "
    "more than at the start: from a common start replay forgets more at every time.",
    SIDE_BY_SIDE,
    replayed - plain,
    "<=",
    sp.Max(0, replayed_start - plain_start),
    Cited(
        "a gap whose slope is not positive where it is positive keeps its positive part",
        (KAPPA_LARGER, PLAIN_SPEED, DECREASING),
    ),
    source="ours",
)

CLAIMS = (
    VELOCITY,
    DECREASING,
    RECIPROCAL_RATE,
    RATE_ABOVE,
    RATE_BELOW,
    PATH_FALLS,
    PATH_LASTS,
    PATH_FASTER,
    PATH_BEHIND,
)
SYSTEM_PARAMETERS = (PLAIN, REPLAYED, PLAIN_START, REPLAYED_START, CLOCK)
