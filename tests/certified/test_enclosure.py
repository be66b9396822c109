"""Enclosures at exact points: right digits, a radius that is asked for, ends rounded outward."""

from __future__ import annotations

import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.certified.enclosure import _missing_bits, bounds, certainly_less, enclose
from numerics.expression import evaluate
from numerics.point import Exact, Logit, Unreachable

phi, tau, delta, c = sp.symbols("phi tau delta c", real=True)
S, A, eps_o, kappa = (sp.Function(name) for name in ("S", "A", "eps_o", "kappa"))
DEFINITIONS = {
    "eps_o": (("phi", "delta"), sp.exp(-phi / 2 - delta**2 / 8) * S(phi, delta) / 2),
    "kappa": (("phi", "delta"), 1 - eps_o(phi, delta) - eps_o(-phi, delta)),
}
HALF = Logit(Fraction(1, 2))
KNOWN: list[tuple[Any, dict[str, Exact], str]] = [
    # quadrature with e^{-delta^2/8} factored out and the relative error tested, 30 digits
    (eps_o(phi, delta), {"phi": HALF, "delta": Fraction(1)}, "0.3979728671832498437186"),
    (eps_o(phi, delta), {"phi": HALF, "delta": Fraction(4)}, "0.03429870439536940701190"),
    (eps_o(phi, delta), {"phi": HALF, "delta": Fraction(40)}, "4.322870798554705924522e-89"),
    (eps_o(phi, delta), {"phi": HALF, "delta": Fraction(100)}, "1.697240767118658158809e-545"),
    (
        eps_o(phi, delta),
        {"phi": Logit(Fraction(1, 10)), "delta": Fraction(4)},
        "0.09282739394438562264945",
    ),
    (S(phi, delta), {"phi": Fraction(13, 10), "delta": Fraction(30)}, "0.0830251319299489241"),
    (S(phi, delta), {"phi": Fraction(-5), "delta": Fraction(8)}, "0.246618517385093073"),
    # mpmath at 60 digits, thrice: from the definition, from S, and from the form of kappa that
    # does not cancel, 2 e^{-delta^2/8} E[sinh^2(L/2) cosh(L/2)/(cosh phi + cosh L)]
    (kappa(phi, delta), {"phi": Fraction(30), "delta": Fraction(1)}, "1.6079033504913846843e-13"),
    (
        kappa(phi, delta),
        {"phi": Fraction(0), "delta": Fraction(1, 10)},
        "0.002493775873857859671002",
    ),
    (
        sp.log(1 + sp.exp(phi)) - A(phi, delta),
        {"phi": Fraction(-7, 10), "delta": Fraction(13, 10)},
        "0.08718863254786871690399",
    ),
]


@pytest.mark.parametrize(("expr", "point", "text"), KNOWN, ids=lambda value: str(value)[:40])
def test_known_values_are_certified_to_their_last_digit(
    expr: Any, point: dict[str, Exact], text: str
) -> None:
    digits = len(Decimal(text).as_tuple().digits)
    (ball,) = enclose(expr, point, digits + 2, DEFINITIONS)
    lower, upper = (Decimal(end) for end in bounds(ball, digits + 2))
    half_unit = Decimal(text).as_tuple().exponent
    assert isinstance(half_unit, int)
    slack = Decimal((0, (5,), half_unit - 1))
    assert Decimal(text) - slack <= lower <= upper <= Decimal(text) + slack


def test_a_deficit_against_the_bernoulli_divergence_keeps_its_relative_digits() -> None:
    beta, alpha = 1 / (1 + sp.exp(-phi)), 1 / (1 + sp.exp(-tau))
    deficit = beta * (A(-phi, delta) - A(-tau, delta)) + (1 - beta) * (
        A(phi, delta) - A(tau, delta)
    )
    bernoulli = beta * sp.log(beta / alpha) + (1 - beta) * sp.log((1 - beta) / (1 - alpha))
    point = {"phi": Fraction(-7, 10), "tau": Fraction(2, 5), "delta": Fraction(13, 10)}
    (reverse,) = enclose(bernoulli + deficit, point, 22, {})
    assert bounds(reverse, 22) == ("0.04444479425349083596792", "0.04444479425349083596793")
    (far,) = enclose(deficit, {**point, "delta": Fraction(40)}, 22, {})
    assert far.rel_accuracy_bits() >= 70
    assert far < 0


