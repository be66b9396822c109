"""What a proof over a box costs, or its refutation, and the recheck of its certificate."""

from __future__ import annotations

import time
from typing import Any

from proofs_check.boxes.prover import decide
from proofs_check.boxes.recheck import recheck
from proofs_check.boxes.statement import find
from proofs_check.verdict import Verdict

SECONDS = 60.0
CONJECTURES = (
    ("eps_o(phi, delta) <= exp(-phi/2 - delta^2/8)/2", "phi=-6:6 delta=1/4:12"),
    ("eps_o(phi, delta) <= exp(-phi/2 - delta^2/7)/2", "phi=-6:6 delta=1/4:12"),
    ("delta*S(phi, delta) <= sqrt(2*pi)", "phi=-40:40 delta=1/4:200"),
    ("delta*S(phi, delta) <= 0.99*sqrt(2*pi)", "phi=-40:40 delta=1/4:200"),
    ("kappa(phi, delta) <= erf(delta/(2*sqrt(2)))", "phi=-4:4 delta=1/2:8"),
    ("kappa(phi, delta) <= kappa(0, delta)", "phi=-40:40 delta=1/4:200"),
    ("KL_forward(phi, delta) <= sigma(phi)*delta^2/2", "phi=-4:4 delta=1/2:6"),
    ("KL_forward(phi, delta) <= 0.99*sigma(phi)*delta^2/2", "phi=-4:4 delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=1:3 tau=-3:0 delta=1/2:6"),
    ("KL_reverse(phi, tau, delta) <= (phi-tau)^2/9", "phi=0:1 tau=-1:-1/4 delta=1/2:9"),
    ("KL_reverse(phi, tau, delta) >= 0", "phi=-1:1 tau=-1:1 delta=1:4"),
)


def proofs() -> list[dict[str, Any]]:
    """A record a conjecture: verdict, leaves, and seconds of the search and of the checker."""
    records = []
    for text, box in CONJECTURES:
        question = find(text, box.split())
        started = time.perf_counter()
        outcome, _ = decide(question, time.monotonic() + SECONDS)
        searched = time.perf_counter() - started
        checked = None
        if outcome.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
            started = time.perf_counter()
            recheck(outcome.certificate)
            checked = time.perf_counter() - started
        records.append(
            {
                "conjecture": text,
                "verdict": outcome.verdict.name,
                "leaves": len(outcome.certificate.leaves),
                "seconds": searched,
                "recheck_seconds": checked,
            }
        )
    return records
