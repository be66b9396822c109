"""A run as readers see it in a terminal: a row per claim and control, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE
from rich.console import Group
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


def theorem_table(result: TheoremResult, verbose: bool = False) -> Group:
    """Claims with verdict, slack and evidence by lane; controls with their witnesses; then, by
    number, the cited theorems that proofs assume."""
    assumed = list(
        dict.fromkeys(name for c in result.claims for e in c.evidence for name in e.cites)
    )
    table = _table(f"{result.name}: {result.title} ({result.source})", "claim", "slack")
    for claim in result.claims:
        evidence = _lanes(claim, assumed, verbose)
        table.add_row(claim.id, _verdict(claim.verdict), _slack(claim), evidence)
    controls = _table("controls: false variants, to be refuted", "control", "")
    for control in result.controls:
        survived = control.verdict is not Verdict.REFUTED
        word = Text("SURVIVED", "bold red") if survived else Text("REFUTED", "green")
        controls.add_row(control.id, word, "", control.witness)
    cited = "; ".join(f"[{number}] {name}" for number, name in enumerate(assumed, 1))
    return Group(table, controls, Text(f"assumed by proofs: {cited or 'nothing'}\n"))


def _table(title: str, first: str, third: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE, expand=True, pad_edge=False)
    table.add_column(first, overflow="fold", ratio=4)
    table.add_column("verdict", no_wrap=True)
    table.add_column(third, no_wrap=True)
    table.add_column("evidence", overflow="fold", ratio=7)
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


def _lanes(claim: ClaimResult, assumed: list[str], verbose: bool) -> str:
    parts = [_said(evidence, assumed, verbose) for evidence in claim.evidence]
    return "\n".join(parts) if verbose else "; ".join(part for part in parts if part)


def _said(evidence: Evidence, assumed: list[str], verbose: bool) -> str:
    """One lane in a few words; a lane that is not informative is left out unless asked for."""
    if evidence.verdict is None and not verbose:
        return ""
    numbers = ",".join(str(assumed.index(name) + 1) for name in evidence.cites)
    status = "not informative, " if evidence.verdict is None else ""
    words = f"{evidence.lane} {status}{evidence.note}" + (f" [{numbers}]" if numbers else "")
    if not verbose:
        return words
    steps = (
        f"  {step.relation} {step.name} ({step.reason}): {step.verdict.name} {step.why}".rstrip()
        for step in evidence.steps
    )
    return "\n".join((words, *steps))
