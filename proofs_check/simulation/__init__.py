"""Training runs: the methods of the theory set in motion from the suite's own quantities."""
