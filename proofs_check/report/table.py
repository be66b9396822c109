"""A run as readers see it in a terminal: a row per claim and control, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from proofs_check.results import ClaimResult, Evidence, TheoremResult
from proofs_check.verdict import Verdict

_STYLE = {
    Verdict.PROVED: "green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
}


def theorem_table(result: TheoremResult, verbose: bool = False) -> Table:
    """Claims with verdict, evidence by lane and slack; then controls with their witnesses."""
    table = Table(
        title=f"{result.name}: {result.title} ({result.source})",
        title_justify="left",
        expand=True,
    )
    table.add_column("claim or control", overflow="fold", ratio=5)
    table.add_column("verdict", no_wrap=True, width=9)
    table.add_column("slack", no_wrap=True, width=9)
    table.add_column("evidence", overflow="fold", ratio=8)
    for claim in result.claims:
        table.add_row(claim.id, _verdict(claim.verdict), _slack(claim), _lanes(claim, verbose))
    table.add_section()
    for control in result.controls:
        survived = control.verdict is not Verdict.REFUTED
        word = Text("SURVIVED", "bold red") if survived else Text("REFUTED", "green")
        table.add_row(control.id, word, "", control.witness)
    return table


def summary_line(counts: Mapping[str, int], seconds: float) -> str:
    """One line that says whether all is as claimed."""
    return (
        f"{counts['claims']} claims: {counts['refuted']} refuted, {counts['undecided']} undecided; "
        f"{counts['controls']} controls: {counts['survivors']} survived; {seconds:.0f} s"
    )


def _verdict(verdict: Verdict) -> Text:
    return Text(verdict.name, _STYLE[verdict])


def _slack(claim: ClaimResult) -> str:
    return next((evidence.slack for evidence in claim.evidence if evidence.slack), "")


def _lanes(claim: ClaimResult, verbose: bool) -> str:
    lines = [f"{evidence.lane}: {_said(evidence)}" for evidence in claim.evidence]
    if verbose:
        lines += [
            f"  {step.relation} {step.name} [{step.reason}] {step.verdict.name} {step.why}".rstrip()
            for evidence in claim.evidence
            for step in evidence.steps
        ]
    return "\n".join(lines)


def _said(evidence: Evidence) -> str:
    status = "not informative" if evidence.verdict is None else evidence.verdict.name.lower()
    return f"{status} ({evidence.note})"
