"""R^d with a full covariance: where the means lie, and the log-densities of the draws.

A mean is given by its whitened coordinates (along, across) in the plane through μ_o spanned by
μ_n − μ_o and one further direction; it is placed at μ_o + C(along·u + across·v), C the Cholesky
factor of Σ, u and v orthonormal and aligned with no axis. From there on everything is done in R^d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from numerics.monte_carlo.compiled import kernel
from numerics.point import Unreachable

Array: TypeAlias = NDArray[np.float64]
Mean: TypeAlias = tuple[float, float]
OLD: Mean = (0.0, 0.0)
FARTHEST = 1e6  # beyond it log-densities of size FARTHEST² / 2 round by more than 1e-4


@dataclass(frozen=True, slots=True)
class Space:
    """factor: C (d × d, lower); origin: μ_o (d); axes: u and v (2 × d), v = 0 if d = 1."""

    factor: Array
    origin: Array
    axes: Array

    def place(self, mean: Mean) -> Array:
        """The mean in R^d (shape d). Raises Unreachable if it cannot stand there."""
        if len(self.origin) == 1 and mean[1] != 0:
            raise Unreachable("new_mean_across must be 0 in dimension 1: there is no second axis")
        distance = math.hypot(*mean)
        if not distance <= FARTHEST:
            raise Unreachable(
                f"a mean at Mahalanobis distance {distance:g} from the old mean lies beyond "
                f"{FARTHEST:g}, where log-densities lose their digits in double precision"
            )
        where: Array = self.origin + self.factor @ (np.array(mean) @ self.axes)
        return where

    def whitened(self, mean: Mean) -> Array:
        """C⁻¹m (shape d) of the mean m in R^d. Raises Unreachable as `place` does."""
        column = self.place(mean).reshape(-1, 1)
        solve(self.factor, column)
        return column[:, 0]


def space(dimension: int, covariance: Array | None = None) -> Space:
    """The setting in R^dimension; ValueError if covariance is not symmetric positive definite."""
    index = np.arange(dimension, dtype=np.float64)
    if covariance is None:
        scale = 1.0 + index / dimension
        covariance = np.outer(scale, scale) * 0.5 ** np.abs(np.subtract.outer(index, index))
    pair = np.stack([np.cos(0.5 * index + 0.3), np.sin(index * index + 1.0)])
    axes = np.zeros((2, dimension))
    axes[0] = pair[0] / np.linalg.norm(pair[0])
    if dimension > 1:
        rest = pair[1] - (pair[1] @ axes[0]) * axes[0]
        axes[1] = rest / np.linalg.norm(rest)
    return Space(cholesky(covariance, dimension), np.cos(3.0 * index + 1.0), axes)


def cholesky(covariance: Array, dimension: int) -> Array:
    """The lower factor C of Σ = C Cᵀ; ValueError unless Σ is symmetric positive definite."""
    matrix = np.asarray(covariance, dtype=np.float64)
    if matrix.shape != (dimension, dimension):
        raise ValueError(
            f"covariance must be of shape ({dimension}, {dimension}), got {matrix.shape}"
        )
    if not np.all(np.isfinite(matrix)) or not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0):
        raise ValueError("covariance must be finite and symmetric, got a matrix that is not")
    try:
        return np.ascontiguousarray(np.linalg.cholesky(matrix))
    except np.linalg.LinAlgError:
        raise ValueError(
            "covariance must be positive definite, got a matrix without a Cholesky factor"
        ) from None


@kernel
def solve(factor: Array, y: Array) -> None:
    """y ← C⁻¹y for the columns of y (d × n), by forward substitution."""
    rows, columns = y.shape
    for i in range(rows):
        target = y[i]
        for j in range(i):
            weight = factor[i, j]
            source = y[j]
            for k in range(columns):
                target[k] -= weight * source[k]
        pivot = factor[i, i]
        for k in range(columns):
            target[k] /= pivot


@kernel
def colour(factor: Array, z: Array, y: Array) -> None:
    """y ← C z (d × n)."""
    rows, columns = z.shape
    y[:] = 0.0
    for i in range(rows):
        target = y[i]
        for j in range(i + 1):
            weight = factor[i, j]
            source = z[j]
            for k in range(columns):
                target[k] += weight * source[k]


@kernel
def project(w: Array, direction: Array, base: Array, out: Array) -> None:
    """out ← ⟨direction, w − base⟩ for the columns of w (d × n)."""
    rows, columns = w.shape
    out[:] = 0.0
    for i in range(rows):
        slope, shift, line = direction[i], base[i], w[i]
        for k in range(columns):
            out[k] += slope * (line[k] - shift)


@kernel
def observe(
    z: Array,
    factor: Array,
    centres: Any,
    densities: Array,
    origin: Array,
    axes: Array,
    base: Array,
    logs: Any,
    scores: Any,
) -> None:
    """Draw y = centre + C z for every proposal and read off what an integrand may use.

    z: d × n. centres: the P proposals' means in R^d. densities: whitened means of the J densities
    of the integrand and, after them, the P proposals; origin: whitened μ_o. Out: logs
    (J + 1 × P × n), log N(y; m_j, Σ)/p_o(y), the last the equal mixture of the proposals; scores
    (2 × P × n), the coordinates along the axes of C⁻¹y − base.
    """
    proposals, columns = centres.shape[0], z.shape[1]
    plain = densities.shape[0] - proposals
    coloured, w, one = np.empty_like(z), np.empty_like(z), np.empty(columns)
    colour(factor, z, coloured)
    for p in range(proposals):
        for i in range(z.shape[0]):
            w[i] = coloured[i] + centres[p, i]
        solve(factor, w)
        for axis in range(2):
            project(w, axes[axis], base, scores[axis, p])
        for j in range(plain):
            # ‖w − w_o‖²/2 − ‖w − w_j‖²/2, factorised so that neither square overflows or cancels
            project(w, densities[j] - origin, 0.5 * (densities[j] + origin), logs[j, p])
        mixture = logs[plain, p]
        for j in range(plain, plain + proposals):
            project(w, densities[j] - origin, 0.5 * (densities[j] + origin), one)
            for k in range(columns):
                if j == plain:
                    mixture[k] = one[k]
                else:
                    top = max(mixture[k], one[k])
                    mixture[k] = top + np.log1p(np.exp(-abs(mixture[k] - one[k])))
        if proposals > 1:
            mixture -= np.log(proposals)
