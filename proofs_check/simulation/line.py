"""Objectives on the line with both means free, in double precision.

An objective is an expression with integrals over the line, as the theory defines it; its gradient
is taken by SymPy, and both are summed by the trapezoidal rule, which converges exponentially here.
The line is whitened, the old mode at 0 and the new one at delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from numerics.expression import fold
from numerics.point import Unreachable
from proofs_check.doubles import FUNCTIONS
from theorems.language import Expr
from theorems.mixture import beta, delta, line, mix, normal, phi, sigma, tau, y

Array: TypeAlias = NDArray[np.float64]

FARTHEST = 24.0  # beyond it densities underflow where others do not
_REACH = 10.0  # standard deviations beyond the outermost mean
_RULE = 0.5  # nodes apart, in units of the distance of the nearest pole over pi

_STATE = ("phi", "old_mean", "new_mean")
old_mean, new_mean = sp.symbols("old_mean new_mean", real=True)
true_old, true_new = normal(y), normal(y, delta)
learner = mix(beta, normal(y, old_mean), normal(y, new_mean))


def truth(logit: Expr = tau) -> Expr:
    """The mixture of the true modes with this logit."""
    return mix(sigma(logit), true_old, true_new)


def divergence(first: Expr, second: Expr) -> Expr:
    """KL(first || second)."""
    return line(first * sp.log(first / second))


@dataclass(frozen=True, slots=True)
class Sums:
    """Folds an expression into doubles, its integrals into sums over one grid of the line, which
    share their subtrees."""

    grid: Array
    shared: dict[Any, Any]

    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return FUNCTIONS

    def rational(self, p: int, q: int) -> Any:
        return p / q

    def constant(self, name: str) -> Any:
        return math.pi if name == "Pi" else math.e

    def call(self, head: str, arguments: tuple[Any, ...]) -> Any:
        raise Unreachable(f"{head} has no rule on the line")

    def integral(
        self, body: Any, variable: str, lower: Any, upper: Any, bindings: Mapping[str, Any]
    ) -> Any:
        found = fold(body, {**bindings, variable: self.grid}, self, self.shared)
        return np.sum(found) * (self.grid[1] - self.grid[0])


@dataclass(frozen=True, slots=True)
class Line:
    """An objective and its gradient in (phi, old_mean, new_mean) at given settings; `fixed` holds
    what does not change along a run, on the grid."""

    exprs: tuple[Expr, ...]
    settings: Mapping[str, float]
    grid: Array
    fixed: Mapping[Any, Any]

    def at(self, state: Array, **more: float) -> Array:
        """The objective, then its gradient. more: settings that change along a run."""
        bindings = {**self.settings, **dict(zip(_STATE, map(float, state), strict=True)), **more}
        sums = Sums(self.grid, dict(self.fixed))
        return np.array([fold(expr, bindings, sums, sums.shared) for expr in self.exprs])


def line_of(
    objective: Expr,
    settings: Mapping[str, float],
    means: tuple[float, float],
    changing: tuple[str, ...] = (),
) -> Line:
    """An objective at these settings, on a grid that holds the true means and the learner's;
    changing: the settings that will change along a run.

    Raises Unreachable where the means lie too far apart for double precision.
    """
    places = (0.0, settings["delta"], *means)
    span = max(places) - min(places)
    if span > FARTHEST:
        raise Unreachable(
            f"means {span:g} standard deviations apart are beyond the {FARTHEST:g} that double "
            "precision holds once they are free"
        )
    spacing = min(0.25, _RULE / span)
    low, high = min(places) - _REACH, max(places) + _REACH
    grid = np.linspace(low, high, math.ceil((high - low) / spacing) + 1)
    exprs = (objective, *_gradient(objective))
    sums = Sums(grid, {})
    for expr in exprs:
        fold(expr, {**settings, "phi": 0.0, "old_mean": 0.0, "new_mean": 0.0}, sums, sums.shared)
    moving = {*_STATE, *changing}
    fixed = {
        tree: value
        for tree, value in sums.shared.items()
        if moving.isdisjoint(symbol.name for symbol in tree.free_symbols)
    }
    return Line(exprs, settings, grid, fixed)


@cache
def _gradient(objective: Expr) -> tuple[Expr, ...]:
    return tuple(sp.diff(objective, symbol) for symbol in (phi, old_mean, new_mean))
