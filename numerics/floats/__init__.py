"""Arrays of floats with a wide exponent: they steer searches, and prove nothing."""
