"""Runs the suite: every part of every theorem is an independent task for an executor.

A result depends on the declarations, the settings and the seed, never on which worker ran a task
or when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from typing import Any, TypeAlias

from proofs_check.agreement import comparisons, of_theorem, threshold
from proofs_check.catalogue import definitions, load
from proofs_check.claims import at_points
from proofs_check.lanes import Draws
from proofs_check.paths import along, timed
from proofs_check.refute import control
from proofs_check.results import ClaimResult, ControlResult, Evidence, TheoremResult, counted
from proofs_check.symbolic.steps import Known, Proof, prove
from theorems.language import Path, Theorem

PARTS = ("points", "agreement", "proofs", "controls")  # the longest first

Report: TypeAlias = Callable[[str, str, int, int], None]
"""Told of a finished part: theorem, part, how many are done, of how many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is tried: points per claim; points, digits and draws per quantity; the seed."""

    profile: str
    digits: int
    seed: int
    points: int
    agreement_points: int
    samples: int
    dimension: int = 3


PROFILES = {
    "quick": Settings("quick", 20, 0, points=2, agreement_points=1, samples=2**17),
    "default": Settings("default", 25, 0, points=2, agreement_points=2, samples=2**19),
    "paper": Settings("paper", 40, 0, points=24, agreement_points=6, samples=2**23),
}


def run(
    theorems: Sequence[Theorem],
    names: list[str],
    settings: Settings,
    executor: Executor,
    report: Report | None = None,
) -> Iterator[TheoremResult]:
    """Yields each theorem's result as soon as its parts are finished, and reports every part.

    names: every theorem of the run, over which the level of the Monte Carlo tests is divided;
    `theorems` may be those of them that are still to be checked.
    """
    pending: dict[Future[Any], tuple[Theorem, str]] = {
        executor.submit(run_part, part, theorem.name, names, settings): (theorem, part)
        for part in PARTS
        for theorem in theorems
    }
    finished: dict[str, dict[str, Any]] = {theorem.name: {} for theorem in theorems}
    for done, future in enumerate(as_completed(pending), 1):
        theorem, part = pending[future]
        parts = finished[theorem.name]
        parts[part] = future.result()
        if report is not None:
            report(theorem.name, part, done, len(pending))
        if len(parts) == len(PARTS):
            yield _assemble(theorem, parts)


def run_part(part: str, name: str, names: list[str], settings: Settings) -> Any:
    """One part of one theorem, in whatever process this is called."""
    catalogue = load()
    theorem = catalogue[name]
    known: Known = {}
    match part:
        case "proofs":
            return {claim.id: prove(claim, known) for claim in theorem.claims}
        case "points":
            return _points(theorem, catalogue, settings)
        case "agreement":
            draws = Draws(settings.samples, settings.seed, settings.dimension)
            count = comparisons((catalogue[each] for each in names), settings.agreement_points)
            return of_theorem(
                theorem,
                catalogue,
                settings.digits,
                settings.agreement_points,
                draws,
                threshold(count),
            )
        case "controls":
            table = definitions(catalogue, theorem.argument().auxiliary)
            return tuple(control(each, theorem, table, known) for each in theorem.controls)
    raise ValueError(f"unknown part {part!r}")


def _points(
    theorem: Theorem, catalogue: Mapping[str, Theorem], settings: Settings
) -> dict[str, tuple[Evidence, ...]]:
    points, seed = settings.points, settings.seed
    table = definitions(catalogue, theorem.argument().auxiliary)
    flows = {
        claim.process.name: claim.process for claim in theorem.claims if isinstance(claim, Path)
    }
    pieces = {
        name: timed(process, theorem, catalogue, points, seed) for name, process in flows.items()
    }
    return {
        claim.id: along(claim, pieces[claim.process.name], table)
        if isinstance(claim, Path)
        else at_points(claim, theorem, catalogue, points, seed)
        for claim in theorem.claims
    }


def _assemble(theorem: Theorem, parts: Mapping[str, Any]) -> TheoremResult:
    claimed = tuple(
        ClaimResult(
            claim.id,
            claim.kind,
            claim.text,
            (_symbolic(parts["proofs"][claim.id]), *parts["points"][claim.id]),
        )
        for claim in theorem.claims
    )
    agreements: tuple[ClaimResult, ...] = parts["agreement"]
    controls: tuple[ControlResult, ...] = parts["controls"]
    return TheoremResult(
        theorem.name, theorem.title, theorem.source, claimed + agreements, controls
    )


def _symbolic(proof: Proof) -> Evidence:
    if not proof.steps:
        return Evidence("symbolic", None, proof.why)
    note = proof.why or counted(len(proof.steps), "step")
    return Evidence("symbolic", proof.verdict, note, steps=proof.steps, cites=proof.assumes)
