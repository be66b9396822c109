"""The claims of Theorem 2.3, part by part, and its controls."""

from __future__ import annotations

from theorems.language import Argument
from theorems.old_drift.controls import CONTROLS
from theorems.old_drift.gradient import (
    COORDINATE,
    COORDINATES,
    NEW_DRIFT,
    OLD_DRIFT,
    OLD_MEAN_GRADIENT,
)
from theorems.old_drift.leakage import (
    LABELS_SWAPPED,
    LEARNER_BALANCE,
    LEARNER_LEAKAGE,
    LEARNER_LEAKAGE_IS_EPS_N,
    TARGET_LEAKAGE,
    TARGET_LEAKAGE_AT_CORRECT,
    TARGET_LEAKAGE_FALLS,
    TARGET_LEAKAGE_LARGE,
    TARGET_LEAKAGE_LAW,
)
from theorems.old_drift.misassignment import (
    CLASSICAL,
    LEARNER_MISASSIGNMENT,
    SHARPER,
    SHARPER_OVERLAP,
    TARGET_AS_LEARNER,
    TARGET_AT_MU_O,
    TARGET_MISASSIGNMENT,
)
from theorems.old_drift.plane import (
    OLD_MEAN_ACROSS,
    OLD_MEAN_ALONG,
    drift,
    drift_of_new,
    drift_of_old,
)
from theorems.old_drift.size import (
    AGAINST,
    BOUND,
    CORRECT_ACROSS,
    CORRECT_ALONG,
    CORRECT_SIZE,
    CORRECT_SIZE_SQUARED,
    LEARNER_AT_CORRECT,
    SHARPER_BOUND,
    SIZE,
    SIZE_SQUARED,
    TARGET_AT_CORRECT,
)

ARGUMENT = Argument(
    claims=(
        LEARNER_MISASSIGNMENT,
        TARGET_AS_LEARNER,
        TARGET_MISASSIGNMENT,
        TARGET_AT_MU_O,
        *OLD_DRIFT,
        AGAINST,
        SIZE_SQUARED,
        SIZE,
        CLASSICAL,
        BOUND,
        SHARPER_OVERLAP,
        SHARPER,
        SHARPER_BOUND,
        LEARNER_BALANCE,
        LEARNER_LEAKAGE,
        LEARNER_LEAKAGE_IS_EPS_N,
        LABELS_SWAPPED,
        TARGET_LEAKAGE_LAW,
        TARGET_LEAKAGE,
        TARGET_LEAKAGE_AT_CORRECT,
        TARGET_LEAKAGE_FALLS,
        TARGET_LEAKAGE_LARGE,
        *NEW_DRIFT,
        LEARNER_AT_CORRECT,
        TARGET_AT_CORRECT,
        CORRECT_ALONG,
        CORRECT_ACROSS,
        CORRECT_SIZE_SQUARED,
        CORRECT_SIZE,
        *OLD_MEAN_GRADIENT,
        COORDINATE,
    ),
    controls=CONTROLS,
    variables=(OLD_MEAN_ALONG, OLD_MEAN_ACROSS, *COORDINATES),
    auxiliary=(*drift, *drift_of_old, *drift_of_new),
)
