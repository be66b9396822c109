"""How a quantity is sampled at one point: by weighted draws in R^d, by trials with two outcomes, or
as a function of several means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from numerics.monte_carlo.space import Mean


@dataclass(frozen=True, slots=True)
class Scheme:
    """constant + factor · E_m[f/m · score].

    integrand: f/m (or, if logarithmic, log f/m) as a ufunc of the log-ratios log N(·; m_j, Σ)/p_o
    of `means` in order, then log m/p_o, then `arguments`; kinds, if any, are values of one more
    argument, each of which gives a component. proposals: the means of the Gaussians that make up
    m. score: the mean whose whitened score C⁻¹(y − mean) multiplies the integrand, if any; powers:
    those of its coordinates (along, across), one pair a component.
    """

    integrand: Any
    arguments: tuple[float, ...]
    means: tuple[Mean, ...]
    proposals: tuple[Mean, ...]
    constant: float = 0.0
    factor: float = 1.0
    logarithmic: bool = False
    score: Mean | None = None
    powers: tuple[tuple[int, int], ...] = ((1, 0),)
    kinds: tuple[float, ...] = ()

    @property
    def exponent(self) -> float:
        """The size of the logarithms that are exponentiated: they round in proportion to it."""
        squares = [math.hypot(*mean) ** 2 for mean in self.means + self.proposals]
        return 1.0 + max(squares, default=0.0) + max(map(abs, self.arguments), default=0.0)


def affine(scheme: Scheme, slope: float, shift: float) -> Scheme:
    """The scheme of slope · (its quantity) + shift."""
    return replace(scheme, constant=shift + slope * scheme.constant, factor=slope * scheme.factor)


@dataclass(frozen=True, slots=True)
class Tally:
    """The chance of an outcome. trial(seed, block, out, *arguments) fills out with 1 where it
    happens and 0 where it does not, from a stream of its own for each block."""

    trial: Any
    arguments: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """combine(the mean of each part), a smooth function, every part on draws of its own."""

    combine: Callable[..., float]
    parts: tuple[Scheme, ...]


Estimator: TypeAlias = Callable[..., Scheme | Tally | Composed]
"""From a quantity's parameters, by their canonical names and as floats, to its scheme."""
