"""The JSON lines of a run: settings first, each theorem as it is finished, the summary last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs_check.errors import InputError
from proofs_check.results import SCHEMA, TheoremResult, from_json


@dataclass(frozen=True, slots=True)
class Journal:
    """Where results are written at once, and those kept from an interrupted run."""

    path: Path | None
    kept: tuple[TheoremResult, ...] = ()

    @staticmethod
    def open(path: Path | None, settings: Mapping[str, Any], resume: bool) -> Journal:
        """A new journal, or (resume) one that goes on after the theorems already in the file.

        Raises InputError where the file cannot be written, or holds a run with other settings.
        """
        if path is None:
            return Journal(None)
        header = {"schema": SCHEMA, "settings": dict(settings)}
        kept = _read(path, header) if resume and path.exists() else ()
        try:
            path.write_text("", encoding="utf-8")
        except OSError as problem:
            raise InputError(f"out: {path} cannot be written ({problem.strerror})") from None
        journal = Journal(path, tuple(from_json(record) for record in kept))
        journal.write(header)
        for record in kept:
            journal.write({"theorem": record})
        return journal

    def write(self, record: Mapping[str, Any]) -> None:
        """Appends one line and hands it to the operating system."""
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _read(path: Path, header: Mapping[str, Any]) -> tuple[Any, ...]:
    """The finished theorems of a file; a last line cut short by a kill is dropped."""
    first, *rest = path.read_bytes().split(b"\n")
    own = json.dumps(header, ensure_ascii=False).encode()
    if first != own and not (own.startswith(first) and not rest):
        raise InputError(f"resume: {path} holds no run with these settings and versions")
    records = (_parsed(line) for line in rest)
    return tuple(record["theorem"] for record in records if "theorem" in record)


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
