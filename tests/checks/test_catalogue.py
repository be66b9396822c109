"""Theorems and lanes are found by name; an unknown name is answered with the nearest."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

import numerics.precise
from proofs_check.catalogue import definitions, lane_module, load, pick, quantity
from proofs_check.errors import InputError
from theorems.overlap.quantities import eps_o
from theorems.reverse_kl.quantities import KL_free

CATALOGUE = load()


def test_theorems_come_in_the_order_of_reading() -> None:
    assert list(CATALOGUE)[:4] == ["overlap", "forward_kl", "reverse_kl", "old_drift"]
    sections = [theorem.section for theorem in CATALOGUE.values()]
    assert sections == sorted(sections)


def test_none_named_means_all_and_the_order_is_as_asked() -> None:
    assert pick(CATALOGUE, []) == CATALOGUE
    assert list(pick(CATALOGUE, ["old_drift", "overlap"])) == ["old_drift", "overlap"]


def test_an_unknown_theorem_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"^theorem 'overlop' is unknown; did you mean overlap\?$"):
        pick(CATALOGUE, ["overlop"])


def test_a_quantity_is_found_with_its_theorem() -> None:
    assert quantity(CATALOGUE, "overlap.misassignment_old") == (CATALOGUE["overlap"], eps_o)
    with pytest.raises(InputError, match=r"did you mean overlap.misassignment_old\?$"):
        quantity(CATALOGUE, "overlap.misasignment_old")


def test_definitions_give_formulas_and_auxiliary_ones_on_request() -> None:
    table = definitions(CATALOGUE)
    assert table["eps_o"] == (("phi", "delta"), eps_o.formula)
    assert KL_free.symbol not in table
    assert KL_free.symbol in definitions(CATALOGUE, [KL_free])


def test_a_lane_without_a_file_is_none_and_a_broken_file_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text(textwrap.dedent("import no_such_package\n"))
    monkeypatch.setattr(numerics.precise, "__path__", [*numerics.precise.__path__, str(tmp_path)])
    assert lane_module("precise", "no_such_theorem") is None
    assert lane_module("precise", "overlap") is sys.modules["numerics.precise.overlap"]
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        lane_module("precise", "broken")
