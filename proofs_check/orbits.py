"""Tries a claim along several numbers in motion: the system is followed from drawn starts, the
claim held against every state it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import sympy as sp

from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from numerics.point import Unreachable
from numerics.trajectories import mean_flow
from numerics.trajectories.iteration import iterate
from proofs_check.catalogue import definitions
from proofs_check.claims import compare
from proofs_check.doubles import compiled
from proofs_check.draws import draw, show, texts
from proofs_check.measured import measure
from proofs_check.multiprecision import ball
from proofs_check.results import Evidence, counted
from proofs_check.verdict import Verdict
from theorems.language import Claim, Path, System, Theorem

DIGITS = 20
CLAIM_DIGITS = 12
PRECISE_DIGITS = 10
PRECISE_STEPS = 2  # the definitions take their time
INSTANTS = 2  # of a flow, at which a claim is held against it
TOLERANCE = 1e-12  # of the solver
ALLOWED = 1e-10  # relative: what the states' errors may take from a claim that is tight


@dataclass(frozen=True, slots=True)
class Instant:
    """A place (parameters, starts, clock), the states reached there, and an ESTIMATE of how far
    off they are."""

    place: Mapping[str, Fraction]
    states: Mapping[str, Fraction]
    error: Fraction

    @property
    def off(self) -> tuple[Fraction, ...]:
        """How far off a claim is tried: as far as the error allows."""
        return (-self.error, self.error) if self.error else (self.error,)

    def moved(self, off: Fraction) -> dict[str, Fraction]:
        """The place and its states, these moved by so much."""
        return {**self.place, **{name: state + off for name, state in self.states.items()}}


@dataclass(frozen=True, slots=True)
class Orbits:
    """What each lane comes to from the drawn starts, or why it does not."""

    lanes: Mapping[str, tuple[Instant, ...] | str]


def followed(
    system: System, theorem: Theorem, catalogue: Mapping[str, Theorem], points: int, seed: int
) -> Orbits:
    """A map by the derived formula in balls, and a few steps by the definitions; a flow by the
    derived formula in double precision."""
    table = definitions(catalogue, theorem.argument().auxiliary)
    places = _starts(system, theorem, points, seed)

    def formula(place: Mapping[str, Fraction], digits: int) -> list[Any]:
        return [b.mid() for b in enclose(sp.Tuple(*system.rate), place, digits, table)]

    def definition(place: Mapping[str, Fraction], digits: int) -> list[Any]:
        return [ball(v) for v in measure(sp.Tuple(*system.rate), place, digits, catalogue)]

    if not system.discrete:
        return Orbits({"derived": _tried(lambda: _flow(system, places, table))})
    return Orbits(
        {
            "certified": _tried(lambda: _map(system, places, formula, DIGITS, None)),
            "precise": _tried(
                lambda: _map(system, places[:1], definition, PRECISE_DIGITS, PRECISE_STEPS)
            ),
        }
    )


def _tried(follow: Callable[[], Iterator[Instant]]) -> tuple[Instant, ...] | str:
    try:
        return tuple(follow())
    except Unreachable as reason:
        return str(reason)


def _starts(system: System, theorem: Theorem, points: int, seed: int) -> list[dict[str, Fraction]]:
    held = set().union(*(rate.free_symbols for rate in system.rate))
    states = {p.name for p in system.states}
    own = [p for p in theorem.variables if p.symbol in held and p.name not in states]
    moving = {p.name for p in (*system.starts, system.clock)}
    parameters = [p for p in own if p.name not in moving]
    return draw([*parameters, *system.starts, system.clock], points, f"{seed}:{system.name}")


def _map(
    system: System,
    places: Sequence[Mapping[str, Fraction]],
    rate: Callable[[Mapping[str, Fraction], int], list[Any]],
    digits: int,
    most: int | None,
) -> Iterator[Instant]:
    """Every state from the start to the number of steps that was drawn, at most `most`."""
    names = [p.name for p in system.states]
    for place in places:

        def step(state: tuple[Fraction, ...], wanted: int, place: Any = place) -> list[Any]:
            return rate({**place, **dict(zip(names, state, strict=True))}, wanted)

        start = [place[p.name] for p in system.starts]
        steps = int(place[system.clock.name])
        reached = iterate(step, start, digits)
        for k, (state, error) in enumerate(islice(reached, min(steps, most or steps) + 1)):
            now = {**place, system.clock.name: Fraction(k)}
            yield Instant(now, dict(zip(names, state, strict=True)), error)


def _flow(
    system: System, places: Sequence[Mapping[str, Fraction]], table: Definitions
) -> Iterator[Instant]:
    names = [p.name for p in system.states]
    for place in places:
        rate = compiled(system.rate, names, place, table)
        end = place[system.clock.name]
        times = [end * k / INSTANTS for k in range(1, INSTANTS + 1)]
        start = [float(place[p.name]) for p in system.starts]
        states = mean_flow.floats(rate, start, map(float, times), TOLERANCE)
        for time, reached in zip(times, states, strict=True):
            state = map(Fraction, map(float, reached.state))
            now = {**place, system.clock.name: time}
            yield Instant(now, dict(zip(names, state, strict=True)), Fraction(reached.error))


def along_orbits(path: Path, orbits: Orbits, table: Definitions) -> tuple[Evidence, ...]:
    """What a claim along a system comes to at the states each lane reached."""
    return tuple(_lane(lane, path, found, table) for lane, found in orbits.lanes.items())


def _lane(lane: str, path: Path, found: tuple[Instant, ...] | str, table: Definitions) -> Evidence:
    if isinstance(found, str):
        return Evidence(lane, None, found)
    if not found:
        return Evidence(lane, Verdict.UNDECIDED, "no start of the box was found")
    slacks = []
    for instant in found:
        try:
            ends = [_slack(path, instant.moved(off), table) for off in instant.off]
        except Unreachable as reason:
            return Evidence(lane, None, f"at {show(instant.place)}: {reason}")
        if min(ends) < -ALLOWED:
            verdict = Verdict.REFUTED if max(ends) < 0 else Verdict.UNDECIDED
            return Evidence(lane, verdict, f"at {show(instant.place)}, states ± {instant.error}")
        slacks.append((min(ends), instant.place))
    slack, place = min(slacks, key=lambda each: each[0])
    note = f"{counted(len(found), 'state')} along the way; their error is estimated"
    return Evidence(lane, Verdict.SUPPORTED, note, f"{slack:.3g}", texts(place))


def _slack(path: Path, place: Mapping[str, Fraction], table: Definitions) -> float:
    claim = Claim(path.id, path.text, path.left, path.relation, path.right, "bound")
    found = compare(claim, place, CLAIM_DIGITS, table)
    if path.relation == "=":
        return -max(float(abs(comparison.slack).upper()) for comparison in found)
    return min(float(comparison.slack.lower()) for comparison in found)
