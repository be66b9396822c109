"""Checks a proof link by link: every reason a declaration gives is verified here.

A claim is PROVED when its chain leads from its left side to its right side and every link holds by
its reason. A link whose check ends without an answer, or not in time, leaves the claim UNDECIDED.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass

import sympy as sp

from proofs_check.expressions import components, instance, substitute, unfold
from proofs_check.results import Step
from proofs_check.symbolic.deadline import TimeLimit, within
from proofs_check.symbolic.normal_form import (
    is_zero,
    manifestly_nonnegative,
    manifestly_positive,
    vanishes_at_infinity,
)
from proofs_check.verdict import Verdict
from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Divergence,
    Expr,
    Given,
    Link,
    Path,
    Relation,
    Substitution,
    Use,
)

SECONDS_PER_LINK = 20.0


@dataclass(frozen=True, slots=True)
class Proof:
    """What the symbolic lane says of a claim: PROVED (assuming what is cited) or UNDECIDED."""

    verdict: Verdict
    steps: tuple[Step, ...] = ()
    assumes: tuple[str, ...] = ()
    why: str = ""


Known = MutableMapping[str, Proof]


def prove(
    claim: Claim | Path, known: Known | None = None, seconds: float = SECONDS_PER_LINK
) -> Proof:
    """The proof of a claim, checked; `known` holds those already checked in this run, by id."""
    known = {} if known is None else known
    if claim.id not in known:
        known[claim.id] = (
            _follow(claim, known, seconds)
            if isinstance(claim, Path)
            else _chain(claim, known, seconds)
        )
    return known[claim.id]


def _follow(path: Path, known: Known, seconds: float) -> Proof:
    if path.by is None:
        return Proof(Verdict.UNDECIDED, why="no derivation is declared")
    step, assumes = _cited("along the path", path.relation, path.by, known, seconds)
    return Proof(step.verdict, (step,), assumes, step.why)


def _chain(claim: Claim, known: Known, seconds: float) -> Proof:
    if not claim.proof:
        return Proof(Verdict.UNDECIDED, why="no derivation is declared")
    steps: list[Step] = []
    assumes: dict[str, None] = {}
    before = claim.left
    for link in claim.proof:
        step, cited = _link(before, link, claim, known, seconds)
        steps.append(step)
        assumes |= dict.fromkeys(cited)
        before = link.to
    why = next((f"{s.name}: {s.why}" for s in steps if s.verdict is not Verdict.PROVED), "")
    why = why or _gap(before, claim)
    verdict = Verdict.UNDECIDED if why else Verdict.PROVED
    return Proof(verdict, tuple(steps), tuple(assumes), why)


def _gap(reached: Expr, claim: Claim) -> str:
    """Why a chain of valid links is still not a proof of the claim, or nothing."""
    if reached != claim.right and is_zero(reached - claim.right) is not True:
        return "the chain does not end at the right side"
    relations = {link.relation for link in claim.proof}
    if claim.relation == "=" and relations != {"="}:
        return "an equality needs equalities"
    if claim.relation == "<" and "<" not in relations:
        return "a strict order needs a strict link"
    return ""


def _link(
    before: Expr, link: Link, claim: Claim, known: Known, seconds: float
) -> tuple[Step, tuple[str, ...]]:
    if isinstance(link.by, Cited):
        return _cited(link.name, link.relation, link.by, known, seconds)
    if isinstance(link.by, Given):
        return _given(before, link, claim), ()
    assumes: tuple[str, ...] = ()
    why = ""
    if isinstance(link.by, Combination):
        why, assumes = _uses(link.by.uses, claim, known, seconds)
    if not why:
        try:
            with within(seconds):
                why = _check(before, link, claim.where)
        except TimeLimit as limit:
            why = str(limit)
    verdict = Verdict.UNDECIDED if why else Verdict.PROVED
    return Step(link.name, link.relation, type(link.by).__name__.lower(), verdict, why), assumes


def _given(before: Expr, link: Link, claim: Claim) -> Step:
    relation = {"=": sp.Eq, "<=": sp.Le, "<": sp.Lt}[link.relation](before, link.to)
    given = relation in claim.where or relation.reversed in claim.where
    why = "" if given else "it is not among the hypotheses"
    verdict = Verdict.PROVED if given else Verdict.UNDECIDED
    return Step(link.name, link.relation, "given", verdict, why)


def _cited(
    name: str, relation: Relation, cited: Cited, known: Known, seconds: float
) -> tuple[Step, tuple[str, ...]]:
    proofs = [(premise.id, prove(premise, known, seconds)) for premise in cited.premises]
    open_premise = next((id for id, p in proofs if p.verdict is not Verdict.PROVED), "")
    why = f"premise {open_premise} is not proved" if open_premise else ""
    assumes = tuple(dict.fromkeys((cited.theorem, *(a for _, p in proofs for a in p.assumes))))
    verdict = Verdict.UNDECIDED if why else Verdict.PROVED
    return Step(name, relation, f"cited: {cited.theorem}", verdict, why), assumes


def _uses(
    uses: tuple[Use, ...], claim: Claim, known: Known, seconds: float
) -> tuple[str, tuple[str, ...]]:
    assumes: tuple[str, ...] = ()
    for use in uses:
        proof = prove(use.claim, known, seconds)
        if proof.verdict is not Verdict.PROVED:
            return f"{use.claim.id} is not proved", ()
        for symbol, value in use.at.items():
            if symbol.is_positive and not manifestly_positive(value):
                return f"{use.claim.id} is used at {symbol} = {value}, not manifestly positive", ()
            if symbol.is_nonnegative and not manifestly_nonnegative(value):
                return f"{use.claim.id} is used at {symbol} = {value}, perhaps negative", ()
            if symbol.is_integer and not value.is_integer:
                return f"{use.claim.id} is used at {symbol} = {value}, perhaps no integer", ()
        hypotheses = {h.subs(use.at, simultaneous=True) for h in use.claim.where} - {sp.true}
        if not hypotheses <= set(claim.where):
            return f"{use.claim.id} needs hypotheses that are not given here", ()
        assumes += proof.assumes
    return "", assumes


def _check(before: Expr, link: Link, where: tuple[Expr, ...]) -> str:
    """Why the link does not hold by its reason; empty when it does. Vectors by components."""
    left, right = components(before), components(link.to)
    if len(left) != len(right):
        return "both sides differ in their number of components"
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        why = _component(a, b, index, link, where)
        if why:
            return why
    return ""


def _component(a: Expr, b: Expr, index: int, link: Link, where: tuple[Expr, ...]) -> str:
    match reason := link.by:
        case Combination():
            return _combination(a, b, link.relation, reason, where)
        case _ if link.relation != "=":
            return "this reason gives equalities only"
        case Algebra(unfold=quantities):
            return _zero(unfold(a - b, quantities))
        case Substitution(old=old, new=new, value=value):
            slope = sp.diff(value, new)
            if new in slope.free_symbols or not (
                manifestly_positive(slope) or manifestly_positive(-slope)
            ):
                return "the substitution is not seen to be affine and not constant"
            return _zero(substitute(a, old, new, value) - b)
        case Divergence():
            return _divergence(a, b, index, reason)
    raise TypeError(f"unknown reason {reason!r}")


def _divergence(a: Expr, b: Expr, index: int, reason: Divergence) -> str:
    total = sp.S.Zero
    for variable, flux in reason.fluxes:
        flux_component = components(flux)[index if isinstance(flux, sp.Tuple) else 0]
        if not vanishes_at_infinity(flux_component, variable):
            return f"the flux along {variable} is not seen to vanish at infinity"
        total += sp.diff(flux_component, variable)
    limits = [(variable, -sp.oo, sp.oo) for variable in reason.over]
    return _zero(unfold(a - b, reason.unfold) - sp.Integral(total, *limits))


def _combination(
    a: Expr, b: Expr, relation: Relation, reason: Combination, where: tuple[Expr, ...]
) -> str:
    used = sum((_instance(use) for use in reason.uses), sp.S.Zero)
    remainder = reason.remainder
    why = _zero(unfold(b - a - used - remainder, reason.unfold))
    if why:
        return why
    if relation == "=":
        orders = any(use.claim.relation != "=" for use in reason.uses)
        return "an equality needs equalities" if orders or is_zero(remainder) is not True else ""
    for use in reason.uses:
        if use.claim.relation != "=" and not manifestly_nonnegative(_supposing(use.times, where)):
            return f"the factor of {use.claim.id} is not manifestly nonnegative"
    remainder = _supposing(remainder, where)
    if not manifestly_nonnegative(remainder):
        return "the remainder is not manifestly nonnegative"
    strict = manifestly_positive(remainder) or any(
        use.claim.relation == "<" and manifestly_positive(_supposing(use.times, where))
        for use in reason.uses
    )
    return "" if relation == "<=" or strict else "nothing makes the order strict"


def _supposing(expr: Expr, where: tuple[Expr, ...]) -> Expr:
    """expr with larger − smaller of every hypothesis, where it stands so, as a symbol of known
    sign; not where an integral, a derivative or a place it is taken at binds one of its symbols, of
    which nothing is supposed there."""
    binders = expr.atoms(sp.Integral, sp.Derivative, sp.Subs)
    bound = {variable for binder in binders for variable in binder.variables}
    signs = {
        order.gts - order.lts: sp.Dummy(positive=True) if strict else sp.Dummy(nonnegative=True)
        for order in where
        if (strict := isinstance(order, sp.Lt | sp.Gt)) or isinstance(order, sp.Le | sp.Ge)
    }
    return expr.xreplace({gap: sign for gap, sign in signs.items() if not gap.free_symbols & bound})


def _instance(use: Use) -> Expr:
    """times·(right − left) of the claim used, at its arguments."""
    gap = use.claim.right - use.claim.left
    return use.times * instance(gap, use.at)


def _zero(difference: Expr) -> str:
    answer = is_zero(difference)
    if answer is True:
        return ""
    return "the two sides differ" if answer is False else "the difference has no normal form 0"
