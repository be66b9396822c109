"""Small operations on declared expressions: components, heads, unfolding definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp
from sympy.core.function import AppliedUndef

from theorems.language import Expr, Quantity


def components(expr: Expr) -> tuple[Expr, ...]:
    """The components of a vector; a scalar is its own one component."""
    return tuple(expr) if isinstance(expr, sp.Tuple) else (expr,)


def heads(expr: Expr) -> set[str]:
    """The names of the quantities an expression speaks of."""
    return {atom.func.__name__ for atom in expr.atoms(AppliedUndef)}


def instance(expr: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """The expression at other values of its symbols, all at once.

    SymPy would also differentiate a value that holds the variable of a derivative: such a
    derivative is carried out first. Raises ValueError where it cannot be, as of a quantity.
    """
    if _captured(expr, values):
        expr = expr.doit(integrals=False)
        if _captured(expr, values):
            raise ValueError(
                f"a value of {', '.join(map(str, values))} holds a derivative's variable"
            )
    return expr.subs(list(values.items()), simultaneous=True)


def _captured(expr: Expr, values: Mapping[Expr, Expr]) -> bool:
    variables = {v for derivative in expr.atoms(sp.Derivative) for v in derivative.variables}
    return any(
        (variables - {symbol}) & value.free_symbols
        for symbol, value in values.items()
        if symbol in expr.free_symbols and symbol != value
    )


def unfold(expr: Expr, quantities: Iterable[Quantity]) -> Expr:
    """The expression with these quantities replaced by their definitions, however deep.

    Raises ValueError where an argument would be captured by a definition's bound variable.
    """
    table = {quantity.symbol: quantity for quantity in quantities}

    def known(node: Expr) -> bool:
        return isinstance(node, AppliedUndef) and node.func.__name__ in table

    def replacement(node: Expr) -> Expr:
        quantity = table[node.func.__name__]
        bound = quantity.definition.atoms(sp.Symbol) - quantity.definition.free_symbols
        if bound & set().union(*(argument.free_symbols for argument in node.args)):
            raise ValueError(f"an argument of {node} is captured by the definition's variable")
        symbols = [parameter.symbol for parameter in quantity.parameters]
        return instance(quantity.definition, dict(zip(symbols, node.args, strict=True)))

    while table and expr.find(known):
        expr = expr.replace(known, replacement)
    return expr


def substitute(expr: Expr, variable: Expr, new: Expr, value: Expr) -> Expr:
    """Integrals over `variable` on the whole line become integrals over `new`, for a value that
    maps the line onto itself monotonically."""

    def over_variable(node: Expr) -> bool:
        return isinstance(node, sp.Integral) and (variable, -sp.oo, sp.oo) in [
            tuple(limit) for limit in node.limits
        ]

    def replaced(node: Expr) -> Expr:
        limits = [
            (new, *limit[1:]) if limit[0] == variable else tuple(limit) for limit in node.limits
        ]
        inner = node.function.subs(variable, value) * sp.Abs(sp.diff(value, new))
        return sp.Integral(inner, *limits)

    return expr.replace(over_variable, replaced)
