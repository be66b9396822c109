"""Small operations on declared expressions."""

from __future__ import annotations

import pytest
import sympy as sp

from proofs_check.expressions import components, heads, instance, substitute, unfold
from proofs_check.symbolic.normal_form import is_zero
from theorems.language import Quantity
from theorems.mixture import DELTA, PHI, delta, line, normal, phi, tau, y, z

INNER = Quantity("inner", "inner", (PHI,), line(normal(y) * phi), phi, "")
OUTER = Quantity("outer", "outer", (PHI, DELTA), INNER(phi + delta) ** 2, phi, "")


def test_a_scalar_is_its_own_component() -> None:
    assert components(phi) == (phi,)
    assert components(sp.Tuple(phi, delta)) == (phi, delta)


def test_heads_are_the_quantities_spoken_of() -> None:
    assert heads(OUTER.head + sp.exp(INNER(2))) == {"outer", "inner"}
    assert heads(sp.exp(phi)) == set()


def test_definitions_are_unfolded_however_deep() -> None:
    whole = unfold(OUTER(1, 2), (INNER, OUTER))
    assert whole == line(normal(y) * 3) ** 2
    assert unfold(OUTER(1, 2), (OUTER,)) == INNER(3) ** 2


def test_arguments_that_are_parameters_of_another_are_exchanged_at_once() -> None:
    swapped = Quantity("swapped", "swapped", (PHI, DELTA), phi - 2 * delta, phi, "")
    assert unfold(swapped(delta, phi), (swapped,)) == delta - 2 * phi


def test_an_argument_is_not_captured_by_a_bound_variable() -> None:
    with pytest.raises(ValueError, match="captured"):
        unfold(INNER(y), (INNER,))


def test_a_substitution_brings_its_slope_and_keeps_other_variables() -> None:
    both = sp.Integral(normal(y) * normal(z), (y, -sp.oo, sp.oo), (z, -sp.oo, sp.oo))
    t = sp.Symbol("t", real=True)
    expected = sp.Integral(
        normal(3 - 2 * t) * normal(z) * 2, (t, -sp.oo, sp.oo), (z, -sp.oo, sp.oo)
    )
    assert substitute(both, y, t, 3 - 2 * t) == expected


def test_a_finite_integral_is_left_alone() -> None:
    part = sp.Integral(normal(y), (y, 0, 1))
    assert substitute(part, y, z, 2 * z) == part


def test_a_value_that_holds_the_variable_of_a_derivative_is_not_differentiated() -> None:
    slope = sp.Derivative(sp.Integral(phi * tau * sp.exp(-(y**2)), (y, -sp.oo, sp.oo)), phi)
    found = instance(slope, {phi: phi, tau: phi**2})
    expected = sp.Integral(phi**2 * sp.exp(-(y**2)), (y, -sp.oo, sp.oo))
    assert is_zero(found - expected) is True
    assert is_zero(found - 3 * expected) is False


def test_a_derivative_that_cannot_be_carried_out_captures_nothing() -> None:
    unknown = sp.Function("unknown", real=True)(phi, tau)
    with pytest.raises(ValueError, match="holds a derivative's variable"):
        instance(sp.Derivative(unknown, phi), {tau: phi})
