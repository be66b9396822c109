r"""Part (d): near the target the flow converges at any rate below \lambda_min, and at \lambda_min
once it is linearised.

With K a bound of third derivatives of R within g/K of the target, the curvature of R along the line
to the target is at least \mu = \lambda_min - g there. Offsets from the target are followed in units
of g/(\sqrt{3} K), at most one unit in each coordinate at the start.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Path,
    System,
    Use,
    identity,
)
from theorems.local_geometry.descent import ALONG, image
from theorems.local_geometry.eigenvalues import square
from theorems.local_geometry.hessian import ENTRY
from theorems.local_geometry.objective import AT_TARGET, SOURCE
from theorems.local_geometry.quantities import (
    NAMES,
    D,
    R_free,
    U,
    along_heads,
    gradient,
    least_along,
    loss,
    v_midpoint,
)
from theorems.local_geometry.rayleigh import SINGULAR
from theorems.local_geometry.spectrum import LEAST, POSITIVE, SMALLEST, at_along
from theorems.mixture import delta, line, tau
from theorems.overlap.quantities import sech_kernel

TAYLOR = "Taylor's theorem on rays from the target"
GRONWALL = "Gronwall's inequality"

# the flow near the target

separation, margin, third = sp.symbols("separation margin third_derivative", positive=True)
SEPARATION = Parameter(
    "separation",
    separation,
    sp.Interval.open(0, sp.oo),
    (sp.Integer(2), sp.Integer(5)),
    "Mahalanobis distance of the two modes, where trajectories are followed",
    typical=sp.Integer(3),
)
MARGIN = Parameter(
    "margin",
    margin,
    sp.Interval.open(0, sp.oo),
    (sp.Rational(1, 256), sp.Rational(1, 32)),
    "by how much a rate falls short of lambda_min",
    typical=sp.Rational(1, 64),
)
THIRD_DERIVATIVE = Parameter(
    "third_derivative",
    third,
    sp.Interval.open(0, sp.oo),
    (sp.Integer(9), sp.Integer(16)),
    "a bound K of third derivatives of R in directions of size 1, within margin/K of the target",
    typical=sp.Integer(9),
)
CLOCK = Parameter(
    "time",
    sp.Symbol("time", nonnegative=True),
    sp.Interval(0, sp.oo),
    (sp.S.Half, sp.Integer(3)),
    "time of the flow",
)


def _moving(prefix: str, text: str) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            f"{prefix}_{name}",
            sp.Symbol(f"{prefix}_{name}", real=True),
            sp.Interval(-1, 1),
            (sp.S.NegativeOne, sp.S.One),
            f"{text}, coordinate {name}",
            typical=sp.Rational(k, 4),
        )
        for k, name in enumerate(NAMES, 1)
    )


OFFSET = _moving("offset", "offset from the target, in units of margin/(sqrt(3) K)")
START = _moving("offset_start", "the same at time 0")
offset, begun = (tuple(p.symbol for p in each) for each in (OFFSET, START))
time = CLOCK.symbol
_slowest_rate = least_along.subs(delta, separation)
_rate = _slowest_rate - margin  # mu
_unit = margin / (sp.sqrt(3) * third)
_or_none = sp.Max(0, _rate)


def _at(u: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Arguments of R where the learner is off the target by u units."""
    return tau + _unit * u[0], tau, separation, _unit * u[1], separation + _unit * u[2]


FLOW = System(
    "flow_near_target",
    OFFSET,
    START,
    tuple(-slope(*_at(offset)) / _unit for slope in gradient),
    CLOCK,
    "gradient flow of (phi, m_o, m_n) from a small box about the target",
)
_premises = (*AT_TARGET, SMALLEST, POSITIVE, LEAST, ALONG[2])
DECAY = Path(
    "local_geometry.d.decay",
    "From within g/K of the target, K a bound of third derivatives there, R(t) <= R(0) e^(-2 mu t) "
    "with mu = lambda_min - g: every mu < lambda_min has its ball.",
    FLOW,
    R_free(*_at(offset)),
    "<=",
    R_free(*_at(begun)) * sp.exp(-2 * _rate * time),
    Cited(f"{TAYLOR}; {GRONWALL} for dR/dt = -|grad R|^2 <= -2 mu R", _premises),
    source=SOURCE,
)
NEARER = Path(
    "local_geometry.d.nearer",
    "From there, where mu is positive, the squared distance from the target falls by e^(-2 mu t): "
    "limsup (1/t) log |theta(t) - theta*| <= -lambda_min.",
    FLOW,
    _or_none * square(offset),
    "<=",
    _or_none * square(begun) * sp.exp(-2 * _rate * time),
    Cited(f"{TAYLOR}; {GRONWALL} for the squared distance", _premises),
    source=SOURCE,
)

