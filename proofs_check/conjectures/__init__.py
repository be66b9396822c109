"""Conjectures: typed as text, read into claims over a box, and searched for counterexamples."""
