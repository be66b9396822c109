"""The symbolic lane: proofs checked link by link, on an exact zero test of its own."""
