"""States along scalar flows whose solutions are known, to many digits and over many decades."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from mpmath.ctx_mp import MPContext

from numerics.trajectories.scalar_states import states
from proofs_check.catalogue import load
from proofs_check.simulation.suite import Suite

mp: Any = MPContext()
mp.dps = 60
DIGITS = 22
SUITE = Suite.of(load(), DIGITS)
PHI_0 = Fraction(1, 2)


def real(value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def velocity(formula: Callable[[Any], Any]) -> Callable[[Fraction], Any]:
    return lambda state: formula(real(state))


def forward(delta: int) -> Callable[[Fraction], Any]:
    """The weight's flow under forward KL on new data."""
    return lambda phi: (
        -SUITE.value("forward_kl.weight_gradient", {"phi": phi, "delta": Fraction(delta)})
    )


TIMES = [Fraction(n, 4) for n in (0, 1, 6, 40, 100)]


@pytest.mark.parametrize(
    ("rate", "solution"),
    [
        (lambda x: -x, lambda t: mp.exp(-t) / 2),
        (lambda x: x * (1 - x), lambda t: 1 / (1 + mp.exp(-t))),
        (lambda x: -mp.exp(x), lambda t: -mp.log(mp.exp(mp.mpf(-1) / 2) + t)),
        (lambda x: 1 + x**2, None),
    ],
    ids=["decay", "logistic", "logarithm", "blow-up"],
)
def test_a_known_solution_is_met_within_the_estimated_error(rate: Any, solution: Any) -> None:
    if solution is None:  # tan(t + c) is infinite at a finite time, before which it is met
        times = [Fraction(1, 2), Fraction(1)]

        def solution(t: Any) -> Any:
            return mp.tan(t + mp.atan(mp.mpf(1) / 2))
    else:
        times = TIMES
    for reached in states(velocity(rate), PHI_0, times, DIGITS):
        error = abs(mp.mpf(reached.state) - solution(real(reached.time)))
        assert error <= reached.error + mp.mpf("1e-55")  # what the solution here rounds by
        assert reached.error < mp.mpf(10) ** -(DIGITS - 4)


def test_a_flow_that_has_come_to_rest_says_so_within_its_error() -> None:
    (reached,) = states(velocity(lambda x: 3 - x), PHI_0, [Fraction(10**6)], 12)
    assert abs(reached.state - 3) <= reached.error < mp.mpf("1.1e-12")


def test_a_state_of_rest_stays() -> None:
    (reached,) = states(velocity(lambda x: x - PHI_0.numerator / mp.mpf(2)), PHI_0, [TIMES[4]], 12)
    assert (reached.state, reached.error) == (mp.mpf("0.5"), 0)


def test_a_decade_of_forward_kl_costs_no_more_than_the_one_before() -> None:
    calls = []

    def counted(state: Fraction) -> Any:
        calls.append(state)
        return -mp.exp(real(state))

    spent = []
    for power in (20, 40, 60):
        calls.clear()
        list(states(counted, Fraction(0), [Fraction(10**power)], 20))
        spent.append(len(calls))
    assert spent[2] - spent[1] <= 1.2 * (spent[1] - spent[0])


def test_modes_that_never_overlap_give_one_over_beta_growing_like_t() -> None:
    # κ = 1 − e^{−112}: e^{−φ} − φ = e^{−φ_0} − φ_0 + t, and e^{−φ} = 1/β − 1
    start = mp.exp(-real(PHI_0)) - real(PHI_0)
    times = [Fraction(10**k) for k in range(0, 31, 5)]
    for reached in states(forward(30), PHI_0, times, DIGITS):
        phi = mp.mpf(reached.state)
        assert abs((mp.exp(-phi) - phi - start) / real(reached.time) - 1) < mp.mpf("1e-20")


@pytest.mark.parametrize(("delta", "apart"), [(8, "0.08"), (12, "1e-5")])
def test_beta_t_is_one_while_the_modes_are_told_apart(delta: int, apart: str) -> None:
    # (e^{−φ} − φ)' = κ, which is largest at the start and, at φ = (½ − s)δ², by
    # 1 − κ <= (1 + e^φ) e^{−(1−s)²δ²/2}, not far from 1 at the end
    for reached in states(forward(delta), PHI_0, [Fraction(10**k) for k in (3, 4, 6)], 16):
        t, phi = real(reached.time), mp.mpf(reached.state)
        s = mp.mpf(1) / 2 - phi / delta**2
        lost = (1 + mp.exp(phi)) * mp.exp(-(((1 - s) * delta) ** 2) / 2)
        assert lost < mp.mpf(apart)
        risen = mp.exp(-phi) - phi - (mp.exp(-real(PHI_0)) - real(PHI_0))
        assert (1 - lost) * t <= risen <= t
        assert _weight(phi) * (t + 1 / _weight(real(PHI_0))) >= 1  # β >= 1/(1/β_0 + t)


def test_in_the_end_beta_falls_like_the_root() -> None:
    # from β_1 at t_1 on: 2(1−β_1)²(C − β_1 K)(t − t_1) <= β^−2 − β_1^−2, and β^−2 − β_0^−2 <= 2Ct
    delta, c = 2, mp.expm1(4)
    k = mp.exp(12) - 3 * mp.exp(4) + 2
    first, *later = states(forward(delta), PHI_0, [Fraction(10**p) for p in (12, 14, 16)], DIGITS)
    beta_1, t_1 = _weight(first.state), real(first.time)
    slowest = 2 * (1 - beta_1) ** 2 * (c - beta_1 * k)
    for reached in later:
        t, beta = real(reached.time), _weight(reached.state)
        square = beta**-2
        assert beta_1**-2 + slowest * (t - t_1) <= square
        assert square <= _weight(real(PHI_0)) ** -2 + 2 * c * t
        assert abs(beta * mp.sqrt(2 * c * t) - 1) < mp.mpf("0.01")


def test_the_crossover_lies_between_its_two_weights() -> None:
    # e^{−δ²/2} = 1.3e-14 and e^{−3δ²/2} = 2.0e-42: above βt is 1, below β√(2(e^{δ²} − 1)t) is 1,
    # and between them neither
    delta, found = 8, []
    for reached in states(forward(delta), PHI_0, [Fraction(10**p) for p in (4, 30, 75)], 12):
        t, beta = real(reached.time), _weight(reached.state)
        found.append((beta, beta * t, beta * mp.sqrt(2 * mp.expm1(delta**2) * t)))
    early, between, late = found
    assert early[0] > mp.exp(-32) > between[0] > mp.exp(-96) > late[0]
    assert abs(early[1] - 1) < 0.01
    assert abs(late[2] - 1) < 0.01
    assert min(between[1:]) > 2


def _weight(phi: Any) -> Any:
    return 1 / (1 + mp.exp(-mp.mpf(phi)))
