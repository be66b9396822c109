"""What the moments of the draws say: an estimate, its standard error, and whether to trust them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numerics.monte_carlo import moments
from numerics.monte_carlo.scheme import Composed, Scheme
from numerics.monte_carlo.space import Array
from numerics.point import Unreachable

ROUNDING = 2.0**-50
WORST_RELATIVE_ERROR = 0.1
LARGEST_SHARE = 0.1
SMALLEST_EFFECTIVE_SIZE = 100.0


@dataclass(frozen=True, slots=True)
class Sample:
    """An estimate: e^{log_scale} · mean, with standard error e^{log_scale} · standard_error.

    One entry per component (whitened coordinates, for a gradient; in dimension 1 the second is 0
    with error 0). standard_error includes the rounding of double precision. log_scale is 0 unless
    underflow or overflow threatens. samples: draws of z. effective_sample_size: (Σ|x|)²/Σx² of the
    weighted summands x, least over the components; `samples` where they are constant. informative:
    whether a z-test of this sample means anything; note: if not, the reason in one sentence.
    """

    mean: tuple[float, ...]
    standard_error: tuple[float, ...]
    log_scale: float
    samples: int
    seed: int
    dimension: int
    effective_sample_size: float
    informative: bool
    note: str


def judge(
    total: Array, scheme: Scheme, log_scale: float, samples: int, seed: int, dimension: int
) -> Sample:
    """Scale the moments to the quantity and say whether they can bear a z-test."""
    with np.errstate(all="ignore"):
        spread = np.sqrt(total[:, moments.SQUARES] / max(samples - 1, 1) / samples)
        centre = total[:, moments.MEAN]
        widest = np.maximum(total[:, moments.LARGEST] - centre, centre - total[:, moments.SMALLEST])
        square = total[:, moments.SQUARES] / samples + centre**2
        sizes = np.where(square > 0, samples * total[:, moments.ABSOLUTE] ** 2 / square, math.inf)
        effective = float(sizes.min()) if np.isfinite(sizes.min()) else 0.0
        share = float(np.max(np.where(spread > 0, widest / (samples * spread), 0.0)))
        mean = scheme.constant + scheme.factor * centre
        digits = ROUNDING * (
            abs(scheme.constant) + scheme.exponent * np.abs(scheme.factor * centre)
        )
        error = np.hypot(scheme.factor * spread, digits)
    note = _reservation(mean, error, spread, share, effective, scheme, samples)
    return Sample(
        tuple(mean.tolist()),
        tuple(error.tolist()),
        log_scale,
        int(samples),
        int(seed),
        int(dimension),
        effective,
        not note,
        note,
    )


def _reservation(
    mean: Array,
    error: Array,
    spread: Array,
    share: float,
    effective: float,
    scheme: Scheme,
    samples: int,
) -> str:
    """Why a sample is not informative, or nothing."""
    size = math.hypot(*mean)
    relative = math.hypot(*error) / size if size > 0 else math.inf
    if samples < 2:
        return "one draw has no standard error"
    if not (np.all(np.isfinite(mean)) and np.all(np.isfinite(error))):
        return "the sum of the draws is not finite in double precision"
    if scheme.constant and size <= 2.0**-30 * abs(scheme.constant):
        return "the value is lost to rounding: it is a difference of terms a billion times larger"
    if not np.any(spread > 0):
        return "the draws show no spread, so a standard error would say nothing"
    if share > LARGEST_SHARE:
        return (
            f"a single draw moves the mean by {share:.2g} standard errors: a rare event carries "
            "the spread, or the draws are too few"
        )
    if relative > WORST_RELATIVE_ERROR:
        return f"the relative standard error is {relative:.2g}, above {WORST_RELATIVE_ERROR:g}"
    if scheme.constant == 0 and scheme.score is None and effective < SMALLEST_EFFECTIVE_SIZE:
        return f"the effective sample size is {effective:.3g}, below {SMALLEST_EFFECTIVE_SIZE:g}"
    return ""


def compose(composed: Composed, parts: Sequence[Sample]) -> Sample:
    """A smooth function of independent means, its error to first order (the delta method).

    What that leaves out, a bias of the order of the relative error squared, is small beside the
    error as long as every part is informative. Raises Unreachable where a part is scaled.
    """
    if any(part.log_scale for part in parts):
        raise Unreachable("a mean in it is beyond the range of double precision")
    means = [part.mean[0] for part in parts]
    mean = composed.combine(*means)
    halves = [
        composed.combine(*means[:k], means[k] + sign * part.standard_error[0], *means[k + 1 :])
        for k, part in enumerate(parts)
        for sign in (1, -1)
    ]
    errors = [(above - below) / 2 for above, below in zip(halves[::2], halves[1::2], strict=True)]
    return Sample(
        (mean,),
        (math.hypot(*errors, ROUNDING * mean),),
        0.0,
        parts[0].samples,
        parts[0].seed,
        parts[0].dimension,
        min(part.effective_sample_size for part in parts),
        all(part.informative for part in parts),
        next((part.note for part in parts if part.note), ""),
    )
