"""Quadrature of trees in balls: the tail is proved, the branch cuts are seen, work is bounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import acb, arb, ctx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.certified import complex_balls, integral
from numerics.certified.balls import RealBalls
from numerics.certified.enclosure import enclose
from numerics.certified.majorant import Growth, Majorants, polynomial
from numerics.expression import fold, largest_free_of
from numerics.point import Unreachable

y, phi, tau, delta = sp.symbols("y phi tau delta", real=True)
LINE = (y, -sp.oo, sp.oo)
S = sp.Function("S")
P_OLD = sp.exp(-((y - delta / 2) ** 2) / 2) / sp.sqrt(2 * sp.pi)
P_NEW = sp.exp(-((y + delta / 2) ** 2) / 2) / sp.sqrt(2 * sp.pi)


def mixture(logit: Any) -> Any:
    return P_OLD / (1 + sp.exp(-logit)) + P_NEW / (1 + sp.exp(logit))


Q, TARGET = mixture(phi), mixture(tau)
KAPPA = 1 - sp.cosh(y / 2) * sp.exp(-(delta**2) / 8) * S(y, delta)
FORWARD = sp.Integral(P_NEW * sp.log(P_NEW / Q), LINE)
REVERSE = sp.Integral(Q * sp.log(Q / TARGET), LINE)
POINT = {"phi": Fraction(-7, 10), "tau": Fraction(2, 5), "delta": Fraction(13, 10)}


def one(expr: Any, point: dict[str, Fraction], digits: int = 22) -> Any:
    (value,) = enclose(expr, point, digits, {})
    assert value.is_finite()
    return value


def at(text: str) -> Any:
    """The decimals that round to the text, as a ball."""
    digits = text.partition("e")[0].split(".")[1]
    exponent = int(text.partition("e")[2] or 0)
    with ctx.workprec(200):
        return arb(text) + arb(0, arb(10) ** (exponent - len(digits)))


def test_divergences_from_their_definition_have_the_known_digits() -> None:
    """Values: trapezoid in 40-digit mpmath, from the definition, made apart from this code."""
    assert one(FORWARD, POINT).overlaps(at("0.08718863254786871690399"))
    assert one(REVERSE, POINT).overlaps(at("0.04444479425349083596792"))
    four, log9 = {"delta": Fraction(4)}, sp.log(9)
    even, skew = mixture(sp.Integer(0)), mixture(log9)
    for a, b, text in (
        (even, skew, "0.46744389351786963523"),
        (skew, even, "0.34106092242629288483"),
    ):
        assert one(sp.Integral(a * sp.log(a / b), LINE), four).overlaps(at(text))


def test_an_integral_over_logits_may_hold_an_overlap() -> None:
    weight = sp.Integral((1 / (1 + sp.exp(-phi)) - 1 / (1 + sp.exp(-y))) * KAPPA, (y, tau, phi))
    assert one(weight, POINT).overlaps(one(REVERSE, POINT))


@pytest.mark.parametrize("centre", [0, 200, -1000])
def test_a_density_has_mass_one_wherever_it_sits(centre: int) -> None:
    density = sp.exp(-((y - centre) ** 2) / 2) / sp.sqrt(2 * sp.pi)
    assert one(sp.Integral(density, LINE), {}).contains(1)


@settings(max_examples=6)
@given(st.fractions(Fraction(1, 10), 12, max_denominator=20))
@example(Fraction(30))
def test_integrals_that_have_a_closed_form_contain_it(d: Fraction) -> None:
    point = {"delta": d}
    for integrand, closed in (
        (sp.sqrt(P_OLD * P_NEW), sp.exp(-(delta**2) / 8)),
        (P_NEW * sp.log(P_NEW / P_OLD), delta**2 / 2),
        (P_OLD**2 / P_NEW, sp.exp(delta**2)),
        (sp.Abs(P_OLD - P_NEW) / 2, sp.erf(delta / (2 * sp.sqrt(2)))),
    ):
        assert one(sp.Integral(integrand, LINE), point, 15).overlaps(one(closed, point, 25))


@settings(max_examples=6)
@given(
    st.fractions(-6, 6, max_denominator=20), st.fractions(Fraction(1, 10), 12, max_denominator=20)
)
def test_derivatives_of_the_overlap_satisfy_the_heat_equation(x: Fraction, d: Fraction) -> None:
    """S_delta = delta S_phiphi, both sides under the integral sign."""
    integrand = sp.exp(-(y**2) / 2) * sp.sech((phi + delta * y) / 2)
    point = {"phi": x, "delta": d}
    in_delta = one(sp.Integral(integrand.diff(delta), LINE), point, 18)
    in_phi = one(delta * sp.Integral(integrand.diff(phi, 2), LINE), point, 18)
    assert in_delta.overlaps(in_phi)


def test_half_lines_and_ranges_add_up() -> None:
    parts = [sp.Integral(P_NEW, (y, -sp.oo, 1)), sp.Integral(P_NEW, (y, 1, 2))]
    parts.append(sp.Integral(P_NEW, (y, 2, sp.oo)))
    assert one(sp.Add(*parts), POINT).contains(1)


@pytest.mark.parametrize(
    ("integrand", "closed"),
    [
        (3 * sp.sqrt(y), sp.Integer(14)),
        (2 * sp.Abs(y - 2), sp.Integer(5)),
        (2 * sp.Max(y, 2), sp.Integer(16)),
    ],
)
def test_without_the_analytic_flag_a_cut_is_integrated_wrongly(
    integrand: Any, closed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expr, truth = sp.Integral(integrand, (y, 1, 4)), one(closed, {}, 30)
    assert one(expr, {}, 15).overlaps(truth)
    blind = {False: complex_balls.FUNCTIONS[False], True: complex_balls.FUNCTIONS[False]}
    monkeypatch.setattr(complex_balls, "FUNCTIONS", blind)
    assert not one(expr, {}, 15).overlaps(truth)


@pytest.mark.parametrize("name", ["log", "Pow", "Abs", "Max", "Min"])
def test_across_its_cut_no_function_is_analytic(name: str) -> None:
    on_cut = acb(arb(0, 1) if name in ("Abs", "Max", "Min") else arb(-2, 1), arb(0, 1))
    others = {"Pow": (arb(1) / 3,), "Max": (arb(0),), "Min": (arb(0),)}.get(name, ())
    plain, analytic = (complex_balls.FUNCTIONS[flag][name] for flag in (False, True))
    assert plain(on_cut, *others).is_finite()
    assert not analytic(on_cut, *others).is_finite()


def test_the_tail_is_what_makes_a_cut_range_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integral, "_reach", lambda growth, goal: arb(5))
    expr = sp.Integral(P_NEW, LINE)
    with ctx.workprec(80):
        cut = integral.integrate(expr.args[0], "y", None, None, constants_of(expr.args[0]), {})
        assert cut.is_finite()
        assert cut.contains(1)
        monkeypatch.setattr(Growth, "tail", lambda self, start: arb(0))
        cut = integral.integrate(expr.args[0], "y", None, None, constants_of(expr.args[0]), {})
        assert not cut.contains(1)


def constants_of(body: Any) -> dict[Any, Any]:
    known: dict[Any, Any] = {}
    for part in largest_free_of(body, "y"):
        fold(part, {"delta": arb(2)}, RealBalls({}), known)
    return known


INTEGRANDS = {
    "density ratio": P_OLD**2 / Q,
    "log ratio": Q * sp.log(Q / TARGET),
    "responsibility": P_NEW * (P_OLD / (1 + sp.exp(-phi)) / Q) ** 2,
    "softplus": P_NEW * sp.log(1 + sp.exp(phi + delta * y)),
    "sech": P_NEW * sp.sech((phi + delta * y) / 2) * sp.tanh(y),
    "powers": y**2 * sp.cosh(phi + delta * y) * P_NEW / sp.cosh(y) + sp.erfc(y) * sp.exp(-(y**2)),
    "bounded exponent": P_NEW * sp.exp(-2 / (1 + sp.exp(-phi - delta * y))),
    "root": P_NEW * sp.sqrt((y - delta) ** 2 + phi**2),
    "difference": sp.Abs(P_OLD - P_NEW) + sp.Max(P_OLD, P_NEW) * sp.sqrt(P_NEW),
}


@settings(max_examples=20)
@given(
    st.sampled_from(sorted(INTEGRANDS)),
    st.fractions(0, 40, max_denominator=10),
    st.sampled_from([-1, 1]),
)
def test_a_majorant_is_nowhere_below_the_function(name: str, u: Fraction, side: int) -> None:
    with ctx.workprec(400):
        bindings = {"phi": arb("-0.7"), "tau": arb("0.4"), "delta": arb("1.3")}
        known = {k: polynomial(v) for k, v in bindings.items()}
        growth = fold(
            INTEGRANDS[name], {**known, "y": polynomial(arb(0), arb(side))}, Majorants({}), {}
        ).upper
        v = arb(u.numerator) / u.denominator
        bound = (growth.c0 + growth.c1 * v + growth.c2 * v * v).exp() * (1 + v) ** growth.k
        value = one(INTEGRANDS[name], {**POINT, "y": side * u}, 20)
        assert abs(value) <= bound * (1 + arb("1e-15"))


@pytest.mark.parametrize(
    ("expr", "reason"),
    [
        (sp.Integral(sp.exp(y), LINE), "falls with distance"),
        (sp.Integral(1 / (1 - y), LINE), "may vanish"),
        (sp.Integral(sp.log(y) * P_NEW, LINE), "may vanish"),
        (sp.Integral(sp.exp(-sp.cosh(y)), LINE), "neither a polynomial nor bounded"),
        (sp.Integral(sp.Integral(P_NEW, (tau, 0, y)), (y, 0, 1)), "no rule"),
        (sp.Integral(P_NEW, (y, 0, 1), (tau, 0, 1)), "no rule"),
        (sp.Integral(1 / y, (y, 0, 1)), "evaluations|not reached"),
    ],
)
def test_what_is_not_proved_is_declined_with_a_reason(expr: Any, reason: str) -> None:
    with pytest.raises(Unreachable, match=reason):
        enclose(expr, POINT, 10, {})


def test_an_interrupt_in_an_integrand_comes_out_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(complex_balls, "sech_overlap", interrupted)
    with pytest.raises(KeyboardInterrupt):
        enclose(sp.Integral(S(y, delta), (y, 0, 1)), POINT, 10, {})
