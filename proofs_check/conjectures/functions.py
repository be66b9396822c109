"""The functions of the language of conjectures: elementary ones, and the suite's quantities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from proofs_check.catalogue import load, mentioning
from theorems.language import Expr, Parameter, Theorem
from theorems.mixture import sigma

CONSTANTS: Mapping[str, Expr] = {"pi": sp.pi}


@dataclass(frozen=True, slots=True)
class Function:
    """A function by name: its arguments' names, how it is built, what it is.

    variadic: it takes more arguments of the same kind. parameters: those of a quantity, whose
    domains its arguments must respect; empty for an elementary function. source: the theorem.
    """

    name: str
    arguments: tuple[str, ...]
    build: Callable[..., Expr]
    text: str
    variadic: bool = False
    parameters: tuple[Parameter, ...] = ()
    source: str = ""

    @property
    def signature(self) -> str:
        """As it is written: eps_o(phi, delta)."""
        return f"{self.name}({', '.join((*self.arguments, *(('…',) if self.variadic else ())))})"


def _logit(x: Expr) -> Expr:
    return sp.log(x / (1 - x))


def _extremum(kind: Expr) -> Callable[..., Expr]:
    # unevaluated: SymPy compares every pair of arguments
    return lambda *values: kind(*values, evaluate=False)


_X = ("x",)
ELEMENTARY = (
    Function("exp", _X, sp.exp, "e^x"),
    Function("log", _X, sp.log, "natural logarithm, x > 0"),
    Function("sqrt", _X, sp.sqrt, "square root, x >= 0"),
    Function("sinh", _X, sp.sinh, "hyperbolic sine"),
    Function("cosh", _X, sp.cosh, "hyperbolic cosine"),
    Function("tanh", _X, sp.tanh, "hyperbolic tangent"),
    Function("sech", _X, sp.sech, "1/cosh(x)"),
    Function("erf", _X, sp.erf, "error function"),
    Function("erfc", _X, sp.erfc, "1 - erf(x)"),
    Function("abs", _X, sp.Abs, "absolute value"),
    Function("min", ("x", "y"), _extremum(sp.Min), "the smallest", variadic=True),
    Function("max", ("x", "y"), _extremum(sp.Max), "the largest", variadic=True),
    Function("sigma", _X, sigma, "logistic function 1/(1 + e^-x)"),
    Function("logit", _X, _logit, "log(x/(1 - x)), 0 < x < 1"),
)


_FIRST = ("overlap", "forward_kl", "reverse_kl")  # every proof over a box needs these
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def theorems_of(texts: Iterable[str]) -> dict[str, Theorem]:
    """The first theorems, and those that declare a name in these texts which is not theirs.

    Loading all takes longer than many a proof. All are loaded where what declares it is no theorem.
    """
    first = load(_FIRST)
    known = {*functions(first), *CONSTANTS}
    known |= {parameter.name for theorem in first.values() for parameter in theorem.parameters}
    names = {name for text in texts for name in _NAME.findall(text)}
    others = mentioning(names - known) if names - known else set()
    found = load({*_FIRST, *others}) if others else first
    return found if others <= found.keys() else load()


def functions(catalogue: Mapping[str, Theorem]) -> dict[str, Function]:
    """Every function by name: the elementary ones, then the scalar quantities of each theorem."""
    quantities = (
        Function(
            quantity.symbol,
            tuple(parameter.name for parameter in quantity.parameters),
            quantity,
            quantity.text,
            parameters=quantity.parameters,
            source=theorem.name,
        )
        for theorem in catalogue.values()
        for quantity in theorem.quantities
        if not isinstance(quantity.formula, sp.Tuple)
    )
    return {function.name: function for function in (*ELEMENTARY, *quantities)}
