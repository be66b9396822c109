"""The theorems found in `theorems/`, and the lanes found beside them by the same name."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import theorems
from proofs_check.errors import InputError
from theorems.language import Expr, Quantity, Theorem


def load(only: Collection[str] | None = None) -> dict[str, Theorem]:
    """Every module of `theorems` that declares a THEOREM, by name, in the order of reading; or
    only those modules."""
    modules = (
        importlib.import_module(f"theorems.{module.name}")
        for module in pkgutil.iter_modules(theorems.__path__)
        if only is None or module.name in only
    )
    found = [module.THEOREM for module in modules if hasattr(module, "THEOREM")]
    return {t.name: t for t in sorted(found, key=lambda t: (t.section, t.name))}


def mentioning(names: Collection[str]) -> set[str]:
    """The modules of `theorems` whose text holds one of the names in quotes, as it stands where a
    quantity or a parameter is declared: found without loading them."""
    quoted = [f'"{name}"' for name in names]
    root = Path(*theorems.__path__)
    found = set()
    for module in pkgutil.iter_modules(theorems.__path__):
        files = (root / module.name).rglob("*.py") if module.ispkg else [root / f"{module.name}.py"]
        if any(each in text for text in map(Path.read_text, files) for each in quoted):
            found.add(module.name)
    return found


def pick(catalogue: Mapping[str, Theorem], names: Iterable[str]) -> dict[str, Theorem]:
    """The theorems named, all when none is; InputError names the nearest for an unknown one."""
    wanted = list(names) or list(catalogue)
    return {name: _lookup("theorem", name, catalogue) for name in wanted}


def quantity(catalogue: Mapping[str, Theorem], dotted: str) -> tuple[Theorem, Quantity]:
    """`theorem.quantity` → both; InputError names the nearest for an unknown one."""
    known = {
        f"{theorem.name}.{quantity.name}": (theorem, quantity)
        for theorem in catalogue.values()
        for quantity in theorem.quantities
    }
    found: tuple[Theorem, Quantity] = _lookup("quantity", dotted, known)
    return found


def definitions(
    catalogue: Mapping[str, Theorem], auxiliary: Iterable[Quantity] = ()
) -> dict[str, tuple[tuple[str, ...], Expr]]:
    """For every quantity by its symbol, auxiliary ones and those that formulas go through added:
    its parameters' names and its derived formula."""
    public = (quantity for theorem in catalogue.values() for quantity in theorem.quantities)
    return {
        each.symbol: (tuple(p.name for p in each.parameters), each.formula)
        for quantity in (*public, *auxiliary)
        for each in (quantity, *quantity.through)
    }


def lane_module(lane: str, theorem: str) -> ModuleType | None:
    """`numerics/<lane>/<theorem>.py`, or None where the lane has no file for the theorem."""
    name = f"numerics.{lane}.{theorem}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name == name:
            return None
        raise


def _lookup(what: str, name: str, known: Mapping[str, Any]) -> Any:
    if name in known:
        return known[name]
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    raise InputError(f"{what} {name!r} is unknown{hint}")
