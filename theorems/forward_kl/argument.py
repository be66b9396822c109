"""The claims of Theorem 2.1, part by part, and its controls."""

from __future__ import annotations

from theorems.forward_kl import flow, gradient, means, regimes, shape
from theorems.forward_kl.controls import CONTROLS, PARAMETERS
from theorems.language import Argument

ARGUMENT = Argument(
    claims=(
        *shape.CLAIMS_A,
        *gradient.CLAIMS_B,
        *gradient.CLAIMS_C,
        *regimes.CLAIMS,
        *flow.CLAIMS,
        *means.CLAIMS,
        *shape.CLAIMS_F,
    ),
    controls=CONTROLS,
    variables=PARAMETERS,
)
