"""The claims of replay under reverse KL, part by part, and its controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.reverse_replay import batches, controls, leakage, moments, self_normalised, weights

ARGUMENT = Argument(
    claims=(
        *weights.CLAIMS,
        *moments.CLAIMS,
        *batches.CLAIMS,
        *leakage.CLAIMS,
        *self_normalised.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=controls.VARIABLES,
)