# the linearised flow


def _velocity(k: int, u: tuple[Expr, ...]) -> Expr:
    """A coordinate of -H u: -D u + E[s_o s_n v (v.u)]."""
    projection = sum(a * b for a, b in zip(v_midpoint, u, strict=True))
    return -D[k, k] * u[k] + loss * line(sech_kernel(tau) * v_midpoint[k] * projection)


def _linear(k: int, name: str) -> Claim:
    entries = [ENTRY[min(k, j), max(k, j)] for j in range(3)]
    return identity(
        f"local_geometry.d.linear_{name}",
        f"The flow linearised at the target, -H u = -D u + E[s_o s_n v (v.u)]: coordinate {name}.",
        -image(along_heads, U)[k],
        _velocity(k, U),
        (
            Link(
                "entry by entry",
                -sum(entry.right * x for entry, x in zip(entries, U, strict=True)),
                Combination(
                    tuple(Use(entry, times=-x) for entry, x in zip(entries, U, strict=True))
                ),
            ),
            Link("one integral", _velocity(k, U), Algebra()),
        ),
        source=SOURCE,
    )


LINEARISED = tuple(_linear(k, name) for k, name in enumerate(NAMES))
LINEAR = System(
    "linearised_flow",
    OFFSET,
    START,
    tuple(_velocity(k, offset).subs(delta, separation) for k in range(3)),
    CLOCK,
    "the flow linearised at the target, along mu_n - mu_o",
)
LINEAR_DECAY = Path(
    "local_geometry.d.linear_decay",
    "Linearised at the target the flow's squared distance falls by e^(-2 lambda_min t) or more.",
    LINEAR,
    square(offset),
    "<=",
    square(begun) * sp.exp(-2 * _slowest_rate * time),
    Cited(GRONWALL, (*LINEARISED, SMALLEST, LEAST)),
    source=SOURCE,
)


def _cofactors(entries: tuple[Expr, ...], least: Expr) -> tuple[Expr, ...]:
    """A column of the adjugate of H - lambda: an eigenvector, where it is not 0."""
    _, b, c, d, e, f = entries
    d, f = d - least, f - least
    return d * f - e**2, c * e - b * f, b * e - c * d


_vector = _cofactors(along_heads, least_along)


def _eigenvector(k: int, name: str) -> Claim:
    """One row of H w = lambda w; the first says that lambda is a root."""
    right = least_along * _vector[k]
    singular = Combination((Use(SINGULAR, at_along),))
    return identity(
        f"local_geometry.d.eigenvector_{name}",
        "The cofactors w of H - lambda_min along mu_n - mu_o are an eigenvector, "
        f"H w = lambda_min w: the coordinate {name}.",
        image(along_heads, _vector)[k],
        right,
        (Link("expand the determinant", right, Algebra() if k else singular),),
        source=SOURCE,
    )


EIGENVECTOR = tuple(_eigenvector(k, name) for k, name in enumerate(NAMES))
_toward = tuple(each.subs(delta, separation) for each in _vector)
SLOWEST = Path(
    "local_geometry.d.slowest",
    "The linearised flow's component w.u along the eigenvector falls by e^(-lambda_min t), so "
    "that |u(t)| >= |w.u(0)|/|w| e^(-lambda_min t): from starts off the strong-stable plane "
    "w.u = 0 the rate is lambda_min and no more.",
    LINEAR,
    sum(w * x for w, x in zip(_toward, begun, strict=True)) ** 2
    * sp.exp(-2 * _slowest_rate * time),
    "<=",
    square(_toward) * square(offset),
    Cited(
        "uniqueness of the solution of a linear equation; Cauchy-Schwarz inequality",
        (*LINEARISED, SMALLEST, *EIGENVECTOR),
    ),
    source=SOURCE,
)

PARAMETERS = (SEPARATION, MARGIN, THIRD_DERIVATIVE, *OFFSET, *START, CLOCK)
CLAIMS: tuple[Claim | Path, ...] = (
    *LINEARISED,
    *EIGENVECTOR,
    DECAY,
    NEARER,
    LINEAR_DECAY,
    SLOWEST,
)
