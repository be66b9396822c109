"""A run as readers see it in a terminal: a row per claim and control, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from proofs_check.results import AGREEMENT, ClaimResult, Evidence, TheoremResult
from proofs_check.verdict import Verdict

LANES = {"symbolic": 11, "certified": 9, "precise": 8, "box": 10}
INDEPENDENT = ("precise", "monte_carlo")
_STYLE = {
    Verdict.PROVED: "green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
}
_OPEN = (Verdict.REFUTED, Verdict.UNDECIDED)


def theorem_table(result: TheoremResult, verbose: bool = False) -> Group:
    """Claims with verdict, slack and what each lane did; what is refuted or open in full; controls
    with their witnesses; and, by number, the cited theorems that proofs assume."""
    assumed = list(
        dict.fromkeys(name for c in result.claims for e in c.evidence for name in e.cites)
    )
    cited = "; ".join(f"[{number}] {name}" for number, name in enumerate(assumed, 1))
    parts: list[RenderableType] = [
        _claims(result, assumed),
        _agreements(result),
        *(_in_full(c, verbose) for c in result.claims if verbose or c.verdict in _OPEN),
        _controls(result),
        Text(f"assumed by proofs: {cited or 'nothing'}\n"),
    ]
    return Group(*parts)


def _claims(result: TheoremResult, assumed: list[str]) -> Table:
    table = _table(f"{result.name}: {result.title} ({result.source})")
    table.add_column("claim", overflow="fold", min_width=22)
    table.add_column("verdict", no_wrap=True)
    table.add_column("slack", no_wrap=True)
    used = {evidence.lane for claim in result.claims for evidence in claim.evidence}
    lanes = {lane: width for lane, width in LANES.items() if lane != "box" or lane in used}
    for lane, width in lanes.items():
        table.add_column(lane, overflow="fold", width=width)
    for claim in result.claims:
        if claim.kind != AGREEMENT:
            found = {evidence.lane: evidence for evidence in claim.evidence}
            table.add_row(
                claim.id.removeprefix(f"{result.name}."),
                _verdict(claim.verdict),
                _slack(claim),
                *(_cell(found.get(lane), assumed) for lane in lanes),
            )
    return table


def _agreements(result: TheoremResult) -> Table:
    table = _table("agreement of the lanes that start from the definition with the formula")
    table.add_column("quantity", overflow="fold", min_width=24)
    table.add_column("verdict", no_wrap=True)
    for lane in INDEPENDENT:
        table.add_column(lane.replace("_", " "), overflow="fold")
    for claim in result.claims:
        if claim.kind == AGREEMENT:
            found = {evidence.lane: evidence for evidence in claim.evidence}
            notes = (found[lane].note if lane in found else "-" for lane in INDEPENDENT)
            name = claim.id.rpartition(".")[2]
            table.add_row(name, _verdict(claim.verdict), *notes)
    return table


def _controls(result: TheoremResult) -> Table:
    table = _table("controls: false variants, to be refuted")
    table.add_column("control", overflow="fold", min_width=24)
    table.add_column("verdict", no_wrap=True)
    table.add_column("witness", overflow="fold")
    for control in result.controls:
        survived = control.verdict is not Verdict.REFUTED
        word = Text("SURVIVED", "bold red") if survived else Text("REFUTED", "green")
        table.add_row(control.id.removeprefix(f"{result.name}.control."), word, control.witness)
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)


def summary_line(counts: Mapping[str, int], seconds: float) -> str:
    """One line that says whether all is as claimed."""
    return (
        f"{counts['claims']} claims: {counts['refuted']} refuted, {counts['undecided']} undecided; "
        f"{counts['controls']} controls: {counts['survivors']} survived; {seconds:.0f} s"
    )


def _verdict(verdict: Verdict) -> Text:
    return Text(verdict.name, _STYLE[verdict])


def _slack(claim: ClaimResult) -> str:
    """The slack of an order; the residual of an equality, marked by ±."""
    slack = next((evidence.slack for evidence in claim.evidence if evidence.slack), "")
    return f"±{slack}" if slack and claim.kind == "identity" else slack


def _cell(evidence: Evidence | None, assumed: list[str]) -> str:
    """How much a lane did, in a word or two; a dash where it has nothing to say."""
    if evidence is None or evidence.verdict is None:
        return "-"
    numbers = ",".join(str(assumed.index(name) + 1) for name in evidence.cites)
    return f"{evidence.brief} [{numbers}]" if numbers else evidence.brief


def _in_full(claim: ClaimResult, verbose: bool) -> Text:
    """Every lane's note on a claim and, if asked for, every step of its proof."""
    lines = [f"{claim.id}: {claim.text}"]
    for evidence in claim.evidence:
        status = "not informative" if evidence.verdict is None else evidence.verdict.name
        lines.append(f"  {evidence.lane} {status}: {evidence.note}")
        lines += [
            f"    {step.relation} {step.name} ({step.reason}): {step.verdict.name} {step.why}"
            for step in evidence.steps
            if verbose
        ]
    return Text("\n".join(lines))
