"""The claims of replay under forward KL, part by part, and its controls."""

from __future__ import annotations

from theorems.forward_replay import controls, denominator, flow, means, numerator, speed
from theorems.language import Argument

ARGUMENT = Argument(
    claims=(
        *denominator.CLAIMS,
        *speed.CLAIMS,
        *flow.CLAIMS,
        *numerator.CLAIMS,
        *means.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=controls.VARIABLES,
)
