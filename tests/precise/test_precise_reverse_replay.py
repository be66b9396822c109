"""Replay under reverse KL: unbiased weights, exact special cases, leakage by mpmath.quad."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numerics.point import Logit, Point
from numerics.precise import overlap, reverse_kl, reverse_replay
from numerics.precise.evaluation import evaluate

Value = Callable[..., Any]
Mean = Callable[..., Any]
HALF = Logit(Fraction(1, 2))
logits = st.fractions(-6, 6, max_denominator=30)
deltas = st.fractions("1/5", 7, max_denominator=30)
replays = st.fractions(0, "15/16", max_denominator=30)


def close(found: Any, right: Any, digits: int = 23) -> bool:
    return bool(abs(found - right) <= mpmath.mpf(10) ** -digits * abs(right))


def mp(exact: str | Fraction) -> Any:
    return mpmath.mpf(Fraction(exact).numerator) / Fraction(exact).denominator


@given(phi=logits, tau=logits, delta=deltas, replay=replays)
@settings(max_examples=5)
def test_replay_does_not_change_the_gradient(
    phi: Fraction, tau: Fraction, delta: Fraction, replay: Fraction, value: Value
) -> None:
    assume(phi != tau)  # there both vanish, each to its own error
    here = {"phi": phi, "tau": tau, "delta": delta}
    with mpmath.workdps(40):
        replayed = value(reverse_replay.replayed_gradient, **here, replay=replay)
        assert close(replayed, value(reverse_kl.weight_gradient, **here))


def test_second_moment_of_the_weights(value: Value) -> None:
    """1.036 at λ = 1/4, delta = 2, phi = 0 (tabulated); 1 exactly without replay."""
    inflated = value(reverse_replay.weight_second_moment, phi="0", delta="2", replay="1/4")
    assert abs(inflated - 1.036) < 5e-4
    with mpmath.workdps(40):
        for phi, delta in (("0", "2"), ("-5", "4"), ("3", "1/4")):
            moment = value(reverse_replay.weight_second_moment, phi=phi, delta=delta, replay="0")
            assert close(moment, 1, 24)


@given(phi=logits, delta=deltas, replay=st.fractions("1/16", "15/16", max_denominator=30))
@settings(max_examples=5)
def test_replay_inflates_by_less_than_the_fresh_fraction(
    phi: Fraction, delta: Fraction, replay: Fraction, value: Value
) -> None:
    here = {"phi": phi, "delta": delta}
    inflated = value(reverse_replay.weight_second_moment, **here, replay=replay)
    assert 1 < inflated < 1 / mp(1 - replay)
    score, plain = (
        value(reverse_replay.score_second_moment, **here, replay=fraction)
        for fraction in (replay, Fraction(0))
    )
    assert 0 < score < plain / mp(1 - replay)


@given(phi=logits, delta=deltas)
@settings(max_examples=4)
def test_without_replay_the_score_has_the_gates_variance(
    phi: Fraction, delta: Fraction, value: Value
) -> None:
    """Var_q(r_o) = beta(1-beta) kappa."""
    here = {"phi": phi, "delta": delta}
    with mpmath.workdps(40):
        variance = value(overlap.distinguishability, **here)
        variance /= (1 + mpmath.exp(-mp(phi))) * (1 + mpmath.exp(mp(phi)))
        assert close(value(reverse_replay.score_second_moment, **here, replay="0"), variance)


def test_second_moments_by_quadrature(value: Value) -> None:
    with mpmath.workdps(32):
        beta = 1 / (1 + mpmath.exp(-0.5))

        def moment(power: int) -> Any:
            def integrand(x: Any) -> Any:
                old, new = mpmath.npdf(x), mpmath.npdf(x, 3)
                q = beta * old + (1 - beta) * new
                omega = 1 / (mpmath.mpf(3) / 4 + old / (4 * q))
                return q * omega * (beta * old / q - beta) ** power

            return mpmath.quad(integrand, mpmath.linspace(-14, 17, 16))

        here = {"phi": "1/2", "delta": "3", "replay": "1/4"}
        assert close(value(reverse_replay.weight_second_moment, **here), moment(0))
        assert close(value(reverse_replay.score_second_moment, **here), moment(2))


@pytest.mark.parametrize(
    ("weight", "replay", "batch", "right"),
    [
        ("1/2", "1/2", "4", Fraction(1, 256)),
        ("1/2", "0", "4", Fraction(1, 16)),
        ("1/10", "1/4", "3", Fraction(27, 40) ** 3),
        ("1/1000", "1/10", "32", Fraction(8991, 10000) ** 32),
        ("1/1000", "0", "32", Fraction(999, 1000) ** 32),
    ],
)
def test_starvation_is_an_exact_binomial(
    weight: str, replay: str, batch: str, right: Fraction, value: Value
) -> None:
    found = value(
        reverse_replay.starvation, phi=Logit(Fraction(weight)), replay=replay, batch=batch
    )
    with mpmath.workdps(40):
        assert close(found, mp(right), 25)


@pytest.mark.parametrize("radius", ["0", "1/1000", "1/3", "1", "4"])
@pytest.mark.parametrize(("phi", "delta"), [("1/2", "3"), ("-3", "1/2")])
def test_leaked_score_by_quadrature(radius: str, phi: str, delta: str, value: Value) -> None:
    with mpmath.workdps(40):
        p, d, r = mp(phi), mp(delta), mp(radius)

        def integrand(x: Any) -> Any:
            leaked = 1 / (1 + mpmath.exp(-p + d * (x - d / 2)))
            return mpmath.npdf(x, d) * leaked * mpmath.sqrt(x**2 + r**2)

        near = [r * 10**k for k in range(4) if 0 < r * 10**k < 1]
        right_side = [0, *near, *range(1, 18, 2)]
        pieces = sorted({*right_side, *(-place for place in right_side)})
        found = value(reverse_replay.leaked_score, phi=phi, delta=delta, radius=radius)
        assert close(found, mpmath.quad(integrand, pieces))


@pytest.mark.parametrize("exponent", [8, 12])
def test_a_small_radius_is_no_harder_than_none(exponent: int, value: Value) -> None:
    """The score exceeds that on the axis by p_n(0) r_o(0) radius² log(1/radius) and less."""
    on, off = (
        value(reverse_replay.leaked_score, phi="1/2", delta="3", radius=radius)
        for radius in ("0", f"1e-{exponent}")
    )
    assert 0 < off - on < mpmath.mpf(10) ** (1 - 2 * exponent)


def test_an_old_learner_leaks_the_whole_norm(value: Value) -> None:
    """r_o = 1: E|x| under N(delta, 1), closed form by erf."""
    found = value(reverse_replay.leaked_score, phi="700", delta="1", radius="0")
    with mpmath.workdps(40):
        root = mpmath.sqrt(2)
        folded = root / mpmath.sqrt(mpmath.pi * mpmath.e) + mpmath.erf(1 / root)
        assert close(found, folded, 24)


@given(phi=logits, delta=deltas, radius=st.fractions(0, 4, max_denominator=30))
@settings(max_examples=6)
def test_leakage_is_bounded_by_the_overlap(
    phi: Fraction, delta: Fraction, radius: Fraction, value: Value
) -> None:
    leaked = value(reverse_replay.leaked_score, 12, phi=phi, delta=delta, radius=radius)
    bound = mpmath.exp(mp(phi) / 2 - mp(delta) ** 2 / 8) / 2
    assert 0 < leaked < bound * mpmath.sqrt(1 + mp(radius) ** 2 + mp(delta) ** 2 / 4)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("replayed_gradient", {"phi": "1/2", "tau": "-3/5", "delta": "3", "replay": "1/4"}),
        ("weight_second_moment", {"phi": "1/2", "delta": "3", "replay": "1/4"}),
        ("score_second_moment", {"phi": "-4", "delta": "1/2", "replay": "1/4"}),
        ("starvation", {"phi": "-4", "replay": "1/16", "batch": "40"}),
        ("leaked_score", {"phi": "1/2", "delta": "6", "radius": "1/50"}),
        ("leaked_score", {"phi": "-2", "delta": "3", "radius": "0"}),
    ],
)
def test_errors_are_honest(
    name: str, point: dict[str, str], consistent: Callable[..., bool]
) -> None:
    assert consistent(getattr(reverse_replay, name), point)


def test_equal_weights_have_no_gradient() -> None:
    point: Point = {"phi": HALF, "tau": HALF, "delta": Fraction(3), "replay": Fraction(1, 4)}
    assert evaluate(reverse_replay.replayed_gradient, point, 20).value == (0,)
