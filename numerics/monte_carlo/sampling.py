"""One estimator, one sample: importance sampling over fixed blocks of draws.

Most quantities are constant + factor · ∫ f, and ∫ f = E_m[f/m], m an equal mixture of Gaussians of
covariance Σ (the proposals), each draw z used once from every proposal; a few are chances, tallied,
or functions of several means.
The estimate is a function of (estimator, point, samples, seed, dimension, covariance), not of the
number of threads.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from numerics.monte_carlo import moments
from numerics.monte_carlo.arguments import check, parameters
from numerics.monte_carlo.generator import normals
from numerics.monte_carlo.judgement import Sample, compose, judge
from numerics.monte_carlo.scheme import Composed, Estimator, Scheme, Tally
from numerics.monte_carlo.space import OLD, Array, Space, observe, space
from numerics.point import Point, Unreachable

LARGEST_DIMENSION = 128
TRIALS = 4096  # in a block
UNDERFLOW = 300.0  # a logarithm this large is moved into log_scale, before squares underflow


@dataclass(frozen=True, slots=True)
class _Plan:
    """A scheme placed in R^d: what the blocks share."""

    scheme: Scheme
    space: Space
    centres: Array
    densities: Array
    origin: Array
    base: Array

    @property
    def kinds(self) -> tuple[Array, ...]:
        """The further argument that tells components apart, on an axis of its own."""
        return (np.array(self.scheme.kinds).reshape(-1, 1, 1),) if self.scheme.kinds else ()

    def integrands(self, z: Array) -> tuple[Array, Array]:
        """f/m or its log (kinds × P × n, or P × n) and the scores (2 × P × n) of z (d × n), for P
        proposals."""
        shape = (len(self.centres), z.shape[1])
        logs = np.empty((len(self.scheme.means) + 1, *shape))
        scores = np.empty((2, *shape))
        observe(
            z,
            self.space.factor,
            self.centres,
            self.densities,
            self.origin,
            self.space.axes,
            self.base,
            logs,
            scores,
        )
        with np.errstate(all="ignore"):  # inf and nan are judged at the end, by name
            return self.scheme.integrand(*logs, *self.scheme.arguments, *self.kinds), scores

    def block(self, seed: int, block: int, draws: int, log_scale: float) -> Array:
        """The moments of one block of draws."""
        z = np.empty((len(self.origin), draws + draws % 2))
        normals(np.uint64(seed), np.uint64(block), z)
        values, scores = self.integrands(np.ascontiguousarray(z[:, :draws]))
        powers = self.scheme.powers
        with np.errstate(all="ignore"):
            if self.scheme.logarithmic:
                values = np.exp(values - log_scale)
            if self.scheme.score is not None:
                values = values * np.array([scores[0] ** i * scores[1] ** j for i, j in powers])
            summands = values.reshape(-1, len(self.centres), draws).mean(axis=1)
            result: Array = moments.summarise(summands)
        return result


def estimate(
    estimator: Estimator,
    point: Point,
    *,
    samples: int,
    seed: int,
    dimension: int,
    covariance: Array | None = None,
    threads: int | None = None,
) -> Sample:
    """Estimate a quantity at a point from `samples` draws in R^dimension.

    covariance: Σ, by default a fixed full matrix. threads: by default one per processor; it never
    changes a bit of the result. Raises ValueError for an argument outside its set, Unreachable if
    double precision or the dimension cannot hold the point.
    """
    check("samples", samples, 1, None)
    check("seed", seed, 0, 2**63 - 1)
    check("dimension", dimension, 1, LARGEST_DIMENSION)
    if threads is not None:
        check("threads", threads, 1, None)
    setting = space(dimension, covariance)
    scheme = estimator(**parameters(estimator, point))
    if isinstance(scheme, Tally):
        return _tallied(scheme, samples, seed, dimension, threads)
    if isinstance(scheme, Composed):
        return compose(
            scheme,
            [
                _drawn(part, setting, samples, _seed(seed, k), threads)
                for k, part in enumerate(scheme.parts)
            ],
        )
    return _drawn(scheme, setting, samples, seed, threads)


def _seed(seed: int, part: int) -> int:
    """A stream of its own for every part."""
    return int.from_bytes(blake2b(f"{seed}:{part}".encode(), digest_size=8).digest()) >> 1


def _drawn(scheme: Scheme, setting: Space, samples: int, seed: int, threads: int | None) -> Sample:
    """A mean, from weighted draws."""
    dimension = len(setting.origin)
    plan = _plan(scheme, setting)
    at_centres = plan.integrands(np.zeros((dimension, 1)))[0].max()
    threatened = scheme.logarithmic and UNDERFLOW < abs(at_centres) < math.inf
    log_scale = float(at_centres) if threatened else 0.0
    size = 2 * max(128, 8192 // dimension)

    def block(index: int) -> Array:
        return plan.block(seed, index, min(size, samples - index * size), log_scale)

    total = _merged(block, -(-samples // size), threads)
    return judge(total, scheme, log_scale, samples, seed, dimension)


def _tallied(tally: Tally, samples: int, seed: int, dimension: int, threads: int | None) -> Sample:
    """A chance, from its share in trials."""

    def block(index: int) -> Array:
        outcomes = np.empty((1, min(TRIALS, samples - index * TRIALS)))
        tally.trial(np.uint64(seed), np.uint64(index), outcomes[0], *tally.arguments)
        return moments.summarise(outcomes)

    total = _merged(block, -(-samples // TRIALS), threads)
    share = Scheme(None, (), (), ())
    return judge(total, share, 0.0, samples, seed, dimension)


def _merged(block: Callable[[int], Array], blocks: int, threads: int | None) -> Array:
    with np.errstate(all="ignore"):
        return moments.merge_all(_in_order(block, blocks, threads or os.cpu_count() or 1))


def _in_order(block: Callable[[int], Array], blocks: int, threads: int) -> Iterator[Array]:
    """The blocks in order, a bounded number of them in flight."""
    window = 16 * threads
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for start in range(0, blocks, window):
            yield from pool.map(block, range(start, min(start + window, blocks)))


def _plan(scheme: Scheme, setting: Space) -> _Plan:
    if len(setting.origin) == 1 and all(across for _, across in scheme.powers):
        raise Unreachable("in dimension 1 there is no coordinate across")
    densities = np.array([setting.whitened(mean) for mean in scheme.means + scheme.proposals])
    centres = np.array([setting.place(mean) for mean in scheme.proposals])
    base = setting.whitened(scheme.score or OLD)
    return _Plan(scheme, setting, centres, densities, setting.whitened(OLD), base)
