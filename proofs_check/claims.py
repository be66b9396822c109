"""Tries a claim at points: both sides in balls, and once more with every quantity measured by the
precise lane from its definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from numerics.certified.enclosure import bounds, enclose
from numerics.expression import Definitions
from numerics.point import Unreachable
from proofs_check.catalogue import definitions
from proofs_check.draws import draw, show, texts
from proofs_check.expressions import heads
from proofs_check.measured import measure
from proofs_check.results import Evidence, counted
from proofs_check.verdict import Verdict
from theorems.language import Claim, Parameter, Theorem

MOST_ROUNDS = 3
DIGITS = 12
PRECISE_DIGITS = 8  # the agreement of the lanes asks for more, where it has all of them to judge
SHOWN_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim at one point: does it hold (None: the balls do not tell), by what slack, and the
    two sides as they were enclosed."""

    holds: bool | None
    slack: arb
    left: arb
    right: arb


def parameters_of(claim: Claim, parameters: Sequence[Parameter]) -> list[Parameter]:
    """The parameters that a claim speaks of."""
    symbols = set().union(*(side.free_symbols for side in (claim.left, claim.right, *claim.where)))
    return [parameter for parameter in parameters if parameter.symbol in symbols]


def compare(
    claim: Claim, point: Mapping[str, Fraction], digits: int, table: Definitions
) -> list[Comparison]:
    """Each component of a claim at a point, in balls; the precision rises until they tell.

    Raises Unreachable where a side has no enclosure.
    """
    for _ in range(MOST_ROUNDS):
        left = enclose(claim.left, point, digits, table)
        right = enclose(claim.right, point, digits, table)
        with ctx.workprec(4 * digits + 64):
            found = [
                _compare(a, b, claim.relation, digits) for a, b in zip(left, right, strict=True)
            ]
        if all(comparison.holds is not None for comparison in found):
            break
        digits *= 2
    return found


def _compare(left: arb, right: arb, relation: str, digits: int) -> Comparison:
    size = abs(left).max(abs(right))
    gap = right - left
    slack = gap / size if size != 0 else arb(0)
    if relation == "=":
        # against an exact 0 there are no relative digits to ask for
        scale = arb(1) if left.is_zero() or right.is_zero() else size * 1000
        close = abs(gap) <= scale * arb(10) ** -digits
        holds = False if not left.overlaps(right) else (True if close else None)
    elif relation == "<":
        holds = True if left < right else (False if left >= right else None)
    else:
        holds = True if left <= right else (False if left > right else None)
    return Comparison(holds, slack, left, right)


def at_points(
    claim: Claim, theorem: Theorem, catalogue: Mapping[str, Theorem], points: int, seed: int
) -> tuple[Evidence, ...]:
    """What the certified and the precise lane say of a claim at points of its box."""
    own = parameters_of(claim, theorem.variables)
    places = draw(own, points, f"{seed}:{claim.id}", claim.where, claim.box)
    if not places:
        vacuous = "no point of the box satisfies its hypotheses"
        return (Evidence("certified", Verdict.UNDECIDED, vacuous),)
    return (
        _certified(claim, places, definitions(catalogue, theorem.argument().auxiliary), DIGITS),
        _precise(claim, places[: max(1, points // 3)], catalogue, PRECISE_DIGITS),
    )


def _certified(
    claim: Claim, places: Sequence[Mapping[str, Fraction]], table: Definitions, digits: int
) -> Evidence:
    slacks: list[tuple[float, Mapping[str, Fraction]]] = []
    for place in places:
        try:
            found = compare(claim, place, digits, table)
        except Unreachable as reason:
            return Evidence("certified", None, f"at {show(place)}: {reason}")
        for comparison in found:
            if comparison.holds is not True:
                return failure(comparison, place)
            slacks.append((_slack(comparison, claim.relation), place))
    worst = max if claim.relation == "=" else min
    slack, place = worst(slacks, key=lambda found: found[0])
    note = f"{counted(len(places), 'point')}; {digits} digits"
    return Evidence("certified", Verdict.SUPPORTED, note, f"{slack:.3g}", texts(place))


def failure(comparison: Comparison, place: Mapping[str, Fraction]) -> Evidence:
    """A claim that fails at a point, with both sides as its witness; or what is left open."""
    note = f"at {show(place)}: {sides(comparison)}"
    verdict = Verdict.REFUTED if comparison.holds is False else Verdict.UNDECIDED
    return Evidence("certified", verdict, note, worst=texts(place))


def sides(comparison: Comparison) -> str:
    """Both sides as enclosed, rounded outward."""
    return f"left in {_interval(comparison.left)}, right in {_interval(comparison.right)}"


def _slack(comparison: Comparison, relation: str) -> float:
    if relation == "=":
        return float(abs(comparison.slack).abs_upper())
    return float(comparison.slack.lower())


def _interval(ball: arb) -> str:
    return "[" + ", ".join(bounds(ball, SHOWN_DIGITS)) + "]"


def _precise(
    claim: Claim,
    places: Sequence[Mapping[str, Fraction]],
    catalogue: Mapping[str, Theorem],
    digits: int,
) -> Evidence:
    if not heads(claim.left) | heads(claim.right):
        return Evidence("precise", None, "it holds no quantity to measure")
    for place in places:
        try:
            left = measure(claim.left, place, digits, catalogue)
            right = measure(claim.right, place, digits, catalogue)
        except Unreachable as reason:
            return Evidence("precise", None, f"at {show(place)}: {reason}")
        size = max(abs(value) for value in (*left, *right))
        for a, b in zip(left, right, strict=True):
            excess = abs(a - b) if claim.relation == "=" else a - b
            # against an exact 0 there are no relative digits to ask for
            if excess > (size if a and b else 1) * size.context.mpf(10) ** -digits:
                note = f"at {show(place)} the definitions give {a} against {b}"
                return Evidence("precise", Verdict.REFUTED, note)
    return Evidence(
        "precise",
        Verdict.SUPPORTED,
        f"{len(places)} point{'s' if len(places) > 1 else ''}; {digits} digits",
    )
