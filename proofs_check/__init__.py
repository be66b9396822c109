"""Holds the theory against the numbers: proofs, agreements, conjectures, reports."""

import theorems  # noqa: F401 it sets SymPy up, before anything here loads it
