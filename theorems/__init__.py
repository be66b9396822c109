"""The theory: statements, quantities, claims with their proofs, false variants. SymPy only."""

import os

# before SymPy is loaded: its own default, 1000 results, forgets within one proof
os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")
