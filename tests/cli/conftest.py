"""Runs the command line in this process: exit code, stdout, stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from proofs_check import cli


class Outcome(NamedTuple):
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
