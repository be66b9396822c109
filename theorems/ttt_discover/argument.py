"""The claims about TTT-Discover, part by part, and their controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.mixture import POINT, TAU
from theorems.ttt_discover import (
    collapse,
    concavity,
    constant,
    controls,
    critical,
    drift,
    latent,
    optimum,
    threshold,
)
from theorems.ttt_discover.quantities import AUXILIARY, DISTANCE

ARGUMENT = Argument(
    claims=(
        *concavity.CLAIMS,
        *constant.CLAIMS,
        *critical.CLAIMS,
        *collapse.CLAIMS,
        *threshold.CLAIMS,
        *optimum.CLAIMS,
        *latent.CLAIMS,
        *drift.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=(TAU, POINT, threshold.RATIO, DISTANCE, drift.NEW_LIMIT),
    auxiliary=AUXILIARY,
)
