r"""Part (g), two of three representations: the sech form and the Fourier form of S, on a strip.

Also what they rest on: integrals of sech, the wave of a Gaussian, and the trapezoidal rule with
its error bounded on a strip of analyticity.
"""

from __future__ import annotations

import sympy as sp

from theorems.language import (
    Algebra,
    Cited,
    Combination,
    Divergence,
    Link,
    Substitution,
    Use,
    by_algebra,
    identity,
)
from theorems.mixture import L, delta, line, normal, phi, tau, y, z
from theorems.overlap.quantities import S, sech_kernel
from theorems.overlap.reasons import REFLECTION

EVEN = identity(
    "overlap.j.even",
    "S is even in phi.",
    S(-phi, delta),
    S.head,
    (
        Link("definition", line(sech_kernel(-phi)), Algebra((S,))),
        Link(
            "reflect the line",
            line(sech_kernel()),
            REFLECTION,
        ),
        Link("definition", S.head, Algebra((S,))),
    ),
    source="reconstructed",
)

# integrals of sech

_PRIMITIVE = identity(
    "overlap.g.sech_primitive",
    "4 arctan(e^(y/2)), which runs from 0 to 2 pi, has the derivative sech(y/2).",
    sp.diff(4 * sp.atan(sp.exp(y / 2)), y),
    sp.sech(y / 2),
    by_algebra("differentiate", sp.sech(y / 2)),
    source="reconstructed",
)
SECH_AREA = identity(
    "overlap.g.sech_area",
    "The area under sech((phi + L)/2) is 2 pi/delta.",
    line(sp.sech((phi + L) / 2)),
    2 * sp.pi / delta,
    (
        Link(
            "y = (z - phi)/delta",
            line(sp.sech(z / 2), z) / delta,
            Substitution(y, z, (z - phi) / delta),
        ),
        Link(
            "a primitive from 0 to 2 pi",
            2 * sp.pi / delta,
            Cited("fundamental theorem of calculus", (_PRIMITIVE,)),
        ),
    ),
    source="reconstructed",
)
_wave_of_sech = 2 * sp.pi * sp.sech(sp.pi * tau)
SECH_WAVE = identity(
    "overlap.g.sech_wave",
    "sech is its own Fourier transform: the integral of cos(tau y) sech(y/2) is 2 pi sech(pi tau).",
    line(sp.cos(tau * y) * sp.sech(y / 2)),
    _wave_of_sech,
    (
        Link(
            "close the contour at Im y = 2 pi: the top line carries -e^(-2 pi tau) times the "
            "integral, the pole at i pi the residue -2i e^(-pi tau)",
            4 * sp.pi * sp.exp(-sp.pi * tau) / (1 + sp.exp(-2 * sp.pi * tau)),
            Cited("residue theorem"),
        ),
        Link("collect", _wave_of_sech, Algebra()),
    ),
    source="reconstructed",
)
SECH_SQUARE = identity(
    "overlap.g.sech_square",
    "The integral of y^2 sech(y/2) is 2 pi^3.",
    line(y**2 * sp.sech(y / 2)),
    2 * sp.pi**3,
    (
        Link(
            "minus the second derivative of the Fourier transform at 0",
            -sp.diff(_wave_of_sech, tau, 2).subs(tau, 0),
            Cited("differentiation under the integral sign", (SECH_WAVE,)),
        ),
        Link("value", 2 * sp.pi**3, Algebra()),
    ),
    source="reconstructed",
)
_SECH_MIRROR = identity(
    "overlap.g.sech_mirror",
    "The integral of y sech(y/2) is its own negative.",
    line(y * sp.sech(y / 2)),
    line(-y * sp.sech(y / 2)),
    (Link("reflect the line", line(-y * sp.sech(y / 2)), REFLECTION),),
    source="reconstructed",
)
SECH_MEAN = identity(
    "overlap.g.sech_mean",
    "The integral of y sech(y/2) is 0.",
    line(y * sp.sech(y / 2)),
    sp.S.Zero,
    (
        Link(
            "half the integral and half its mirror image cancel",
            sp.S.Zero,
            Combination((Use(_SECH_MIRROR, times=sp.Rational(1, 2)),)),
        ),
    ),
    source="reconstructed",
)

SECH_SPREAD = identity(
    "overlap.g.sech_spread",
    "The integral of (y - phi)^2 sech(y/2) is 2 pi (pi^2 + phi^2).",
    line((y - phi) ** 2 * sp.sech(y / 2)),
    2 * sp.pi * (sp.pi**2 + phi**2),
    (
        Link(
            "moments of sech",
            2 * sp.pi * (sp.pi**2 + phi**2),
            Combination(
                (
                    Use(SECH_SQUARE),
                    Use(SECH_MEAN, times=-2 * phi),
                    Use(SECH_AREA, at={phi: sp.S.Zero, delta: sp.S.One}, times=phi**2),
                )
            ),
        ),
    ),
    source="reconstructed",
)

# the Fourier form

_wave = line(normal(y) * sp.cos(phi + tau * y))
_WAVE_EQUATION = identity(
    "overlap.g.gauss_equation",
    "The wave of a Gaussian solves du/dtau = -tau u.",
    sp.diff(_wave, tau),
    -tau * _wave,
    (
        Link(
            "integrate by parts",
            -tau * _wave,
            Divergence(((y, normal(y) * sp.sin(phi + tau * y)),), (y,)),
        ),
    ),
    source="reconstructed",
)
_WAVE_START = identity(
    "overlap.g.gauss_start",
    "At tau = 0 it is cos(phi).",
    _wave.subs(tau, 0),
    sp.cos(phi),
    by_algebra("the density integrates to 1", sp.cos(phi)),
    source="reconstructed",
)
GAUSS_WAVE = identity(
    "overlap.g.gauss_wave",
    "The mean of cos(phi + tau Z) is cos(phi) e^(-tau^2/2), Z standard normal.",
    _wave,
    sp.cos(phi) * sp.exp(-(tau**2) / 2),
    (
        Link(
            "both solve the same equation from the same start",
            sp.cos(phi) * sp.exp(-(tau**2) / 2),
            Cited(
                "uniqueness of the solution of a linear differential equation",
                (_WAVE_EQUATION, _WAVE_START),
            ),
        ),
    ),
    source="reconstructed",
)
fourier_kernel = sp.exp(-(delta**2) * y**2 / 2) * sp.cos(y * phi) * sp.sech(sp.pi * y)
FOURIER = identity(
    "overlap.g.fourier",
    "Fourier form: S is the integral of e^(-delta^2 w^2/2) cos(w phi) sech(pi w).",
    S.head,
    line(fourier_kernel),
    (
        Link("definition", line(sech_kernel()), Algebra((S,))),
        Link(
            "write sech as its own Fourier transform and integrate the wave first",
            line(fourier_kernel),
            Cited("Fubini's theorem", (SECH_WAVE, GAUSS_WAVE)),
        ),
    ),
    source="reconstructed",
)

CLAIMS = (SECH_AREA, SECH_WAVE, SECH_SQUARE, SECH_SPREAD, GAUSS_WAVE, FOURIER)
