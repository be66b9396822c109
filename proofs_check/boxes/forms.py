"""Sign-equivalent forms of a claim: each is not negative exactly where the claim holds.

A hypothesis has a form too: where it is positive the hypothesis fails, and nothing is claimed.

A form is a positive factor divided out of right - left, or the difference of two logarithms. Which
one a box yields to depends on where it lies: as typed near a quantity's own lemmas, in delta S for
large delta, in logarithms where both sides are tiny, in KL_reverse/(phi - tau)^2 near phi = tau.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import sympy as sp
from sympy.core.function import AppliedUndef

from numerics.expression import Definitions
from proofs_check.boxes.auxiliary import D, G, H, K, Q, T
from proofs_check.boxes.rewriting import complemented, is_head, plain, unfold
from proofs_check.symbolic.normal_form import manifestly_nonnegative, manifestly_positive
from theorems.language import Claim, Expr
from theorems.overlap.quantities import A, S, eps_n

TYPED = (
    *("S", "T", "D", "A", "E2", "Q", "eps_o", "eps_n", "kappa"),
    *("KL_forward", "KL_reverse", "W", "K", "G", "H"),
)
SECH = ("eps_o", "eps_n", "kappa")
MOST_TERMS = 60
Kind: TypeAlias = Literal["plain", "logarithmic", "hypothesis"]


@dataclass(frozen=True, slots=True)
class Form:
    """0 <= expr (0 < expr if strict) is equivalent to the claim wherever expr is defined.

    factor: expr times it is right - left; for a logarithmic form exp(expr) - 1 times it is; for the
    form of a hypothesis left <= right (left < right if not strict) it times expr is left - right.
    """

    expr: Expr
    factor: Expr
    strict: bool
    kind: Kind = "plain"


SIGNS = {"kappa": "positive", "KL_forward": "positive", "KL_reverse": "nonnegative"}
SIGN_LEMMAS = {  # which say so
    "kappa": "overlap.e.positive",
    "KL_forward": "forward_kl.a.minimiser",
    "KL_reverse": "reverse_kl.a.nonnegative",
}


def failures(claim: Claim, definitions: Definitions) -> list[Form]:
    """For each hypothesis, what is positive (or 0, for a strict one) where it fails."""
    return [
        Form(
            unfold(order.lts - order.gts, definitions, TYPED),
            sp.S.One,
            isinstance(order, sp.LessThan | sp.GreaterThan),
            "hypothesis",
        )
        for order in claim.where
    ]


def forms(claim: Claim, definitions: Definitions) -> list[Form]:
    """The forms of an order, without repetition, the plainest first."""
    left, right = (
        _signed(unfold(complemented(side), definitions, TYPED))
        for side in (claim.left, claim.right)
    )
    strict = claim.relation == "<"
    found = [Form(right - left, sp.S.One, strict)]
    if manifestly_positive(left) and manifestly_positive(right):
        found.append(Form(sp.log(right) - sp.log(left), left, strict, "logarithmic"))
    bare = tuple(name for name in TYPED if name not in SECH)
    left, right = (
        side.replace(is_head("E2"), lambda node: eps_n(*node.args) * Q(*node.args))
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
    for name, sign in SIGNS.items():
        head = sp.Function(name, **{sign: True})
        expr = expr.replace(is_head(name), lambda node, head=head: head(*node.args))
    return expr


def _variants(gap: Expr) -> Iterator[Expr]:
    """The gap in S, in delta S, in e^(-delta^2/8) S; R and W rescaled, KL_Bern too; F in A."""
    rescaled = gap.replace(is_head("KL_reverse"), lambda node: _gap(node) ** 2 * G(*node.args))
    rescaled = rescaled.replace(is_head("W"), lambda node: _gap(node) * K(*node.args))
    bernoulli = rescaled
    for node in _pick(gap, "KL_reverse"):
        bernoulli = plain(bernoulli).subs(
            sp.log(1 + sp.exp(node.args[1])), _softplus_by_bernoulli(node)
        )
    softplus = gap.replace(
        is_head("KL_forward"), lambda node: sp.log(1 + sp.exp(node.args[0])) - A(*node.args)
    )
    for base in dict.fromkeys((gap, rescaled, bernoulli, softplus)):
        yield base
        if base.has(S.head.func):
            yield base.replace(is_head("S"), lambda node: T(*node.args) / node.args[1])
            yield base.replace(
                is_head("S"), lambda node: sp.exp(node.args[1] ** 2 / 8) * D(*node.args)
            )


def _pick(expr: Expr, name: str) -> list[Expr]:
    return sorted(filter(is_head(name), expr.atoms(AppliedUndef)), key=sp.default_sort_key)


def _softplus_by_bernoulli(node: Expr) -> Expr:
    """log(1 + e^tau) from KL(Bern beta || Bern alpha) = (phi - tau)^2 (G + H)."""
    x, t, _ = node.args
    divergence = _gap(node) ** 2 * (G(*node.args) + H(*node.args))
    return divergence - (x - t) / (1 + sp.exp(-x)) + sp.log(1 + sp.exp(x))


def _gap(node: Expr) -> Expr:
    return node.args[0] - node.args[1]


def balanced(gap: Expr, strict: bool) -> list[Form]:
    """The gap divided by what is common to its terms, or by its one positive or negative term."""
    gap, restore = _through_gap(gap)
    terms = [term for term in sp.Add.make_args(plain(gap)) if term != 0]
    if not terms or len(terms) > MOST_TERMS:
        return []
    common = _common(terms, strict)
    terms = [term / common for term in terms]
    return [
        Form(expr.xreplace(restore), factor.xreplace(restore), strict, kind)
        for expr, factor, kind in _by_sign(terms, common)
    ]


def _through_gap(gap: Expr) -> tuple[Expr, dict[Expr, Expr]]:
    """phi written as tau + w, rescaled heads kept: then powers of w = phi - tau are seen."""
    rescaled = [node for name in "GHK" for node in _pick(gap, name)]
    pairs = {tuple(sorted(node.args[:2], key=str)) for node in rescaled}
    if len(pairs) != 1:
        return gap, {}
    ((first, second),) = pairs
    free = sorted(first.free_symbols - second.free_symbols, key=str)
    if not free or (first / free[0]).has(free[0]):
        return gap, {}
    x, w = free[0], sp.Dummy("w", real=True)
    kept = {node: sp.Dummy(positive=True) for node in gap.atoms(AppliedUndef) if node.has(x)}
    gap = plain(gap).xreplace(kept).subs(x, (second + w) / (first / x))
    return gap, {w: first - second, **{dummy: node for node, dummy in kept.items()}}


def _by_sign(terms: list[Expr], common: Expr) -> list[tuple[Expr, Expr, Kind]]:
    """Expression, factor and kind of each."""
    positive = [term for term in terms if manifestly_nonnegative(term)]
    negative = [-term for term in terms if term not in positive and manifestly_nonnegative(-term)]
    if len(positive) + len(negative) < len(terms) or not positive or not negative:
        return [(sp.Add(*terms), common, "plain")]
    more, less = sp.Add(*positive), sp.Add(*negative)
    if len(positive) == 1:
        ratio = sp.Add(*(term / more for term in negative))
        return [
            (1 - ratio, common * more, "plain"),
            (-sp.log(ratio), common * less, "logarithmic"),
        ]
    if len(negative) == 1:
        ratio = sp.Add(*(term / less for term in positive))
        return [
            (ratio - 1, common * less, "plain"),
            (sp.log(ratio), common * less, "logarithmic"),
        ]
    return [
        (more - less, common, "plain"),
        (sp.log(more) - sp.log(less), common * less, "logarithmic"),
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
