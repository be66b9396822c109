"""One estimator, one sample: importance sampling over fixed blocks of draws.

Every quantity is constant + factor · ∫ f, and ∫ f = E_m[f/m], m an equal mixture of Gaussians of
covariance Σ (the proposals), each draw z used once from every proposal. The estimate is a function
of (estimator, point, samples, seed, dimension, covariance), not of the number of threads.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from numerics.monte_carlo import moments
from numerics.monte_carlo.generator import normals
from numerics.monte_carlo.space import OLD, Array, Mean, Space, observe, space
from numerics.point import Exact, Logit, Point, Unreachable

LARGEST_DIMENSION = 128
CLOSEST = 1e-10  # nearer than this the means in R^d differ by little more than their rounding
LARGEST = 1e150  # a square beyond this overflows
UNDERFLOW = 300.0  # a logarithm this large is moved into log_scale, before squares underflow
ROUNDING = 2.0**-50
WORST_RELATIVE_ERROR = 0.1
LARGEST_SHARE = 0.1
SMALLEST_EFFECTIVE_SIZE = 100.0


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a quantity is sampled at one point: constant + factor · E_m[f/m · score].

    integrand: f/m (or, if logarithmic, log f/m) as a ufunc of the log-ratios log N(·; m_j, Σ)/p_o
    of `means` in order, then log m/p_o, then `arguments`. proposals: the means of the Gaussians
    that make up m. score: the mean whose whitened score C⁻¹(y − mean) multiplies the integrand, if
    any; components: how many of its coordinates (along, across) are asked for.
    """

    integrand: Any
    arguments: tuple[float, ...]
    means: tuple[Mean, ...]
    proposals: tuple[Mean, ...]
    constant: float = 0.0
    factor: float = 1.0
    logarithmic: bool = False
    score: Mean | None = None
    components: int = 1


