"""`forgetting doctor`: what the suite runs on, and whether precision and generator are sound."""

from __future__ import annotations

import json
import os
from typing import Annotated

import typer


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Versions, threads, the Hypothesis profile, and a self-test.

    Example: forgetting doctor
    """
    from proofs_check.environment import describe
    from proofs_check.selftest import self_test

    findings = self_test()
    record = {
        **describe(),
        "hypothesis_profile": "ci" if os.environ.get("CI") else "local",
        "self_test": {name: "ok" if sound else "FAILED" for name, sound in findings.items()},
    }
    if as_json:
        typer.echo(json.dumps(record))
    else:
        for name, value in record.items():
            rows = value.items() if isinstance(value, dict) else [("", value)]
            for key, text in rows:
                typer.echo(f"{' '.join((name, key)).strip():<40} {text}")
    return 0 if all(findings.values()) else 1
