"""Claims over boxes end as they should: proved, certified, refuted, or undecided with a place."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from proofs_check.boxes import search
from proofs_check.boxes.prover import Outcome, decide
from proofs_check.boxes.statement import find
from proofs_check.catalogue import load
from proofs_check.verdict import Verdict

CATALOGUE = load()
BERNOULLI = "(sigma(phi)*(phi-tau) + log((1+exp(tau))/(1+exp(phi))))"


def certified(statement: str, *sides: str, seconds: float = 30.0) -> Outcome:
    claim, text, box, definitions = find(statement, sides, CATALOGUE)
    outcome, interrupted = decide(claim, text, box, definitions, time.monotonic() + seconds)
    assert not interrupted
    return outcome


TRUE = [
    ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)/2", "phi=-6:6", "delta=1/4:12"),
    ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)/2", "phi=-40:40", "delta=1/4:200"),
    ("eps_o(phi, delta) <= 0.49617*exp(-phi/2)*exp(-delta^2/8)", "phi=-6:6", "delta=1/4:12"),
    ("delta*S(phi, delta) <= sqrt(2*pi)", "phi=-4:4", "delta=1/4:40"),
    ("delta*S(phi, delta) < 0.9970*sqrt(2*pi)", "phi=-4:4", "delta=1/4:40"),
    ("kappa(phi, delta) <= erf(delta/(2*sqrt(2)))", "phi=-4:4", "delta=1/2:8"),
    ("kappa(phi, delta)^2 + exp(-delta^2/4) <= 1", "phi=-4:4", "delta=1/4:8"),
    ("kappa(phi, delta) <= kappa(0, delta)", "phi=-3:4", "delta=1/3:200"),
    ("eps_o(phi, delta) <= eps_o(0, delta)", "phi=0:3", "delta=1/2:6"),
    ("KL_forward(phi, delta) <= sigma(phi)*delta^2/2", "phi=-4:4", "delta=1/2:6"),
    ("KL_forward(phi, delta) <= 0.4888*sigma(phi)*delta^2", "phi=-4:4", "delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=1:3", "tau=-3:0", "delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= 0.11516*(phi-tau)^2", "phi=1:3", "tau=-3:0", "delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=-1:1", "tau=-1:1", "delta=1/2:20"),
    ("KL_reverse(phi, tau, delta) >= 0", "phi=-1:1", "tau=-1:1", "delta=1:4"),
    (f"KL_reverse(phi, tau, delta) <= 0.99*{BERNOULLI}", "phi=-1:1", "tau=-1:1", "delta=1:4"),
    (
        "KL_reverse(phi, tau, delta) + KL_reverse(tau, phi, delta) <= (phi-tau)^2/4",
        *("phi=0:2", "tau=-1:1", "delta=1/2:6"),
    ),
    (
        "dKL_reverse(phi, tau, delta)*(phi-tau) <= (phi-tau)^2/4",
        "phi=-2:2",
        "tau=-2:2",
        "delta=1:8",
    ),
    ("E2(phi, delta) <= eps_n(phi, delta)", "phi=-4:4", "delta=1/2:8"),
    ("B(phi, delta)/2 <= sigma(phi)*eps_o(phi, delta)", "phi=-2:2", "delta=1:6"),
    ("x^2 - 2*x + 1.0000001 >= 0", "x=-4:4"),
    ("max(x, y) <= x + y", "x=1/3:2/3", "y=1/7:1"),
]


@pytest.mark.parametrize(("statement", "sides"), [(s, sides) for s, *sides in TRUE])
def test_true_claims_are_certified(statement: str, sides: list[str]) -> None:
    outcome = certified(statement, *sides)
    assert outcome.verdict is Verdict.CERTIFIED, outcome.why
    assert outcome.margin is not None
    assert outcome.margin >= 0
    assert outcome.decided == 1


@pytest.mark.parametrize(
    ("statement", "sides"),
    [
        (
            "sigma(phi)*eps_o(phi, delta) == sigma(-phi)*eps_n(phi, delta)",
            ["phi=-6:6", "delta=1:9"],
        ),
        ("S(phi, delta) <= S(-phi, delta)", ["phi=-6:6", "delta=1:9"]),
        ("tanh(x) == 1 - 2/(1 + exp(2*x))", ["x=-6:6"]),
    ],
)
def test_identities_are_proved(statement: str, sides: list[str]) -> None:
    assert certified(statement, *sides).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("statement", "sides"),
    [
        ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/7)/2", ["phi=-6:6", "delta=1/4:12"]),
        ("kappa(phi, delta) <= 1 - exp(-delta^2/8)", ["phi=-4:4", "delta=1/2:8"]),
        ("KL_forward(phi, delta) <= sigma(phi)^2*delta^2/2", ["phi=-4:4", "delta=1/2:6"]),
        (
            "KL_reverse(phi, tau, delta) <= 0.1128*(phi-tau)^2",
            ["phi=1:3", "tau=-3:0", "delta=1/2:6"],
        ),
        ("delta*S(phi, delta) <= 0.9969*sqrt(2*pi)", ["phi=-4:4", "delta=1/4:40"]),
        ("eps_o(phi, delta) == eps_n(phi, delta)", ["phi=-6:6", "delta=1/4:12"]),
    ],
)
def test_false_claims_are_refuted(statement: str, sides: list[str]) -> None:
    outcome = certified(statement, *sides)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.witness is not None


@pytest.mark.parametrize(
    ("statement", "sides"),
    [
        ("x^2 - 2*x + 1 >= 0", ["x=-4:4"]),
        ("S(phi, delta)^2 >= S(2*phi, delta)*S(0, delta)", ["phi=-3:3", "delta=1/2:6"]),
    ],
)
def test_an_equality_inside_ends_undecided_at_once(statement: str, sides: list[str]) -> None:
    started = time.monotonic()
    outcome = certified(statement, *sides)
    assert outcome.verdict is Verdict.UNDECIDED
    assert outcome.stuck is not None
    assert time.monotonic() - started < 10


def test_a_claim_by_its_id_has_its_declared_box() -> None:
    outcome = certified("overlap.d.classical_old")
    assert outcome.verdict is Verdict.CERTIFIED
    assert outcome.certificate.box.sides == (
        ("phi", Fraction(-6), Fraction(6)),
        ("delta", Fraction(1, 4), Fraction(12)),
    )


def test_a_search_goes_on_where_it_stopped() -> None:
    statement = ("B(phi, delta)/2 <= sigma(phi)*eps_o(phi, delta)", "phi=-2:2", "delta=1:6")
    claim, text, box, definitions = find(statement[0], statement[1:], CATALOGUE)

    def stop(state: search.State) -> None:
        if len(state.leaves) == 9:
            raise KeyboardInterrupt

    first, interrupted = decide(claim, text, box, definitions, time.monotonic() + 60, stop)
    assert interrupted
    assert first.verdict is Verdict.UNDECIDED
    assert 0 < first.decided < 1
    assert len(first.certificate.leaves) == 9
    second, _ = decide(
        claim, text, box, definitions, time.monotonic() + 60, resumed=first.certificate
    )
    assert second.verdict is Verdict.CERTIFIED
    kept = {leaf.box for leaf in first.certificate.leaves}
    assert kept <= {leaf.box for leaf in second.certificate.leaves}
