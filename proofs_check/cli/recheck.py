"""`forgetting recheck`: a certificate replayed by a separate checker."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from proofs_check import catalogue


def recheck(
    path: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="From `certify --out`.")],
    claim: Annotated[
        str, typer.Option(metavar="CLAIM|CONJECTURE", help="What it must be a certificate of.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Replays every leaf with another arithmetic and another quadrature; nothing is believed.

    Exit code 0: the certificate holds; 1: it is rejected, with the reason.

    Example: forgetting recheck certificate.json --claim "S(phi, delta) <= 1"
    """
    started = time.monotonic()
    from proofs_check.boxes.certificate import Rejected, read
    from proofs_check.boxes.recheck import recheck as replay
    from proofs_check.boxes.statement import spelled

    theorems = catalogue.load()
    record: dict[str, object] = {"accepted": True, "why": ""}
    try:
        certificate = read(path)
        expected = spelled(claim, theorems) if claim else ""
        leaves = replay(certificate, theorems, expected)
        record |= {"conjecture": certificate.conjecture, "verdict": certificate.verdict}
        record |= {"leaves": leaves, "lemmas": list(certificate.lemmas)}
    except Rejected as fault:
        record |= {"accepted": False, "why": str(fault)}
    record["seconds"] = round(time.monotonic() - started, 2)
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False))
    elif record["accepted"]:
        typer.echo(f"accepted: {record['conjecture']}")
        typer.echo(f"  {record['verdict']}, {record['leaves']} leaves, {record['seconds']} s")
    else:
        typer.echo(f"rejected: {record['why']}", err=True)
    return 0 if record["accepted"] else 1
