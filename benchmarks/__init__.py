"""Speed, as ratios within one run: numbers to read, never asserted by a test."""