@settings(max_examples=25)
@given(
    st.fractions(-6, 6, max_denominator=50),
    st.fractions(Fraction(1, 4), 12, max_denominator=50),
    st.integers(2, 60),
)
@example(Fraction(700), Fraction(2), 20)
@example(Fraction(-700), Fraction(2), 20)
@example(Fraction(1), Fraction(10**6), 20)
def test_the_radius_is_the_one_asked_for_and_more_digits_stay_inside(
    x: Fraction, d: Fraction, digits: int
) -> None:
    point = {"phi": x, "delta": d}
    expr = sp.Tuple(eps_o(phi, delta), kappa(phi, delta))
    rough, fine = (enclose(expr, point, n, DEFINITIONS) for n in (digits, digits + 30))
    with ctx.workprec(400):
        for few, many in zip(rough, fine, strict=True):
            assert few.is_finite()
            assert few.rad() <= few.abs_lower() * arb(10) ** -digits
            assert few.overlaps(many)


def test_ten_thousand_digits_are_reached_on_closed_forms() -> None:
    (ball,) = enclose(sp.exp(-(delta**2) / 8), {"delta": Fraction(1, 3)}, 10_000, {})
    lower, upper = bounds(ball, 10_000)
    assert lower[:12] == "0.9862071167"[:12]
    assert len(Decimal(lower).as_tuple().digits) == 10_000
    assert Decimal(lower) < Decimal(upper)


def test_the_ends_of_zero() -> None:
    assert enclose(phi * 0 + sp.Integer(0), {}, 30, {})[0].is_zero()
    assert bounds(arb(0), 5) == ("0", "0")
    (ball,) = enclose(phi * (tau - phi), {"phi": HALF, "tau": Fraction(1, 3)}, 30, {})
    assert ball.is_zero()
    logit = Logit(Fraction(1, 3))
    (ball,) = enclose(
        A(phi, delta) - A(tau, delta), {"phi": logit, "tau": logit, "delta": Fraction(3)}, 10, {}
    )
    assert ball.contains(0)
    assert ball.rad() < arb("1e-400")
    (ball,) = enclose((phi - tau) ** 2, {"phi": logit, "tau": logit}, 10, {})
    assert ball.contains(0)


def test_narrow_enough_means_a_relative_radius_of_that_many_digits() -> None:
    assert _missing_bits(arb(-1, "0.9e-10"), 10, 99) == 0
    assert _missing_bits(arb(-1, "1.1e-10"), 10, 99) > 0
    assert _missing_bits(arb(0, "0.9e-99"), 10, 99) == 0
    assert _missing_bits(arb(0, "1.1e-99"), 10, 99) > 0
    assert _missing_bits(arb.nan(), 10, 99) > 0


@settings(max_examples=80)
@given(
    st.fractions(-(10**6), 10**6),
    st.integers(-400, 400),
    st.integers(1, 40),
    st.fractions(0, 1),
)
@example(Fraction(1), 0, 3, Fraction(0))
@example(Fraction(-1), 5, 1, Fraction(0))
@example(Fraction(999999, 10**6), 0, 3, Fraction(0))
@example(Fraction(-999999, 10**6), 0, 3, Fraction(0))
@example(Fraction(1, 2), 0, 4, Fraction(3))
def test_decimal_ends_are_outside_and_as_near_as_their_digits_allow(
    middle: Fraction, power: int, digits: int, radius: Fraction
) -> None:
    with ctx.workprec(300):
        scale = arb(2) ** power
        ball = arb(fmpq(middle.numerator, middle.denominator)) * scale
        ball += arb(0, scale * radius.numerator / radius.denominator)
        lower, upper = ball.lower(), ball.upper()
    for text, end, sign in zip(bounds(ball, digits), (lower, upper), (1, -1), strict=True):
        decimal = Decimal(text)
        mantissa, exponent = end.man_exp()
        exact = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
        assert sign * (exact - Fraction(decimal)) >= 0
        if exact:
            assert len(decimal.as_tuple().digits) == digits
            ulp = Fraction(10) ** int(decimal.as_tuple().exponent)
            assert abs(exact - Fraction(decimal)) <= ulp * Fraction(1001, 1000)


def test_ends_far_below_the_range_of_floats() -> None:
    (ball,) = enclose(
        eps_o(phi, delta), {"phi": Fraction(1), "delta": Fraction(10**6)}, 20, DEFINITIONS
    )
    lower, upper = bounds(ball, 20)
    assert lower.endswith("e-54286810245")
    assert Decimal(lower) < Decimal(upper)


def test_a_ball_that_is_not_finite_is_an_error_not_an_answer() -> None:
    with pytest.raises(ValueError, match="not finite"):
        bounds(arb.nan(), 5)
    with pytest.raises(ValueError, match="not finite"):
        bounds(arb.pos_inf(), 5)
    with pytest.raises(Unreachable):
        enclose(sp.log(-(phi**2)), {"phi": Fraction(1)}, 5, {})
    with pytest.raises(Unreachable):
        enclose(1 / (phi - tau), {"phi": Fraction(1), "tau": Fraction(1)}, 5, {})


