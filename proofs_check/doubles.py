"""Expression trees in double precision, for flows: quick, and checked by whoever uses them.

Integrals over the line by the trapezoidal rule, which converges exponentially for the bells of the
theory; between two limits by a Gauss-Legendre rule.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from numerics.expression import Definitions, expand, fold
from theorems.language import Expr

Array: TypeAlias = NDArray[np.float64]
Number: TypeAlias = Any  # a double, or an array of them over the nodes of integrals

_STEP = 1 / 16
_TAIL = 12.0  # standard deviations beyond the outermost mean
_NODES = 64


def compiled(
    rate: Sequence[Expr], names: Sequence[str], place: Mapping[str, Fraction], table: Definitions
) -> Callable[[Array], Array]:
    """The rate as a function of the states `names` in order; the rest is held at the place."""
    held = {name: float(value) for name, value in place.items()}

    def at(states: Array) -> Array:
        bindings = {**held, **dict(zip(names, map(float, states), strict=True))}
        reach = _TAIL + max(map(abs, bindings.values()))
        numbers = Doubles(table, reach)
        with np.errstate(all="ignore"):  # a rate that is not finite stops the solver
            return np.array([fold(each, bindings, numbers, {}) for each in rate], dtype=float)

    return at


FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "Add": lambda *terms: reduce(operator.add, terms),
    "Mul": lambda *factors: reduce(operator.mul, factors),
    "Pow": operator.pow,
    "exp": np.exp,
    "log": np.log,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "tanh": np.tanh,
    "sech": lambda x: 1 / np.cosh(x),
    "Abs": np.abs,
    "Min": lambda *values: reduce(np.minimum, values),
    "Max": lambda *values: reduce(np.maximum, values),
}


@dataclass(frozen=True, slots=True)
class Doubles:
    """Folds a tree into doubles. reach: how far out an integral over the line goes."""

    definitions: Definitions
    reach: float

    @property
    def functions(self) -> Mapping[str, Callable[..., Number]]:
        return FUNCTIONS

    def rational(self, p: int, q: int) -> Number:
        return p / q

    def constant(self, name: str) -> Number:
        return np.pi if name == "Pi" else np.e

    def call(self, head: str, arguments: tuple[Number, ...]) -> Number:
        return expand(head, arguments, self.definitions, self)

    def integral(
        self,
        body: Any,
        variable: str,
        lower: Number | None,
        upper: Number | None,
        bindings: Mapping[str, Number],
    ) -> Number:
        # an axis of its own for every integral that this one stands in
        inner = (-1,) + (1,) * max((np.ndim(value) for value in bindings.values()), default=0)
        if lower is None or upper is None:
            nodes = np.arange(-self.reach, self.reach + _STEP / 2, _STEP).reshape(inner)
            weights: Number = _STEP
        else:
            unit, rule = _gauss_legendre()
            nodes = lower + (upper - lower) * unit.reshape(inner)
            weights = (upper - lower) * rule.reshape(inner)
        values = fold(body, {**bindings, variable: nodes}, self, {})
        return (values * weights).sum(axis=0)


@cache
def _gauss_legendre() -> tuple[Array, Array]:
    """Nodes and weights on the unit interval."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
