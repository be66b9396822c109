"""A claim over a box: an identity, refuted, certified leaf by leaf, or undecided and why."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, TypeAlias

from flint import ctx
from sympy.core.function import AppliedUndef

from numerics.certified.range_lemmas import LEMMAS
from numerics.point import Unreachable
from proofs_check.boxes import attempt, lemmas, search
from proofs_check.boxes.certificate import Certificate, FormText, LeafData, Rejected, tiling_fault
from proofs_check.boxes.forms import SIGN_LEMMAS, Form
from proofs_check.boxes.identity import manifest, vanishes
from proofs_check.boxes.rewriting import spell
from proofs_check.boxes.statement import Question
from proofs_check.boxes.workers import TASKS, explored, spread
from proofs_check.conjectures.box import Box
from proofs_check.verdict import Verdict

if TYPE_CHECKING:
    from proofs_check.conjectures.refuter import Witness

Progress: TypeAlias = Callable[[search.State], None]
FIRST_BOXES = 200  # looked at before the refuter is asked
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
    question: Question,
    deadline: float,
    progress: Progress = lambda state: None,
    resumed: Certificate | None = None,
    executor: Executor | None = None,
    most: float = math.inf,
) -> tuple[Outcome, bool]:
    """The outcome, and whether Ctrl-C cut it short.

    Raises Rejected if `resumed` is of another claim, InputError where nothing is defined.
    deadline: of time.monotonic(). Leaves do not depend on the executor, which shares the work.
    most: boxes that are looked at, where there is no executor: a limit that is the same anywhere.
    """
    claim = question.claim
    base = Certificate(question.text, question.box, "UNDECIDED", where=question.where)
    base = replace(base, claim=question.id, lemmas=question.lemmas)
    proved = Outcome(Verdict.PROVED, replace(base, verdict="PROVED"), decided=1.0)
    gap = claim.right - claim.left
    if claim.relation != "<" and vanishes(gap, question.definitions):
        return proved, False
    if claim.relation == "=":
        why = "no identity is found, nor a point where the sides differ"
        return _refuted(question, base, deadline) or _undecided(base, why), False
    try:
        prepared = attempt.prepare(claim, question.box, question.definitions)
    except Unreachable as reason:
        return _refuted(question, base, deadline) or _undecided(base, str(reason)), False
    state = search.State([search.Waiting(question.box)])
    if resumed is not None:
        state = _resume(resumed, base, prepared)
    outcome, interrupted = None, False
    try:
        from proofs_check.conjectures.refuter import refuse_undefined

        search.run(prepared, state, deadline, progress, FIRST_BOXES)
        if not state.done:
            if not state.leaves and state.suspect is None:
                refuse_undefined(claim, question.box, question.definitions)
            outcome = _refuted(question, base, deadline, state.suspect)
            outcome = outcome or (proved if manifest(claim) else None)
        if outcome is None and not state.done:
            state.suspect = None
            _go_on(question, prepared, state, deadline, progress, executor, most)
            if state.suspect is not None:
                outcome = _refuted(question, base, deadline, state.suspect)
    except KeyboardInterrupt:
        interrupted = True
    if outcome is None:
        over = time.monotonic() > deadline
        why = "the time is over" if over else f"{state.looked} boxes were not enough"
        why = "it was interrupted" if interrupted else why
        outcome = _outcome(question, base, prepared, state, why)
    return outcome, interrupted


def _undecided(base: Certificate, why: str) -> Outcome:
    return Outcome(Verdict.UNDECIDED, base, why=why)


def _refuted(
    question: Question,
    base: Certificate,
    deadline: float,
    suspect: dict[str, Fraction] | None = None,
) -> Outcome | None:
    from proofs_check.conjectures.refuter import certify, refute

    claim, definitions = question.claim, question.definitions
    seconds = min(REFUTER_SECONDS, max(0.1, deadline - time.monotonic()))
    witness = refute(claim, base.box, definitions, seconds=seconds)
    if witness is None and suspect is not None:
        witness = certify(claim, suspect, definitions)
    if witness is None:
        return None
    point = tuple(witness.point.items())
    found = replace(base, verdict="REFUTED", witness=point, lemmas=())
    return Outcome(Verdict.REFUTED, found, witness=witness)


def _go_on(
    question: Question,
    prepared: attempt.Search,
    state: search.State,
    deadline: float,
    progress: Progress,
    executor: Executor | None,
    most: float,
) -> None:
    """Works off what waits, cut into parts that are searched one by one, or by the executor."""
    while 0 < len(state.waiting) < TASKS and not (state.stuck or state.suspect):
        shallow = min(range(len(state.waiting)), key=lambda i: state.waiting[i].depth)
        with ctx.workprec(attempt.BITS):
            search.step(prepared, state, shallow - len(state.waiting))
        if time.monotonic() > deadline:
            return
    if executor is None:
        found: Iterable[search.State] = (
            explored(prepared, part, deadline, _beside(state, progress), most - state.looked)
            for part in reversed(tuple(state.waiting))
        )
    else:
        found = spread(executor, question, tuple(reversed(state.waiting)), deadline)
    for part in found:
        state.waiting.pop()
        state.leaves += part.leaves
        state.looked += part.looked
        state.waiting += part.waiting
        state.stuck, state.suspect = part.stuck, part.suspect
        progress(state)
        if not part.done:
            break


def _beside(state: search.State, progress: Progress) -> Progress:
    """Progress of a part, told with what is done and waits beside it."""

    def report(part: search.State) -> None:
        progress(search.State([*state.waiting[:-1], *part.waiting], [*state.leaves, *part.leaves]))

    return report


def _outcome(
    question: Question,
    base: Certificate,
    prepared: attempt.Search,
    state: search.State,
    why: str,
) -> Outcome:
    leaves = sorted(state.leaves, key=lambda leaf: leaf.box.sides)
    used = sorted({leaf.form for leaf in leaves})
    place = {form: i for i, form in enumerate(used)}
    forms = [prepared.compiled[i].form for i in used]
    waiting = [*state.waiting, *([state.stuck] if state.stuck else [])]
    certificate = replace(
        base,
        verdict="CERTIFIED" if state.done else "UNDECIDED",
        forms=tuple(_form_text(form) for form in forms),
        leaves=tuple(LeafData(leaf.box, place[leaf.form], leaf.faces) for leaf in leaves),
        waiting=tuple((each.box, each.depth) for each in waiting),
        lemmas=tuple(dict.fromkeys((*question.lemmas, *_lemmas(forms)))),
    )
    if state.done and _circular(question, certificate):
        return _undecided(base, "the ranges that would prove it over a box rest on it")
    margin, worst = _slack(prepared, leaves)
    if state.stuck is not None:
        why = "a box as narrow as 2^-40 is not decided: an equality, or a margin below its rounding"
    return Outcome(
        Verdict[certificate.verdict],
        certificate,
        margin,
        worst,
        None,
        state.stuck.box if state.stuck else None,
        "" if state.done else why,
        float(state.decided),
    )


def _circular(question: Question, certificate: Certificate) -> bool:
    """Whether a declared claim stands behind the lemmas that its own certificate uses."""
    used = lemmas.behind(certificate.lemmas, question.theorems) if question.id else ()
    return question.id in used


def _form_text(form: Form) -> FormText:
    return FormText(form.kind, spell(form.expr), spell(form.factor))


def _lemmas(forms: Iterable[Form]) -> Iterator[str]:
    """What the ranges of the forms, and the signs of their factors, rest on."""
    for table, exprs in (
        (LEMMAS, [form.expr for form in forms]),
        ({head: (lemma,) for head, lemma in SIGN_LEMMAS.items()}, [f.factor for f in forms]),
    ):
        heads = {node.func.__name__ for expr in exprs for node in expr.atoms(AppliedUndef)}
        for head in sorted(heads & table.keys()):
            yield from table[head]


def _slack(
    prepared: attempt.Search, leaves: list[attempt.Leaf]
) -> tuple[float | None, tuple[tuple[str, Fraction], ...]]:
    """The smallest relative slack on a coarse grid of the leaves with the smallest margins."""
    real = (leaf for leaf in leaves if prepared.compiled[leaf.form].form.kind != "hypothesis")
    tightest = sorted(real, key=lambda leaf: leaf.margin)[:MOST_LEAVES]
    points = (point for leaf in tightest for point in (leaf.tightest, *_grid(leaf.box)))
    slacks = [
        (slack, p)
        for p in islice(points, MOST_POINTS)
        if (slack := attempt.slack(prepared, p)) is not None
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


def _resume(resumed: Certificate, base: Certificate, prepared: attempt.Search) -> search.State:
    """What a certificate of the same claim and box holds, each leaf tried again."""
    mine, its = ((c.conjecture, c.where, c.box) for c in (base, resumed))
    if mine != its:
        raise Rejected(f"the certificate is of another claim: {resumed.conjecture}")
    parts = [*(leaf.box for leaf in resumed.leaves), *(box for box, _ in resumed.waiting)]
    if parts and (fault := tiling_fault(base.box, parts)):
        raise Rejected(f"the certificate is not of one box: {fault}")
    known = {_form_text(c.form): i for i, c in enumerate(prepared.compiled)}
    waiting = [search.Waiting(box, depth) for box, depth in resumed.waiting]
    state = search.State(waiting if parts else [search.Waiting(base.box)])
    for leaf in resumed.leaves:
        form = known.get(resumed.forms[leaf.form]) if leaf.form < len(resumed.forms) else None
        found = None
        if form is not None:
            with ctx.workprec(attempt.BITS):
                found = attempt.attempt(prepared, form, leaf.box).leaf
        if found is None:
            state.waiting.append(search.Waiting(leaf.box))
        else:
            state.leaves.append(found)
    return state
