"""What a declaration must satisfy before anything in it is checked, as a list of complaints.

Nothing is proved or evaluated here: symbols are declared, boxes lie in their domains, ids name one
claim each, every lane answers or says why not, and every claim is named by a control.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import sympy as sp

from proofs_check import catalogue as lanes
from proofs_check.claims import parameters_of
from proofs_check.draws import draw
from proofs_check.expressions import components
from proofs_check.symbolic.normal_form import manifestly_positive
from theorems.language import (
    Cited,
    Claim,
    Combination,
    Control,
    Expr,
    Lane,
    Parameter,
    Path,
    Process,
    Quantity,
    System,
    Theorem,
)

_MEASURED: tuple[Lane, ...] = ("precise", "monte_carlo")


def lint(theorem: Theorem, catalogue: Mapping[str, Theorem]) -> list[str]:
    """The complaints about a theorem's declaration, one sentence each; none if it is in order."""
    return list(
        chain(
            _repeated("id", [c.id for c in (*theorem.claims, *theorem.controls)]),
            chain.from_iterable(map(_parameter, theorem.variables)),
            _quantities(theorem, catalogue),
            chain.from_iterable(_claim(claim, theorem) for claim in theorem.claims),
            chain.from_iterable(_control(control, theorem) for control in theorem.controls),
            _coverage(theorem),
            _one_claim_an_id(theorem),
        )
    )


def _repeated(what: str, names: list[str]) -> Iterator[str]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"the {what} {name} is declared {names.count(name)} times"


def _parameter(p: Parameter) -> Iterator[str]:
    if p.symbol.name != p.name:
        yield f"{p.name}: its symbol is called {p.symbol.name}"
    if not isinstance(p.domain, sp.Interval | sp.Range):
        yield f"{p.name}: its domain {p.domain} is not an interval, nor a range of integers"
        return
    if (p.symbol.is_nonnegative and p.domain.inf < 0) or (p.symbol.is_positive and 0 in p.domain):
        yield f"{p.name}: its symbol assumes more than its domain {p.domain}"
    if not _within(p.box, p.domain):
        yield f"{p.name}: its box {p.box} is not a rational part of its domain {p.domain}"
    if not p.typical.is_Rational or p.typical not in p.domain:
        yield f"{p.name}: its typical value {p.typical} is not a rational in {p.domain}"


def _within(box: tuple[Expr, Expr], domain: Expr) -> bool:
    low, high = box
    if isinstance(domain, sp.Range):
        return bool(low in domain and high in domain and low < high)
    exact = isinstance(domain, sp.Interval) and low.is_Rational and high.is_Rational
    return bool(exact and domain.start <= low < high <= domain.end)


def _quantities(theorem: Theorem, catalogue: Mapping[str, Theorem]) -> Iterator[str]:
    public = [quantity for each in catalogue.values() for quantity in each.quantities]
    own = (*theorem.quantities, *theorem.argument().auxiliary)
    distinct = {id(quantity): quantity for quantity in (*public, *own)}.values()
    yield from _repeated("symbol", [quantity.symbol for quantity in distinct])
    yield from _repeated("quantity", [q.name for q in theorem.quantities])
    claimed = {
        sides
        for each in catalogue.values()
        for claim in each.claims
        if claim.relation == "="
        for sides in ((claim.left, claim.right), (claim.right, claim.left))
    }
    for quantity in own:
        yield from _quantity(quantity, claimed)
    for quantity in theorem.quantities:
        for lane in _MEASURED:
            yield from _measured(quantity, lane, theorem)


def _quantity(quantity: Quantity, claimed: set[tuple[Expr, Expr]]) -> Iterator[str]:
    known = {parameter.symbol for parameter in quantity.parameters}
    yield from _expressions(quantity.name, (quantity.definition, quantity.formula), known)
    exact = not quantity.definition.has(sp.Float)
    if exact and quantity.positive and not manifestly_positive(quantity.definition):
        yield f"{quantity.name}: its definition is not manifestly positive"
    pairs = zip(components(quantity.definition), components(quantity.formula), strict=True)
    for definition, formula in pairs:
        equalities = {(definition, formula), (quantity.head, formula)}
        if definition != formula and not equalities & claimed:
            yield f"{quantity.name}: nothing claims that its formula is its definition"


