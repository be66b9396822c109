"""What goes wrong through no fault of the suite."""

from __future__ import annotations


class InputError(Exception):
    """Wrong usage or input; the message is one sentence: parameter, value, allowed set."""
