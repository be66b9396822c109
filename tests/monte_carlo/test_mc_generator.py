"""Philox gives its published answers, and its normals are normal, independent and reproducible."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.monte_carlo.generator import normals, philox, uniform

FALSE_ALARM = 1e-9
SIX_SIGMA = 6.12  # two-sided normal quantile at FALSE_ALARM
# Random123's known answers for philox4x32-10: counter, key, output
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def words(text: str) -> list[np.uint64]:
    return [np.uint64(int(word, 16)) for word in text.split()]


def block(rows: int, columns: int, seed: int = 5, index: int = 0) -> np.ndarray:
    z = np.empty((rows, columns))
    normals(np.uint64(seed), np.uint64(index), z)
    return z


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_philox_gives_the_known_answers(counter: str, key: str, output: str) -> None:
    assert list(philox(*words(counter), *words(key))) == words(output)


def test_uniforms_never_reach_0_or_1() -> None:
    ones = np.uint64(0xFFFFFFFF)
    assert uniform(np.uint64(0), np.uint64(0)) == 2.0**-53
    assert uniform(ones, ones) == 1 - 2.0**-53


def test_the_first_pair_is_box_muller_of_the_first_known_answer() -> None:
    x0, x1, x2, x3 = (int(word, 16) for word in KNOWN[0][2].split())
    first = ((x0 << 32 | x1) >> 12) + 0.5
    second = ((x2 << 32 | x3) >> 12) + 0.5
    radius = math.sqrt(-2 * math.log(first / 2**52))
    expected = [radius * f(2 * math.pi * second / 2**52) for f in (math.cos, math.sin)]
    assert block(1, 2, seed=0)[0] == pytest.approx(expected, rel=1e-14)


def test_moments_are_those_of_the_standard_normal() -> None:
    z = block(3, 60_000).ravel()
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        bound = SIX_SIGMA * math.sqrt(variance / z.size)
        assert abs(np.mean(z**power) - mean) < bound


def test_distribution_is_normal_by_kolmogorov_smirnov() -> None:
    z = np.sort(block(2, 50_000).ravel())
    cdf = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    steps = np.arange(z.size + 1) / z.size
    distance = max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))
    assert distance < math.sqrt(math.log(2 / FALSE_ALARM) / (2 * z.size))


def test_rows_pairs_blocks_and_seeds_are_uncorrelated() -> None:
    z = block(2, 100_000)
    others = [block(1, 100_000, index=1)[0], block(1, 100_000, index=2**40)[0],
              block(1, 100_000, seed=6)[0], block(1, 100_000, seed=5 + 2**32)[0]]  # fmt: skip
    pairs = [(z[0], z[1]), (z[0, ::2], z[0, 1::2]), (z[0, :-2], z[0, 2:])]
    for a, b in pairs + [(z[0], other) for other in others]:
        assert abs(np.mean(a * b)) < SIX_SIGMA / math.sqrt(a.size)
        assert abs(np.mean((a**2 - 1) * (b**2 - 1))) < SIX_SIGMA * 2 / math.sqrt(a.size)
