"""Holds the lanes against one another: each quantity at points, by digits, balls and a z-test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import blake2b
from statistics import NormalDist
from typing import Any

from flint import arb, ctx

from numerics.monte_carlo.judgement import Sample
from numerics.precise.evaluation import Estimate
from proofs_check.draws import draw, show, texts, typical
from proofs_check.expressions import components
from proofs_check.lanes import Draws, Measurement, measure
from proofs_check.multiprecision import ball
from proofs_check.results import AGREEMENT, ClaimResult, Evidence
from proofs_check.verdict import Verdict
from theorems.language import Quantity, Theorem

FALSE_ALARMS_PER_RUN = 1e-6
LOST_DIGITS = 8
LEAST_DIGITS = 20  # with fewer, the formula is coarser than the doubles it is held against
SPOT_DIGITS = 12  # at drawn points; the typical point gets all digits,
SPOT_SHARE = 4  # and so many times their draws


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one lane says against the derived value: agrees (True), contradicts (False), or has
    nothing to say (None), with a note. resolution: the smallest relative error it would notice."""

    agrees: bool | None
    note: str
    resolution: float = math.inf


def comparisons(theorems: Iterable[Theorem], points: int) -> int:
    """How many numbers the Monte Carlo lane is asked for in a run."""
    return sum(
        points * len(components(quantity.formula))
        for theorem in theorems
        for quantity in theorem.quantities
        if "monte_carlo" not in quantity.exempt
    )


def threshold(count: int) -> float:
    """How many standard errors a run of `count` comparisons allows for, so that it raises a false
    alarm less than once in a million runs."""
    return -NormalDist().inv_cdf(FALSE_ALARMS_PER_RUN / (2 * max(count, 1)))


def of_theorem(
    theorem: Theorem,
    catalogue: Mapping[str, Theorem],
    digits: int,
    points: int,
    draws: Draws,
    allowed: float,
) -> tuple[ClaimResult, ...]:
    """The agreement of the lanes on every quantity of a theorem, as claims of its own."""
    return tuple(
        _of_quantity(theorem, quantity, catalogue, digits, points, draws, allowed)
        for quantity in theorem.quantities
    )


