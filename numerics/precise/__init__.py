"""The precise lane: the definitions, integrated in y-space by mpmath to any number of digits.

Nothing here knows a derived formula. Integrals are trapezoidal sums (`quadrature`, `plane`),
gradients are numerical derivatives of the objective (`derivative`); each value comes with an
error estimate that is an estimate, not a proof.
"""
