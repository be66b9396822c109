"""S and A: both forms of each, and a third quadrature, enclose one number at every precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.certified import overlap_functions as forms
from numerics.certified.enclosure import enclose
from numerics.certified.overlap_functions import Plan, sech_overlap, softplus_mean
from numerics.point import Unreachable

SHIFTS = st.fractions(-6, 6, max_denominator=100)
DELTAS = st.fractions(Fraction(1, 4), 12, max_denominator=100)
z, shift, delta = sp.symbols("z shift delta", real=True)
NORMAL = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
LINE = (z, -sp.oo, sp.oo)
BY_QUADRATURE = {
    "S": sp.Integral(NORMAL * sp.sech((shift + delta * z) / 2), LINE),
    "A": sp.Integral(NORMAL * sp.log(1 + sp.exp(shift - delta**2 / 2 + delta * z)), LINE),
}
CHOSEN = {"S": sech_overlap, "A": softplus_mean}
FORMS: dict[str, tuple[Callable[..., Any], Callable[..., Plan]]] = {
    "S line": (forms.sech_overlap_line, lambda x, d: forms.line_plan(d, residues=True)),
    "S Fourier": (forms.sech_overlap_fourier, forms.fourier_plan),
    "A line": (forms.softplus_mean_line, lambda x, d: forms.line_plan(d, residues=False)),
    "A Fourier": (forms.softplus_mean_fourier, forms.fourier_plan),
}


def ball(value: Fraction) -> Any:
    return arb(fmpq(value.numerator, value.denominator))


def evaluate(name: str, x: Fraction, d: Fraction, bits: int, widen: float = 1.0) -> Any:
    """A form by name, its step widened."""
    form, plan = FORMS[name]
    with ctx.workprec(bits):
        chosen = plan(ball(x), ball(d))
    chosen = replace(chosen, line=replace(chosen.line, step=chosen.line.step * widen))
    with ctx.workprec(chosen.bits):
        return form(ball(x), ball(d), chosen)


def relative_bits(value: Any) -> int:
    assert value.is_finite()
    return int(value.rel_accuracy_bits())


@settings(max_examples=25)
@given(SHIFTS, DELTAS)
@example(Fraction(0), Fraction(1, 4))
@example(Fraction(-6), Fraction(12))
@example(Fraction(5, 2), Fraction(5, 2))
@pytest.mark.parametrize("name", ["S", "A"])
def test_both_forms_meet_and_each_keeps_the_digits_asked_for(
    name: str, x: Fraction, d: Fraction
) -> None:
    if name == "A" and 2 * x > d**2:
        x = -x  # where the forms themselves are used
    line, fourier = (evaluate(f"{name} {form}", x, d, 120) for form in ("line", "Fourier"))
    assert line.overlaps(fourier)
    assert relative_bits(line) >= 110
    assert relative_bits(fourier) >= 110


@settings(max_examples=8)
@given(SHIFTS, DELTAS)
@pytest.mark.parametrize("name", ["S", "A"])
def test_a_quadrature_that_knows_neither_form_meets_them(
    name: str, x: Fraction, d: Fraction
) -> None:
    (generic,) = enclose(BY_QUADRATURE[name], {"shift": x, "delta": d}, 25, {})
    with ctx.workprec(120):
        value = CHOSEN[name](ball(x), ball(d))
    assert generic.overlaps(value)
    assert relative_bits(generic) >= 80


@settings(max_examples=25)
@given(SHIFTS, DELTAS)
@example(Fraction(700), Fraction(2))
@example(Fraction(-10000), Fraction(1))
@example(Fraction(2), Fraction(10**6))
@example(Fraction(3), Fraction(1, 10**30))
@pytest.mark.parametrize("name", ["S", "A"])
def test_a_ball_of_few_bits_holds_the_truth(name: str, x: Fraction, d: Fraction) -> None:
    with ctx.workprec(250):
        truth = CHOSEN[name](ball(x), ball(d))
    with ctx.workprec(60):
        rough = CHOSEN[name](ball(x), ball(d))
    assert relative_bits(truth) >= 200
    assert rough.is_finite()
    assert rough.contains(truth)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("d", [Fraction(1, 10), Fraction(1), Fraction(7, 2), Fraction(12)])
def test_the_discretisation_bound_is_what_makes_a_coarse_sum_true(
    name: str, d: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = Fraction(-7, 10)
    with ctx.workprec(400):
        truth = CHOSEN[name[0]](ball(x), ball(d))
    coarse = evaluate(name, x, d, 120, widen=1.5)
    assert coarse.is_finite()
    assert coarse.contains(truth)
    monkeypatch.setattr(forms, "_relative_error", lambda *_: arb(1))
    monkeypatch.setattr(forms, "_fourier_error", lambda *_: arb(0))
    assert not evaluate(name, x, d, 120, widen=1.5).contains(truth)


@pytest.mark.parametrize(
    ("name", "d", "widen"),
    [
        ("S Fourier", Fraction(12), 1.1),
        ("S Fourier", Fraction(28), 1.1),
        ("S line", Fraction(11, 50), 2.0),
        ("A line", Fraction(11, 50), 2.0),
    ],
)
def test_the_discretisation_bound_holds_where_it_is_nearly_attained(
    name: str, d: Fraction, widen: float
) -> None:
    form, plan = FORMS[name]
    with ctx.workprec(600):
        truth = CHOSEN[name[0]](arb(0), ball(d))
    with ctx.workprec(120):
        chosen = plan(arb(0), ball(d))
    line = replace(chosen.line, step=chosen.line.step * widen)
    with ctx.workprec(400):
        coarse = form(arb(0), ball(d), replace(chosen, line=line, terms=4 * chosen.terms))
        assert coarse.contains(truth)
        assert coarse.rad() < 3 * abs(coarse.mid() - truth)


@pytest.mark.parametrize("name", FORMS)
def test_the_truncation_bound_is_what_makes_a_short_sum_true(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, d = Fraction(-7, 10), Fraction(2)
    form, plan = FORMS[name]
    with ctx.workprec(400):
        truth = CHOSEN[name[0]](ball(x), ball(d))
    with ctx.workprec(120):
        full = plan(ball(x), ball(d))
    short = replace(full, terms=2 * full.terms // 3)
    with ctx.workprec(full.bits):
        assert form(ball(x), ball(d), short).contains(truth)
        monkeypatch.setattr(forms, "_fourier_tail", lambda *_: arb(0))
        monkeypatch.setattr(forms, "log_concave_sum", lambda terms: sum(terms, arb(0)))
        assert not form(ball(x), ball(d), short).contains(truth)


@pytest.mark.parametrize("x", [Fraction(0), Fraction(-3), Fraction(900)])
def test_at_distance_zero_nothing_is_averaged(x: Fraction) -> None:
    with ctx.workprec(120):
        assert sech_overlap(ball(x), arb(0)).overlaps((ball(x) / 2).sech())
        assert softplus_mean(ball(x), arb(0)).overlaps((1 + ball(x).exp()).log())
        near = sech_overlap(ball(x), arb(0, "1e-40"))
        assert near.overlaps((ball(x) / 2).sech())
        assert relative_bits(near) > 100


def test_overlap_is_even_in_both_arguments() -> None:
    with ctx.workprec(120):
        value = sech_overlap(arb("1.3"), arb(3))
        assert value.overlaps(sech_overlap(arb("-1.3"), arb(3)))
        assert value.overlaps(sech_overlap(arb("1.3"), arb(-3)))
        assert softplus_mean(arb("1.3"), arb(3)).overlaps(softplus_mean(arb("1.3"), arb(-3)))


@pytest.mark.parametrize("d", ["0.3", "2", "9"])
def test_overlap_at_complex_logits_extends_the_real_ones(d: str) -> None:
    with ctx.workprec(120):
        real, corner = sech_overlap(arb("0.7"), arb(d)), acb(arb("0.7"), arb("0.2"))
        assert sech_overlap(acb(arb("0.7")), arb(d)).real.overlaps(real)
        box = sech_overlap(acb(arb("0.7", 0.25), arb(0, 0.25)), arb(d))
        assert box.is_finite()
        assert box.contains(sech_overlap(corner, arb(d)))
        assert box.contains(acb(real))


@pytest.mark.parametrize("side", ["2.5", "6"])
def test_the_discretisation_bound_covers_complex_logits(side: str) -> None:
    """The factor for |Im phi| is what keeps a coarse sum true."""
    d = arb(1) / 2
    with ctx.workprec(400):
        x = acb(arb("0.1"), arb(side))
        truth = sech_overlap(x, d)
    with ctx.workprec(60):
        plan = forms.fourier_plan(x, d)
    with ctx.workprec(300):
        for widen in (1.25, 1.5, 1.75, 2.0):
            step = plan.line.step * widen
            coarse = replace(plan, line=replace(plan.line, step=step), terms=4 * plan.terms)
            assert forms.sech_overlap_fourier(x, d, coarse).contains(truth)


def test_work_is_bounded() -> None:
    with ctx.workprec(100):
        for x, d in (("1e10", "1e6"), ("0", "1e300"), ("1e200", "2000000")):
            with pytest.raises(Unreachable):
                sech_overlap(arb(x), arb(d))
        with pytest.raises(Unreachable):
            softplus_mean(acb(0, 1), arb(1))
        assert not sech_overlap(arb.nan(), arb(1)).is_finite()
