r"""Part (f), the entropic term's pull on a correct old mean, for the soft reward v = -G s_o.

On the line the first axis of the plane runs against y: along \mu_n - \mu_o means along -y.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Divergence,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
    positive,
)
from theorems.mixture import L, beta, delta, line, normal, p_o, q, tau, y, z
from theorems.overlap.quantities import E2, decay
from theorems.reverse_kl.bounds import MONOTONE_INTEGRAL
from theorems.ttt_discover.quantities import (
    entropic_drift,
    gap,
    inverse_temperature,
    reference_logit,
    soft,
    soft_label,
    soft_new,
    soft_payoff,
    soft_pull,
    weighting,
)

new_limit = sp.Symbol("new_limit", real=True)
NEW_LIMIT = Parameter(
    "new_limit",
    new_limit,
    sp.Interval(-sp.oo, sp.oo),
    (sp.Integer(-1), sp.Integer(1)),
    "V_n, what the new mode pays far from the old one",
)
_minus = sp.S.NegativeOne
_push = beta * p_o * (delta / 2 - y) * weighting  # b times the drift's numerator
_at_reference = {tau: reference_logit}

# the gradient

REWARD_SLOPE = identity(
    "ttt_discover.f.reward_slope",
    "The soft reward v = -G s_o rises towards the new mode: along mu_n - mu_o it has the "
    "derivative G delta s_o s_n, and none across.",
    -sp.diff(-gap * soft_label, y),
    gap * delta * soft * soft_new,
    by_algebra("s_o = sigma(tau_0 + L)", gap * delta * soft * soft_new),
    source="reconstructed",
)
STEIN = identity(
    "ttt_discover.f.stein",
    "E_{p_o}[(y - mu_o) e^(b v)] = b E_{p_o}[e^(b v) grad v], along mu_n - mu_o.",
    line(_push),
    beta * inverse_temperature * gap * delta * soft_pull.head,
    (
        Link(
            "integrate by parts",
            beta * inverse_temperature * gap * delta * soft_pull.head,
            Divergence(((y, beta * p_o * weighting),), (y,), (soft_pull,)),
        ),
    ),
    source="reconstructed",
)
DRIFT = identity(
    "ttt_discover.f.drift",
    "The gradient of (1/b) log E_q[e^(b v)] in a correct old mean is "
    "beta E_{p_o}[e^(b v) grad v]/E_q[e^(b v)], along mu_n - mu_o.",
    entropic_drift.head,
    entropic_drift.formula,
    (
        Link(
            "differentiate the logarithm",
            line(_push) / (inverse_temperature * soft_payoff.head),
            Algebra((entropic_drift, soft_payoff)),
        ),
        Link(
            "integrate by parts",
            entropic_drift.formula,
            Combination((Use(STEIN, times=1 / (inverse_temperature * soft_payoff.head)),)),
        ),
    ),
    source="reconstructed",
)
_shifted = sp.exp(inverse_temperature * new_limit) * weighting
_shifted_ratio = line(p_o * _shifted * soft * soft_new) / line(q * _shifted)
SHIFT_DROPS = identity(
    "ttt_discover.f.shift",
    "What the new mode pays, V_n in v = V_n - G s_o, drops out.",
    soft_pull.head / soft_payoff.head,
    _shifted_ratio,
    by_algebra("e^(b V_n) cancels", _shifted_ratio, soft_pull, soft_payoff),
    box=NEAR,
    source="reconstructed",
)
ACROSS = identity(
    "ttt_discover.f.across",
    "E_{p_o}[(1 + x) e^(b v)] = E_{p_o}[e^(b v)] for any coordinate x across mu_n - mu_o: the "
    "reward does not depend on x, which has mean 0, so the gradient vanishes across.",
    line(p_o * weighting) * line(normal(z) * (1 + z), z),
    line(p_o * weighting),
    by_algebra("mean of a normal", line(p_o * weighting)),
    box=NEAR,
    source="reconstructed",
)
TOWARDS = positive(
    "ttt_discover.f.towards_new",
    "Ascent pulls the old mean straight towards the new mode.",
    entropic_drift.head,
    (
        Link(
            "a ratio of positive means",
            entropic_drift.formula,
            Combination(remainder=entropic_drift.formula),
            "<",
        ),
        Link("it is the drift", entropic_drift.head, Combination((Use(DRIFT, times=_minus),))),
    ),
    source="ours",
)

# its size

_log_odds = tau + L
_share = (1 + sp.tanh(_log_odds / 2)) / 2
_profile = sp.exp(_log_odds / 2) * sp.sech(_log_odds / 2) ** 2 / 4  # s_o^(3/2) s_n^(1/2)
_most = 3 * sp.sqrt(3) / 16
SOFT_OVERLAP = identity(
    "ttt_discover.f.soft_overlap",
    "E_{p_o}[s_o s_n] = ((1 - alpha)/alpha) E_{p_n}[s_o^2], in balance.",
    line(p_o * _share * (1 - _share)),
    sp.exp(-tau) * E2(tau, delta),
    by_algebra("alpha p_o s_n = (1 - alpha) p_n s_o", sp.exp(-tau) * E2(tau, delta), E2),
    source="reconstructed",
)
PROFILE_PEAK = bound(
    "ttt_discover.f.profile_peak",
    "s^(3/2) (1 - s)^(1/2) <= 3 sqrt(3)/16, its value at s = 3/4.",
    _profile,
    "<=",
    _most,
    (
        Link(
            "27/256 - s^3 (1 - s) = (s - 3/4)^2 (s^2 + s/2 + 3/16)",
            _most,
            Combination(
                remainder=(_share - sp.Rational(3, 4)) ** 2
                * (_share**2 + _share / 2 + sp.Rational(3, 16))
                / (_most + _profile)
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)
SOFT_OVERLAP_BOUND = bound(
    "ttt_discover.f.soft_overlap_bound",
    "E_{p_o}[s_o s_n] <= (3 sqrt(3)/16) sqrt((1 - alpha)/alpha) e^(-delta^2/8).",
    sp.exp(-tau) * E2(tau, delta),
    "<=",
    _most * sp.exp(-tau / 2) * decay,
    (
        Link(
            "complete the square",
            sp.exp(-tau / 2) * decay * line(normal(y) * _profile),
            Algebra((E2,)),
        ),
        Link(
            "the profile is at most its peak",
            _most * sp.exp(-tau / 2) * decay,
            Cited(MONOTONE_INTEGRAL, (PROFILE_PEAK,)),
            "<=",
        ),
    ),
    source="reconstructed",
)
PULL_BOUND = bound(
    "ttt_discover.f.pull_bound",
    "E_{p_o}[e^(b v) s_o s_n] <= E_{p_o}[s_o s_n]: the reward is not positive.",
    soft_pull.head,
    "<=",
    sp.exp(-reference_logit) * E2(reference_logit, delta),
    (
        Link(
            "e^(b v) is at most 1",
            line(p_o * soft * soft_new),
            Combination(
                remainder=line(p_o * soft * soft_new * (1 - weighting)), unfold=(soft_pull,)
            ),
            "<=",
        ),
        Link(
            "balance",
            sp.exp(-reference_logit) * E2(reference_logit, delta),
            Combination((Use(SOFT_OVERLAP, _at_reference),)),
        ),
    ),
    source="reconstructed",
)
_least = sp.exp(-inverse_temperature * gap)
REWARD_FLOOR = bound(
    "ttt_discover.f.reward_floor",
    "The soft reward is at least -G.",
    gap * soft,
    "<=",
    gap,
    (Link("s_n is positive", gap, Combination(remainder=gap * soft_new), "<="),),
    source="reconstructed",
)
PAYOFF_BOUND = bound(
    "ttt_discover.f.payoff_bound",
    "E_q[e^(b v)] >= e^(-b G).",
    _least,
    "<=",
    soft_payoff.head,
    (
        Link("q is a density", line(q * _least), Algebra()),
        Link(
            "the reward is at least -G",
            line(q * weighting),
            Cited(f"the exponential increases; {MONOTONE_INTEGRAL}", (REWARD_FLOOR,)),
            "<=",
        ),
        Link("definition", soft_payoff.head, Algebra((soft_payoff,))),
    ),
    source="reconstructed",
)
_factor = beta * gap * delta / _least
_sharp = _factor * SOFT_OVERLAP_BOUND.right.subs(_at_reference)
SIZE = bound(
    "ttt_discover.f.size",
    "The drift is at most (3 sqrt(3)/16) beta G delta e^(b G) sqrt((1 - alpha_0)/alpha_0) "
    "e^(-delta^2/8).",
    entropic_drift.head,
    "<=",
    _sharp,
    (
        Link("a ratio of means", entropic_drift.formula, Combination((Use(DRIFT),))),
        Link(
            "bound both means",
            _factor * PULL_BOUND.right,
            Combination(
                (
                    Use(PULL_BOUND, times=_factor),
                    Use(PAYOFF_BOUND, times=_factor * soft_pull.head / soft_payoff.head),
                )
            ),
            "<=",
        ),
        Link(
            "the overlap of the soft labels",
            _sharp,
            Combination((Use(SOFT_OVERLAP_BOUND, _at_reference, _factor),)),
            "<=",
        ),
    ),
    source="reconstructed",
)
CLASSICAL = bound(
    "ttt_discover.f.classical",
    "The classical form has 1/2 for 3 sqrt(3)/16.",
    entropic_drift.head,
    "<=",
    _factor * sp.exp(-reference_logit / 2) * decay / 2,
    (
        Link("the sharper bound", _sharp, Combination((Use(SIZE),)), "<="),
        Link(
            "3 sqrt(3)/16 < 1/2",
            _factor * sp.exp(-reference_logit / 2) * decay / 2,
            Combination(
                remainder=(sp.Rational(1, 2) - _most)
                * _factor
                * sp.exp(-reference_logit / 2)
                * decay
            ),
            "<=",
        ),
    ),
    source="reconstructed",
)

CLAIMS = (
    REWARD_SLOPE,
    STEIN,
    DRIFT,
    SHIFT_DROPS,
    ACROSS,
    TOWARDS,
    SOFT_OVERLAP,
    PROFILE_PEAK,
    SOFT_OVERLAP_BOUND,
    PULL_BOUND,
    REWARD_FLOOR,
    PAYOFF_BOUND,
    SIZE,
    CLASSICAL,
)
