"""A claim over a box: an identity, refuted, certified leaf by leaf, or undecided and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

from flint import ctx
from sympy.core.function import AppliedUndef

from numerics.certified.pair_ranges import ALL_LEMMAS
from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.boxes import search
from proofs_check.boxes.certificate import Certificate, FormText, LeafData, Rejected, tiling_fault
from proofs_check.boxes.forms import Form, spell
from proofs_check.boxes.identity import vanishes
from proofs_check.conjectures.box import Box
from proofs_check.verdict import Verdict
from theorems.language import Claim

if TYPE_CHECKING:
    from proofs_check.conjectures.refuter import Witness

FIRST_SLICE = 0.6  # seconds of proving before the refuter is asked
REFUTER_SECONDS = 5.0
MOST_LEAVES, MOST_POINTS = 32, 256  # at which the smallest slack is looked up


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a claim over a box.

    margin: the smallest slack met, relative to the larger side, and `worst` where; stuck: the box
    on which it got stuck; why: in words, where undecided.
    """

    verdict: Verdict
    certificate: Certificate
    margin: float | None = None
    worst: tuple[tuple[str, Fraction], ...] = ()
    witness: Witness | None = None
    stuck: Box | None = None
    why: str = ""
    decided: float = 0.0  # fraction of the box


def decide(
    claim: Claim,
    text: str,
    box: Box,
    definitions: Definitions,
    deadline: float,
    progress: Callable[[search.State], None] = lambda state: None,
    resumed: Certificate | None = None,
) -> tuple[Outcome, bool]:
    """The outcome, and whether Ctrl-C cut it short; Rejected if `resumed` is of another claim.

    text: the claim in the language of conjectures. deadline: of time.monotonic().
    """
    base = Certificate(text, box, "UNDECIDED")
    if vanishes(claim.right - claim.left, definitions) and claim.relation != "<":
        return Outcome(Verdict.PROVED, replace(base, verdict="PROVED")), False
    if claim.relation == "=":
        return _not_identical(claim, base, definitions, deadline), False
    try:
        prepared = search.prepare(claim, box, definitions)
    except Unreachable as reason:
        outcome = _refuted(claim, base, definitions, deadline)
        return outcome or Outcome(Verdict.UNDECIDED, base, why=str(reason)), False
    state = search.State([(box, 0)])
    if resumed is not None:
        state = _resume(resumed, base, prepared)
    outcome, interrupted = None, False
    try:
        search.run(prepared, state, min(deadline, time.monotonic() + FIRST_SLICE), progress)
        if not state.done:
            outcome = _refuted(claim, base, definitions, deadline, state.suspect)
            if outcome is None:
                state.suspect = None
                search.run(prepared, state, deadline, progress)
    except KeyboardInterrupt:
        interrupted = True
    if outcome is None:
        outcome = _outcome(base, prepared, state, "it was interrupted" if interrupted else "")
    return outcome, interrupted


def _not_identical(
    claim: Claim, base: Certificate, definitions: Definitions, deadline: float
) -> Outcome:
    why = "no identity is found, nor a point where the sides differ"
    return _refuted(claim, base, definitions, deadline) or Outcome(Verdict.UNDECIDED, base, why=why)


def _refuted(
    claim: Claim,
    base: Certificate,
    definitions: Definitions,
    deadline: float,
    suspect: dict[str, Fraction] | None = None,
) -> Outcome | None:
    from proofs_check.conjectures.refuter import certify, refute

    seconds = min(REFUTER_SECONDS, max(0.1, deadline - time.monotonic()))
    witness = refute(claim, base.box, definitions, seconds=seconds)
    if witness is None and suspect is not None:
        witness = certify(claim, suspect, definitions)
    if witness is None:
        return None
    point = tuple(witness.point.items())
    found = replace(base, verdict="REFUTED", witness=point)
    return Outcome(Verdict.REFUTED, found, witness=witness)


def _outcome(
    base: Certificate,
    prepared: search.Search,
    state: search.State,
    why: str,
) -> Outcome:
    verdict = Verdict.CERTIFIED if state.done else Verdict.UNDECIDED
    used = sorted({leaf.form for leaf in state.leaves})
    place = {form: i for i, form in enumerate(used)}
    waiting = tuple(state.waiting) + (((state.stuck, 0),) if state.stuck else ())
    certificate = replace(
        base,
        verdict=verdict.name,
        forms=tuple(_form_text(prepared.compiled[i].form) for i in used),
        leaves=tuple(LeafData(leaf.box, place[leaf.form], leaf.faces) for leaf in state.leaves),
        waiting=waiting,
        lemmas=_lemmas(prepared.compiled[i].form for i in used),
    )
    margin, worst = _slack(prepared, state.leaves)
    if state.done:
        why = ""
    elif state.stuck is not None:
        why = "a box as narrow as 2^-40 is not decided: an equality, or a margin below its rounding"
    why = why or ("" if state.done else "the time is over")
    return Outcome(
        verdict, certificate, margin, worst, None, state.stuck, why, float(state.decided)
    )


def _form_text(form: Form) -> FormText:
    return FormText(spell(form.expr), spell(form.factor), form.logarithmic)


def _lemmas(forms: Iterable[Form]) -> tuple[str, ...]:
    heads = {node.func.__name__ for form in forms for node in form.expr.atoms(AppliedUndef)}
    return tuple(dict.fromkeys(lemma for head in sorted(heads) for lemma in ALL_LEMMAS[head]))


def _slack(
    prepared: search.Search, leaves: list[search.Leaf]
) -> tuple[float | None, tuple[tuple[str, Fraction], ...]]:
    """The smallest relative slack on a coarse grid of the leaves with the smallest margins."""
    tightest = sorted(leaves, key=lambda leaf: leaf.margin)[:MOST_LEAVES]
    points = (point for leaf in tightest for point in (leaf.tightest, *_grid(leaf.box)))
    slacks = [
        (slack, p)
        for p in islice(points, MOST_POINTS)
        if (slack := search.slack(prepared, p)) is not None
    ]
    if not slacks:
        return None, ()
    slack, point = min(slacks, key=lambda found: found[0])
    return slack, tuple(point.items())


def _grid(box: Box) -> Iterator[dict[str, Fraction]]:
    """Ends and middles of every side, and 0 where it lies inside."""
    marks = [
        {low, (low + high) / 2, high} | ({Fraction(0)} if low < 0 < high else set())
        for _, low, high in box.sides
    ]
    return (dict(zip(box.names, place, strict=True)) for place in product(*map(sorted, marks)))


def _resume(resumed: Certificate, base: Certificate, prepared: search.Search) -> search.State:
    """What a certificate of the same claim and box holds, each leaf tried again."""
    if (resumed.conjecture, resumed.box) != (base.conjecture, base.box):
        raise Rejected(f"the certificate is of another claim: {resumed.conjecture}")
    parts = [*(leaf.box for leaf in resumed.leaves), *(box for box, _ in resumed.waiting)]
    if parts and (fault := tiling_fault(base.box, parts)):
        raise Rejected(f"the certificate is not of one box: {fault}")
    known = {_form_text(c.form): i for i, c in enumerate(prepared.compiled)}
    state = search.State(list(resumed.waiting) if parts else [(base.box, 0)])
    for leaf in resumed.leaves:
        form = known.get(resumed.forms[leaf.form]) if leaf.form < len(resumed.forms) else None
        found = None
        if form is not None:
            with ctx.workprec(search.BITS):
                found = search.attempt(prepared, form, leaf.box).leaf
        if found is None:
            state.waiting.append((leaf.box, 0))
        else:
            state.leaves.append(found)
    return state
