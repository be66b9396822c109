"""Claims along maps and flows of several numbers: tried where the system's own orbits come to."""

from __future__ import annotations

import dataclasses

import sympy as sp

from proofs_check.catalogue import load
from proofs_check.orbits import Orbits, along_orbits, followed
from proofs_check.verdict import Verdict
from theorems.language import Argument, Expr, Parameter, Path, Relation, System, Theorem
from theorems.mixture import DELTA, PHI, SHIFT, c, delta, phi
from theorems.overlap.quantities import kappa

start, other, k, t = sp.symbols("start other k t", real=True)
ends = (sp.Integer(-1), sp.Integer(1))
START = Parameter("start", start, PHI.domain, ends, "")
OTHER = Parameter("other", other, PHI.domain, ends, "")
STEPS = Parameter("k", k, sp.Range(0, sp.oo), (sp.Integer(1), sp.Integer(6)), "")
TIME = Parameter("t", t, sp.Interval(0, sp.oo), (sp.S.Half, sp.Integer(2)), "")
HALVING = System("halving", (PHI, SHIFT), (START, OTHER), (phi / 2, (phi + c) / 2), STEPS, "", True)
TURNING = System("turning", (PHI, SHIFT), (START, OTHER), (-c, phi), TIME, "")
TOY = Theorem("toy", "", "", "", (PHI, DELTA, SHIFT), (), lambda: Argument((), ()))
CATALOGUE = load()


def verdicts(
    system: System, left: Expr, relation: Relation, right: Expr
) -> dict[str, Verdict | None]:
    path = Path("toy.a.path", "", system, left, relation, right)
    orbits = followed(system, TOY, CATALOGUE, 2, 0)
    return {e.lane: e.verdict for e in along_orbits(path, orbits, {})}


def test_a_map_is_followed_by_the_formula_and_by_the_definitions() -> None:
    true = verdicts(HALVING, phi, "=", start / 2**k)
    assert true == {"certified": Verdict.SUPPORTED, "precise": Verdict.SUPPORTED}


def test_every_coordinate_of_a_map_is_the_one_it_was_called() -> None:
    both = verdicts(HALVING, c, "=", other / 2**k + k * start / 2**k)
    assert set(both.values()) == {Verdict.SUPPORTED}
    exchanged = verdicts(HALVING, phi, "=", other / 2**k + k * start / 2**k)
    assert set(exchanged.values()) == {Verdict.REFUTED}


def test_a_false_rate_of_a_map_is_refuted() -> None:
    off = sp.Rational(1, 10**6)
    false = verdicts(HALVING, sp.Abs(phi), "<=", sp.Abs(start) * (sp.S.Half - off) ** k)
    assert set(false.values()) == {Verdict.REFUTED}


def test_a_flow_of_two_numbers_keeps_what_it_conserves() -> None:
    within = sp.Rational(1, 10**7)
    drift = sp.Abs(phi**2 + c**2 - start**2 - other**2)
    assert verdicts(TURNING, drift, "<=", within) == {"derived": Verdict.SUPPORTED}
    turned = start * sp.cos(t) - other * sp.sin(t)
    assert verdicts(TURNING, sp.Abs(phi - turned), "<=", within) == {"derived": Verdict.SUPPORTED}
    early = start * sp.cos(t * (1 + 100 * within)) - other * sp.sin(t * (1 + 100 * within))
    assert verdicts(TURNING, sp.Abs(phi - early), "<=", within) == {"derived": Verdict.REFUTED}


def test_a_flow_may_speak_of_quantities() -> None:
    slowed = System(
        "slowed",
        (PHI, SHIFT),
        (START, OTHER),
        (-phi * kappa(c, delta), -c),
        TIME,
        "",
    )
    path = Path("toy.a.path", "", slowed, sp.Abs(phi), "<=", sp.Abs(start))
    orbits = followed(slowed, TOY, CATALOGUE, 2, 0)
    (evidence,) = along_orbits(path, orbits, {})
    assert evidence.verdict is Verdict.SUPPORTED
    faster = dataclasses.replace(path, right=sp.Abs(start) * sp.exp(-t))
    (evidence,) = along_orbits(faster, orbits, {})
    assert evidence.verdict is Verdict.REFUTED


def test_a_lane_that_cannot_follow_says_so() -> None:
    unknown = System(
        "unknown", (PHI,), (START,), (sp.Function("unknown", real=True)(phi),), STEPS, "", True
    )
    path = Path("toy.a.path", "", unknown, phi, "<=", phi)
    evidence = along_orbits(path, followed(unknown, TOY, CATALOGUE, 1, 0), {})
    assert [e.verdict for e in evidence] == [None, None]
    assert all("unknown" in e.note for e in evidence)


def test_no_orbit_is_no_support() -> None:
    path = Path("toy.a.path", "", HALVING, phi, "<=", phi)
    (evidence,) = along_orbits(path, Orbits({"certified": ()}), {})
    assert evidence.verdict is Verdict.UNDECIDED
