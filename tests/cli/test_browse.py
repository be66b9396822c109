"""`list`, `show`, `doctor`, `--version` and help."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest

from proofs_check import selftest
from proofs_check.catalogue import load

CATALOGUE = load()


def test_list_names_every_theorem_and_quantity(forgetting: Callable[..., Any]) -> None:
    found = forgetting("list")
    assert (found.code, found.err) == (0, "")
    for theorem in CATALOGUE.values():
        assert theorem.name in found.out
        assert all(quantity.name in found.out for quantity in theorem.quantities)


def test_list_as_json(forgetting: Callable[..., Any]) -> None:
    records = json.loads(forgetting("list", "--json").out)
    assert [record["name"] for record in records] == list(CATALOGUE)
    assert records[0].keys() == {"name", "title", "source", "quantities"}
    assert "sech_overlap" in records[0]["quantities"]


def test_list_starts_without_numba_or_any_derivation() -> None:
    code = (
        "import sys, proofs_check.cli as c; sys.argv = ['forgetting', 'list']; c._run(); "
        "heavy = {'numba', 'theorems.overlap.argument', 'rich.table'}; "
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("name", CATALOGUE)
def test_show_holds_statement_hypotheses_steps_claims_controls_and_source(
    forgetting: Callable[..., Any], name: str
) -> None:
    found = forgetting("show", name)
    theorem = CATALOGUE[name]
    assert found.code == 0
    assert theorem.statement in found.out
    assert theorem.source in found.out
    assert "delta in (0, ∞): Mahalanobis distance" in found.out
    assert all(item.id in found.out for item in (*theorem.claims, *theorem.controls))
    assert all(f"{name}.{quantity.name}" in found.out for quantity in theorem.quantities)
    assert found.out.count("\n      - ") >= len(theorem.claims)


def test_show_writes_latex(forgetting: Callable[..., Any]) -> None:
    plain, latex = forgetting("show", "old_drift"), forgetting("show", "old_drift", "--latex")
    assert "\\int" not in plain.out
    assert "\\int" in latex.out
    assert "\\delta" in latex.out


def test_show_as_json(forgetting: Callable[..., Any]) -> None:
    record = json.loads(forgetting("show", "reverse_kl", "--json").out)
    theorem = CATALOGUE["reverse_kl"]
    assert [claim["id"] for claim in record["claims"]] == [claim.id for claim in theorem.claims]
    assert record["hypotheses"]["delta"] == "(0, ∞)"
    assert all(claim["steps"] for claim in record["claims"])
    assert [control["id"] for control in record["controls"]] == [c.id for c in theorem.controls]


def test_the_version_is_the_distributions(forgetting: Callable[..., Any]) -> None:
    found = forgetting("--version")
    assert (found.code, found.out) == (0, f"forgetting {version('forgetting')}\n")


def test_without_a_command_the_commands_are_listed(forgetting: Callable[..., Any]) -> None:
    found = forgetting()
    assert found.code == 0
    assert all(command in found.out for command in ("list", "show", "eval", "verify", "doctor"))


@pytest.mark.parametrize("command", ["list", "show", "eval", "verify", "doctor"])
def test_every_command_has_help_with_an_example(
    forgetting: Callable[..., Any], command: str
) -> None:
    found = forgetting(command, "--help")
    assert found.code == 0
    assert f"Example: forgetting {command}" in " ".join(found.out.split())


def test_doctor_says_what_it_runs_on_and_that_it_is_sound(
    forgetting: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = json.loads(forgetting("doctor", "--json").out)
    assert set(record["self_test"].values()) == {"ok"}
    assert record["hypothesis_profile"] in ("ci", "local")
    monkeypatch.setenv("CI", "1")
    plain = forgetting("doctor")
    assert plain.code == 0
    assert "hypothesis_profile" in plain.out
    assert json.loads(forgetting("doctor", "--json").out)["hypothesis_profile"] == "ci"


def test_doctor_fails_where_the_ground_is_unsound(
    forgetting: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "PHILOX_ONES", (0, 0, 0, 0))
    found = forgetting("doctor")
    assert found.code == 1
    assert "FAILED" in found.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "old_drft"], "theorem 'old_drft' is unknown; did you mean old_drift?"),
        (["verify", "forward"], "theorem 'forward' is unknown; did you mean forward_kl?"),
        (["poetry"], "No such command 'poetry'."),
        (["list", "--colour"], "No such option: --colour"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    forgetting: Callable[..., Any], arguments: list[str], sentence: str
) -> None:
    found = forgetting(*arguments)
    assert (found.code, found.out, found.err) == (2, "", f"forgetting: {sentence}\n")
