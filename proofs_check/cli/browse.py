"""`forgetting list` and `forgetting show`: what is claimed, without evaluating anything."""

from __future__ import annotations

import json
from typing import Annotated, Any

import sympy as sp
import typer

from proofs_check import catalogue
from proofs_check.inputs import show as interval
from theorems.language import Cited, Claim, Control, Path, Theorem

_SIGN = {"=": "=", "<=": "≤", "<": "<"}


def list_theorems(
    only_functions: Annotated[
        bool, typer.Option("--functions", help="The functions that conjectures may hold.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The theorems and the quantities that `eval` takes.

    Example: forgetting list
    """
    if only_functions:
        _list_functions(as_json)
        return
    found = catalogue.load().values()
    if as_json:
        typer.echo(json.dumps([_overview(theorem) for theorem in found], ensure_ascii=False))
        return
    for theorem in found:
        typer.echo(f"{theorem.name:<14} {theorem.source:<16} {theorem.title}")
        typer.echo(f"{'':<14} quantities: {', '.join(q.name for q in theorem.quantities)}")


def _list_functions(as_json: bool) -> None:
    from proofs_check.conjectures.functions import functions

    known = functions(catalogue.load()).values()
    if as_json:
        records = [{"function": f.signature, "text": f.text, "source": f.source} for f in known]
        typer.echo(json.dumps(records, ensure_ascii=False))
        return
    for function in known:
        source = f" ({function.source})" if function.source else ""
        typer.echo(f"{function.signature:<52} {function.text}{source}")


def show(
    name: Annotated[str, typer.Argument(help="A theorem, as `forgetting list` names it.")],
    latex: Annotated[bool, typer.Option("--latex", help="Formulas in LaTeX.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """A theorem in full: statement, hypotheses, quantities, claims with their steps, controls.

    Example: forgetting show old_drift --latex
    """
    theorem = catalogue.pick(catalogue.load(), [name])[name]
    write = sp.latex if latex else sp.sstr
    if as_json:
        typer.echo(json.dumps(_full(theorem, write), ensure_ascii=False))
        return
    typer.echo(f"{theorem.name}: {theorem.title} ({theorem.source})\n\n{theorem.statement}\n")
    typer.echo("hypotheses")
    for parameter in theorem.parameters:
        weight = f" (or the weight {parameter.weight})" if parameter.weight else ""
        domain = interval(parameter.domain)
        typer.echo(f"  {parameter.name}{weight} in {domain}: {parameter.text}")
    typer.echo("\nquantities")
    for quantity in theorem.quantities:
        typer.echo(f"  {theorem.name}.{quantity.name}: {quantity.text}")
        typer.echo(f"    {write(quantity.head)} = {write(quantity.definition)}")
        if quantity.formula != quantity.definition:
            typer.echo(f"    derived: {write(quantity.formula)}")
    typer.echo("\nclaims")
    for claim in theorem.claims:
        typer.echo(f"  {claim.id} [{claim.kind}] {claim.text}")
        typer.echo(f"    {_statement(claim, write)}")
        for step in _steps(claim):
            typer.echo(f"      - {step}")
    typer.echo("\ncontrols (false variants that must be refuted)")
    for control in theorem.controls:
        typer.echo(f"  {control.id}: {control.text} (of {', '.join(control.of)})")


def _statement(claim: Claim | Path, write: Any) -> str:
    conditions = getattr(claim, "where", ())
    given = f" where {', '.join(write(c) for c in conditions)}" if conditions else ""
    return f"{write(claim.left)} {_SIGN[claim.relation]} {write(claim.right)}{given}"


def _steps(claim: Claim | Path) -> list[str]:
    if isinstance(claim, Path):
        return [_reason("along the path", claim.by)] if claim.by else []
    return [_reason(link.name, link.by) for link in claim.proof]


def _reason(name: str, reason: Any) -> str:
    if isinstance(reason, Cited):
        premises = ", ".join(premise.id for premise in reason.premises)
        return f"{name} (cited: {reason.theorem}; premises: {premises or 'none'})"
    return f"{name} ({type(reason).__name__.lower()})"


def _overview(theorem: Theorem) -> dict[str, Any]:
    return {
        "name": theorem.name,
        "title": theorem.title,
        "source": theorem.source,
        "quantities": [quantity.name for quantity in theorem.quantities],
    }


def _full(theorem: Theorem, write: Any) -> dict[str, Any]:
    return {
        "name": theorem.name,
        "title": theorem.title,
        "source": theorem.source,
        "statement": theorem.statement,
        "hypotheses": {p.name: interval(p.domain) for p in theorem.parameters},
        "quantities": [
            {"name": q.name, "text": q.text, "formula": write(q.formula)}
            for q in theorem.quantities
        ],
        "claims": [
            {
                "id": claim.id,
                "kind": claim.kind,
                "text": claim.text,
                "statement": _statement(claim, write),
                "steps": _steps(claim),
            }
            for claim in theorem.claims
        ],
        "controls": [_control(control) for control in theorem.controls],
    }


def _control(control: Control) -> dict[str, Any]:
    return {"id": control.id, "text": control.text, "of": list(control.of)}