def _of_quantity(
    theorem: Theorem,
    quantity: Quantity,
    catalogue: Mapping[str, Theorem],
    digits: int,
    points: int,
    draws: Draws,
    allowed: float,
) -> ClaimResult:
    id = f"{theorem.name}.agreement.{quantity.name}"
    places = [typical(quantity.parameters)]
    places += draw(quantity.parameters, points - 1, f"{draws.seed}:{id}")
    found = []
    for place in places:
        own = replace(draws, seed=_seed(f"{draws.seed}:{id}:{show(place)}"))
        wanted, spot = digits, place is not places[0]
        if spot:
            own = replace(own, samples=draws.samples // SPOT_SHARE)
            wanted = min(digits, SPOT_DIGITS)
        measured = measure(theorem, quantity, place, wanted, own, catalogue, formula_once=spot)
        found.append((place, judge(measured, wanted, allowed)))
    evidence = tuple(_evidence(lane, found) for lane in ("certified", "precise", "monte_carlo"))
    text = f"every lane that answers agrees on {quantity.text}"
    return ClaimResult(id, AGREEMENT, text, evidence)


def _seed(key: str) -> int:
    """A seed of its own for every comparison, so that no two share a fluctuation."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) >> 1


def _evidence(lane: str, found: list[tuple[Any, dict[str, Opinion]]]) -> Evidence:
    opinions = [(place, judged[lane]) for place, judged in found]
    for place, opinion in opinions:
        if opinion.agrees is False:
            note = f"at {show(place)}: {opinion.note}"
            return Evidence(lane, Verdict.REFUTED, note, worst=texts(place))
    saying = [(place, opinion) for place, opinion in opinions if opinion.agrees]
    silent = [opinion.note for _, opinion in opinions if opinion.agrees is None]
    if not saying:
        return Evidence(lane, None, silent[0])
    place, weakest = max(saying, key=lambda said: said[1].resolution)
    notes = [f"{len(saying)} of {len(opinions)} points", weakest.note, *silent[:1]]
    # the certified lane shares the derived formula: that they agree supports nothing by itself
    verdict = None if lane == "certified" else Verdict.SUPPORTED
    return Evidence(lane, verdict, "; ".join(notes), f"{weakest.resolution:.3g}", texts(place))


def judge(measured: Measurement, digits: int, allowed: float) -> dict[str, Opinion]:
    """Each lane against the derived value, or its ball where that lane declines; `allowed` is in
    standard errors."""
    formula = _formula(measured)
    if isinstance(formula, str):
        silent = Opinion(None, formula)
        return {"certified": silent, "precise": silent, "monte_carlo": silent}
    with ctx.workprec(int(3.33 * digits) + 64):
        return {
            "certified": _certified(measured.derived, measured.certified, digits),
            "precise": _precise(formula, measured.certified, measured.precise, digits),
            "monte_carlo": _monte_carlo(formula, measured.monte_carlo, allowed),
        }


def _formula(measured: Measurement) -> tuple[arb, ...] | str:
    if not isinstance(measured.derived, str):
        return tuple(map(ball, measured.derived))
    return measured.derived if isinstance(measured.certified, str) else measured.certified


def _certified(
    derived: tuple[Any, ...] | str, found: tuple[arb, ...] | str, digits: int
) -> Opinion:
    if isinstance(derived, str):
        return Opinion(None, derived)
    if isinstance(found, str):
        return Opinion(None, found)
    exact = [ball(value) for value in derived]
    allowance = arb(0, largest(exact) * arb(10) ** -digits)
    # a ball that is not finite overlaps everything
    if not all(
        proved.is_finite() and (each + allowance).overlaps(proved)
        for each, proved in zip(exact, found, strict=True)
    ):
        return Opinion(False, f"the ball {found} does not contain the derived value {derived}")
    if not all(proved.rad() <= 10 * allowance.rad() for proved in found):
        return Opinion(None, f"its ball is wider than {digits - 1} digits and tells nothing")
    return Opinion(True, "contains the derived value (same formula: no evidence for it)", 0.0)


def _precise(
    formula: tuple[arb, ...],
    certified: tuple[arb, ...] | str,
    found: Estimate | str,
    digits: int,
) -> Opinion:
    if isinstance(found, str):
        return Opinion(None, found)
    norm = largest(formula)
    held = max(digits - LOST_DIGITS, min(digits - 1, LOST_DIGITS))
    allowed = norm * arb(10) ** -held
    values = [arb(ball(value), ball(found.error)) for value in found.value]
    if norm.contains(0) and all(abs(value) <= arb(10) ** -digits for value in values):
        return Opinion(True, f"both are 0 to {digits} digits", 0.0)
    if not all(value.rad() <= allowed for value in values):
        return Opinion(None, f"its error estimate exceeds {held} digits")
    gap = largest(v.mid() - each for v, each in zip(values, formula, strict=True))
    if not gap <= allowed:
        return Opinion(False, f"the definition gives {values} against {formula}")
    if not isinstance(certified, str) and not all(
        value.overlaps(each) for value, each in zip(values, certified, strict=True)
    ):
        return Opinion(False, f"{values} does not meet the ball {certified}")
    relative = float(gap / norm) if norm > 0 else 0.0
    return Opinion(True, f"agrees to {relative:.1e}", relative)


def _monte_carlo(formula: tuple[arb, ...], found: Sample | str, allowed: float) -> Opinion:
    if isinstance(found, str):
        return Opinion(None, found)
    if not found.informative:
        return Opinion(None, found.note)
    scaled = [float(value * arb(-found.log_scale).exp()) for value in formula]
    scores = [
        _score(abs(mean - value), error)
        for mean, value, error in zip(found.mean, scaled, found.standard_error, strict=True)
    ]
    resolution = allowed * _score(max(found.standard_error), max(map(abs, scaled)))
    note = f"{max(scores):.1f} standard errors, would notice {resolution:.1%}"
    return Opinion(all(score <= allowed for score in scores), note, resolution)


def largest(values: Iterable[arb]) -> arb:
    """The largest size among balls, as a ball; floats would lose what is below their range."""
    return reduce(arb.max, map(abs, values))


def _score(gap: float, unit: float) -> float:
    """gap/unit; a component that is an exact 0 has no error."""
    return gap / unit if unit > 0 else (math.inf if gap > 0 else 0.0)
