"""Philox 4x32-10, a counter-based generator, and the standard normals drawn from it.

A stream has no state: the normals of a block are a function of (seed, block) alone, so blocks
may be drawn in any order by any number of threads. Source: Salmon, Moraes, Dror and Shaw,
"Parallel random numbers: as easy as 1, 2, 3" (2011); checked against its known answers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.monte_carlo.compiled import kernel

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
SPARE = np.uint64(12)  # 64 random bits keep 52: the midpoints of 2^52 cells are exact doubles
MULTIPLIER_0, MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@kernel
def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
    """Ten Philox rounds on a counter of four and a key of two 32-bit words, each a uint64."""
    for _ in range(10):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (
            (product_1 >> HALF) ^ c1 ^ k0,
            product_1 & LOW,
            (product_0 >> HALF) ^ c3 ^ k1,
            product_0 & LOW,
        )
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0, c1, c2, c3


@kernel
def uniform(high: Any, low: Any) -> float:
    """A midpoint of the 2^52 equal cells of (0, 1): never 0, never 1."""
    return (np.float64(((high << HALF) | low) >> SPARE) + 0.5) * 2.0**-52


@kernel
def normals(seed: Any, block: Any, z: NDArray[np.float64]) -> None:
    """Fill z (shape d × even n) with the standard normals of one block, by Box–Muller.

    seed and block are uint64; the counter is (index of the pair, 0, block).
    """
    rows, columns = z.shape
    pairs = columns // 2
    for row in range(rows):
        line = z[row]
        for pair in range(pairs):
            index = np.uint64(row * pairs + pair)
            x0, x1, x2, x3 = philox(
                index & LOW, index >> HALF, block & LOW, block >> HALF, seed & LOW, seed >> HALF
            )
            radius = math.sqrt(-2.0 * math.log(uniform(x0, x1)))
            angle = 2.0 * math.pi * uniform(x2, x3)
            line[2 * pair] = radius * math.cos(angle)
            line[2 * pair + 1] = radius * math.sin(angle)
