"""Tries a claim along a path: the time between two states by quadrature, the claim at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from numerics.certified.enclosure import enclose
from numerics.expression import Definitions
from numerics.point import Unreachable
from numerics.trajectories.scalar_flow import bracket, elapsed
from proofs_check.catalogue import definitions
from proofs_check.claims import compare, parameters_of
from proofs_check.draws import draw, rational, show, texts
from proofs_check.measured import measure
from proofs_check.results import Evidence
from proofs_check.verdict import Verdict
from theorems.language import Claim, Path, Theorem

DIGITS = 16
PRECISE_DIGITS = 12
_PIECES = 64
_CANDIDATES = 12


def at_time(path: Path, time: Any) -> Claim:
    """What the path claims at one instant, with that time put in."""
    left, right = (side.subs(path.process.time, time) for side in (path.left, path.right))
    return Claim(path.id, path.text, left, path.relation, right, "bound")


def along(
    path: Path, theorem: Theorem, catalogue: Mapping[str, Theorem], points: int, seed: int
) -> tuple[Evidence, ...]:
    """What holds at the ends of paths from drawn starts, with velocities from the derived formula
    (in balls) and, on one path, from the precise lane."""
    table = definitions(catalogue, theorem.argument().auxiliary)
    places = _ends(path, theorem, table, points, seed)
    if not places:
        return (Evidence("certified", Verdict.UNDECIDED, "no path of the box was found"),)

    def by_formula(place: Mapping[str, Fraction]) -> Callable[[Fraction], Any]:
        return lambda state: _text(_velocity(path, {**place, _state(path): state}, table))

    def by_definition(place: Mapping[str, Fraction]) -> Callable[[Fraction], Any]:
        return lambda state: measure(
            path.process.velocity, {**place, _state(path): state}, PRECISE_DIGITS, catalogue
        )[0]

    return (
        _lane("certified", path, places, by_formula, DIGITS, table),
        _lane("precise", path, places[:1], by_definition, PRECISE_DIGITS, table),
    )


def _lane(
    lane: str,
    path: Path,
    places: list[dict[str, Fraction]],
    velocity: Callable[[Mapping[str, Fraction]], Callable[[Fraction], Any]],
    digits: int,
    table: Definitions,
) -> Evidence:
    slacks = []
    for place in places:
        try:
            start, stop = place[path.process.start.name], place[_state(path)]
            time, error = elapsed(velocity(place), start, stop, digits)
            ends = [_slack(path, place, instant, table) for instant in (time - error, time + error)]
        except Unreachable as reason:
            return Evidence(lane, None, f"at {show(place)}: {reason}")
        if min(ends) < 0:
            verdict = Verdict.REFUTED if max(ends) < 0 else Verdict.UNDECIDED
            return Evidence(lane, verdict, f"at {show(place)}, time {time} ± {error}")
        slacks.append((min(ends), place))
    slack, place = min(slacks, key=lambda found: found[0])
    note = f"{len(places)} paths; quadrature of the time with an estimated error"
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
    start, stop = place[process.start.name], place[_state(path)]
    if process.lemma is None or rational(max(start, stop)) > process.monotone_below:
        raise Unreachable("the velocity is not known to be monotone on this path")
    low, high = bracket(
        lambda state: _velocity(path, {**place, _state(path): state}, table), start, stop, _PIECES
    )
    return _fraction(low.lower()), _fraction(high.upper())


def _ends(
    path: Path, theorem: Theorem, table: Definitions, points: int, seed: int
) -> list[dict[str, Fraction]]:
    """Starts and later states of the same path."""
    own = parameters_of(
        at_time(path, 0),
        [*theorem.variables, path.process.start, path.process.state],
    )
    needed = {p.name: p for p in [*own, path.process.start, path.process.state]}
    velocity_symbols = path.process.velocity.free_symbols
    needed |= {p.name: p for p in theorem.variables if p.symbol in velocity_symbols}
    places = []
    for place in draw(list(needed.values()), _CANDIDATES * points, f"{seed}:{path.id}"):
        start, stop = place[path.process.start.name], place[_state(path)]
        first = _velocity(path, {**place, _state(path): start}, table)
        last = _velocity(path, place, table)
        ahead = (stop - start).numerator
        if (ahead > 0 and first > 0 and last > 0) or (ahead < 0 and first < 0 and last < 0):
            places.append(place)
        if len(places) == points:
            break
    return places


def _velocity(path: Path, place: Mapping[str, Fraction], table: Definitions) -> arb:
    return enclose(path.process.velocity, place, DIGITS + 4, table)[0]


def _state(path: Path) -> str:
    return path.process.state.name


def _text(ball: arb) -> str:
    with ctx.workprec(128):
        return str(ball.mid().str(30, radius=False))


def _fraction(value: Any) -> Fraction:
    if isinstance(value, arb):
        mantissa, exponent = value.man_exp()
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)
