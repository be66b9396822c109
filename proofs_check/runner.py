"""Runs the suite: every part of every theorem is an independent task for an executor.

A result depends on the declarations, the settings and the seed, never on which worker ran a task
or when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias

from proofs_check.agreement import comparisons, of_theorem, threshold
from proofs_check.catalogue import definitions, load
from proofs_check.claims import at_points
from proofs_check.lanes import Draws
from proofs_check.orbits import along_orbits, followed
from proofs_check.paths import along, timed
from proofs_check.refute import control
from proofs_check.results import ClaimResult, ControlResult, Evidence, TheoremResult, counted
from proofs_check.symbolic.steps import Known, Proof, prove
from theorems.language import Claim, Path, System, Theorem

PARTS = ("claims", "agreement")  # the longest first; what needs the argument, in one process

Report: TypeAlias = Callable[[str, str, int, int], None]
"""Told of a finished part: theorem, part, how many are done, of how many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is tried: points per claim; points, digits and draws per quantity; the seed; and
    how many boxes are looked at for a proof of an order over its own, 0 for none."""

    profile: str
    digits: int
    seed: int
    points: int
    agreement_points: int
    samples: int
    dimension: int = 3
    boxes: int = 0


PROFILES = {
    "quick": Settings("quick", 20, 0, points=1, agreement_points=1, samples=2**16),
    "default": Settings("default", 25, 0, points=1, agreement_points=2, samples=2**17),
    "paper": Settings("paper", 40, 0, points=24, agreement_points=6, samples=2**23, boxes=2**12),
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
    match part:
        case "claims":
            return claims_and_controls(theorem, catalogue, settings, _proved())
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
    raise ValueError(f"unknown part {part!r}")


def claims_and_controls(
    theorem: Theorem, catalogue: Mapping[str, Theorem], settings: Settings, known: Known
) -> tuple[tuple[ClaimResult, ...], tuple[ControlResult, ...]]:
    """The theorem's claims with the evidence for each, and its controls; `known` holds what has
    been proved already."""
    points = _points(theorem, catalogue, settings)
    claims = tuple(
        ClaimResult(
            claim.id,
            claim.kind,
            claim.text,
            (
                _symbolic(prove(claim, known)),
                *points[claim.id],
                *_over_its_box(claim, theorem, catalogue, settings.boxes),
            ),
        )
        for claim in theorem.claims
    )
    table = definitions(catalogue, theorem.argument().auxiliary)
    return claims, tuple(control(each, theorem, table, known) for each in theorem.controls)


def _over_its_box(
    claim: Claim | Path, theorem: Theorem, catalogue: Mapping[str, Theorem], most: int
) -> tuple[Evidence, ...]:
    if not most:
        return ()
    from proofs_check.boxes.declared import over_its_box

    return over_its_box(claim, theorem, catalogue, most)


@cache
def _proved() -> Known:
    """What this process has proved: one theorem's lemmas are another's premises."""
    return {}


def _points(
    theorem: Theorem, catalogue: Mapping[str, Theorem], settings: Settings
) -> dict[str, tuple[Evidence, ...]]:
    points, seed = settings.points, settings.seed
    table = definitions(catalogue, theorem.argument().auxiliary)
    paths: dict[str, Callable[[Path], tuple[Evidence, ...]]] = {}

    def on_its_path(claim: Path) -> tuple[Evidence, ...]:
        process = claim.process
        if process.name not in paths:  # followed once for all its claims
            if isinstance(process, System):
                orbits = followed(process, theorem, catalogue, points, seed)
                paths[process.name] = partial(along_orbits, orbits=orbits, table=table)
            else:
                pieces = timed(process, theorem, catalogue, points, seed)
                paths[process.name] = partial(along, pieces=pieces, table=table)
        return paths[process.name](claim)

    return {
        claim.id: on_its_path(claim)
        if isinstance(claim, Path)
        else at_points(claim, theorem, catalogue, points, seed)
        for claim in theorem.claims
    }


def _assemble(theorem: Theorem, parts: Mapping[str, Any]) -> TheoremResult:
    claims, controls = parts["claims"]
    return TheoremResult(
        theorem.name, theorem.title, theorem.source, claims + parts["agreement"], controls
    )


def _symbolic(proof: Proof) -> Evidence:
    if not proof.steps:
        return Evidence("symbolic", None, proof.why)
    note = proof.why or counted(len(proof.steps), "step")
    return Evidence("symbolic", proof.verdict, note, steps=proof.steps, cites=proof.assumes)
