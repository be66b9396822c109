"""The claims of the theorem on SDFT, part by part, and its controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.reverse_kl.flow import REACH
from theorems.reverse_kl.quantities import W
from theorems.sdft import (
    contraction,
    controls,
    drift,
    impulses,
    linear,
    one_step,
    reach,
    stability,
    trajectory,
    unanchored,
)
from theorems.sdft.quantities import AUXILIARY

ARGUMENT = Argument(
    claims=(
        *one_step.CLAIMS,
        *reach.CLAIMS,
        *contraction.CLAIMS,
        *linear.CLAIMS,
        *stability.CLAIMS,
        *unanchored.CLAIMS,
        *impulses.CLAIMS,
        *drift.CLAIMS,
        *trajectory.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=(
        one_step.LOWEST,
        one_step.HIGHEST,
        contraction.DEVIATION,
        REACH,
        *trajectory.PARAMETERS,
    ),
    auxiliary=(W, *AUXILIARY),
)
