"""`make bench`: prints what a value costs, and writes the same as JSON beside this file.

Certified eps_o at 50 digits against mpmath.quad with split points, over delta; and the Monte Carlo
lane on one thread against the same estimate by numpy's standard_normal, in chunks. Every time is
the best of several, and only the ratios mean anything on another machine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from rich.console import Console
from rich.table import Table

from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from numerics.monte_carlo.overlap import misassignment_old
from numerics.monte_carlo.sampling import estimate
from proofs_check.catalogue import definitions, load
from proofs_check.environment import describe
from theorems.overlap.quantities import eps_o

DIGITS = 50
COMPARED = ("1/2", "3", "10", "30")
SWEPT = ("1/2", "3/4", "1", "3/2", "2", "5/2", "3", "4", "5", "7", "10", "14", "20", "30")
LOGIT = Fraction(-5, 6)
DRAWS = 2**20
CHUNK = 2**13
DIMENSIONS = (1, 3, 16, 128)
REPEATS = 5
RESULTS = Path(__file__).with_name("results.json")


def best(work: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Seconds of the fastest of several runs, after one that warms caches."""
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def by_quad(delta: Fraction) -> Any:
    """eps_o = E_{p_o}[1/(1 + e^(phi + L))] by mpmath.quad, split at the bell and at the step."""
    with mpmath.workdps(DIGITS):
        d, phi = (mpmath.mpf(x.numerator) / x.denominator for x in (delta, LOGIT))
        bell, step = d / 2, -phi / d

        def integrand(y: Any) -> Any:
            return mpmath.npdf(y, bell) / (1 + mpmath.exp(phi + d * y))

        return mpmath.quad(integrand, sorted({-mpmath.inf, step, 0, bell, mpmath.inf}))


def right_digits(delta: Fraction, table: Definitions) -> float:
    """How many digits of what quad returns are right."""
    (ball,) = enclose(eps_o.head, {"phi": LOGIT, "delta": delta}, DIGITS + 10, table)
    with mpmath.workdps(DIGITS + 10):
        right = mpmath.mpf(ball.mid().str(DIGITS + 10, radius=False))
        error = abs(by_quad(delta) / right - 1)
        return float(-mpmath.log10(error)) if error else float(DIGITS)


def certified() -> dict[str, Any]:
    """Milliseconds by delta, and how many times quad's."""
    table = definitions(load())

    def balls(text: str) -> float:
        point = {"phi": LOGIT, "delta": Fraction(text)}
        return 1e3 * best(lambda: enclose(eps_o.head, point, DIGITS, table))

    def quad(text: str) -> float:
        return 1e3 * best(lambda: by_quad(Fraction(text)), 2)

    ours = {text: balls(text) for text in SWEPT}
    theirs = {text: quad(text) for text in COMPARED}
    return {
        "digits": DIGITS,
        "milliseconds": ours,
        "quad_milliseconds": theirs,
        "quad_right_digits": {text: right_digits(Fraction(text), table) for text in COMPARED},
        "times_faster": {text: theirs[text] / ours[text] for text in COMPARED},
        "worst_over_best": max(ours.values()) / min(ours.values()),
    }


def by_numpy(dimension: int) -> float:
    """The same importance-weighted estimate with a full covariance, midway between the modes."""
    generator = np.random.default_rng(0)
    factor = np.linalg.cholesky(np.eye(dimension) + np.full((dimension, dimension), 0.5))
    whiten = np.linalg.inv(factor).T
    old, new = np.zeros(dimension), 2.0 * factor[:, 0]
    middle, total, phi = (old + new) / 2, 0.0, float(LOGIT)
    for _ in range(DRAWS // CHUNK):
        y = middle + generator.standard_normal((CHUNK, dimension)) @ factor.T
        log_old, log_new, log_middle = (
            -0.5 * np.square((y - mean) @ whiten).sum(axis=1) for mean in (old, new, middle)
        )
        weights = np.exp(log_old - log_middle)
        total += float(np.sum(weights / (1 + np.exp(phi + log_old - log_new))))
    return total / DRAWS


def monte_carlo() -> dict[str, Any]:
    """Nanoseconds a draw by dimension, and how many times numpy's on one thread."""
    point = {"phi": LOGIT, "delta": Fraction(2)}

    def ours(dimension: int, threads: int) -> float:
        def run() -> Any:
            return estimate(
                misassignment_old,
                point,
                samples=DRAWS,
                seed=0,
                dimension=dimension,
                threads=threads,
            )

        return 1e9 / DRAWS * best(run, 2)

    def theirs(dimension: int) -> float:
        return 1e9 / DRAWS * best(lambda: by_numpy(dimension), 2)

    one, two = ({d: ours(d, threads) for d in DIMENSIONS} for threads in (1, 2))
    plain = {d: theirs(d) for d in DIMENSIONS}
    return {
        "nanoseconds": one,
        "nanoseconds_on_two_threads": two,
        "numpy_nanoseconds": plain,
        "times_faster": {d: plain[d] / one[d] for d in DIMENSIONS},
    }


def show(title: str, first: str, columns: dict[str, dict[Any, float]]) -> Table:
    """A row per key; a dash where a column has none."""
    table = Table(title=title, title_justify="left")
    for name in (first, *columns):
        table.add_column(name, justify="right")
    keys = max(columns.values(), key=len)
    for key in keys:
        cells = (f"{column[key]:.3g}" if key in column else "-" for column in columns.values())
        table.add_row(str(key), *cells)
    return table


def main() -> None:
    console = Console()
    balls, draws = certified(), monte_carlo()
    console.print(
        show(
            f"certified eps_o(phi = {LOGIT}, delta), {DIGITS} digits",
            "delta",
            {
                "ms": balls["milliseconds"],
                "mpmath.quad ms": balls["quad_milliseconds"],
                "its right digits": balls["quad_right_digits"],
                "times faster": balls["times_faster"],
            },
        ),
        f"worst delta over best: {balls['worst_over_best']:.2f}\n",
        show(
            "Monte Carlo eps_o, nanoseconds a draw",
            "dimension",
            {
                "one thread": draws["nanoseconds"],
                "two threads": draws["nanoseconds_on_two_threads"],
                "numpy": draws["numpy_nanoseconds"],
                "times faster": draws["times_faster"],
            },
        ),
    )
    record = {"environment": describe(), "certified": balls, "monte_carlo": draws}
    RESULTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {RESULTS.name}")


if __name__ == "__main__":
    main()
