"""Declared orders over their declared boxes: the evidence, and the certificates that are kept."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from proofs_check.boxes.certificate import Certificate, show
from proofs_check.boxes.prover import Outcome, decide
from proofs_check.boxes.statement import NotOverABox, declared
from proofs_check.results import Evidence
from proofs_check.verdict import Verdict
from theorems.language import Claim, Path, Theorem

LANE = "box"


def over_its_box(
    claim: Claim | Path, theorem: Theorem, catalogue: Mapping[str, Theorem], most: int
) -> tuple[Evidence, ...]:
    """What a proof over the declared box comes to, for an order; nothing is tried of equalities.

    most: boxes that are looked at.
    """
    if claim.relation == "=":
        return ()
    try:
        question = declared(claim, theorem, catalogue)
    except NotOverABox as reason:
        return (Evidence(LANE, None, f"not attempted; {reason}"),)
    outcome, interrupted = decide(question, math.inf, most=most)
    if interrupted:
        raise KeyboardInterrupt
    return (_evidence(outcome),)


def _evidence(outcome: Outcome) -> Evidence:
    leaves, box = len(outcome.certificate.leaves), show(outcome.certificate.box)
    match outcome.verdict:
        case Verdict.UNDECIDED:
            return Evidence(LANE, Verdict.UNDECIDED, f"undecided; {outcome.why}; over {box}")
        case Verdict.REFUTED:
            at = ", ".join(f"{name} = {value}" for name, value in outcome.certificate.witness)
            return Evidence(LANE, Verdict.REFUTED, f"at {at}")
        case Verdict.PROVED:
            return Evidence(LANE, Verdict.PROVED, "no leaves; an identity, or a square")
    note = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}; over {box}"
    slack = "" if outcome.margin is None else f"{outcome.margin:.3g}"
    worst = {name: str(value) for name, value in outcome.worst}
    return Evidence(LANE, Verdict.CERTIFIED, note, slack, worst, cites=())


def certificates(
    theorems: Mapping[str, Theorem], most: int
) -> Iterator[tuple[str, Certificate | str]]:
    """Every declared order by its id: a certificate to keep, or why there is none.

    most: boxes that are looked at, and so the leaves of a certificate are at most half of it.
    """
    for theorem in theorems.values():
        for claim in theorem.claims:
            if claim.relation == "=":
                continue
            try:
                question = declared(claim, theorem, theorems)
                outcome, interrupted = decide(question, math.inf, most=most)
            except NotOverABox as reason:
                yield claim.id, str(reason)
                continue
            if interrupted:
                raise KeyboardInterrupt
            found = outcome.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
            yield claim.id, outcome.certificate if found else outcome.why or outcome.verdict.name
