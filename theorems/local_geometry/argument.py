"""The claims of the local geometry, part by part, and its controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.local_geometry import (
    blocks,
    condition,
    controls,
    descent,
    fisher,
    flow,
    forms,
    hessian,
    objective,
    rayleigh,
    spectrum,
)
from theorems.local_geometry.quantities import AUXILIARY, DIRECTIONS
from theorems.mixture import SHIFT
from theorems.old_drift.plane import ALL_FREE
from theorems.reverse_kl.quantities import KL_free

ARGUMENT = Argument(
    claims=(
        *objective.CLAIMS,
        *hessian.CLAIMS,
        *fisher.CLAIMS,
        *forms.CLAIMS,
        *rayleigh.CLAIMS,
        *blocks.CLAIMS,
        *spectrum.CLAIMS,
        *condition.CLAIMS,
        *descent.CLAIMS,
        *flow.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=(
        SHIFT,
        *ALL_FREE[3:],
        *DIRECTIONS,
        *rayleigh.PARAMETERS,
        descent.SHARE,
        *flow.PARAMETERS,
    ),
    auxiliary=(*AUXILIARY, KL_free),
)
