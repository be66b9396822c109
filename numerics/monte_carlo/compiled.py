"""The two ways a function is compiled here; every flag of the lane stands in this file.

Division follows NumPy (no branch), the interpreter lock is released, machine code is kept on
disk, and fastmath is never used: it may delete the checks for nan and inf. The cache watches the
file a function stands in, not the helpers it calls: clear `__pycache__` after editing a helper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """A loop over a block of draws, or a scalar helper of one."""
    compiled: Function = numba.njit(error_model="numpy", cache=True, nogil=True)(function)
    return compiled


def integrand(function: Callable[..., float]) -> Callable[..., Any]:
    """A scalar formula of one draw, made a NumPy ufunc (NumPy error model, lock released)."""
    compiled: Callable[..., Any] = numba.vectorize(nopython=True, cache=True)(function)
    return compiled
