"""The methods by name, and the parameters that each is set with."""

from __future__ import annotations

import difflib

import sympy as sp

from proofs_check.errors import InputError
from proofs_check.simulation import divergences, oapl, sdft, ttt_discover
from proofs_check.simulation.method import Method
from proofs_check.simulation.suite import Suite
from theorems.language import Parameter

METHODS = {
    method.name: method
    for method in (*divergences.METHODS, sdft.METHOD, ttt_discover.METHOD, oapl.METHOD)
}
_REALS = sp.Interval(-sp.oo, sp.oo)
MEANS = tuple(
    Parameter(
        name,
        sp.Symbol(name, real=True),
        _REALS,
        (sp.Integer(-1), sp.Integer(5)),
        f"the learner's {which} mean at the start, from the old one along mu_n - mu_o, whitened",
    )
    for name, which in (("old_mean", "old"), ("new_mean", "new"))
)


def find(name: str) -> Method:
    """A method by its name. Raises InputError, with the nearest name."""
    if name in METHODS:
        return METHODS[name]
    nearest = difflib.get_close_matches(name, METHODS, n=1, cutoff=0.0)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    raise InputError(f"method {name!r} is not one of {', '.join(METHODS)}{hint}")


def parameters(suite: Suite, method: Method) -> dict[str, Parameter]:
    """What a method is set with, by name; phi is where the learner starts."""
    return suite.parameters(method.moves, method.objective, *method.settings)
