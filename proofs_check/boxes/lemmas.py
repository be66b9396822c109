"""What a claim rests on, claim by claim, down to the definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from theorems.language import Cited, Claim, Combination, Path, Theorem


def behind(ids: Iterable[str], theorems: Mapping[str, Theorem]) -> set[str]:
    """The claims of those ids, and every claim that their proofs use."""
    ids = set(ids)
    named = [theorem for name, theorem in theorems.items() if any(i.startswith(name) for i in ids)]
    declared = (claim for theorem in named for claim in theorem.claims)
    waiting = [claim for claim in declared if claim.id in ids]
    while waiting:
        for claim in _used(waiting.pop()):
            if claim.id not in ids:
                ids.add(claim.id)
                waiting.append(claim)
    return ids


def _used(claim: Claim | Path) -> Iterator[Claim]:
    reasons = (claim.by,) if isinstance(claim, Path) else (link.by for link in claim.proof)
    for reason in reasons:
        if isinstance(reason, Combination):
            yield from (use.claim for use in reason.uses)
        elif isinstance(reason, Cited):
            yield from reason.premises
