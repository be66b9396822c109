r"""Part (b): weights shift, and support is not created.

A reward of oscillation \Omega is \Omega times a share in (0, 1), up to a constant, which V* carries
along: claims about every such reward hold an arbitrary share, and an instance is evaluated.
"""

from __future__ import annotations

import sympy as sp

from theorems.forward_kl.quantities import NEAR
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Given,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import alpha, delta, line, p_n, p_o, phi, q, sigma, tau, y
from theorems.oapl.quantities import (
    dOAPL,
    offset,
    regression,
    soft,
    temperature,
)
from theorems.oapl.realisable import GRADIENT, LIMITS_DIFFER, reward_new, reward_old
from theorems.overlap.bayes import CALCULUS, primitive, tail
from theorems.overlap.identities import KAPPA_BELOW_ONE
from theorems.reverse_kl.bounds import GRADIENT_PEAK, MONOTONE_INTEGRAL
from theorems.reverse_kl.quantities import dKL_reverse, spread
from theorems.ttt_discover.concavity import EXP_TANGENT
from theorems.ttt_discover.quantities import gap, q_ref, reference_logit

_minus = sp.S.NegativeOne
_REALS = sp.Interval(-sp.oo, sp.oo)
_UNIT = (sp.S.NegativeOne, sp.S.One)
value, floor, baseline = sp.symbols("value floor baseline", real=True)
oscillation = sp.Symbol("oscillation", positive=True)
BOUNDED_REWARD = (
    Parameter("value", value, _REALS, _UNIT, "the reward v at a point"),
    Parameter("floor", floor, _REALS, _UNIT, "a lower bound of the reward", typical=sp.S.Zero),
    Parameter("baseline", baseline, _REALS, _UNIT, "the baseline V*"),
    Parameter(
        "oscillation",
        oscillation,
        sp.Interval.open(0, sp.oo),
        (sp.Rational(1, 4), sp.Integer(2)),
        "oscillation Omega of the reward",
    ),
)
_shift = tau - reference_logit  # (V_o - V_n)/T
_most = sp.exp(-sp.Abs(_shift))

# weights only shift

SHIFT = identity(
    "oapl.b.shift",
    "logit beta* = tau_0 + (V_o - V_n)/T.",
    sp.log(alpha / (1 - alpha)),
    reference_logit + (reward_old - reward_new) / temperature,
    (
        Link("logit", tau, Algebra()),
        Link(
            "difference of the mode limits",
            reference_logit + (reward_old - reward_new) / temperature,
            Combination((Use(LIMITS_DIFFER, times=-1 / temperature),)),
        ),
    ),
    source="reconstructed",
)


def _kept(slug: str, mode: str, sign: int) -> Claim:
    """A weight falls by the factor e^-|V_o - V_n|/T at most."""
    new, old = sigma(sign * tau), sigma(sign * reference_logit)
    spare = sp.exp(2 * sp.Max(sign * _shift, 0)) - 1
    return bound(
        f"oapl.b.{slug}",
        f"The {mode} mode's weight falls by the factor e^(-|V_o - V_n|/T) at most: weights in "
        "(0, 1) stay there.",
        old * _most,
        "<=",
        new,
        (
            Link(
                "odds change by the factor e^((V_o - V_n)/T)",
                new,
                Combination(
                    remainder=new
                    * old
                    * _most
                    * (sp.exp(sp.Abs(_shift)) - 1 + sp.exp(-sign * tau) * spare)
                ),
                "<=",
            ),
        ),
        source="ours",
    )


KEPT_OLD = _kept("kept_old", "old", 1)
KEPT_NEW = _kept("kept_new", "new", -1)

# a bounded reward creates no support

_oscillates = (value <= floor + oscillation, floor <= baseline)


def _given(slug: str, text: str, hypothesis: Expr) -> Claim:
    smaller, larger = hypothesis.lts, hypothesis.gts
    link = Link("given", larger, Given(), "<=")
    return bound(
        f"oapl.b.{slug}", text, smaller, "<=", larger, (link,), where=_oscillates, source="ours"
    )


_tilt = sp.exp((value - baseline) / temperature)
DENSITY = bound(
    "oapl.b.density",
    "The ideal policy is at most e^(Omega/T) times the reference: v is at most Omega above its "
    "floor, and V* is not below it.",
    _tilt,
    "<=",
    sp.exp(oscillation / temperature),
    (
        Link(
            "e^a - e^b >= e^b (a - b)",
            sp.exp(oscillation / temperature),
            Combination(
                (
                    Use(EXP_TANGENT, {phi: (oscillation - value + baseline) / temperature}, _tilt),
                    Use(
                        _given("below_ceiling", "v <= floor + Omega.", _oscillates[0]),
                        times=_tilt / temperature,
                    ),
                    Use(
                        _given("above_floor", "V* >= floor.", _oscillates[1]),
                        times=_tilt / temperature,
                    ),
                )
            ),
            "<=",
        ),
    ),
    where=_oscillates,
    source="reconstructed",
)
any_share = sigma(sp.Function("score", real=True)(y))


def _baseline_floor(part: str, reference: Expr, share: Expr) -> Claim:
    """E_ref[e^(v/T)] >= 1 for v = G share: V* is not below the floor of the reward."""
    tilted = line(reference * sp.exp(gap * share / temperature))
    spare = line(reference * (sp.exp(gap * share / temperature) - 1))
    return bound(
        f"oapl.b.baseline_floor{part}",
        "V* is not below the reward's floor: E_ref[e^(v/T)] >= 1 where v lies in (0, Omega).",
        sp.S.One,
        "<=",
        tilted,
        (Link("the reward is positive", tilted, Combination(remainder=spare), "<="),),
        source="reconstructed",
    )


