"""Sign-equivalent forms of a claim: each is not negative exactly where the claim holds.

A form is a positive factor divided out of right - left, or the difference of two logarithms. Which
one a box yields to depends on where it lies: as typed near a quantity's own lemmas, in delta S for
large delta, in logarithms where both sides are tiny, in KL_reverse/(phi - tau)^2 near phi = tau.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef

from numerics.expression import Definitions
from proofs_check.boxes.auxiliary import D, G, H, K, Q, T
from proofs_check.symbolic.normal_form import manifestly_nonnegative, manifestly_positive
from theorems.language import Claim, Expr
from theorems.overlap.quantities import A, S, eps_n
from theorems.reverse_kl.quantities import W

TYPED = (
    *("S", "T", "D", "A", "E2", "Q", "eps_o", "eps_n", "kappa"),
    *("KL_forward", "KL_reverse", "W", "K", "G", "H"),
)
SECH = ("eps_o", "eps_n", "kappa")
MOST_TERMS = 60


@dataclass(frozen=True, slots=True)
class Form:
    """0 <= expr (0 < expr for a strict claim) is equivalent to the claim wherever expr is defined.

    factor: expr times it is right - left, or for a logarithmic form exp(expr) - 1 times it is.
    """

    expr: Expr
    factor: Expr
    logarithmic: bool = False


POSITIVE = ("kappa", "KL_forward")  # overlap.e.positive and forward_kl.a.minimiser say so
NONNEGATIVE = ("KL_reverse",)  # reverse_kl.a says so
_softplus, _logistic = sp.Function("softplus", real=True), sp.Function("logistic", positive=True)


def forms(claim: Claim, definitions: Definitions) -> list[Form]:
    """The forms of an order, without repetition, the plainest first."""
    left, right = (_signed(unfold(side, definitions, TYPED)) for side in (claim.left, claim.right))
    found = [Form(right - left, sp.S.One)]
    if manifestly_positive(left) and manifestly_positive(right):
        found.append(Form(sp.log(right) - sp.log(left), left, True))
    strict = claim.relation == "<"
    bare = tuple(name for name in TYPED if name not in SECH)
    left, right = (
        side.replace(_is("E2"), lambda node: eps_n(*node.args) * Q(*node.args))
        for side in (left, right)
    )
    left, right = (unfold(side, definitions, bare) for side in (left, right))
    gap = plain(right - left)
    for variant in _variants(gap):
        found += balanced(variant, strict)
    distinct: dict[Expr, Form] = {}
    for form in found:
        distinct.setdefault(form.expr, form)
    return list(distinct.values())


def _signed(expr: Expr) -> Expr:
    """Quantities that are known to be positive, as such."""
    for names, sign in ((POSITIVE, {"positive": True}), (NONNEGATIVE, {"nonnegative": True})):
        for name in names:
            head = sp.Function(name, **sign)
            expr = expr.replace(_is(name), lambda node, head=head: head(*node.args))
    return expr


def _variants(gap: Expr) -> Iterator[Expr]:
    """The gap in S, in delta S, in e^(-delta^2/8) S; R and W rescaled, KL_Bern too; F in A."""
    rescaled = gap.replace(_is("KL_reverse"), lambda node: _gap(node) ** 2 * G(*node.args))
    rescaled = rescaled.replace(_is("W"), lambda node: _gap(node) * K(*node.args))
    bernoulli = rescaled
    for node in _pick(gap, "KL_reverse"):
        bernoulli = plain(bernoulli).subs(
            sp.log(1 + sp.exp(node.args[1])), _softplus_by_bernoulli(node)
        )
    softplus = gap.replace(
        _is("KL_forward"), lambda node: sp.log(1 + sp.exp(node.args[0])) - A(*node.args)
    )
    for base in dict.fromkeys((gap, rescaled, bernoulli, softplus)):
        yield base
        if base.has(S.head.func):
            yield base.replace(_is("S"), lambda node: T(*node.args) / node.args[1])
            yield base.replace(_is("S"), lambda node: sp.exp(node.args[1] ** 2 / 8) * D(*node.args))


def _pick(expr: Expr, name: str) -> list[Expr]:
    return sorted(filter(_is(name), expr.atoms(AppliedUndef)), key=sp.default_sort_key)


def _softplus_by_bernoulli(node: Expr) -> Expr:
    """log(1 + e^tau) from KL(Bern beta || Bern alpha) = (phi - tau)^2 (G + H)."""
    x, t, _ = node.args
    divergence = _gap(node) ** 2 * (G(*node.args) + H(*node.args))
    return divergence - (x - t) / (1 + sp.exp(-x)) + sp.log(1 + sp.exp(x))


def _gap(node: Expr) -> Expr:
    return node.args[0] - node.args[1]


def _is(name: str) -> Callable[[Expr], bool]:
    return lambda node: isinstance(node, AppliedUndef) and node.func.__name__ == name


def unfold(expr: Expr, definitions: Definitions, keep: tuple[str, ...]) -> Expr:
    """Heads replaced by their formulas, but those in `keep`; the slope of R by W if it is kept."""
    if "W" in keep:
        expr = expr.replace(
            _is("dKL_reverse"),
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
        _is("S"),
        lambda node: (
            node.func(-node.args[0], node.args[1])
            if node.args[0].could_extract_minus_sign()
            else node
        ),
    )


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


def balanced(gap: Expr, strict: bool) -> list[Form]:
    """The gap divided by what is common to its terms, or by its one positive or negative term."""
    gap, restore = _through_gap(gap)
    terms = [term for term in sp.Add.make_args(plain(gap)) if term != 0]
    if not terms or len(terms) > MOST_TERMS:
        return []
    common = _common(terms, strict)
    terms = [term / common for term in terms]
    found = _by_sign(terms, common)
    return [
        Form(form.expr.xreplace(restore), form.factor.xreplace(restore), form.logarithmic)
        for form in found
    ]


def _through_gap(gap: Expr) -> tuple[Expr, dict[Expr, Expr]]:
    """phi written as tau + w, rescaled heads kept: then powers of w = phi - tau are seen."""
    rescaled = [node for name in "GHK" for node in _pick(gap, name)]
    pairs = {tuple(sorted(node.args[:2], key=str)) for node in rescaled}
    if len(pairs) != 1:
        return gap, {}
    ((first, second),) = pairs
    if not first.is_Symbol or second.has(first):
        return gap, {}
    w = sp.Dummy("w", real=True)
    kept = {node: sp.Dummy(positive=True) for node in gap.atoms(AppliedUndef) if node.has(first)}
    gap = plain(gap).xreplace(kept).subs(first, second + w)
    return gap, {w: first - second, **{dummy: node for node, dummy in kept.items()}}


def _by_sign(terms: list[Expr], common: Expr) -> list[Form]:
    positive = [term for term in terms if manifestly_nonnegative(term)]
    negative = [-term for term in terms if term not in positive and manifestly_nonnegative(-term)]
    if len(positive) + len(negative) < len(terms) or not positive or not negative:
        return [Form(sp.Add(*terms), common)]
    more, less = sp.Add(*positive), sp.Add(*negative)
    if len(positive) == 1:
        ratio = sp.Add(*(term / more for term in negative))
        return [
            Form(1 - ratio, common * more),
            Form(-sp.log(ratio), common * less, True),
        ]
    if len(negative) == 1:
        ratio = sp.Add(*(term / less for term in positive))
        return [
            Form(ratio - 1, common * less),
            Form(sp.log(ratio), common * less, True),
        ]
    return [
        Form(more - less, common),
        Form(sp.log(more) - sp.log(less), common * less, True),
    ]


def _common(terms: list[Expr], strict: bool) -> Expr:
    """The powers that divide every term, of positive bases; even ones of any, unless strict."""
    tables = [_powers(term) for term in terms]
    common = sp.S.One
    for base in dict.fromkeys(base for table in tables for base in table):
        least = min(table.get(base, sp.S.Zero) for table in tables)
        if least == 0 or base.is_number:
            continue
        if manifestly_positive(base):
            common *= base**least
        elif not strict and least > 0:
            common *= base ** (2 * (least // 2))
    return common


def _powers(term: Expr) -> dict[Expr, Expr]:
    """Bases with rational exponents, exponentials and numbers left out."""
    table = {}
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if not isinstance(factor, sp.exp) and exponent.is_Rational:
            table[base] = exponent
    return table


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
