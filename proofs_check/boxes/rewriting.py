"""Expressions rewritten for proofs over boxes: unfolded, flattened, or spelled as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy as sp
from sympy.core.function import AppliedUndef

from numerics.expression import Definitions
from theorems.language import Expr
from theorems.overlap.quantities import kappa
from theorems.reverse_kl.quantities import W

_softplus, _logistic = sp.Function("softplus", real=True), sp.Function("logistic", positive=True)
_DIAGONAL: Mapping[str, Callable[[Expr, Expr], Expr]] = {
    "K": kappa,
    "G": lambda x, d: kappa(x, d) / (8 * sp.cosh(x / 2) ** 2),
    "H": lambda x, d: (1 - kappa(x, d)) / (8 * sp.cosh(x / 2) ** 2),
}


def is_head(name: str) -> Callable[[Expr], bool]:
    """Whether a node is the quantity of that name, at any arguments."""
    return lambda node: isinstance(node, AppliedUndef) and node.func.__name__ == name


def unfold(expr: Expr, definitions: Definitions, keep: tuple[str, ...]) -> Expr:
    """Heads replaced by their formulas, but those in `keep`; the slope of R by W if it is kept."""
    if "W" in keep:
        expr = expr.replace(
            is_head("dKL_reverse"),
            lambda node: W(*node.args) / (4 * sp.cosh(node.args[0] / 2) ** 2),
        )

    def known(node: Expr) -> bool:
        return (
            isinstance(node, AppliedUndef)
            and node.func.__name__ in definitions
            and node.func.__name__ not in keep
        )

    while expr.find(known):
        expr = expr.replace(known, lambda node: _formula(node, definitions))
    return expr


def _formula(node: Expr, definitions: Definitions) -> Expr:
    names, formula = definitions[node.func.__name__]
    symbols = {symbol.name: symbol for symbol in formula.free_symbols}
    pairs = [
        (symbols[name], value)
        for name, value in zip(names, node.args, strict=True)
        if name in symbols
    ]
    return formula.subs(pairs, simultaneous=True)


def plain(expr: Expr) -> Expr:
    """A sum of products: sigma through cosh, erf through erfc, S by its evenness."""
    expr = expr.replace(sp.erf, lambda u: 1 - sp.erfc(u)).replace(sp.sech, lambda u: 1 / sp.cosh(u))
    expr = upright(sp.expand_log(expr)).replace(_is_logistic, _through_cosh)
    return sp.expand(expr, power_base=False, power_exp=False)


def upright(expr: Expr) -> Expr:
    """S(-phi, delta) as S(phi, delta)."""
    return expr.replace(
        is_head("S"),
        lambda node: (
            node.func(-node.args[0], node.args[1])
            if node.args[0].could_extract_minus_sign()
            else node
        ),
    )


def complemented(expr: Expr) -> Expr:
    """c - c sigma(u) as c sigma(-u), so that it is a factor, and positive."""
    return expr.replace(lambda node: _opposite(node) is not None, lambda node: _opposite(node))


def _opposite(node: Expr) -> Expr | None:
    if not (node.is_Add and len(node.args) == 2 and node.args[0].is_Rational):
        return None
    share = -node.args[1] / node.args[0]
    u = _exponential_part(share.base) if share.is_Pow and share.exp == -1 else None
    return None if u is None else node.args[0] / (1 + sp.exp(-u))


def on_diagonal(expr: Expr) -> Expr:
    """K, G and H at phi = tau as what they tend to there."""
    for name, value in _DIAGONAL.items():
        expr = expr.replace(
            lambda node, name=name: is_head(name)(node) and node.args[0] == node.args[1],
            lambda node, value=value: value(node.args[0], node.args[2]),
        )
    return expr


def _is_logistic(node: Expr) -> bool:
    """(1 + e^u)^p, p < 0."""
    return bool(node.is_Pow and node.exp.is_negative and _exponential_part(node.base) is not None)


def _exponential_part(base: Expr) -> Expr:
    """u where base is 1 + e^u, else None."""
    if base.is_Add and len(base.args) == 2 and base.args[0] == 1:
        inner = base.args[1]
        if isinstance(inner, sp.exp):
            return inner.args[0]
    return None


def _through_cosh(node: Expr) -> Expr:
    u = _exponential_part(node.base)
    return (2 * sp.exp(u / 2) * sp.cosh(u / 2)) ** node.exp


def computable(expr: Expr) -> Expr:
    """log(1 + e^u) and 1/(1 + e^u) as functions of their own, which a range does not tear apart."""
    expr = expr.replace(
        _is_logistic, lambda node: _logistic(-_exponential_part(node.base)) ** -node.exp
    )
    return expr.replace(
        lambda node: isinstance(node, sp.log) and _exponential_part(node.args[0]) is not None,
        lambda node: _softplus(_exponential_part(node.args[0])),
    )


def spell(expr: Expr) -> str:
    """An expression in the language of conjectures."""
    text = sp.sstr(expr)
    for name in ("Abs", "Min", "Max"):
        text = text.replace(f"{name}(", f"{name.lower()}(")
    return str(text)
