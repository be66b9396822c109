"""The claims of Theorem 2.2, part by part, and its controls."""

from __future__ import annotations

from theorems.forward_kl.flow import START
from theorems.language import Argument
from theorems.mixture import NEW_MEAN_ACROSS, NEW_MEAN_ALONG, POINT, SHIFT
from theorems.reverse_kl import bounds, controls, flow, gradient, minimiser, objective, targets
from theorems.reverse_kl.quantities import AUXILIARY, OLD_MEAN_ACROSS, OLD_MEAN_ALONG

ARGUMENT = Argument(
    claims=(
        *minimiser.CLAIMS,
        *gradient.CLAIMS,
        *bounds.CLAIMS,
        *objective.CLAIMS,
        *flow.CLAIMS,
        *targets.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=(
        SHIFT,
        POINT,
        OLD_MEAN_ALONG,
        OLD_MEAN_ACROSS,
        NEW_MEAN_ALONG,
        NEW_MEAN_ACROSS,
        flow.REACH,
        flow.STEP,
        START,
    ),
    auxiliary=AUXILIARY,
)
