"""Traps that people who do this job have fallen into, each with the right value.

eps(a, d) is E_{p_o}[r_n] at weight a on the old mode. Right values come from an accelerated tail
series, from closed forms, or from a definition written out here, never from the code under test.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numba
import pytest
import sympy as sp
from flint import arb, ctx

import numerics.monte_carlo
from numerics.certified.enclosure import enclose
from numerics.monte_carlo.judgement import Sample
from numerics.monte_carlo.sampling import estimate
from numerics.point import Exact, Logit, Unreachable
from numerics.precise.evaluation import Estimate
from numerics.precise.evaluation import evaluate as evaluate_precisely
from proofs_check.agreement import judge, threshold
from proofs_check.catalogue import definitions, lane_module, load, quantity
from proofs_check.claims import at_points
from proofs_check.derived import derive
from proofs_check.inputs import read_number, read_point
from proofs_check.lanes import Draws, Measurement, measure
from proofs_check.symbolic.normal_form import is_zero
from proofs_check.symbolic.steps import prove
from proofs_check.verdict import Verdict
from theorems.language import Algebra, Claim, Expr, Link
from theorems.mixture import DELTA, PHI, delta, line, normal, phi, y
from theorems.overlap.quantities import S

CATALOGUE = load()
TABLE = definitions(CATALOGUE)
ALLOWED = threshold(1000)
TEST = Draws(2**14, 0, 3)


def measured(name: str, point: dict[str, Exact], digits: int = 22, draws: Draws = TEST) -> Any:
    return measure(*quantity(CATALOGUE, name), point, digits, draws, CATALOGUE)


def holds(found: Measurement, right: str, digits: int) -> None:
    """The derived, certified and precise lanes have this value to relative digits."""
    assert isinstance(found.precise, Estimate)
    assert not isinstance(found.certified, str)
    assert not isinstance(found.derived, str)
    with ctx.workprec(400), mpmath.workdps(60):
        ball, value = arb(right), mpmath.mpf(right)
        margin = abs(ball) * arb(10) ** -digits
        (proved,) = found.certified
        assert abs(proved - ball) < margin
        assert proved.rad() < margin
        for (number,) in (found.derived, found.precise.value):
            assert abs(mpmath.mpf(number) / value - 1) < mpmath.mpf(10) ** -digits


def weight(text: str) -> Exact:
    return Logit(Fraction(text))


# quadrature and balls

MISASSIGNMENTS = [
    ("1/2", 1, "0.3979728671832498437186"),
    ("1/2", 4, "0.03429870439536940701190"),
    ("1/10", 4, "0.09282739394438562264945"),
    ("1/2", 40, "4.322870798554705924522e-89"),
    ("1/2", 100, "1.697240767118658158809e-545"),
]


@pytest.mark.parametrize(("a", "d", "right"), MISASSIGNMENTS)
def test_a_tiny_integral_has_relative_digits(a: str, d: int, right: str) -> None:
    found = measured("overlap.misassignment_old", {"phi": weight(a), "delta": Fraction(d)})
    holds(found, right, 21)
    assert judge(found, 22, ALLOWED)["monte_carlo"].agrees is True


REFERENCES: list[tuple[str, dict[str, Exact], str, int]] = [
    (
        "overlap.distinguishability",
        {"phi": Fraction(30), "delta": Fraction(1)},
        "1.60790335049138468425025e-13",
        23,
    ),
    (
        "overlap.distinguishability",
        {"phi": Fraction(0), "delta": Fraction(1, 10)},
        "0.002493775873857859671002238",
        24,
    ),
    (
        "overlap.sech_overlap",
        {"phi": Fraction(13, 10), "delta": Fraction(30)},
        "0.0830251319299489241",
        17,
    ),
    (
        "overlap.sech_overlap",
        {"phi": Fraction(-5), "delta": Fraction(8)},
        "0.246618517385093073",
        17,
    ),
    (
        "forward_kl.objective",
        {"phi": Fraction(-7, 10), "delta": Fraction(13, 10)},
        "0.08718863254786871690399",
        21,
    ),
    (
        "reverse_kl.objective",
        {"phi": Fraction(-7, 10), "tau": Fraction(2, 5), "delta": Fraction(13, 10)},
        "0.04444479425349083596792",
        21,
    ),
]


@pytest.mark.parametrize(("name", "point", "right", "digits"), REFERENCES)
def test_what_cancels_has_relative_digits(
    name: str, point: dict[str, Exact], right: str, digits: int
) -> None:
    holds(measured(name, point, digits + 2), right, digits)


def plain_kappa(logit: int, distance: Fraction) -> Any:
    """kappa = 2 e^(-d^2/8) E[sinh^2(L/2) cosh(L/2)/(cosh phi + cosh L)], L ~ N(0, d^2): a plain
    trapezoid whose summands are all positive."""
    with mpmath.workdps(40):
        d = mpmath.mpf(distance.numerator) / distance.denominator
        total = mpmath.mpf(0)
        for k in range(-640, 641):
            z = mpmath.mpf(k) / 32
            half = d * z / 2
            numerator = mpmath.sinh(half) ** 2 * mpmath.cosh(half)
            below = mpmath.cosh(logit) + mpmath.cosh(2 * half)
            total += mpmath.exp(-(z**2) / 2) * numerator / below
        return total / 32 / mpmath.sqrt(2 * mpmath.pi) * 2 * mpmath.exp(-(d**2) / 8)


@pytest.mark.parametrize(("_", "point", "right", "digits"), REFERENCES[:2])
def test_the_references_of_kappa_are_derived_again(
    _: str, point: dict[str, Fraction], right: str, digits: int
) -> None:
    with mpmath.workdps(40):
        plain = plain_kappa(int(point["phi"]), point["delta"])
        assert abs(plain / mpmath.mpf(right) - 1) < mpmath.mpf(10) ** -digits


@pytest.mark.parametrize("mean", [0, 200, 1000, -1000])
@pytest.mark.parametrize("scale", [Fraction(1, 50), Fraction(40)])
def test_a_peak_is_seen_wherever_it_lies(mean: int, scale: Fraction) -> None:
    wide = sp.Rational(scale.numerator, scale.denominator)
    density = line(normal((y - mean) / wide) / wide)
    (value,) = derive(density, {}, 15, {})
    (ball,) = enclose(density, {}, 15, {})
    assert abs(value - 1) < 1e-14
    assert ball.contains(1)
    assert ball.rad() < arb("1e-14")


def test_digits_that_are_printed_are_right_at_every_precision() -> None:
    point: dict[str, Exact] = {"phi": weight("1/2"), "delta": Fraction(40)}
    for digits in (10, 15, 20):
        holds(measured("overlap.misassignment_old", point, digits), MISASSIGNMENTS[3][2], digits)


def test_the_stable_softplus_is_no_trap_for_balls() -> None:
    # max(t, 0) + log(1 + e^-|t|) is not holomorphic: its tight ball used to miss the integral
    t = 3 * y + 1
    kinked = line(normal(y) * (sp.Max(t, 0) + sp.log(1 + sp.exp(-sp.Abs(t)))))
    plain = line(normal(y) * sp.log(1 + sp.exp(t)))
    (right,) = enclose(plain, {}, 20, {})
    try:
        (found,) = enclose(kinked, {}, 10, {})
    except Unreachable:
        return
    assert found.overlaps(right)


def test_the_truncation_grows_with_delta() -> None:
    # e^(L/2) moves the integrand of the Bhattacharyya coefficient by delta/2 standard deviations
    for d in (5, 40, 80):
        mean = line(normal(y) * sp.exp(d * y))
        (ball,) = enclose(mean, {}, 15, {})
        with ctx.workprec(200):
            assert ball.overlaps((arb(d) ** 2 / 2).exp())
        (value,) = derive(mean, {}, 15, {})
        assert abs(value / mpmath.exp(mpmath.mpf(d) ** 2 / 2) - 1) < 1e-13


def strict(left: Expr, right: Expr, *links: Link) -> Claim:
    return Claim("toy.a.strict", "", left, "<", right, "bound", links)


def test_a_strict_bound_that_is_an_equality_is_not_certified() -> None:
    # not (a > b) is not a <= b
    theorem = CATALOGUE["overlap"]
    at_equality = strict(S.head, S(-phi, delta))
    (certified, *_) = at_points(at_equality, theorem, CATALOGUE, 2, 0)
    assert certified.verdict is Verdict.UNDECIDED


# SymPy


def test_a_logarithm_is_compared_through_its_exponential() -> None:
    assert is_zero(sp.log(sp.exp(phi) * 2) - phi - sp.log(2)) is True
    assert is_zero(sp.log(sp.exp(phi) * 2) - phi - sp.log(3)) is False


def test_a_float_is_no_derivation() -> None:
    for evaluate in (derive, enclose):
        with pytest.raises(ValueError, match="float"):
            evaluate(0.1 * delta, {"delta": Fraction(1)}, 20, {})
    with pytest.raises(ValueError, match=r"[Ff]loat"):
        is_zero(0.1 * phi)


def test_a_step_that_never_ends_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs_check.symbolic import steps

    monkeypatch.setattr(steps, "is_zero", lambda _: time.sleep(60))
    endless = Claim("toy.a.x", "", phi, "=", phi + 0 * y, "identity", (Link("x", phi, Algebra()),))
    assert prove(endless, seconds=0.05).verdict is Verdict.UNDECIDED


def test_a_decimal_keeps_its_digits_through_every_lane() -> None:
    # as a double, 0.1 is 0.1000000000000000055...
    assert read_number("delta", "0.1") == Fraction(1, 10)
    point = read_point(["phi=0", "delta=0.1"], (PHI, DELTA))
    holds(measured("overlap.distinguishability", point, 26), REFERENCES[1][2], 24)
    (off,) = derive(S.formula, {"phi": Fraction(0), "delta": Fraction(0.1)}, 25, TABLE)
    (right,) = derive(S.formula, {"phi": Fraction(0), "delta": Fraction(1, 10)}, 25, TABLE)
    assert 1e-20 < abs(off - right) < 1e-16


# numba


def compiled() -> Iterator[tuple[str, Any]]:
    for module in pkgutil.iter_modules(numerics.monte_carlo.__path__):
        loaded = importlib.import_module(f"numerics.monte_carlo.{module.name}")
        for name, value in vars(loaded).items():
            if isinstance(value, numba.core.registry.CPUDispatcher | numba.np.ufunc.dufunc.DUFunc):
                yield name, value


def test_no_kernel_is_compiled_with_fastmath() -> None:
    found = dict(compiled())
    assert len(found) > 10
    for kernel in found.values():
        options = getattr(kernel, "targetoptions", None) or kernel._dispatcher.targetoptions
        assert not options.get("fastmath")


def test_integers_and_floats_give_the_same() -> None:
    overlap = lane_module("monte_carlo", "overlap")
    assert overlap is not None
    whole, real = overlap.misassignment_old(1, 3), overlap.misassignment_old(1.0, 3.0)
    assert whole == real
    log_sech = overlap._log_sech
    assert log_sech(3, 1, 2, 1) == log_sech(3.0, 1.0, 2.0, 1.0)
    assert read_number("x", "2") == read_number("x", "2.0") == 2


# estimators

HARD: list[tuple[str, dict[str, Exact]]] = [
    ("forward_kl.objective", {"phi": Fraction(-20), "delta": Fraction(3)}),
    ("forward_kl.objective", {"phi": Fraction(3), "delta": Fraction(8)}),
    ("reverse_kl.objective", {"phi": Fraction(3), "tau": Fraction(-3), "delta": Fraction(8)}),
    ("reverse_kl.weight_gradient", {"phi": Fraction(-9), "tau": Fraction(4), "delta": Fraction(8)}),
    ("overlap.chi_squared", {"delta": Fraction(8)}),
    ("overlap.distinguishability", {"phi": Fraction(-12), "delta": Fraction(6)}),
    ("overlap.bayes_error", {"phi": Fraction(9), "delta": Fraction(1, 2)}),
]


@pytest.mark.parametrize(("name", "point"), HARD)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_sample_is_right_or_not_informative_never_wrong(
    name: str, point: dict[str, Exact], seed: int
) -> None:
    # a collapsed learner looks perfectly sampled, and its estimate is wrong by itself
    found = measured(name, point, 20, Draws(2**13, seed, 2))
    assert judge(found, 20, ALLOWED)["monte_carlo"].agrees is not False


def test_forward_and_reverse_are_told_apart() -> None:
    half, most = weight("1/2"), weight("9/10")
    there: dict[str, Exact] = {"phi": half, "tau": most, "delta": Fraction(4)}
    back: dict[str, Exact] = {"phi": most, "tau": half, "delta": Fraction(4)}
    for point, right in ((there, "0.46744389351786963523"), (back, "0.34106092242629288483")):
        found = measured("reverse_kl.objective", point)
        holds(found, right, 19)
        assert judge(found, 22, ALLOWED)["monte_carlo"].agrees is True


@pytest.mark.parametrize("d", [Fraction(60), Fraction(10) ** 155])
def test_far_apart_every_lane_answers_or_says_why_not(d: Fraction) -> None:
    for name in ("overlap.misassignment_old", "overlap.sech_overlap"):
        found = measured(name, {"phi": Fraction(1), "delta": d}, 15, Draws(2**10, 0, 2))
        for answer in (found.derived, found.certified, found.precise, found.monte_carlo):
            assert not isinstance(answer, str) or answer.strip()
        assert False not in {o.agrees for o in judge(found, 15, ALLOWED).values()}


@pytest.mark.parametrize(
    ("name", "slope", "power"),
    [
        ("overlap.chi_squared", "1", 2),
        ("overlap.distinguishability", "0.25", 2),
        ("overlap.component_kl", "0.5", 2),
        ("overlap.total_variation", None, 1),
    ],
)
def test_close_together_nothing_is_lost_to_cancellation(
    name: str, slope: str | None, power: int
) -> None:
    # leading terms in delta; the next one is smaller by a factor delta^2
    point: dict[str, Exact] = {"delta": Fraction(1, 10**9)}
    if name == "overlap.distinguishability":
        point["phi"] = Fraction(0)
    with mpmath.workdps(30):
        factor = mpmath.sqrt(1 / (2 * mpmath.pi)) if slope is None else mpmath.mpf(slope)
        right = mpmath.nstr(factor * mpmath.mpf(10) ** (-9 * power), 25)
    holds(measured(name, point, 20, Draws(16, 0, 1)), right, 16)


def test_a_matrix_that_is_no_covariance_is_refused_with_a_sentence() -> None:
    overlap = lane_module("monte_carlo", "overlap")
    assert overlap is not None
    for matrix in ([[1.0, 0.0], [0.0, -1.0]], [[1.0, 1.0], [1.0, 1.0]], [[1.0, 0.5], [0.0, 1.0]]):
        with pytest.raises(ValueError, match=r"^covariance must be"):
            estimate(
                overlap.bhattacharyya,
                {"delta": Fraction(1)},
                samples=10,
                seed=0,
                dimension=2,
                covariance=matrix,  # type: ignore[arg-type]
            )


# harness


def test_the_smallest_weights_are_exact_and_right() -> None:
    # as doubles: e^phi is a subnormal, and 1 - w is 1
    point = read_point(["beta=5e-324", "delta=2"], (PHI, DELTA))
    assert point["phi"] == Logit(Fraction(5, 10**324))
    found = measured("overlap.misassignment_new", point)
    # E_{p_n}[p_o/p_n] = 1: eps_n = w up to a factor 1 - O(w)
    holds(found, "5e-324", 20)


def test_minus_zero_is_zero() -> None:
    minus, plus = (read_point([f"phi={z}", "delta=2"], (PHI, DELTA)) for z in ("-0.0", "0"))
    assert minus == plus
    assert isinstance(measured("overlap.sech_overlap", minus).monte_carlo, Sample)


def test_precision_does_not_leak_even_from_what_fails() -> None:
    before = mpmath.mp.prec, ctx.prec
    with ctx.workprec(77), mpmath.workprec(99):
        measured(
            "reverse_kl.objective", {"phi": Fraction(1), "tau": Fraction(0), "delta": Fraction(3)}
        )
        with pytest.raises(Unreachable):
            evaluate_precisely(
                lane_module("precise", "overlap").sech_overlap,  # type: ignore[union-attr]
                {"phi": Fraction(1), "delta": Fraction(3)},
                10**6,
            )
        with pytest.raises(Unreachable):
            enclose(sp.Function("unknown", real=True)(phi), {"phi": Fraction(1)}, 20, {})
        assert (mpmath.mp.prec, ctx.prec) == (99, 77)
    assert (mpmath.mp.prec, ctx.prec) == before


def test_the_profile_in_use_is_printed(pytestconfig: pytest.Config) -> None:
    lines = pytestconfig.hook.pytest_report_header(config=pytestconfig, start_path=None)
    flat = [line for entry in lines for line in ([entry] if isinstance(entry, str) else entry)]
    assert any(line.startswith("hypothesis profile in use: ") for line in flat)