Estimator: TypeAlias = Callable[..., Scheme]
"""From a quantity's parameters, by their canonical names and as floats, to its scheme."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An estimate: e^{log_scale} · mean, with standard error e^{log_scale} · standard_error.

    One entry per component (whitened coordinates, for a gradient; in dimension 1 the second is 0
    with error 0). standard_error includes the rounding of double precision. log_scale is 0 unless
    underflow or overflow threatens. samples: draws of z. effective_sample_size: (Σ|x|)²/Σx² of the
    weighted summands x, least over the components; `samples` where they are constant. informative:
    whether a z-test of this sample means anything; note: if not, the reason in one sentence.
    """

    mean: tuple[float, ...]
    standard_error: tuple[float, ...]
    log_scale: float
    samples: int
    seed: int
    dimension: int
    effective_sample_size: float
    informative: bool
    note: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """A scheme placed in R^d: what the blocks share."""

    scheme: Scheme
    space: Space
    centres: Array
    densities: Array
    origin: Array
    base: Array

    def integrands(self, z: Array) -> tuple[Array, Array]:
        """f/m or its log (P × n) and the scores (2 × P × n) of z (d × n), for P proposals."""
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
            return self.scheme.integrand(*logs, *self.scheme.arguments), scores

    def block(self, seed: int, block: int, draws: int, log_scale: float) -> Array:
        """The moments of one block of draws."""
        z = np.empty((len(self.origin), draws + draws % 2))
        normals(np.uint64(seed), np.uint64(block), z)
        values, scores = self.integrands(np.ascontiguousarray(z[:, :draws]))
        with np.errstate(all="ignore"):
            if self.scheme.logarithmic:
                values = np.exp(values - log_scale)
            if self.scheme.score is not None:
                values = values * scores[: self.scheme.components]
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
    _check("samples", samples, 1, None)
    _check("seed", seed, 0, 2**63 - 1)
    _check("dimension", dimension, 1, LARGEST_DIMENSION)
    if threads is not None:
        _check("threads", threads, 1, None)
    plan = _plan(estimator(**_parameters(estimator, point)), space(dimension, covariance))
    at_centres = plan.integrands(np.zeros((dimension, 1)))[0].max()
    threatened = plan.scheme.logarithmic and UNDERFLOW < abs(at_centres) < math.inf
    log_scale = float(at_centres) if threatened else 0.0
    size = 2 * max(128, 8192 // dimension)

    def block(index: int) -> Array:
        return plan.block(seed, index, min(size, samples - index * size), log_scale)

    with np.errstate(all="ignore"):
        blocks = _in_order(block, -(-samples // size), threads or os.cpu_count() or 1)
        total = moments.merge_all(blocks)
    return _judge(total, plan.scheme, log_scale, samples, seed, dimension)


def _in_order(block: Callable[[int], Array], blocks: int, threads: int) -> Iterator[Array]:
    """The blocks in order, a bounded number of them in flight."""
    window = 16 * threads
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for start in range(0, blocks, window):
            yield from pool.map(block, range(start, min(start + window, blocks)))


def _check(name: str, value: int, least: int, most: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be an integer, got {value!r}")
    if value < least or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ValueError(f"{name} must be {allowed}, got {value}")


def _parameters(estimator: Estimator, point: Point) -> dict[str, float]:
    """The point in double precision, checked against the parameters the estimator names."""
    names = list(inspect.signature(estimator).parameters)
    if set(names) != set(point):
        raise ValueError(
            f"parameters must be exactly {', '.join(names)}, got {', '.join(point) or 'none'}"
        )
    values = {name: _rounded(name, point[name]) for name in names}
    for name, value in values.items():
        if abs(value) > LARGEST:
            raise Unreachable(f"{name} is beyond {LARGEST:g}, where squares leave double precision")
    delta = values.get("delta")
    if delta is not None and delta <= 0:
        raise ValueError(f"delta must be positive, got {point['delta']}")
    if delta is not None and delta < CLOSEST:
        raise Unreachable(
            f"delta = {delta:g} is below {CLOSEST:g}, where the means are lost to rounding in R^d"
        )
    return values


def _rounded(name: str, value: Exact) -> float:
    """A fraction, or the logit of a weight, rounded to double precision."""
    if not isinstance(value, Logit):
        try:
            return float(value)
        except OverflowError:
            raise Unreachable(f"{name} is beyond the range of double precision") from None
    odds = value.weight / (1 - value.weight)
    if abs(odds - 1) < 0.5:
        return math.log1p(odds - 1)
    return math.log(odds.numerator) - math.log(odds.denominator)


def _plan(scheme: Scheme, setting: Space) -> _Plan:
    densities = np.array([setting.whitened(mean) for mean in scheme.means + scheme.proposals])
    centres = np.array([setting.place(mean) for mean in scheme.proposals])
    base = setting.whitened(scheme.score or OLD)
    return _Plan(scheme, setting, centres, densities, setting.whitened(OLD), base)


def _exponent(scheme: Scheme) -> float:
    """The size of the logarithms that are exponentiated: they round in proportion to it."""
    places = scheme.means + scheme.proposals
    return (
        1.0 + max(math.hypot(*m) ** 2 for m in places) + max(map(abs, scheme.arguments), default=0)
    )


def _judge(
    total: Array, scheme: Scheme, log_scale: float, samples: int, seed: int, dimension: int
) -> Sample:
    """Scale the moments to the quantity and say whether they can bear a z-test."""
    with np.errstate(all="ignore"):
        spread = np.sqrt(total[:, moments.SQUARES] / max(samples - 1, 1) / samples)
        centre = total[:, moments.MEAN]
        widest = np.maximum(total[:, moments.LARGEST] - centre, centre - total[:, moments.SMALLEST])
        square = total[:, moments.SQUARES] / samples + centre**2
        sizes = np.where(square > 0, samples * total[:, moments.ABSOLUTE] ** 2 / square, math.inf)
        effective = float(sizes.min()) if np.isfinite(sizes.min()) else 0.0
        share = float(np.max(np.where(spread > 0, widest / (samples * spread), 0.0)))
        mean = scheme.constant + scheme.factor * centre
        digits = ROUNDING * (
            abs(scheme.constant) + _exponent(scheme) * np.abs(scheme.factor * centre)
        )
        error = np.hypot(scheme.factor * spread, digits)
    note = _reservation(mean, error, spread, share, effective, scheme, samples)
    return Sample(
        tuple(mean.tolist()),
        tuple(error.tolist()),
        log_scale,
        int(samples),
        int(seed),
        int(dimension),
        effective,
        not note,
        note,
    )


def _reservation(
    mean: Array,
    error: Array,
    spread: Array,
    share: float,
    effective: float,
    scheme: Scheme,
    samples: int,
) -> str:
    """Why a sample is not informative, or nothing."""
    size = math.hypot(*mean)
    relative = math.hypot(*error) / size if size > 0 else math.inf
    if samples < 2:
        return "one draw has no standard error"
    if not (np.all(np.isfinite(mean)) and np.all(np.isfinite(error))):
        return "the sum of the draws is not finite in double precision"
    if scheme.constant and size <= 2.0**-30 * abs(scheme.constant):
        return "the value is lost to rounding: it is a difference of terms a billion times larger"
    if not np.any(spread > 0):
        return "the draws show no spread, so a standard error would say nothing"
    if share > LARGEST_SHARE:
        return (
            f"a single draw moves the mean by {share:.2g} standard errors: a rare event carries "
            "the spread, or the draws are too few"
        )
    if relative > WORST_RELATIVE_ERROR:
        return f"the relative standard error is {relative:.2g}, above {WORST_RELATIVE_ERROR:g}"
    if scheme.constant == 0 and scheme.score is None and effective < SMALLEST_EFFECTIVE_SIZE:
        return f"the effective sample size is {effective:.3g}, below {SMALLEST_EFFECTIVE_SIZE:g}"
    return ""