def created_mass(share: Expr) -> Expr:
    """Mass on L > 0 of the ideal policy from p_n, for v = G share."""
    tilted = p_n * sp.exp(gap * share / temperature)
    return sp.Integral(tilted, (y, 0, sp.oo)) / line(tilted)


def _created(part: str, share: Expr) -> Claim:
    """The mass on L > 0 of the ideal policy, from p_n, for v = G share."""
    tilted = sp.Integral(p_n * sp.exp(gap * share / temperature), (y, 0, sp.oo))
    ceiling = sp.exp(gap / temperature)
    lost = tail(delta / 2)
    least = _baseline_floor(f"_lost{part}", p_n, share)
    share_below_one = bound(
        f"oapl.b.ceiling{part}",
        "The reward is at most Omega.",
        gap * share,
        "<=",
        gap,
        (Link("a share is at most 1", gap, Combination(remainder=gap * (1 - share)), "<="),),
        source="reconstructed",
    )
    return bound(
        f"oapl.b.created{part}",
        "From a reference that has lost the old mode, p_n, a reward of oscillation Omega puts at "
        "most e^(Omega/T) Phi(-delta/2) on L > 0.",
        created_mass(share),
        "<=",
        ceiling * lost,
        (
            Link(
                "V* is not below the floor",
                tilted,
                Combination((Use(least, times=tilted / least.right),)),
                "<=",
            ),
            Link(
                "the reward is at most Omega",
                ceiling * sp.Integral(p_n, (y, 0, sp.oo)),
                Cited(f"the exponential increases; {MONOTONE_INTEGRAL}", (share_below_one,)),
                "<=",
            ),
            Link(
                "Gaussian tail",
                ceiling * lost,
                Cited(CALCULUS, (primitive("oapl.b.primitive", -tail(delta / 2 + y), p_n),)),
            ),
        ),
        source="reconstructed",
    )


BASELINE_FLOOR = _baseline_floor("", q_ref, soft)
CREATED_BY_ANY = _created("_by_any", any_share)
CREATED = _created("", soft)

# a lost mode is stationary in the logit

_at_reference = {phi: reference_logit}
_spread_ref = spread.subs(_at_reference)
AT_REFERENCE = identity(
    "oapl.b.at_reference",
    "At the reference the loss has 2 T^2 times the slope of KL(q || q_beta*).",
    dOAPL.head.subs(_at_reference),
    2 * temperature**2 * dKL_reverse(reference_logit, tau, delta),
    (
        Link(
            "derivative",
            dOAPL.formula.subs(_at_reference),
            Combination((Use(GRADIENT, _at_reference),)),
        ),
        Link(
            "q_ref (r_o - alpha_0) = dq/dphi, of integral 0",
            2 * temperature**2 * dKL_reverse(reference_logit, tau, delta),
            Algebra((dKL_reverse,)),
        ),
    ),
    box=NEAR,
    source="ours",
)


def _stationary(part: str, share: Expr) -> Claim:
    """The slope at the reference for v = G share carries the factor alpha_0."""
    slope = sp.diff(regression(q, gap * share, offset), phi).subs(_at_reference)
    spread_between = line((p_o - p_n) * share)
    return identity(
        f"oapl.b.slope{part}",
        "At the reference the slope of the loss is -2T alpha_0 (1 - alpha_0) "
        "(E_{p_o}[v] - E_{p_n}[v]): in the logit a lost mode, alpha_0 = 0, is stationary.",
        slope,
        -2 * temperature * _spread_ref * gap * spread_between,
        by_algebra(
            "q_ref (r_o - alpha_0) = alpha_0 (1 - alpha_0)(p_o - p_n), so V* drops out",
            -2 * temperature * _spread_ref * gap * spread_between,
        ),
        source="reconstructed",
    )


SLOPE_OF_ANY = _stationary("_of_any", any_share)
SLOPE = _stationary("", soft)
_gap = reference_logit - tau
_push = _gap * dOAPL.head.subs(_at_reference)
_to_target = {phi: reference_logit}
STATIONARY = bound(
    "oapl.b.stationary",
    "It has size at most 2 T^2 alpha_0 (1 - alpha_0) |tau_0 - logit beta*|, which vanishes with "
    "alpha_0.",
    _push,
    "<=",
    2 * temperature**2 * _spread_ref * _gap**2,
    (
        Link(
            "kappa is at most 1",
            2 * temperature**2 * _spread_ref * _gap**2,
            Combination(
                (
                    Use(AT_REFERENCE, times=_gap),
                    Use(GRADIENT_PEAK, _to_target, 2 * temperature**2),
                    Use(
                        KAPPA_BELOW_ONE,
                        {phi: sp.S.Zero},
                        2 * temperature**2 * _spread_ref * _gap**2,
                    ),
                )
            ),
            "<=",
        ),
    ),
    kind="limit",
    box=NEAR,
    source="reconstructed",
)
CLAIMS = (
    SHIFT,
    KEPT_OLD,
    KEPT_NEW,
    DENSITY,
    BASELINE_FLOOR,
    CREATED_BY_ANY,
    CREATED,
    AT_REFERENCE,
    SLOPE_OF_ANY,
    SLOPE,
    STATIONARY,
)
