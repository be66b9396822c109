"""The suite's quantities as numbers at a point, by their derived formulas in balls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath.ctx_mp import MPContext

from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from numerics.point import Exact, Logit
from numerics.trajectories.scalar_flow import exact
from proofs_check.catalogue import definitions, quantity
from proofs_check.multiprecision import context_of, read
from theorems.language import Parameter, Theorem

Point = Mapping[str, Exact]
_GUARD = 6


@dataclass(frozen=True, slots=True)
class Suite:
    """What a run asks of the catalogue, to `digits` digits."""

    theorems: Mapping[str, Theorem]
    table: Definitions
    digits: int

    @staticmethod
    def of(theorems: Mapping[str, Theorem], digits: int) -> Suite:
        return Suite(theorems, definitions(theorems), digits)

    @property
    def context(self) -> MPContext:
        return context_of(self.digits + _GUARD)

    def parameters(self, *names: str) -> dict[str, Parameter]:
        """The parameters of these quantities, by name, in their order."""
        return {p.name: p for name in names for p in quantity(self.theorems, name)[1].parameters}

    def values(self, name: str, point: Point, digits: int = 0) -> tuple[Any, ...]:
        """A quantity's components at a point that holds its parameters, as mpf.

        Raises Unreachable where the balls do not reach the digits.
        """
        digits = digits or self.digits
        _, found = quantity(self.theorems, name)
        balls = enclose(found.formula, point, digits + _GUARD, self.table)
        return tuple(_middle(context_of(digits + _GUARD), ball) for ball in balls)

    def ball(self, name: str, point: Point) -> Any:
        """A scalar quantity's enclosure."""
        _, found = quantity(self.theorems, name)
        return enclose(found.formula, point, self.digits + _GUARD, self.table)[0]

    def value(self, name: str, point: Point, digits: int = 0) -> Any:
        """The first component: the only one of a scalar, the one along of a vector."""
        return self.values(name, point, digits)[0]

    def logit(self, value: Exact) -> Fraction:
        """A logit as a fraction, rounded where it was given as a weight."""
        return exact(read(self.context, value)) if isinstance(value, Logit) else value

    def weight(self, logit: Any) -> Any:
        """The logistic function."""
        ctx = self.context
        return 1 / (1 + ctx.exp(-self.number(logit)))

    def number(self, value: Any) -> Any:
        """A fraction or a number of another context, in this one."""
        ctx = self.context
        return read(ctx, value) if isinstance(value, Fraction | Logit) else ctx.mpf(value)


def _middle(ctx: MPContext, ball: Any) -> Any:
    mantissa, exponent = ball.mid().man_exp()
    return ctx.mpf((int(mantissa), int(exponent)))
