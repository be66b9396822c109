"""Real balls as an arithmetic for trees: a value is an enclosure, at the precision of the context.

Two heads, S and A, have their own proved evaluation (`overlap_functions`); any other is expanded.
Integrals go to `integral`, which proves quadrature and tail.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias

from flint import acb, arb, fmpq

from numerics.certified.integral import integrate
from numerics.certified.overlap_functions import sech_overlap, softplus_mean
from numerics.expression import Definitions, expand, fold, largest_free_of

Ball: TypeAlias = Any


def _power(base: Ball, exponent: Ball) -> Ball:
    """By way of acb where arb's own gives nan: a whole power of a ball centred at 0."""
    if base.contains(0) and exponent.is_integer():
        return acb(base).pow(acb(exponent)).real
    return base**exponent


FUNCTIONS: Mapping[str, Callable[..., Ball]] = {
    "Add": lambda *terms: reduce(operator.add, terms),
    "Mul": lambda *factors: reduce(operator.mul, factors),
    "Pow": _power,
    "exp": arb.exp,
    "log": arb.log,
    "cosh": arb.cosh,
    "sinh": arb.sinh,
    "tanh": arb.tanh,
    "sech": arb.sech,
    "cos": arb.cos,
    "sin": arb.sin,
    "acos": arb.acos,
    "csch": arb.csch,
    "coth": arb.coth,
    "erf": arb.erf,
    "erfc": arb.erfc,
    "Abs": abs,
    "Min": lambda *values: reduce(arb.min, values),
    "Max": lambda *values: reduce(arb.max, values),
}
PROVED: Mapping[str, Callable[..., Ball]] = {"S": sech_overlap, "A": softplus_mean}


@dataclass(frozen=True, slots=True)
class RealBalls:
    """Folds a tree into an `arb`, at one precision; heads met again at the same balls are known."""

    definitions: Definitions
    known: dict[tuple[str, tuple[int, ...]], tuple[tuple[Ball, ...], Ball]] = field(
        default_factory=dict
    )

    @property
    def functions(self) -> Mapping[str, Callable[..., Ball]]:
        return FUNCTIONS

    def rational(self, p: int, q: int) -> Ball:
        return arb(fmpq(p, q))

    def constant(self, name: str) -> Ball:
        return arb.pi() if name == "Pi" else arb.const_e()

    def call(self, head: str, arguments: tuple[Ball, ...]) -> Ball:
        key = head, tuple(map(id, arguments))
        if key not in self.known:
            value = (
                PROVED[head](*arguments)
                if head in PROVED
                else expand(head, arguments, self.definitions, self)
            )
            self.known[key] = arguments, value  # kept alive, so that no id is used again
        return self.known[key][1]

    def integral(
        self,
        body: Any,
        variable: str,
        lower: Ball | None,
        upper: Ball | None,
        bindings: Mapping[str, Ball],
    ) -> Ball:
        constants: dict[Any, Ball] = {}
        for part in largest_free_of(body, variable):
            fold(part, bindings, self, constants)
        return integrate(body, variable, lower, upper, constants, self.definitions)
