"""What a draw of the Monte Carlo lane costs, against numpy's standard_normal in chunks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.timing import LOGIT, best
from numerics.monte_carlo.overlap import misassignment_old
from numerics.monte_carlo.sampling import estimate

DRAWS = 2**20
CHUNK = 2**13
DIMENSIONS = (1, 3, 16, 128)


def by_numpy(dimension: int) -> float:
    """The same importance-weighted estimate with a full covariance, midway between the modes."""
    generator = np.random.default_rng(0)
    factor = np.linalg.cholesky(np.eye(dimension) + np.full((dimension, dimension), 0.5))
    whiten = np.linalg.inv(factor).T
    old, new = np.zeros(dimension), 2.0 * factor[:, 0]
    middle, total, phi = (old + new) / 2, 0.0, float(LOGIT)
    for _ in range(DRAWS // CHUNK):
        y = middle + generator.standard_normal((CHUNK, dimension)) @ factor.T
        log_old, log_new, log_middle = (
            -0.5 * np.square((y - mean) @ whiten).sum(axis=1) for mean in (old, new, middle)
        )
        weights = np.exp(log_old - log_middle)
        total += float(np.sum(weights / (1 + np.exp(phi + log_old - log_new))))
    return total / DRAWS


def monte_carlo() -> dict[str, Any]:
    """Nanoseconds a draw by dimension, and how many times numpy's on one thread."""
    point = {"phi": LOGIT, "delta": Fraction(2)}

    def ours(dimension: int, threads: int) -> float:
        def run() -> Any:
            return estimate(
                misassignment_old,
                point,
                samples=DRAWS,
                seed=0,
                dimension=dimension,
                threads=threads,
            )

        return 1e9 / DRAWS * best(run, 2)

    def theirs(dimension: int) -> float:
        return 1e9 / DRAWS * best(lambda: by_numpy(dimension), 2)

    one, two = ({d: ours(d, threads) for d in DIMENSIONS} for threads in (1, 2))
    plain = {d: theirs(d) for d in DIMENSIONS}
    return {
        "nanoseconds": one,
        "nanoseconds_on_two_threads": two,
        "numpy_nanoseconds": plain,
        "times_faster": {d: plain[d] / one[d] for d in DIMENSIONS},
    }
