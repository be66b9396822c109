"""What the README says of the suite is what the suite is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofs_check.catalogue import load

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \| (\d+) \| (\d+) \|$", re.MULTILINE)


def test_the_table_of_theorems_counts_claims_and_controls() -> None:
    listed = {name: (source, int(c), int(k)) for name, source, c, k in ROW.findall(README)}
    assert listed == {
        name: (theorem.source, len(theorem.claims), len(theorem.controls))
        for name, theorem in load().items()
    }


def test_the_last_line_adds_up() -> None:
    theorems = load().values()
    claims = sum(len(theorem.claims) + len(theorem.quantities) for theorem in theorems)
    controls = sum(len(theorem.controls) for theorem in theorems)
    assert re.search(rf"^{claims} claims: 0 refuted.* {controls} controls: 0 surv", README, re.M)


@pytest.mark.parametrize("command", ["make verify", "make test"])
def test_the_first_two_commands_come_first(command: str) -> None:
    assert 0 < README.index(command) < README.index("## The question")
