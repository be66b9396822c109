"""Complex balls as an arithmetic for the integrands of `acb.integral`.

The `analytic` flag is honoured wherever a branch cut may be met (log, non-integer powers, Abs, Min,
Max): on a ball where the function is not certainly holomorphic the answer is not finite.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, TypeAlias

from flint import acb, arb, fmpq

from numerics.certified.overlap_functions import sech_overlap
from numerics.expression import Definitions, expand
from numerics.point import Unreachable

Ball: TypeAlias = Any


def _power(base: Ball, exponent: Ball, *, analytic: bool) -> Ball:
    return acb(base).pow(acb(exponent), analytic=analytic)


def _cut(method: Callable[..., Ball], value: Ball, *, analytic: bool) -> Ball:
    return method(acb(value), analytic=analytic)


def _folded(method: Callable[..., Ball], *values: Ball, analytic: bool) -> Ball:
    return reduce(partial(method, analytic=analytic), map(acb, values))


def _meromorphic(method: Callable[..., Ball], value: Ball) -> Ball:
    return method(acb(value))


MEROMORPHIC: Mapping[str, Callable[..., Ball]] = {
    "Add": lambda *terms: reduce(operator.add, terms),
    "Mul": lambda *factors: reduce(operator.mul, factors),
    **{
        name: partial(_meromorphic, getattr(acb, name))
        for name in (
            *("exp", "cosh", "sinh", "tanh", "sech", "csch", "coth"),
            *("cos", "sin", "erf", "erfc"),
        )
    },
}
CUT: Mapping[str, Callable[..., Ball]] = {
    "Pow": _power,
    "log": partial(_cut, acb.log),
    "Abs": partial(_cut, acb.real_abs),
    "Min": partial(_folded, acb.real_min),
    "Max": partial(_folded, acb.real_max),
}
FUNCTIONS: Mapping[bool, Mapping[str, Callable[..., Ball]]] = {
    analytic: {**MEROMORPHIC, **{k: partial(f, analytic=analytic) for k, f in CUT.items()}}
    for analytic in (False, True)
}
NAMES = frozenset(FUNCTIONS[True])


@dataclass(frozen=True, slots=True)
class ComplexBalls:
    """Folds a tree into an `acb`."""

    definitions: Definitions
    analytic: bool

    @property
    def functions(self) -> Mapping[str, Callable[..., Ball]]:
        return FUNCTIONS[self.analytic]

    def operation(self, name: str) -> Callable[..., Ball]:
        """An elementary function, or the call of a head."""
        return self.functions.get(name) or (lambda *arguments: self.call(name, arguments))

    def rational(self, p: int, q: int) -> Ball:
        return arb(fmpq(p, q))

    def constant(self, name: str) -> Ball:
        return arb.pi() if name == "Pi" else arb.const_e()

    def call(self, head: str, arguments: tuple[Ball, ...]) -> Ball:
        if head == "S" and isinstance(arguments[1], arb):
            return sech_overlap(*arguments)
        return expand(head, arguments, self.definitions, self)

    def integral(self, *_: Any) -> Ball:
        raise Unreachable("an integral that depends on the variable of another has no rule")
