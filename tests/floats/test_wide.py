"""Wide floats against balls: the error lies within the noise they report, at every size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.certified.balls import RealBalls
from numerics.expression import fold
from numerics.floats.arithmetic import values
from numerics.floats.wide import ULP
from numerics.point import Unreachable

phi, delta = sp.symbols("phi delta", real=True)
S, A, E2 = (sp.Function(name) for name in ("S", "A", "E2"))
y = sp.Symbol("y", real=True)
_normal = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi)
DEFINITIONS: dict[str, Any] = {
    "E2": (
        ("phi", "delta"),
        sp.exp(phi / 2 - delta**2 / 8)
        * sp.Integral(
            _normal * sp.sech((phi + delta * y) / 2) / (1 + sp.exp(-phi - delta * y)),
            (y, -sp.oo, sp.oo),
        )
        / 2,
    ),
    "eps_o": (("phi", "delta"), sp.exp(-phi / 2 - delta**2 / 8) * S(phi, delta) / 2),
}
EXPRESSIONS = [
    S(phi, delta),
    A(phi, delta),
    sp.Function("eps_o")(phi + 1 / delta, delta / 3),
    1 - sp.cosh(phi / 2) * sp.exp(-(delta**2) / 8) * S(phi, delta),
    sp.log(1 + sp.exp(phi)) - A(phi, delta),
    sp.erfc(delta / 3) - sp.erfc(phi),
    sp.erf(phi) ** 3 + sp.tanh(phi) / delta - sp.sinh(phi) * sp.sech(delta),
    sp.exp(-(delta**2)) - sp.exp(-(delta**2) - sp.Abs(phi)),
    sp.Min(phi, delta, 1 - phi) * sp.Max(phi**2, delta) ** sp.Rational(-7, 3),
    1 / sp.Function("eps_o")(phi, delta),
    sp.log(delta**delta) - delta * sp.log(delta) + sp.pi * phi**-5,
]


def check(expr: Any, a: float, d: float) -> None:
    """The error of the floats is within their noise."""
    (found,) = values([expr], {"phi": np.array([a]), "delta": np.array([d])}, DEFINITIONS)
    with ctx.workprec(600):
        bindings = {"phi": arb(a), "delta": arb(d)}
        truth = fold(expr, bindings, RealBalls(DEFINITIONS), {})
        value = arb(float(found.mantissa[0])) * arb(2) ** int(found.exponent[0])
        assert truth.is_finite() == bool(np.isfinite(found.mantissa[0]))
        if truth.is_finite():
            assert abs(value - truth) <= 2 * arb(2) ** arb(float(found.noise[0]))


@settings(max_examples=200)
@given(
    st.sampled_from(EXPRESSIONS),
    st.floats(-45, 45).filter(lambda a: abs(a) > 1e-3),
    st.floats(0.01, 200),
)
@example(S(phi, delta), 40.0, 12.0)
@example(A(phi, delta), -45.0, 0.01)
@example(A(phi, delta), 45.0, 3.0)
@example(EXPRESSIONS[5], 4.9, 15.0)
@example(EXPRESSIONS[5], -3.0, 15.1)
@example(EXPRESSIONS[7], 0.25, 190.0)
def test_the_error_lies_within_the_noise(expr: Any, a: float, d: float) -> None:
    check(expr, a, d)


@pytest.mark.parametrize(("a", "d"), [(0.5, 1.0), (-6.0, 3.0), (5.0, 2.0), (-30.0, 4.0)])
def test_the_second_moment_too(a: float, d: float) -> None:
    check(E2(phi, delta), a, d)


@settings(max_examples=50)
@given(st.floats(-6, 6), st.floats(0.25, 12))
def test_what_does_not_cancel_keeps_nine_digits(a: float, d: float) -> None:
    point = {"phi": np.array([a]), "delta": np.array([d])}
    means = [S(phi, delta), A(phi, delta), E2(phi, delta)]
    plain = [sp.sech(delta), 1 / (1 + sp.exp(-phi)), sp.erfc(delta), sp.exp(-(delta**2))]
    for found in values([*means, *plain], point, DEFINITIONS):
        assert found.noise[0] - found.size[0] < math.log2(1e-9)


def test_nothing_underflows() -> None:
    point = {"phi": np.array([-2.0, 3.0]), "delta": np.array([200.0, 1e4])}
    (found,) = values([DEFINITIONS["eps_o"][1]], point, DEFINITIONS)
    assert np.all(found.mantissa > 0)
    assert found.size == pytest.approx(-(point["delta"] ** 2) / 8 / math.log(2), rel=1e-2)
    assert np.all(found.noise - found.size < ULP + 40)


def test_what_is_not_defined_is_nan() -> None:
    undefined = [sp.log(phi), 1 / (phi + 1), sp.sqrt(phi), S(delta, phi + 1)]
    for expr in undefined:
        (found,) = values([expr], {"phi": np.array([-1.0]), "delta": np.array([1.0])}, {})
        assert np.isnan(found.mantissa[0]), expr


def test_an_integral_has_no_rule() -> None:
    with pytest.raises(Unreachable):
        values([sp.Integral(_normal, (y, 0, 1))], {}, {})


def test_no_warning_and_no_state_is_left() -> None:
    before = np.geterr()
    values([sp.log(phi)], {"phi": np.zeros(3)}, {})
    assert np.geterr() == before
