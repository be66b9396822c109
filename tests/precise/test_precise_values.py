"""Values of the precise lane against references that it did not produce.

Tabulated values were obtained elsewhere, to the digits printed; closed forms use mpmath's own exp
and erfc at 60 digits; the rest are the paper's identities between quantities integrated separately.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.point import Logit, Point
from numerics.precise import forward_kl, overlap, reverse_kl
from numerics.precise.evaluation import Evaluator, evaluate

HALF, TENTH, MOSTLY_OLD = (Logit(Fraction(w)) for w in ("1/2", "1/10", "9/10"))

TABULATED = [
    (overlap.misassignment_old, {"phi": HALF, "delta": "1"}, "0.3979728671832498437186"),
    (overlap.misassignment_old, {"phi": HALF, "delta": "4"}, "0.03429870439536940701190"),
    (overlap.misassignment_old, {"phi": HALF, "delta": "40"}, "4.322870798554705924522e-89"),
    (overlap.misassignment_old, {"phi": HALF, "delta": "100"}, "1.697240767118658158809e-545"),
    (overlap.misassignment_old, {"phi": TENTH, "delta": "4"}, "0.09282739394438562264945"),
    # the next by mpmath.quad at 60 digits, both as 1 - cosh(phi/2) e^{-delta²/8} S and as the
    # expectation of sinh²(L/2) cosh(L/2)/(cosh phi + cosh L), which does not cancel
    (overlap.distinguishability, {"phi": "30", "delta": "1"}, "1.60790335049138468425e-13"),
    (overlap.distinguishability, {"phi": "0", "delta": "1/10"}, "0.0024937758738578599"),
    (overlap.sech_overlap, {"phi": "1.3", "delta": "30"}, "0.0830251319299489241"),
    (overlap.sech_overlap, {"phi": "-5", "delta": "8"}, "0.246618517385093073"),
    (forward_kl.objective, {"phi": "-0.7", "delta": "1.3"}, "0.08718863254786871690399"),
    (
        reverse_kl.objective,
        {"phi": "-0.7", "tau": "0.4", "delta": "1.3"},
        "0.04444479425349083596792",
    ),
    (
        reverse_kl.objective,
        {"phi": HALF, "tau": MOSTLY_OLD, "delta": "4"},
        "0.46744389351786963523",
    ),
    (
        reverse_kl.objective,
        {"phi": MOSTLY_OLD, "tau": HALF, "delta": "4"},
        "0.34106092242629288483",
    ),
]

deltas = st.fractions("1/20", 12, max_denominator=40)
logits = st.fractions(-6, 6, max_denominator=40)
extreme_deltas = st.sampled_from([Fraction(v) for v in ("1/1000000", "1/10", "3", "37", "1000000")])


def exact(**values: str | Fraction | Logit) -> Point:
    return {k: v if isinstance(v, Logit) else Fraction(v) for k, v in values.items()}


def value(evaluator: Evaluator, **point: str | Fraction | Logit) -> Any:
    return evaluate(evaluator, exact(**point), 30).value[0]


def agree(found: Any, right: Any, digits: int) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(fraction: Fraction) -> Any:
    return mpmath.mpf(fraction.numerator) / fraction.denominator


@pytest.mark.parametrize(("evaluator", "point", "right"), TABULATED)
def test_tabulated_values_come_out_to_their_last_digit(
    evaluator: Evaluator, point: dict[str, str | Logit], right: str
) -> None:
    significant = len(right.split("e")[0].replace(".", "").lstrip("0"))
    with mpmath.workdps(60):
        found = value(evaluator, **point)
        assert agree(found, mpmath.mpf(right), significant - 1)


@given(deltas | extreme_deltas)
@settings(max_examples=8)
def test_gaussian_overlaps_have_their_closed_forms(delta: Fraction) -> None:
    with mpmath.workdps(60):
        d = mp(delta)
        assert agree(value(overlap.bhattacharyya, delta=delta), mpmath.exp(-(d**2) / 8), 29)
        assert agree(value(overlap.component_kl, delta=delta), d**2 / 2, 29)
        assert agree(value(overlap.chi_squared, delta=delta), mpmath.expm1(d**2), 29)
        tv = mpmath.erf(d / mpmath.sqrt(8))
        assert agree(value(overlap.total_variation, delta=delta), tv, 29)


@given(logits | st.sampled_from([Fraction(700), Fraction(-700)]), deltas | extreme_deltas)
@settings(max_examples=8)
def test_bayes_error_is_two_normal_tails(phi: Fraction, delta: Fraction) -> None:
    with mpmath.workdps(60):
        p, d, root = mp(phi), mp(delta), mpmath.sqrt(8)
        beta, rest = 1 / (1 + mpmath.exp(-p)), 1 / (1 + mpmath.exp(p))
        tails = [mpmath.erfc((d + side * 2 * p / d) / root) / 2 for side in (1, -1)]
        right = beta * tails[0] + rest * tails[1]
        assert agree(value(overlap.bayes_error, phi=phi, delta=delta), right, 29)


@given(logits | st.sampled_from([Fraction(700), Fraction(-700)]), extreme_deltas | deltas)
@settings(max_examples=6)
def test_misassignments_balance_and_share_the_sech_overlap(phi: Fraction, delta: Fraction) -> None:
    with mpmath.workdps(60):
        eps_o = value(overlap.misassignment_old, phi=phi, delta=delta)
        eps_n = value(overlap.misassignment_new, phi=phi, delta=delta)
        S = value(overlap.sech_overlap, phi=phi, delta=delta)
        assert agree(mpmath.exp(mp(phi)) * eps_o, eps_n, 28)
        assert agree(mpmath.exp((mp(phi) - mp(delta) ** 2 / 4) / 2) * S / 2, eps_n, 28)


@given(logits, st.fractions("1/5", 4, max_denominator=20))
@settings(max_examples=5)
def test_gradients_of_the_forward_objective(phi: Fraction, delta: Fraction) -> None:
    """dF/dphi = beta kappa and ∇_{m_o}F = -delta E_{p_n}[r_o²], to all digits asked for."""
    with mpmath.workdps(60):
        beta = 1 / (1 + mpmath.exp(-mp(phi)))
        kappa = value(overlap.distinguishability, phi=phi, delta=delta)
        slope = value(forward_kl.weight_gradient, phi=phi, delta=delta)
        assert agree(slope, beta * kappa, 28)
        moment = value(overlap.responsibility_second_moment, phi=phi, delta=delta)
        pull = value(forward_kl.old_mean_gradient, phi=phi, delta=delta)
        assert agree(pull, -mp(delta) * moment, 28)


@given(logits, st.fractions("1/5", 6, max_denominator=20))
@settings(max_examples=5)
def test_forward_objective_is_a_softplus_mean(phi: Fraction, delta: Fraction) -> None:
    """F = log(1 + e^phi) - A(phi)."""
    with mpmath.workdps(60):
        softplus = mpmath.log1p(mpmath.exp(mp(phi)))
        A = value(overlap.softplus_mean, c=phi, delta=delta)
        assert (
            abs(value(forward_kl.objective, phi=phi, delta=delta) - (softplus - A))
            < softplus / 10**28
        )


@given(logits, logits, st.fractions("1/5", 6, max_denominator=20))
@settings(max_examples=4)
def test_gradients_of_the_reverse_objective(phi: Fraction, tau: Fraction, delta: Fraction) -> None:
    """dR/dphi = beta(1-beta)(E_{p_o} - E_{p_n})[log q/p]; for KL(p‖q) it is (beta-alpha) kappa."""
    with mpmath.workdps(25):
        beta, rest = 1 / (1 + mpmath.exp(-mp(phi))), 1 / (1 + mpmath.exp(mp(phi)))
        alpha = 1 / (1 + mpmath.exp(-mp(tau)))
        covering = value(reverse_kl.mass_covering_gradient, phi=phi, tau=tau, delta=delta)
        kappa = value(overlap.distinguishability, phi=phi, delta=delta)
        assert abs(covering - (beta - alpha) * kappa) <= mpmath.mpf(10) ** -24
        slope = value(reverse_kl.weight_gradient, phi=phi, tau=tau, delta=delta)
        leakage = _log_ratio_means(phi, tau, delta)
        assert abs(slope - beta * rest * leakage) <= mpmath.mpf(10) ** -21
        fresh = value(reverse_kl.new_data_gradient, phi=phi, delta=delta)
        odds = _log_ratio_means(phi, None, delta)
        assert abs(fresh - beta * rest * odds) <= mpmath.mpf(10) ** -21 * (1 + mp(delta) ** 2)


def _log_ratio_means(phi: Fraction, tau: Fraction | None, delta: Fraction) -> Any:
    """E_{p_o}[log q/p] - E_{p_n}[log q/p] by mpmath.quad with split points; tau None: p = p_n."""
    p, d = mp(phi), mp(delta)
    weight = (lambda t: 1 / (1 + mpmath.exp(-t)), lambda t: 1 / (1 + mpmath.exp(t)))

    def log_mixture(x: Any, logit: Any) -> Any:
        return mpmath.log(weight[0](logit) * mpmath.npdf(x) + weight[1](logit) * mpmath.npdf(x, d))

    def integrand(x: Any) -> Any:
        target = mpmath.log(mpmath.npdf(x, d)) if tau is None else log_mixture(x, mp(tau))
        return (mpmath.npdf(x) - mpmath.npdf(x, d)) * (log_mixture(x, p) - target)

    return mpmath.quad(integrand, mpmath.linspace(-12, 12 + d, 13 + int(d)))


@pytest.mark.parametrize(("phi", "delta"), [("-0.7", "1.3"), ("2.5", "3"), ("0.1", "0.4")])
def test_curvature_in_the_weight(phi: str, delta: str) -> None:
    """∫(p_o - p_n)²/q, by mpmath.quad with split points."""
    with mpmath.workdps(30):
        p, d = mp(Fraction(phi)), mp(Fraction(delta))
        beta = 1 / (1 + mpmath.exp(-p))

        def integrand(x: Any) -> Any:
            old, new = mpmath.npdf(x), mpmath.npdf(x, d)
            return (old - new) ** 2 / (beta * old + (1 - beta) * new)

        right = mpmath.quad(integrand, mpmath.linspace(-14, 17, 20))
        found = value(reverse_kl.weight_curvature, phi=phi, tau="0.4", delta=delta)
        assert agree(found, right, 24)


def test_tiny_weights_keep_their_relative_digits() -> None:
    """At phi = -700, F is beta² χ²/2 up to a factor 1 + O(beta), beta = e^-700."""
    with mpmath.workdps(60):
        right = mpmath.exp(-1400) * mpmath.expm1(mpmath.mpf(1) / 100) / 2
        assert agree(value(forward_kl.objective, phi="-700", delta="1/10"), right, 29)
        curvature = value(reverse_kl.weight_curvature, phi="700", tau="1/3", delta="1/10")
        assert agree(curvature, mpmath.expm1(mpmath.mpf(1) / 100), 29)


def test_a_vanishing_overlap_exhausts_neither_memory_nor_digits() -> None:
    """delta = 10^6: the pull on the old mean is -delta E_{p_n}[r_o²], about e^-10^11."""
    point = exact(phi="-18.6", delta="1000000")
    with mpmath.workdps(40):
        moment = value(overlap.responsibility_second_moment, **point)
        pull = value(forward_kl.old_mean_gradient, **point)
        assert agree(pull, -(10**6) * moment, 29)
        assert agree(value(overlap.distinguishability, **point), 1, 29)


@pytest.mark.parametrize("exponent", [20, 150])
def test_weights_that_nearly_agree_keep_their_difference(exponent: int) -> None:
    """R = beta(1-beta) kappa h²/2 up to a factor 1 + O(h), phi - tau = h = 10^-exponent."""
    tau = Fraction(1, 3) - Fraction(1, 10**exponent)
    found = evaluate(reverse_kl.objective, exact(phi="1/3", tau=tau, delta="2"), 8).value[0]
    with mpmath.workdps(30):
        third = mpmath.mpf(1) / 3
        weight = 1 / (1 + mpmath.exp(-third)) / (1 + mpmath.exp(third))
        kappa = value(overlap.distinguishability, phi="1/3", delta="2")
        assert agree(found, weight * kappa * mpmath.mpf(10) ** (-2 * exponent) / 2, 8)
