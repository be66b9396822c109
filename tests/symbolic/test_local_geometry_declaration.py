"""The local geometry as declared: every part is proved, false twins are not, controls are false.

Values are computed here from the definition alone, by the trapezoidal rule in double precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray

from proofs_check.catalogue import definitions, load
from proofs_check.claims import compare
from proofs_check.symbolic.steps import Known, prove
from proofs_check.verdict import Verdict
from theorems.language import Cited, Claim, Combination, Control, Path
from theorems.local_geometry import (
    THEOREM,
    blocks,
    condition,
    descent,
    fisher,
    flow,
    forms,
    hessian,
    objective,
    rayleigh,
    spectrum,
)
from theorems.local_geometry.quantities import (
    R_free,
    U,
    gradient,
    greatest_along,
    lambda_min,
    loss,
    spread,
)
from theorems.mixture import alpha, delta, phi, tau
from theorems.overlap.quantities import eps_n, kappa

CLAIMS = {claim.id: claim for claim in THEOREM.claims}
TABLE = definitions(load(), THEOREM.argument().auxiliary)
Vector = NDArray[np.float64]


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


# -- values from the definition

X = np.arange(-14, 26, 1 / 32)


def bell(mean: float) -> Vector:
    density: Vector = np.exp(-((X - mean) ** 2) / 2) / np.sqrt(2 * np.pi)
    return density


def slope(at: Vector, logit: float, distance: float) -> Vector:
    """The gradient of R in (phi, m_o, m_n): derivatives of q against log q/p."""
    weight, target = 1 / (1 + np.exp(-at[0])), 1 / (1 + np.exp(-logit))
    old, new = weight * bell(at[1]), (1 - weight) * bell(at[2])
    ratio = np.log((old + new) / (target * bell(0) + (1 - target) * bell(distance)))
    moves = ((1 - weight) * old - weight * new, old * (X - at[1]), new * (X - at[2]))
    return np.array([np.sum(move * ratio) for move in moves]) / 32


def curvature(at: Vector, logit: float, distance: float, step: float = 1e-4) -> Vector:
    """The Hessian of R, by central differences of its gradient."""
    sides = [
        (slope(at + e, logit, distance), slope(at - e, logit, distance)) for e in step * np.eye(3)
    ]
    return np.array([(up - down) / (2 * step) for up, down in sides])


def at_target(logit: float, distance: float) -> Vector:
    return np.array([logit, 0.0, distance])


def value(expr: Any, **at: Any) -> float:
    """An expression through the formulas declared."""
    exact = {name: Fraction(number) for name, number in at.items()}
    (comparison,) = compare(Claim("x", "", expr, "=", expr, "identity"), exact, 15, TABLE)
    return float(comparison.left.mid())


PLACES = ((-0.5, 2.0), (0.0, 3.0), (1.5, 1.0), (-3.0, 4.0))


@pytest.mark.parametrize(("logit", "distance"), PLACES)
def test_the_hessian_is_that_of_the_definition(logit: float, distance: float) -> None:
    measured = curvature(at_target(logit, distance), logit, distance)
    for (i, j), claim in hessian.ENTRY.items():
        declared = value(claim.right, tau=logit, delta=distance)
        assert abs(declared - measured[i, j]) < 1e-8
    for extreme, expr in zip((0, -1), (lambda_min.formula, greatest_along), strict=True):
        declared = value(expr, tau=logit, delta=distance)
        assert abs(declared - np.linalg.eigvalsh(measured)[extreme]) < 1e-8


@pytest.mark.parametrize(("logit", "distance"), PLACES)
def test_objective_and_gradient_are_those_of_the_definition(logit: float, distance: float) -> None:
    at = np.array([logit + 0.5, 0.25, distance - 0.375])
    names = {"phi": at[0], "tau": logit, "delta": distance, "old_mean": at[1], "new_mean": at[2]}
    for component, expected in zip(gradient, slope(at, logit, distance), strict=True):
        assert abs(value(component.formula, **names) - expected) < 1e-12
    away = at_target(logit, distance) - at
    nodes, weights = np.polynomial.legendre.leggauss(20)
    path = (slope(at + (1 + t) / 2 * away, logit, distance) @ away / 2 for t in nodes)
    reached = sum(w * s for w, s in zip(weights, path, strict=True))
    assert abs(value(R_free.formula, **names) + reached) < 1e-11


def test_third_derivatives_near_the_target_are_below_nine() -> None:
    """9 may stand for K in the claims along the flow: random directions of size 1, in the largest
    box for which they promise anything, lambda_min being below 1/4."""
    random = np.random.default_rng(0)
    for logit, distance in (*PLACES, (0.0, 0.5), (4.0, 8.0), (-5.0, 12.0)):
        for _ in range(20):
            direction = random.normal(size=3)
            direction /= np.linalg.norm(direction)
            at = at_target(logit, distance) + random.uniform(-1, 1, 3) / 64
            up, down = (
                direction @ curvature(at + side * 1e-3 * direction, logit, distance) @ direction
                for side in (1, -1)
            )
            assert abs(up - down) / 2e-3 < 9


# -- proofs


def test_every_part_is_there_and_every_claim_has_a_control() -> None:
    assert {name.split(".")[1] for name in CLAIMS} == set("abcd")
    assert {name for control in THEOREM.controls for name in control.of} == set(CLAIMS)


def test_curvatures_are_derived_from_the_objective() -> None:
    assert all(each.definition.has(sp.Derivative) for each in gradient)
    assert not R_free.definition.atoms(sp.core.function.AppliedUndef)


def twin(claim: Claim, right: Any) -> Claim:
    """The same proof, led to another right side."""
    last = replace(claim.proof[-1], to=right)
    return replace(claim, id=f"{claim.id}.twin", right=right, proof=(*claim.proof[:-1], last))


def remainder_times(claim: Claim, factor: Any, index: int = 0) -> Claim:
    """A proof whose remainder is off by a factor."""
    proof = list(claim.proof)
    reason = proof[index].by
    assert isinstance(reason, Combination)
    proof[index] = replace(proof[index], by=replace(reason, remainder=factor * reason.remainder))
    return replace(claim, id=f"{claim.id}.altered", proof=tuple(proof))


OFF, OLD, ACROSS = (0, 1), (1, 1), (1, 2)
FALSE_TWINS = {
    "objective with its weights exchanged": twin(
        objective.OBJECTIVE, objective.OBJECTIVE.right.subs(phi, -phi)
    ),
    "slope without the pull of the target": twin(
        objective.MEAN_SLOPES[0], objective.MEAN_SLOPES[0].right + delta
    ),
    "slope with the wrong weight": twin(
        objective.MEAN_SLOPES[1], objective.MEAN_SLOPES[1].right.subs(tau, -tau)
    ),
    "Fisher information of the weight doubled": twin(
        hessian.FISHER[0, 0], 2 * hessian.FISHER[0, 0].right
    ),
    "Fisher information with a sign": twin(hessian.FISHER[OFF], -hessian.FISHER[OFF].right),
    "taken with z_n for -z_n": twin(hessian.TAKEN[0, 2], -hessian.TAKEN[0, 2].right),
    "taken without s_n": twin(hessian.TAKEN[OLD], hessian.TAKEN[OLD].right / alpha),
    "entry with half the loss": twin(hessian.ENTRY[OLD], hessian.ENTRY[OLD].right + loss),
    "curvature without kappa": twin(hessian.WEIGHT_CURVATURE, spread),
    "curvature with the other weight": twin(hessian.WEIGHT_CURVATURE, alpha**2 * kappa(tau, delta)),
    "across with a minus": twin(hessian.ACROSS[ACROSS][2], -hessian.ACROSS[ACROSS][2].right),
    "across by the other misassignment": twin(hessian.MISASSIGNED[1], alpha * eps_n(tau, delta)),
    "odd across": twin(hessian.DECOUPLED, -hessian.DECOUPLED.right),
    "taken form without its cross terms": twin(
        forms.TAKEN_FORM, forms.TAKEN_FORM.right.subs(U[1], -U[1])
    ),
    "size without delta": twin(
        forms.SIZE_ALONG, sp.sqrt(spread) / 2 * sp.exp(-(delta**2) / 8) * sp.Integer(2)
    ),
    "size, half": twin(forms.SIZE_ALONG, forms.SIZE_ALONG.right / 2),
    "size across, half": twin(forms.SIZE_ACROSS, forms.SIZE_ACROSS.right / 2),
    "size by a wrong square": remainder_times(forms.SIZE_ALONG, 2, index=4),
    "above the smaller weight": twin(forms.ABOVE, sp.Min(alpha, 1 - alpha) * sum(u**2 for u in U)),
    "below nothing": replace(forms.BELOW, id="below.twin", left=spread * sum(u**2 for u in U)),
    "independent with a minus": remainder_times(fisher.INDEPENDENT, -1),
    "characteristic with p for p^2": twin(
        rayleigh.CHARACTERISTIC, rayleigh.CHARACTERISTIC.right.subs(delta, tau) + 1
    ),
    "trace below": twin(rayleigh.TRACE, -rayleigh.TRACE.right),
    "minors below": twin(rayleigh.MINORS, -rayleigh.MINORS.right),
    "root of two, one off": replace(
        rayleigh.SINGULAR_OF_TWO, id="root.twin", left=rayleigh.SINGULAR_OF_TWO.left + 1
    ),
    "determinant across without kappa": twin(blocks.DETERMINANT_ACROSS, spread),
    "trace across 1": twin(blocks.TRACE_ACROSS, sp.S.One),
    "across below": replace(
        blocks.ACROSS_ABOVE, id="above.twin", left=2 * blocks.ACROSS_ABOVE.left
    ),
    "smallest below half the curvature": twin(spectrum.UPPER, spectrum.UPPER.right / 2),
    "twice the smallest": replace(spectrum.LEAST, id="least.twin", left=2 * spectrum.LEAST.left),
    "largest below": twin(condition.LARGEST_ALONG, condition.LARGEST_ALONG.right / 2),
    "condition without its hypothesis": replace(
        condition.CONDITION_ABOVE, id="condition.twin", where=()
    ),
    "condition limit, other weight": twin(condition.CONDITION_LIMIT, 1 / sp.Max(alpha, 1 - alpha)),
    "dominated twice": replace(
        descent.ALONG[1], id="dominated.twin", left=2 * descent.ALONG[1].left
    ),
    "definite beyond lambda_min": replace(descent.ALONG[2], id="definite.twin", where=()),
    "linearised with a plus": twin(flow.LINEARISED[0], -flow.LINEARISED[0].right),
    "eigenvector of twice lambda": twin(flow.EIGENVECTOR[0], 2 * flow.EIGENVECTOR[0].right),
}


@pytest.mark.parametrize("name", FALSE_TWINS)
def test_a_false_twin_is_not_proved(name: str, known: Known) -> None:
    assert FALSE_TWINS[name] not in CLAIMS.values()
    assert prove(FALSE_TWINS[name], known).verdict is Verdict.UNDECIDED


def test_a_cited_theorem_needs_its_premises(known: Known) -> None:
    bare = replace(forms.BELOW, id="bare", proof=())
    link = spectrum.LOWER.proof[0]
    assert isinstance(link.by, Cited)
    by = Cited(link.by.theorem, (bare,))
    broken = replace(spectrum.LOWER, id="broken", proof=(replace(link, by=by),))
    assert prove(broken, known).verdict is Verdict.UNDECIDED


# -- controls, and claims along the flow


def two_sides(claim: Claim | Path, at: Mapping[str, Any]) -> tuple[float, float]:
    return value(claim.left, **at), value(claim.right, **at)


@pytest.mark.parametrize("control", THEOREM.controls, ids=lambda control: str(control.id))
def test_a_control_is_false_at_its_hint(control: Control) -> None:
    variant = control.variant
    assert isinstance(variant, Claim)
    hint = {each.name: Fraction(at.p, at.q) for each, at in control.hint.items()}
    left, right = two_sides(variant, hint)
    excess = abs(left - right) if variant.relation == "=" else left - right
    assert excess > max(abs(left), abs(right)) / 100


def test_the_doubled_rate_fails_by_the_definition() -> None:
    """delta = 3, alpha = 1/2, start (3/10, 1/10, 16/5): 2 lambda_min R exceeds |grad R|^2/2."""
    at, target = np.array([0.3, 0.1, 3.2]), at_target(0.0, 3.0)
    least = np.linalg.eigvalsh(curvature(target, 0.0, 3.0))[0]
    nodes, weights = np.polynomial.legendre.leggauss(20)
    way = (slope(target + (1 + t) / 2 * (at - target), 0.0, 3.0) @ (at - target) / 2 for t in nodes)
    divergence = sum(w * s for w, s in zip(weights, way, strict=True))
    assert np.sum(slope(at, 0.0, 3.0) ** 2) / 2 < 0.7 * 2 * least * divergence


@pytest.mark.parametrize("path", [flow.DECAY, flow.NEARER], ids=lambda path: str(path.id))
def test_a_claim_holds_along_the_flow(path: Path) -> None:
    logit, distance, margin, start = -0.5, 3.0, 1 / 32, np.array([0.5, -0.75, 1.0])
    unit = margin / (9 * 3**0.5)
    at, target, steps, time = start.copy(), at_target(logit, distance), 400, 6.0
    for _ in range(steps):  # Heun

        def velocity(offset: Vector) -> Vector:
            return -slope(target + unit * offset, logit, distance) / unit

        first = velocity(at)
        at += time / steps / 2 * (first + velocity(at + time / steps * first))
    place = {"tau": logit, "separation": distance, "margin": margin, "time": time}
    place["third_derivative"] = 9
    place |= {f"offset_{name}": x for name, x in zip(("phi", "old", "new"), at, strict=True)}
    place |= {
        f"offset_start_{name}": x for name, x in zip(("phi", "old", "new"), start, strict=True)
    }
    left, right = two_sides(path, place)
    assert 0 < left < right
