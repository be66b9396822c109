"""Parts of a search, each on its own: in this process, or spread over an executor's workers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import lru_cache

from proofs_check.boxes import search
from proofs_check.boxes.attempt import Search, prepare
from proofs_check.boxes.certificate import show
from proofs_check.boxes.statement import Question, find
from proofs_check.conjectures.refuter import certify

TASKS = 64


def explored(
    prepared: Search,
    part: search.Waiting,
    deadline: float,
    progress: Callable[[search.State], None] = lambda state: None,
    most: float = math.inf,
) -> search.State:
    """What becomes of a part; a suspect that balls do not convict is let go."""
    state = search.State([part])
    while True:
        search.run(prepared, state, deadline, progress, most)
        if state.suspect is None or certify(prepared.claim, state.suspect, prepared.definitions):
            return state
        state.suspect = None


def spread(
    executor: Executor, question: Question, parts: tuple[search.Waiting, ...], deadline: float
) -> Iterator[search.State]:
    """The same of every part, in their order; what is not asked for any more is cancelled."""
    sides = tuple(show(question.box).split())
    futures = [
        executor.submit(_explored, question.id or question.text, sides, part, deadline)
        for part in parts
    ]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def _explored(
    statement: str, sides: tuple[str, ...], part: search.Waiting, deadline: float
) -> search.State:
    return explored(_prepared(statement, sides), part, deadline)


@lru_cache(maxsize=1)
def _prepared(statement: str, sides: tuple[str, ...]) -> Search:
    """A worker is sent many parts of one search: its values at corners are kept between them."""
    question = find(statement, sides)
    return prepare(question.claim, question.box, question.definitions)
