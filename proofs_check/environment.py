"""What a result was found with: versions, machine, threads."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("forgetting", "sympy", "mpmath", "numpy", "scipy", "numba", "llvmlite", "python-flint")


def describe() -> dict[str, str]:
    """Names and versions as plain text; a package that is not installed says so."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": str(os.cpu_count()),
        **{name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
