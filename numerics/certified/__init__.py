"""The derived formula in Arb balls: every rounding, step and cut of a range is in the radius."""