def _measured(quantity: Quantity, lane: Lane, theorem: Theorem) -> Iterator[str]:
    name = f"{theorem.name}.{quantity.name}"
    found = getattr(lanes.lane_module(lane, theorem.name), quantity.name, None)
    if lane in quantity.exempt:
        if not quantity.exempt[lane].strip():
            yield f"{name}: it is exempt from the lane {lane} without a reason"
        if found is not None:
            yield f"{name}: it is exempt from the lane {lane}, which measures it"
        return
    if found is None:
        yield f"{name}: the lane {lane} neither measures it nor says why not"
        return
    names = [parameter for parameter in inspect.signature(found).parameters if parameter != "ctx"]
    if set(names) != {parameter.name for parameter in quantity.parameters}:
        yield f"{name}: the lane {lane} measures a function of {', '.join(names)}"


def _claim(claim: Claim | Path, theorem: Theorem) -> Iterator[str]:
    if not re.fullmatch(rf"{theorem.name}\.[a-z]\.[a-z0-9_]+", claim.id):
        yield f"{claim.id}: its id is not {theorem.name}.letter.slug"
    known = {parameter.symbol for parameter in theorem.variables}
    if isinstance(claim, Path):
        process = claim.process
        if isinstance(process, Process):
            known |= {process.state.symbol, process.start.symbol, process.time}
        yield from _expressions(claim.id, (claim.left, claim.right, *_motion(process)), known)
        return
    yield from _expressions(claim.id, (claim.left, claim.right, *claim.where), known)
    for parameter, box in claim.box.items():
        if not _within(box, parameter.domain):
            yield f"{claim.id}: its box {box} is not a rational part of {parameter.domain}"
    own = parameters_of(claim, theorem.variables)
    exact = all(_within(claim.box.get(p, p.box), p.domain) for p in own)
    if exact and not draw(own, 1, claim.id, claim.where, claim.box):
        yield f"{claim.id}: no point of its box satisfies its hypotheses"


def _motion(process: Process | System) -> tuple[Expr, ...]:
    return process.rate if isinstance(process, System) else (process.velocity,)


def _expressions(name: str, found: Iterable[Expr], known: set[Expr]) -> Iterator[str]:
    for expr in found:
        if expr.has(sp.Float):
            yield f"{name}: it holds a float"
        if foreign := expr.free_symbols - known:
            yield f"{name}: it holds undeclared symbols {', '.join(sorted(map(str, foreign)))}"


def _control(control: Control, theorem: Theorem) -> Iterator[str]:
    if not re.fullmatch(rf"{theorem.name}\.control\.[a-z0-9_]+", control.id):
        yield f"{control.id}: its id is not {theorem.name}.control.slug"
    if control.variant is None and not control.invariant:
        yield f"{control.id}: it has neither a variant nor an invariant"
    if not control.of:
        yield f"{control.id}: it is a control of no claim"
    for unknown in sorted(set(control.of) - {claim.id for claim in theorem.claims}):
        yield f"{control.id}: there is no claim {unknown}"
    for parameter, value in control.hint.items():
        if not value.is_Rational or value not in parameter.domain:
            yield f"{control.id}: its hint {parameter.name} = {value} is not in the domain"


def _coverage(theorem: Theorem) -> Iterator[str]:
    named = {id for control in theorem.controls for id in control.of}
    for claim in theorem.claims:
        if claim.id not in named:
            yield f"{claim.id}: no control names it"


def _one_claim_an_id(theorem: Theorem) -> Iterator[str]:
    """Proofs are kept by id: a second claim under the same id would be taken as proved."""
    invariants = (claim for control in theorem.controls for claim in control.invariant)
    waiting: list[Claim | Path] = [*theorem.claims, *invariants]
    seen: dict[str, Claim | Path] = {}
    while waiting:
        claim = waiting.pop()
        if claim.id not in seen:
            seen[claim.id] = claim
            waiting += _behind(claim)
        elif seen[claim.id] is not claim and seen[claim.id] != claim:
            yield f"{claim.id}: two different claims have this id"


def _behind(claim: Claim | Path) -> list[Claim]:
    """The claims that a proof rests on at once."""
    reasons = [claim.by] if isinstance(claim, Path) else [link.by for link in claim.proof]
    premises = [p for reason in reasons if isinstance(reason, Cited) for p in reason.premises]
    used = [u.claim for r in reasons if isinstance(r, Combination) for u in r.uses]
    return premises + used
