"""The claims about OAPL, part by part, and their controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.mixture import POINT
from theorems.oapl import controls, drift, locality, realisable, support
from theorems.oapl.quantities import AUXILIARY

ARGUMENT = Argument(
    claims=(*realisable.CLAIMS, *support.CLAIMS, *drift.CLAIMS, *locality.CLAIMS),
    controls=controls.CONTROLS,
    variables=(POINT, *support.BOUNDED_REWARD, locality.HEADING, locality.RESIDUAL_BOUND),
    auxiliary=AUXILIARY,
)
