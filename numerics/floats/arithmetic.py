"""Wide floats as an arithmetic for trees: one fold values an expression at an array of points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics.expression import Definitions, expand, fold
from numerics.floats import wide
from numerics.floats.overlap_means import sech_overlap, second_moment, softplus_mean
from numerics.floats.wide import Floats, Wide
from numerics.point import Unreachable

FUNCTIONS: Mapping[str, Callable[..., Wide]] = {
    "Add": wide.add,
    "Mul": wide.multiply,
    "Pow": wide.power,
    "exp": wide.exponential,
    "log": wide.logarithm,
    "cosh": wide.cosh,
    "sinh": wide.sinh,
    "tanh": wide.tanh,
    "sech": lambda x: wide.reciprocal(wide.cosh(x)),
    "csch": lambda x: wide.reciprocal(wide.sinh(x)),
    "coth": lambda x: wide.reciprocal(wide.tanh(x)),
    "erf": wide.erf,
    "erfc": wide.erfc,
    "Abs": wide.absolute,
    "Min": wide.smallest,
    "Max": wide.largest,
}
MEANS: Mapping[str, Callable[..., Wide]] = {
    "S": sech_overlap,
    "A": softplus_mean,
    "E2": second_moment,
}


@dataclass(frozen=True, slots=True)
class WideFloats:
    """Folds a tree into a `Wide`; three heads have their own sums, any other is expanded."""

    definitions: Definitions

    @property
    def functions(self) -> Mapping[str, Callable[..., Wide]]:
        return FUNCTIONS

    def rational(self, p: int, q: int) -> Wide:
        shift = p.bit_length() - q.bit_length()
        scaled = p / (q << shift) if shift >= 0 else (p << -shift) / q
        return wide.rounded(scaled, float(shift))

    def constant(self, name: str) -> Wide:
        return wide.rounded(math.pi if name == "Pi" else math.e, 0.0)

    def call(self, head: str, arguments: tuple[Wide, ...]) -> Wide:
        if head in MEANS:
            return MEANS[head](*arguments)
        return expand(head, arguments, self.definitions, self)

    def integral(self, *_: Any) -> Wide:
        raise Unreachable("an integral has no rule in floats")


def values(
    exprs: Iterable[Any], points: Mapping[str, Floats], definitions: Definitions
) -> list[Wide]:
    """Scalar expressions at every point of an array, nan where they are not defined.

    Subtrees that they share are valued once. Raises Unreachable where a part has no rule in floats.
    """
    bindings = {name: wide.exact(coordinates) for name, coordinates in points.items()}
    known: dict[Any, Wide] = {}
    with np.errstate(all="ignore"):
        return [fold(expr, bindings, WideFloats(definitions), known) for expr in exprs]
