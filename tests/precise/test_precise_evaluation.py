"""Error estimates, precision kept private, exact inputs, and the lane's own limits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath.ctx_mp import MPContext

from numerics.point import Logit, Unreachable
from numerics.precise import forward_kl, overlap, reverse_kl
from numerics.precise.evaluation import Estimate, Evaluator, evaluate, real

SCALARS: list[tuple[Evaluator, tuple[str, ...]]] = [
    (overlap.bhattacharyya, ("delta",)),
    (overlap.misassignment_old, ("phi", "delta")),
    (overlap.misassignment_new, ("phi", "delta")),
    (overlap.sech_overlap, ("phi", "delta")),
    (overlap.distinguishability, ("phi", "delta")),
    (overlap.responsibility_second_moment, ("phi", "delta")),
    (overlap.softplus_mean, ("c", "delta")),
    (overlap.bayes_error, ("phi", "delta")),
    (overlap.total_variation, ("delta",)),
    (overlap.chi_squared, ("delta",)),
    (overlap.component_kl, ("delta",)),
    (forward_kl.objective, ("phi", "delta")),
    (forward_kl.weight_gradient, ("phi", "delta")),
    (forward_kl.old_mean_gradient, ("phi", "delta")),
    (reverse_kl.objective, ("phi", "tau", "delta")),
    (reverse_kl.weight_gradient, ("phi", "tau", "delta")),
    (reverse_kl.weight_curvature, ("phi", "tau", "delta")),
    (reverse_kl.new_data_gradient, ("phi", "delta")),
    (reverse_kl.mass_covering_gradient, ("phi", "tau", "delta")),
]
HARD: list[dict[str, Fraction]] = [
    {  # the boundary in the bulk, weights that nearly agree
        "phi": Fraction(-40),
        "tau": Fraction(-40) + Fraction(1, 10**20),
        "c": Fraction(40),
        "delta": Fraction(9),
    },
    {  # modes that nearly agree
        "phi": Fraction(1),
        "tau": Fraction(-2),
        "c": Fraction(-700),
        "delta": Fraction(1, 10**9),
    },
]


def test_the_rounding_of_one_minus_almost_nothing_is_counted() -> None:
    point = {"phi": Fraction(0), "delta": Fraction(23)}  # 1 - kappa is about e^-66
    coarse, fine = (evaluate(overlap.distinguishability, point, digits) for digits in (10, 50))
    with mpmath.workdps(80):
        assert abs(coarse.value[0] - fine.value[0]) <= coarse.error + fine.error


@pytest.mark.parametrize(("evaluator", "names"), SCALARS)
@example(HARD[0])
@example(HARD[1])
@given(
    st.fixed_dictionaries(
        {
            **dict.fromkeys(("phi", "tau", "c"), st.fractions(-20, 20, max_denominator=50)),
            "delta": st.fractions("1/100", 20, max_denominator=100),
        }
    )
)
@settings(max_examples=3)
def test_the_error_estimate_covers_the_value_at_higher_precision(
    evaluator: Evaluator, names: tuple[str, ...], point: dict[str, Fraction]
) -> None:
    chosen = {name: point[name] for name in names}
    coarse, fine = evaluate(evaluator, chosen, 10), evaluate(evaluator, chosen, 24)
    with mpmath.workdps(60):
        assert abs(coarse.value[0] - fine.value[0]) <= coarse.error + fine.error
        if "tau" not in names or point["phi"] != point["tau"]:  # else an exact zero
            assert coarse.error <= abs(coarse.value[0]) / 10**10


def test_a_zero_is_returned_with_its_absolute_error() -> None:
    same = {"phi": Fraction(1, 3), "tau": Fraction(1, 3), "delta": Fraction(2)}
    flat = evaluate(reverse_kl.weight_gradient, same, 20)
    assert abs(flat.value[0]) <= flat.error <= mpmath.mpf(10) ** -20
    nothing = evaluate(reverse_kl.objective, same, 20)
    assert nothing.value == (0,)


def test_the_shared_precision_is_left_alone() -> None:
    point = {"phi": Fraction(1), "delta": Fraction(2)}
    with mpmath.workdps(17):
        before = mpmath.mp.prec
        evaluate(overlap.sech_overlap, point, 40)
        assert mpmath.mp.prec == before
        with pytest.raises(Unreachable):
            evaluate(overlap.sech_overlap, point, 10_000)
        with pytest.raises(ZeroDivisionError):
            evaluate(lambda ctx, **_: ctx.one / 0, point, 40)
        assert mpmath.mp.prec == before


def test_threads_do_not_disturb_one_another() -> None:
    point = {"phi": Fraction(1), "delta": Fraction(2)}
    digits = [12, 40, 20, 33] * 3
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(partial(evaluate, overlap.misassignment_old, point), digits))
    assert together == [evaluate(overlap.misassignment_old, point, n) for n in digits]


@given(st.fractions("1/1000", "999/1000", max_denominator=10**6) | st.just(Fraction(1, 10**300)))
@settings(max_examples=20)
def test_a_weight_is_rounded_at_the_working_precision(weight: Fraction) -> None:
    ctx = MPContext()
    ctx.prec = 100
    with mpmath.workprec(1500):
        w = mpmath.mpf(weight.numerator) / weight.denominator
        right = mpmath.log(w / (1 - w))
        assert abs(_plain(real(ctx, Logit(weight))) - right) <= abs(right) * mpmath.mpf(2) ** -97


def test_decimals_are_exact() -> None:
    """The binary float .3 is 1e-17 off, and 30 digits tell."""
    third = evaluate(overlap.bhattacharyya, {"delta": Fraction("0.3")}, 30).value[0]
    binary = evaluate(overlap.bhattacharyya, {"delta": Fraction(0.3)}, 30).value[0]
    with mpmath.workdps(40):
        assert abs(third - mpmath.exp(mpmath.mpf(-9) / 800)) < mpmath.mpf(10) ** -30
        assert abs(third - binary) > mpmath.mpf(10) ** -20


@pytest.mark.parametrize(
    ("digits", "delta"), [(10_000, Fraction(1)), (900, Fraction(2)), (300, Fraction(10))]
)
def test_what_is_too_dear_is_declined_in_one_sentence(digits: int, delta: Fraction) -> None:
    with pytest.raises(Unreachable, match="the precise lane"):
        evaluate(forward_kl.objective, {"phi": Fraction(1), "delta": delta}, digits)


def test_what_cancels_is_bought_with_precision() -> None:
    """An evaluator that returns 1 + 10^-50 minus 1 at first knows nothing, then all its digits."""
    seen: list[int] = []

    def cancelling(ctx: Any, delta: Any) -> Estimate:
        seen.append(ctx.prec)
        rounding = ctx.ldexp(1, -ctx.prec)
        return Estimate(((1 + delta) - 1,), rounding)

    found = evaluate(cancelling, {"delta": Fraction(1, 10**50)}, 12)
    with mpmath.workdps(30):
        assert abs(found.value[0] * mpmath.mpf(10) ** 50 - 1) < mpmath.mpf(10) ** -12
    assert seen == sorted(seen)
    assert len(seen) > 1


def _plain(number: Any) -> Any:
    return mpmath.mp.make_mpf(number._mpf_)
