"""What a run finds, as data: evidence per lane, results per claim, control and theorem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from proofs_check.verdict import Verdict, strongest
from theorems.language import Relation

SCHEMA = 1
NOT_INFORMATIVE = "NOT INFORMATIVE"
AGREEMENT = "agreement"


@dataclass(frozen=True, slots=True)
class Step:
    """A link as checked: what it is called, which kind of reason, and what came of it."""

    name: str
    relation: Relation
    reason: str
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one lane says of a claim; no verdict where it is not informative, and the note says why.

    slack: 1 − value/bound for an order (the smallest found), the residual for an equality (the
    largest); worst: the point where. cites: the theorems that a proof assumes. The note's first
    clause, up to a semicolon, says how much was tried.
    """

    lane: str
    verdict: Verdict | None
    note: str
    slack: str = ""
    worst: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    cites: tuple[str, ...] = ()

    @property
    def brief(self) -> str:
        """How much was tried."""
        return self.note.partition(";")[0]


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim with its evidence; the verdict is the strongest, REFUTED before all."""

    id: str
    kind: str
    text: str
    evidence: tuple[Evidence, ...]

    @property
    def verdict(self) -> Verdict:
        """The strongest level that a lane gives."""
        return strongest(e.verdict for e in self.evidence if e.verdict is not None)


@dataclass(frozen=True, slots=True)
class ControlResult:
    """A false variant: REFUTED with its witness, or a survivor (UNDECIDED) with the reason."""

    id: str
    text: str
    verdict: Verdict
    witness: str


@dataclass(frozen=True, slots=True)
class TheoremResult:
    """Everything a run says of one theorem."""

    name: str
    title: str
    source: str
    claims: tuple[ClaimResult, ...]
    controls: tuple[ControlResult, ...]


def counted(count: int, noun: str) -> str:
    """1 point, 2 points."""
    return f"{count} {noun}" + ("s" if count != 1 else "")


def summary(results: Iterable[TheoremResult]) -> dict[str, int]:
    """Counts over theorems: claims, refuted, undecided, controls, survivors."""
    results = list(results)
    claims = [claim.verdict for result in results for claim in result.claims]
    controls = [control.verdict for result in results for control in result.controls]
    return {
        "claims": len(claims),
        "refuted": claims.count(Verdict.REFUTED),
        "undecided": claims.count(Verdict.UNDECIDED),
        "controls": len(controls),
        "survivors": len(controls) - controls.count(Verdict.REFUTED),
    }


def exit_code(counts: Mapping[str, int]) -> int:
    """0 all as claimed and every control refuted; 1 something refuted or a control survived; 3
    something undecided."""
    if counts["refuted"] or counts["survivors"]:
        return 1
    return 3 if counts["undecided"] else 0


def to_json(result: TheoremResult) -> dict[str, Any]:
    """A theorem's result as plain data, as `verify --json` and `--out` write it."""
    return {
        "name": result.name,
        "title": result.title,
        "source": result.source,
        "claims": [_claim(claim) for claim in result.claims],
        "controls": [
            {"id": c.id, "text": c.text, "verdict": c.verdict.name, "witness": c.witness}
            for c in result.controls
        ],
    }


def _claim(claim: ClaimResult) -> dict[str, Any]:
    tightest = next((evidence for evidence in claim.evidence if evidence.slack), None)
    return {
        "id": claim.id,
        "kind": claim.kind,
        "text": claim.text,
        "verdict": claim.verdict.name,
        "evidence": {evidence.lane: _evidence(evidence) for evidence in claim.evidence},
        "slack": tightest.slack if tightest else None,
        "worst": dict(tightest.worst) if tightest else None,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "verdict": NOT_INFORMATIVE if evidence.verdict is None else evidence.verdict.name,
        "note": evidence.note,
        "slack": evidence.slack,
        "worst": dict(evidence.worst),
        "assumes": list(evidence.cites),
        "steps": [
            {
                "name": step.name,
                "relation": step.relation,
                "reason": step.reason,
                "verdict": step.verdict.name,
                "why": step.why,
            }
            for step in evidence.steps
        ],
    }


def from_json(record: Mapping[str, Any]) -> TheoremResult:
    """The inverse of `to_json`, for results that are resumed. Raises KeyError on other data."""
    return TheoremResult(
        record["name"],
        record["title"],
        record["source"],
        tuple(_read_claim(claim) for claim in record["claims"]),
        tuple(
            ControlResult(c["id"], c["text"], Verdict[c["verdict"]], c["witness"])
            for c in record["controls"]
        ),
    )


def _read_claim(record: Mapping[str, Any]) -> ClaimResult:
    evidence = (_read_evidence(lane, found) for lane, found in record["evidence"].items())
    return ClaimResult(record["id"], record["kind"], record["text"], tuple(evidence))


def _read_evidence(lane: str, record: Mapping[str, Any]) -> Evidence:
    steps = (
        Step(s["name"], s["relation"], s["reason"], Verdict[s["verdict"]], s["why"])
        for s in record["steps"]
    )
    name = record["verdict"]
    verdict = None if name == NOT_INFORMATIVE else Verdict[name]
    return Evidence(
        lane,
        verdict,
        record["note"],
        record["slack"],
        record["worst"],
        tuple(steps),
        tuple(record["assumes"]),
    )
