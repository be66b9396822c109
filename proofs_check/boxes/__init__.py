"""Claims over whole boxes: proofs by branch and bound in balls, and their certificates."""
