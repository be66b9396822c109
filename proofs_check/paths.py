"""Tries a claim along a path: the time between two states by quadrature, the claim at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from numerics.point import Unreachable
from numerics.trajectories.scalar_flow import bracket, elapsed
from proofs_check.catalogue import definitions
from proofs_check.claims import compare
from proofs_check.draws import draw, rational, show, texts
from proofs_check.measured import measure
from proofs_check.results import Evidence, counted
from proofs_check.verdict import Verdict
from theorems.language import Claim, Path, Process, System, Theorem

DIGITS = 16
PRECISE_DIGITS = 8
_PIECES = 64
_CANDIDATES = 12


def at_time(path: Path, time: Any) -> Claim:
    """What the path claims at one instant, with that time put in."""
    left, right = (side.subs(path.process.time, time) for side in (path.left, path.right))
    return Claim(path.id, path.text, left, path.relation, right, "bound")


@dataclass(frozen=True, slots=True)
class Timed:
    """A start and a later state of a process, and the time between by each lane's velocities:
    (time, estimated error), or the reason why a lane has none."""

    place: Mapping[str, Fraction]
    times: Mapping[str, tuple[Any, Any] | str]


def timed(
    process: Process, theorem: Theorem, catalogue: Mapping[str, Theorem], points: int, seed: int
) -> tuple[Timed, ...]:
    """Pieces of paths from drawn starts, with velocities from the derived formula (in balls) and,
    on the first, from the precise lane."""
    table = definitions(catalogue, theorem.argument().auxiliary)

    def by_formula(place: Mapping[str, Fraction]) -> Any:
        return _text(_velocity(process, place, table))

    def by_definition(place: Mapping[str, Fraction]) -> Any:
        return measure(process.velocity, place, PRECISE_DIGITS, catalogue)[0]

    lanes = {"certified": (by_formula, DIGITS), "precise": (by_definition, PRECISE_DIGITS)}
    return tuple(
        Timed(
            place,
            {
                lane: _elapsed(process, place, velocity, digits)
                for lane, (velocity, digits) in lanes.items()
                if lane == "certified" or index == 0
            },
        )
        for index, place in enumerate(_ends(process, theorem, table, points, seed))
    )


def _elapsed(
    process: Process,
    place: Mapping[str, Fraction],
    velocity: Callable[[Mapping[str, Fraction]], Any],
    digits: int,
) -> tuple[Any, Any] | str:
    def at(state: Fraction) -> Any:
        return velocity({**place, process.state.name: state})

    try:
        return elapsed(at, place[process.start.name], place[process.state.name], digits)
    except Unreachable as reason:
        return str(reason)


def along(path: Path, pieces: Sequence[Timed], table: Definitions) -> tuple[Evidence, ...]:
    """What a claim along a path comes to at the ends of its pieces, by each lane's times."""
    if not pieces:
        return (Evidence("certified", Verdict.UNDECIDED, "no path of the box was found"),)
    return tuple(_lane(lane, path, pieces, table) for lane in ("certified", "precise"))


def _lane(lane: str, path: Path, pieces: Sequence[Timed], table: Definitions) -> Evidence:
    slacks = []
    for piece in pieces:
        found = piece.times.get(lane)
        if found is None:
            continue
        if isinstance(found, str):
            return Evidence(lane, None, f"at {show(piece.place)}: {found}")
        time, error = found
        try:
            instants = (time - error, time + error)
            ends = [_slack(path, piece.place, instant, table) for instant in instants]
        except Unreachable as reason:
            return Evidence(lane, None, f"at {show(piece.place)}: {reason}")
        if min(ends) < 0:
            verdict = Verdict.REFUTED if max(ends) < 0 else Verdict.UNDECIDED
            return Evidence(lane, verdict, f"at {show(piece.place)}, time {time} ± {error}")
        slacks.append((min(ends), piece.place))
    slack, place = min(slacks, key=lambda found: found[0])
    note = f"{counted(len(slacks), 'path')}; time by quadrature, error estimated"
    return Evidence(lane, Verdict.SUPPORTED, note, f"{slack:.3g}", texts(place))


def _slack(path: Path, place: Mapping[str, Fraction], time: Any, table: Definitions) -> float:
    """The claim's slack at one instant, from below."""
    found = compare(at_time(path, rational(_fraction(time))), place, DIGITS, table)
    return min(float(comparison.slack.lower()) for comparison in found)


def certified_times(
    path: Path, place: Mapping[str, Fraction], table: Definitions
) -> tuple[Fraction, Fraction]:
    """A proved bracket of the time from start to state, by the process's monotone velocity.

    Raises Unreachable where its lemma does not cover the path.
    """
    process = path.process
    if isinstance(process, System):
        raise Unreachable("the time of several numbers in motion has no proved bracket")
    start, stop = place[process.start.name], place[process.state.name]
    if process.lemma is None or rational(max(start, stop)) > process.monotone_below:
        raise Unreachable("the velocity is not known to be monotone on this path")
    low, high = bracket(
        lambda state: _velocity(process, {**place, process.state.name: state}, table),
        start,
        stop,
        _PIECES,
    )
    return _fraction(low.lower()), _fraction(high.upper())


def _ends(
    process: Process, theorem: Theorem, table: Definitions, points: int, seed: int
) -> list[dict[str, Fraction]]:
    """Starts and later states of the same path."""
    held = process.velocity.free_symbols
    own = [p for p in theorem.variables if p.symbol in held and p is not process.state]
    places = []
    candidates = draw(
        [*own, process.start, process.state], _CANDIDATES * points, f"{seed}:{process.name}"
    )
    for place in candidates:
        start, stop = place[process.start.name], place[process.state.name]
        ahead = stop - start
        first = _velocity(process, {**place, process.state.name: start}, table)
        last = _velocity(process, place, table)
        if (ahead > 0 and first > 0 and last > 0) or (ahead < 0 and first < 0 and last < 0):
            places.append(place)
        if len(places) == points:
            break
    return places


def _velocity(process: Process, place: Mapping[str, Fraction], table: Definitions) -> arb:
    return enclose(process.velocity, place, DIGITS + 4, table)[0]


def _text(ball: arb) -> str:
    with ctx.workprec(128):
        return str(ball.mid().str(30, radius=False))


def _fraction(value: Any) -> Fraction:
    if isinstance(value, arb):
        mantissa, exponent = value.man_exp()
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)
