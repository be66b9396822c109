"""`forgetting recheck`: certificates replayed by a separate checker."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from proofs_check.errors import InputError


def recheck(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="From `certify --out`; or a folder, from `certify --all`."
        ),
    ],
    claim: Annotated[
        str, typer.Option(metavar="CLAIM|CONJECTURE", help="What it must be a certificate of.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Replays every leaf with another arithmetic and another quadrature; nothing is believed.

    In a folder CLAIM.json must be a certificate of CLAIM over its declared box. Exit code 0: every
    certificate holds; 1: one is rejected, with the reason.

    Example: forgetting recheck certificate.json --claim "S(phi, delta) <= 1"
    """
    if not path.is_dir():
        records = [_replayed(path, claim)]
    elif claim:
        raise InputError(f"claim: {claim!r} is not allowed; {str(path)!r} is a folder")
    else:
        records = [_replayed(each, each.stem) for each in sorted(path.glob("*.json"))]
    if not records:
        raise InputError(f"{str(path)!r} holds no certificate")
    if as_json:
        typer.echo(json.dumps(records if path.is_dir() else records[0], ensure_ascii=False))
    else:
        for record in records:
            _print(record)
    return 0 if all(record["accepted"] for record in records) else 1


def _replayed(path: Path, claim: str) -> dict[str, Any]:
    started = time.monotonic()
    from proofs_check.boxes.certificate import Rejected, read
    from proofs_check.boxes.recheck import recheck as replay

    record: dict[str, Any] = {"certificate": str(path), "accepted": True, "why": ""}
    try:
        certificate = read(path)
        leaves = replay(certificate, claim)
        record |= {"conjecture": certificate.conjecture, "verdict": certificate.verdict}
        record |= {"leaves": leaves, "lemmas": list(certificate.lemmas)}
    except Rejected as fault:
        record |= {"accepted": False, "why": str(fault)}
    return record | {"seconds": round(time.monotonic() - started, 2)}


def _print(record: dict[str, Any]) -> None:
    if record["accepted"]:
        typer.echo(f"accepted: {record['conjecture']}")
        typer.echo(f"  {record['verdict']}, {record['leaves']} leaves, {record['seconds']} s")
    else:
        typer.echo(f"rejected: {record['certificate']}: {record['why']}", err=True)
