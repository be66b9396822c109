"""The claims of the overlap lemma, part by part, and its controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.mixture import NEW_MEAN_ACROSS, NEW_MEAN_ALONG, POINT, TAU
from theorems.overlap import (
    bayes,
    bounds,
    controls,
    cubes,
    distinguishability,
    identities,
    sech,
    setting,
    shape,
    softplus,
    tails,
    trapezoid,
)

ARGUMENT = Argument(
    claims=(
        *setting.CLAIMS,
        *identities.CLAIMS,
        *bounds.CLAIMS,
        *distinguishability.CLAIMS,
        *sech.CLAIMS,
        *trapezoid.CLAIMS,
        *tails.CLAIMS,
        *bayes.CLAIMS,
        *softplus.CLAIMS,
        *shape.CLAIMS,
        *cubes.CLAIMS,
    ),
    controls=controls.CONTROLS,
    variables=(
        TAU,
        POINT,
        NEW_MEAN_ALONG,
        NEW_MEAN_ACROSS,
        *setting.GEOMETRY,
        *trapezoid.STRIP,
        tails.ORDER,
    ),
)
