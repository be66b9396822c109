"""What the tests of the precise lane share: a value at a point written down exactly, and means
under N(centre, 1) by mpmath.quad, which the lane does not use."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from numerics.point import Logit
from numerics.precise.evaluation import Evaluator, evaluate


@pytest.fixture(scope="session")
def value() -> Callable[..., Any]:
    """value(evaluator, digits=25, **point) -> one mpf, or a tuple of them."""

    def at(evaluator: Evaluator, digits: int = 25, **point: str | Fraction | Logit) -> Any:
        exact = {k: v if isinstance(v, Logit) else Fraction(v) for k, v in point.items()}
        components = evaluate(evaluator, exact, digits).value
        return components[0] if len(components) == 1 else components

    return at


@pytest.fixture(scope="session")
def mean() -> Callable[[Callable[[Any], Any], Any], Any]:
    """mean(f, centre) -> E[f], split at every other unit."""

    def expectation(f: Callable[[Any], Any], centre: Any) -> Any:
        pieces = mpmath.linspace(centre - 14, centre + 14, 15)
        return mpmath.quad(lambda x: mpmath.npdf(x, centre) * f(x), pieces)

    return expectation


@pytest.fixture(scope="session")
def consistent() -> Callable[..., bool]:
    """Whether a value at 12 digits lies within its own error estimate of that at 30."""

    def check(evaluator: Evaluator, point: dict[str, str]) -> bool:
        exact = {name: Fraction(text) for name, text in point.items()}
        rough, fine = (evaluate(evaluator, exact, digits) for digits in (12, 30))
        with mpmath.workdps(60):
            off = [abs(a - b) for a, b in zip(rough.value, fine.value, strict=True)]
            within = max(off) <= rough.error + fine.error
            return bool(within and fine.error <= mpmath.norm(fine.value) * mpmath.mpf(10) ** -30)

    return check
