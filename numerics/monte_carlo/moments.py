"""Running moments of blocks of summands, merged in the order of the blocks.

A row of moments holds (count, mean, sum of squared deviations, mean absolute value, smallest,
largest). Merging follows Chan, Golub and LeVeque; the tree of merges depends on the number of
blocks alone, so neither the threads nor the order of arrival changes a bit.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numerics.monte_carlo.compiled import kernel
from numerics.monte_carlo.space import Array

COUNT, MEAN, SQUARES, ABSOLUTE, SMALLEST, LARGEST = range(6)


@kernel
def summarise(values: Array) -> Array:
    """The moments (rows × 6) of the rows of values, in two passes.

    The second corrects the mean: equal summands make the roundings of the first all alike.
    """
    rows, columns = values.shape
    out = np.empty((rows, 6))
    for r in range(rows):
        line = values[r]
        total = absolute = 0.0
        for x in line:
            total += x
            absolute += abs(x)
        mean = total / columns
        rest = squares = 0.0
        for x in line:
            rest += x - mean
            squares += (x - mean) ** 2
        out[r, COUNT] = columns
        out[r, MEAN] = mean + rest / columns
        out[r, SQUARES] = squares
        out[r, ABSOLUTE] = absolute / columns
        out[r, SMALLEST] = line.min()
        out[r, LARGEST] = line.max()
    return out


def merge(a: Array, b: Array) -> Array:
    """The moments of two sets of summands taken together."""
    out = np.empty_like(a)
    count = a[:, COUNT] + b[:, COUNT]
    share = b[:, COUNT] / count
    step = b[:, MEAN] - a[:, MEAN]
    out[:, COUNT] = count
    out[:, MEAN] = a[:, MEAN] + step * share
    out[:, SQUARES] = a[:, SQUARES] + b[:, SQUARES] + step * step * a[:, COUNT] * share
    out[:, ABSOLUTE] = a[:, ABSOLUTE] + (b[:, ABSOLUTE] - a[:, ABSOLUTE]) * share
    out[:, SMALLEST] = np.minimum(a[:, SMALLEST], b[:, SMALLEST])
    out[:, LARGEST] = np.maximum(a[:, LARGEST], b[:, LARGEST])
    return out


def merge_all(blocks: Iterable[Array]) -> Array:
    """Pairwise merge of at least one block, in order, holding only log₂(blocks) of them at once."""
    waiting: list[tuple[int, Array]] = []
    for block in blocks:
        level, current = 0, block
        while waiting and waiting[-1][0] == level:
            current = merge(waiting.pop()[1], current)
            level += 1
        waiting.append((level, current))
    _, result = waiting.pop()
    while waiting:
        result = merge(waiting.pop()[1], result)
    return result