def test_comparison_has_three_answers() -> None:
    assert certainly_less(arb(1), arb(2)) is True
    assert certainly_less(arb(2), arb(2)) is False
    assert certainly_less(arb(2, 1), arb(2)) is None
    assert certainly_less(arb.nan(), arb(2)) is None


@pytest.mark.parametrize(
    ("expr", "error", "reason"),
    [
        (sp.Float("0.3") + phi, ValueError, "no exact number"),
        (phi + tau, ValueError, "tau has no value"),
        (sp.Function("unknown")(phi), Unreachable, "no definition is known of unknown"),
        (sp.Derivative(S(phi, delta), phi), Unreachable, "Derivative"),
        (sp.I * phi, Unreachable, "ImaginaryUnit"),
    ],
)
def test_what_cannot_be_folded_is_refused(expr: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        enclose(expr, {"phi": Fraction(1), "delta": Fraction(1)}, 10, {})


def test_the_precision_is_left_as_it_was_found() -> None:
    before = ctx.prec
    enclose(eps_o(phi, delta), {"phi": HALF, "delta": Fraction(3)}, 40, DEFINITIONS)
    with pytest.raises(Unreachable):
        enclose(sp.log(-(phi**2)), {"phi": Fraction(1)}, 5, {})
    assert ctx.prec == before


def test_every_elementary_function_agrees_with_another_library() -> None:
    x = sp.Symbol("x", real=True)
    functions = [
        sp.exp,
        sp.log,
        sp.cosh,
        sp.sinh,
        sp.tanh,
        sp.sech,
        sp.csch,
        sp.coth,
        sp.erf,
        sp.erfc,
    ]
    functions += [abs, sp.sqrt, lambda v: v**-3, lambda v: sp.Min(v, 2), lambda v: sp.Max(v, 2)]
    functions += [lambda v: sp.pi + sp.E * v, lambda v: v ** sp.Rational(1, 3)]
    for function in functions:
        (ball,) = enclose(function(x), {"x": Fraction(7, 5)}, 25, {})
        with mpmath.workdps(40):
            value = sp.lambdify(x, function(x), "mpmath")(mpmath.mpf(7) / 5)
            text = mpmath.nstr(value, 35)
        with ctx.workprec(150):
            assert ball.overlaps(arb(text) * arb(1, "1e-30"))


def test_misassignment_is_a_proof_and_still_fast() -> None:
    """At least 20 times faster than adaptive quadrature, in one run (the benchmark says 50)."""
    point: dict[str, Exact] = {"phi": Logit(Fraction(3, 10)), "delta": Fraction(3)}

    def quadrature() -> None:
        with mpmath.workdps(50):
            logit = mpmath.log(mpmath.mpf(3) / 7)
            mpmath.quad(
                lambda v: mpmath.npdf(v) / (1 + mpmath.exp(logit + mpmath.mpf(9) / 2 + 3 * v)),
                [-mpmath.inf, -8, -3, 0, 8, mpmath.inf],
            )

    def seconds(action: Any, repeats: int) -> float:
        taken = []
        for _ in range(repeats):
            start = time.perf_counter()
            action()
            taken.append(time.perf_counter() - start)
        return min(taken)

    ours = seconds(lambda: enclose(eps_o(phi, delta), point, 50, DEFINITIONS), 20)
    assert seconds(quadrature, 3) > 20 * ours


class Fractions:
    """The smallest other arithmetic: exact fractions, no function but the field's."""

    @property
    def functions(self) -> dict[str, Callable[..., Fraction]]:
        return {"Add": lambda *t: sum(t, Fraction(0)), "Mul": lambda a, b: a * b}

    def rational(self, p: int, q: int) -> Fraction:
        return Fraction(p, q)

    def constant(self, name: str) -> Fraction:
        raise Unreachable(f"{name} is no fraction")

    def call(self, head: str, arguments: tuple[Fraction, ...]) -> Fraction:
        return sum(arguments, Fraction(len(head)))

    def integral(self, *_: Any) -> Fraction:
        raise Unreachable("no integral is a fraction")


def test_the_walk_serves_any_arithmetic() -> None:
    expr = sp.Tuple(phi * tau + sp.Rational(1, 3), S(phi, tau))
    bindings = {"phi": Fraction(1, 2), "tau": Fraction(3)}
    assert evaluate(expr, bindings, Fractions()) == (Fraction(11, 6), Fraction(9, 2))
    assert evaluate(phi, bindings, Fractions()) == Fraction(1, 2)
    with pytest.raises(Unreachable, match="Pi is no fraction"):
        evaluate(sp.pi * phi, bindings, Fractions())
