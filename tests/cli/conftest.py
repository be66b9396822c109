"""Runs the command line in this process: exit code, stdout, stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from proofs_check import cli


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def forgetting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    def run(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["forgetting", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert isinstance(ended.value.code, int)
        return Outcome(ended.value.code, *capsys.readouterr())

    return run
