"""A measurement as plain data: decimal strings with the digits asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath

from numerics.certified.enclosure import bounds
from numerics.monte_carlo.judgement import Sample
from proofs_check.lanes import LANES, Measurement

_MONTE_CARLO_DIGITS = 10


def lane_records(measured: Measurement, digits: int) -> dict[str, dict[str, Any] | None]:
    """One record a lane, None for a lane without an answer; a vector is a list."""
    write: dict[str, Callable[[Any], dict[str, Any]]] = {
        "derived": lambda values: {"value": _each(values, lambda v: decimal(v, digits))},
        "certified": lambda balls: {
            "lower": _each(balls, lambda ball: bounds(ball, digits)[0]),
            "upper": _each(balls, lambda ball: bounds(ball, digits)[1]),
        },
        "precise": lambda found: {
            "value": _each(found.value, lambda v: decimal(v, digits)),
            "error_estimate": decimal(found.error, 3),
        },
        "monte_carlo": _sample,
    }
    return {
        lane: None if isinstance(answer, str) else write[lane](answer)
        for lane, answer in _answers(measured).items()
    }


def reasons(measured: Measurement) -> dict[str, str]:
    """Why a lane has no answer, for those that have none."""
    return {lane: found for lane, found in _answers(measured).items() if isinstance(found, str)}


def _answers(measured: Measurement) -> dict[str, Any]:
    """What each lane gives; a sample that says nothing of itself is no answer."""
    answers: dict[str, Any] = {lane: getattr(measured, lane) for lane in LANES}
    sample = measured.monte_carlo
    if isinstance(sample, Sample) and not sample.informative:
        answers["monte_carlo"] = sample.note
    return answers


def decimal(value: Any, digits: int) -> str:
    """An mpf as a decimal string of `digits` significant digits."""
    return str(mpmath.nstr(value, digits, strip_zeros=False))


def _sample(sample: Sample) -> dict[str, Any]:
    scale = mpmath.exp(mpmath.mpf(sample.log_scale))
    return {
        "mean": _each(sample.mean, lambda v: decimal(scale * v, _MONTE_CARLO_DIGITS)),
        "standard_error": _each(sample.standard_error, lambda v: decimal(scale * v, 3)),
        "samples": sample.samples,
        "seed": sample.seed,
        "dimension": sample.dimension,
        "effective_sample_size": f"{sample.effective_sample_size:.4g}",
    }


def _each(values: Sequence[Any], write: Callable[[Any], str]) -> str | list[str]:
    texts = [write(value) for value in values]
    return texts[0] if len(texts) == 1 else texts
