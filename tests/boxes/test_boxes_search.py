"""Claims over boxes end as they should: proved, certified, refuted, or undecided with a place."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from proofs_check.boxes import search
from proofs_check.boxes.certificate import write
from proofs_check.boxes.prover import FIRST_BOXES, Outcome, decide
from proofs_check.boxes.recheck import recheck
from proofs_check.boxes.statement import NotOverABox, declared, find
from proofs_check.catalogue import load
from proofs_check.verdict import Verdict
from theorems.language import Expr, bound
from theorems.mixture import delta, phi

BERNOULLI = "(sigma(phi)*(phi-tau) + log((1+exp(tau))/(1+exp(phi))))"


def certified(statement: str, *sides: str, seconds: float = 30.0) -> Outcome:
    outcome, interrupted = decide(find(statement, sides), time.monotonic() + seconds)
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
    ("exp(x)/(1 + exp(x))^2 <= 1/4", "x=-4:4"),
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
        # equalities inside the box, at once
        ("x^2 - 2*x + 1 >= 0", ["x=-4:4"]),
        ("overlap.d.am_gm", []),
    ],
)
def test_identities_and_squares_are_proved(statement: str, sides: list[str]) -> None:
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
        ("x^3 + 2 >= 3*x", ["x=1/4:4"]),
        ("S(phi, delta)^2 >= S(2*phi, delta)*S(0, delta)", ["phi=-3:3", "delta=1/2:6"]),
    ],
)
def test_an_equality_inside_ends_undecided_at_once(statement: str, sides: list[str]) -> None:
    started = time.monotonic()
    outcome = certified(statement, *sides)
    assert outcome.verdict is Verdict.UNDECIDED
    assert outcome.stuck is not None
    assert time.monotonic() - started < 10


def test_leaves_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    question = find(
        "KL_forward(phi, delta) <= 0.4888*sigma(phi)*delta^2", ("phi=-4:4", "delta=1/2:6")
    )
    alone, _ = decide(question, time.monotonic() + 60)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        shared, _ = decide(question, time.monotonic() + 60, executor=executor)
    assert alone.verdict is Verdict.CERTIFIED
    paths = [tmp_path / name for name in ("alone", "shared")]
    for path, outcome in zip(paths, (alone, shared), strict=True):
        write(path, outcome.certificate)
    assert len(alone.certificate.leaves) > FIRST_BOXES / 2
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("id", "verdict"),
    [
        ("overlap.f.cosh_order", Verdict.CERTIFIED),  # |tau| <= |phi|, by a share
        ("reverse_kl.e.spread_at_reach", Verdict.CERTIFIED),
        ("forward_kl.d.plateau", Verdict.CERTIFIED),  # a hypothesis that fails on some leaves
        ("forward_kl.a.increasing", Verdict.CERTIFIED),  # an integral, by an identity
        ("reverse_kl.c.accumulated_sign", Verdict.CERTIFIED),  # an auxiliary quantity
    ],
)
def test_declared_claims_of_every_kind(id: str, verdict: Verdict) -> None:
    outcome = certified(id)
    assert outcome.verdict is verdict, outcome.why
    assert outcome.certificate.claim == id


def test_a_lemma_of_the_ranges_is_not_proved_by_them() -> None:
    outcome = certified("overlap.f.decreasing")
    assert outcome.verdict is Verdict.UNDECIDED
    assert "rest on it" in outcome.why


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("forward_kl.d.path_root", "process"),
        ("overlap.j.slope_above", "integral"),
        ("reverse_kl.a.unique_minimiser", "no order"),
    ],
)
def test_what_no_box_can_be_asked_is_said(id: str, why: str) -> None:
    with pytest.raises(NotOverABox, match=why):
        find(id, ())


def test_a_claim_by_its_id_has_its_declared_box() -> None:
    outcome = certified("overlap.d.classical_old")
    assert outcome.verdict is Verdict.CERTIFIED
    assert outcome.certificate.box.sides == (
        ("phi", Fraction(-6), Fraction(6)),
        ("delta", Fraction(1, 4), Fraction(12)),
    )


def test_a_search_goes_on_where_it_stopped() -> None:
    statement = ("B(phi, delta)/2 <= sigma(phi)*eps_o(phi, delta)", "phi=-2:2", "delta=1:6")
    question = find(statement[0], statement[1:])

    def stop(state: search.State) -> None:
        if len(state.leaves) == 9:
            raise KeyboardInterrupt

    first, interrupted = decide(question, time.monotonic() + 60, stop)
    assert interrupted
    assert first.verdict is Verdict.UNDECIDED
    assert 0 < first.decided < 1
    assert len(first.certificate.leaves) == 9
    second, _ = decide(question, time.monotonic() + 60, resumed=first.certificate)
    assert second.verdict is Verdict.CERTIFIED
    kept = {leaf.box for leaf in first.certificate.leaves}
    assert kept <= {leaf.box for leaf in second.certificate.leaves}


def with_hypothesis(right: int, *where: Expr) -> Outcome:
    """phi <= right where the hypotheses hold, over phi in [-6, 6], delta in [1/4, 12]."""
    claim = bound("overlap.test", "", phi, "<=", sp.Integer(right), where=where)
    theorems = load(("overlap",))
    outcome, _ = decide(declared(claim, theorems["overlap"], theorems), time.monotonic() + 20)
    return outcome


def test_a_witness_satisfies_the_hypotheses() -> None:
    outcome = with_hypothesis(3, phi + delta <= 4)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.witness is not None
    point = outcome.witness.point
    assert point["phi"] > 3
    assert point["phi"] + point["delta"] <= 4


def test_a_claim_may_be_false_where_a_hypothesis_fails() -> None:
    outcome = with_hypothesis(4, phi + delta <= 4)
    assert outcome.verdict is Verdict.CERTIFIED
    typed = replace(outcome.certificate, claim="")
    assert recheck(typed) == len(typed.leaves) > 1
    kinds = [form.kind for form in outcome.certificate.forms]
    assert set(kinds) == {"hypothesis", "plain"}


@pytest.mark.parametrize("order", [phi < 4, phi <= 4], ids=["open", "closed"])
def test_the_boundary_of_a_hypothesis_belongs_to_it_or_not(order: Expr) -> None:
    """phi <= 4 holds wherever the hypothesis does, with equality on a closed boundary."""
    assert with_hypothesis(4, order, delta < 13).verdict is Verdict.CERTIFIED
    assert with_hypothesis(3, order, delta < 13).verdict is Verdict.REFUTED
