"""A quick test of the ground the suite stands on: precision, and the random generator."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
from flint import arb, ctx

from numerics.certified.enclosure import enclose
from numerics.monte_carlo.generator import philox
from numerics.point import Point
from numerics.precise.evaluation import evaluate
from numerics.precise.overlap import misassignment_old
from proofs_check.catalogue import definitions, load, quantity

# E_{p_o}[r_n] at equal weights and delta = 4, 22 digits, from an acceleration of its tail series
MISASSIGNMENT = "0.03429870439536940701190"
# the published known answer of Philox 4x32-10 for counter and key of all ones
PHILOX_ONES = (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


def self_test() -> dict[str, bool]:
    """By name, whether each part gives what is known of it."""
    point = {"phi": Fraction(0), "delta": Fraction(4)}
    return {
        "certified value": _certified(point),
        "precise value": _precise(point),
        "precision left alone": _precision_left_alone(point),
        "random generator": _generator(),
    }


def _certified(point: Point) -> bool:
    catalogue = load()
    formula = quantity(catalogue, "overlap.misassignment_old")[1].formula
    (ball,) = enclose(formula, point, 21, definitions(catalogue))
    with ctx.workprec(128):
        return bool(ball.overlaps(arb(MISASSIGNMENT, "1e-23")) and ball.rad() < arb("1e-21"))


def _precise(point: Point) -> bool:
    value = evaluate(misassignment_old, point, 21).value[0]
    with mpmath.workdps(40):
        return bool(abs(value - mpmath.mpf(MISASSIGNMENT)) < mpmath.mpf("2e-23"))


def _precision_left_alone(point: Point) -> bool:
    before = mpmath.mp.prec, ctx.prec
    evaluate(misassignment_old, point, 50)
    return (mpmath.mp.prec, ctx.prec) == before


def _generator() -> bool:
    ones = np.uint64(0xFFFFFFFF)
    return tuple(int(word) for word in philox(ones, ones, ones, ones, ones, ones)) == PHILOX_ONES
