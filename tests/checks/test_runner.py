"""The runner: every part of every theorem is a task; results do not depend on who ran it when."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from proofs_check.catalogue import load
from proofs_check.results import ClaimResult, ControlResult, Evidence, TheoremResult
from proofs_check.runner import PARTS, PROFILES, claims_and_controls, run, run_part
from proofs_check.verdict import Verdict
from theorems.language import Argument, Link, Theorem, by_algebra, identity
from theorems.mixture import DELTA, delta

QUICK = PROFILES["quick"]


def toy(name: str, proof: tuple[Link, ...] = ()) -> Theorem:
    claim = identity(f"{name}.a.same", "The same.", delta, delta, proof)
    return Theorem(name, name.title(), "ours", "", (DELTA,), (), lambda: Argument((claim,), ()))


def canned(part: str, name: str) -> Any:
    id = f"{name}.a.same"
    symbolic = Evidence("symbolic", Verdict.PROVED, "1 step", cites=("a theorem",))
    return {
        "claims": (
            (ClaimResult(id, "identity", "", (symbolic,)),),
            (ControlResult(f"{name}.control.one", "", Verdict.REFUTED, "delta = 1"),),
        ),
        "agreement": (ClaimResult(f"{name}.agreement.q", "agreement", "", ()),),
    }[part]


class Fake(Executor):
    """Answers every task at once, and remembers what it was asked."""

    def __init__(self, broken: str = "") -> None:
        self.asked: list[tuple[str, str, tuple[str, ...], Any]] = []
        self.broken = broken

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert fn is run_part
        part, name, names, settings = args
        self.asked.append((part, name, tuple(names), settings))
        future: Future[Any] = Future()
        if name == self.broken:
            future.set_exception(RuntimeError(f"{name} broke"))
        else:
            future.set_result(canned(part, name))
        return future


def results(executor: Executor, *names: str) -> list[TheoremResult]:
    return list(run([toy(name) for name in names], [*names, "kept"], QUICK, executor))


def test_every_part_of_every_theorem_is_asked_once_the_longest_parts_first() -> None:
    executor = Fake()
    results(executor, "one", "two")
    assert [(part, name) for part, name, _, _ in executor.asked] == [
        (part, name) for part in PARTS for name in ("one", "two")
    ]


def test_a_task_knows_the_whole_run_and_its_settings() -> None:
    executor = Fake()
    results(executor, "one")
    assert {(names, settings) for *_, names, settings in executor.asked} == {
        (("one", "kept"), QUICK)
    }


def test_parts_are_put_together_in_the_order_of_the_declaration() -> None:
    (found,) = results(Fake(), "one")
    assert (found.name, found.title, found.source) == ("one", "One", "ours")
    claim, agreement = found.claims
    assert (claim.id, claim.verdict) == ("one.a.same", Verdict.PROVED)
    assert agreement.kind == "agreement"
    assert found.controls[0].witness == "delta = 1"


def test_a_claim_has_its_proof_first_then_what_was_seen_at_points() -> None:
    (claim,), _ = claims_and_controls(toy("one", by_algebra("look", delta)), load(), QUICK, {})
    assert [e.lane for e in claim.evidence] == ["symbolic", "certified", "precise"]
    symbolic = claim.evidence[0]
    assert (symbolic.verdict, symbolic.note) == (Verdict.PROVED, "1 step")
    assert symbolic.steps[0].name == "look"


def test_a_claim_without_a_derivation_is_not_informative_in_the_symbolic_lane() -> None:
    (claim,), _ = claims_and_controls(toy("one"), load(), QUICK, {})
    assert claim.evidence[0].verdict is None
    assert "no derivation" in claim.evidence[0].note
    assert claim.verdict is Verdict.SUPPORTED


def test_a_theorem_comes_as_soon_as_its_own_parts_are_finished() -> None:
    class Late(Fake):
        """Finishes a theorem's parts only when the one before has been handed over."""

        def __init__(self) -> None:
            super().__init__()
            self.waiting: list[tuple[Future[Any], Any]] = []

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            done = super().submit(fn, *args, **kwargs)
            if args[1] == "one":
                return done
            future: Future[Any] = Future()
            self.waiting.append((future, done.result()))
            return future

    executor = Late()
    running = run([toy("two"), toy("one")], ["one", "two"], QUICK, executor)
    assert next(running).name == "one"
    for future, answer in executor.waiting:
        future.set_result(answer)
    assert next(running).name == "two"


def test_a_part_that_breaks_is_an_error_not_a_verdict() -> None:
    with pytest.raises(RuntimeError, match="one broke"):
        results(Fake(broken="one"), "one")


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown part"):
        run_part("poetry", "overlap", ["overlap"], QUICK)


def test_a_part_speaks_of_every_control() -> None:
    theorem = load()["reverse_kl"]
    _, found = run_part("claims", theorem.name, [theorem.name], QUICK)
    assert [each.id for each in found] == [control.id for control in theorem.controls]


def test_an_agreement_depends_on_seed_and_settings_alone() -> None:
    small = dataclasses.replace(QUICK, samples=2**10, digits=12)
    first, again = (run_part("agreement", "forward_kl", ["forward_kl"], small) for _ in range(2))
    other = run_part("agreement", "forward_kl", ["forward_kl"], dataclasses.replace(small, seed=1))
    assert first == again
    assert first != other


def test_profiles_ask_for_more_and_more() -> None:
    quick, default, paper = (PROFILES[name] for name in ("quick", "default", "paper"))
    for least, more in ((quick, default), (default, paper)):
        assert least.points * least.agreement_points < more.points * more.agreement_points
        assert least.samples < more.samples
        assert least.digits < more.digits
