r"""Part (g), the trapezoidal rule on the sech form and the Fourier form of S.

Each integrand is analytic in a strip; its poles, its mass on the edge, and so the error of the
rule are bounded.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theorems.language import (
    Cited,
    Claim,
    Combination,
    Expr,
    Link,
    Parameter,
    Use,
    bound,
    by_algebra,
    identity,
)
from theorems.mixture import L, delta, line, phi, tau, y
from theorems.overlap.quantities import S
from theorems.overlap.sech import FOURIER, fourier_kernel

half_width, step = sp.symbols("half_width step", positive=True)
STRIP = (
    Parameter(
        "half_width",
        half_width,
        sp.Interval.open(0, sp.oo),
        (sp.Rational(1, 16), sp.Integer(2)),
        "half-width a of a strip of analyticity",
        typical=sp.Rational(1, 4),
    ),
    Parameter(
        "step",
        step,
        sp.Interval.open(0, sp.oo),
        (sp.Rational(1, 8), sp.Integer(1)),
        "step h of the trapezoidal rule",
        typical=sp.Rational(1, 4),
    ),
)
NODES = 12  # on each side of the origin, in the claims about the trapezoidal rule


def _strip_factor(angle: Expr, height: Expr) -> Expr:
    """|cos(angle)| sqrt(1 + sinh(height)^2/cos(angle)^2) = |cosh(height + i angle)|."""
    return sp.Abs(sp.cos(angle)) * sp.sqrt(1 + (sp.sinh(height) / sp.cos(angle)) ** 2)


_angle, _height = delta * half_width / 2, (phi + L) / 2
_inside_sech, _inside_fourier = delta * half_width < sp.pi, 2 * half_width < 1
_FLAT = identity(
    "overlap.g.pythagoras_flat",
    "cos^2 + sin^2 has derivative 0.",
    sp.diff(sp.cos(tau) ** 2 + sp.sin(tau) ** 2, tau),
    sp.S.Zero,
    by_algebra("differentiate", sp.S.Zero),
    source="reconstructed",
)
PYTHAGORAS = identity(
    "overlap.g.pythagoras",
    "cos^2 + sin^2 = 1.",
    sp.cos(tau) ** 2 + sp.sin(tau) ** 2,
    sp.S.One,
    (Link("constant, and 1 at 0", sp.S.One, Cited("mean value theorem", (_FLAT,))),),
    source="reconstructed",
)


def _modulus(id: str, text: str, height: Expr, angle: Expr) -> Claim:
    """|cosh(height + i angle)|^2 from its real and imaginary parts."""
    size = sp.cos(angle) ** 2 + sp.sinh(height) ** 2
    return identity(
        id,
        text,
        (sp.cosh(height) * sp.cos(angle)) ** 2 + (sp.sinh(height) * sp.sin(angle)) ** 2,
        size,
        (
            Link(
                "cosh^2 = 1 + sinh^2",
                size,
                Combination((Use(PYTHAGORAS, at={tau: angle}, times=sp.sinh(height) ** 2),)),
            ),
        ),
        source="reconstructed",
    )


SECH_MODULUS = _modulus(
    "overlap.g.sech_modulus",
    "|cosh((phi + delta(y + ia))/2)|^2 = cos(delta a/2)^2 + sinh((phi + L)/2)^2: no zero, and so "
    "no pole of sech, within |Im y| < pi/delta.",
    _height,
    _angle,
)
FOURIER_MODULUS = _modulus(
    "overlap.g.fourier_modulus",
    "|cosh(pi(w + ia))|^2 = cos(pi a)^2 + sinh(pi w)^2: no pole within |Im w| < 1/2.",
    sp.pi * y,
    sp.pi * half_width,
)
_sech_size = sp.exp((half_width**2 - y**2) / 2)
_sech_strip = sp.sqrt(2 * sp.pi) * sp.exp(half_width**2 / 2) / sp.Abs(sp.cos(_angle))
SECH_STRIP = bound(
    "overlap.g.sech_strip",
    "On the line Im y = a the sech integrand e^(-y^2/2) sech((phi + delta y)/2) has mass at most "
    "M = sqrt(2 pi) e^(a^2/2)/cos(delta a/2), a < pi/delta.",
    line(_sech_size / _strip_factor(_angle, _height)),
    "<=",
    _sech_strip,
    (
        Link(
            "1/|cosh| is largest at the centre",
            _sech_strip,
            Combination(
                remainder=line(
                    _sech_size
                    / sp.Abs(sp.cos(_angle))
                    * (1 - 1 / sp.sqrt(1 + (sp.sinh(_height) / sp.cos(_angle)) ** 2))
                )
            ),
            "<=",
        ),
    ),
    where=(_inside_sech,),
    source="reconstructed",
)
_fourier_angle = sp.pi * half_width
_fourier_size = sp.exp(delta**2 * (half_width**2 - y**2) / 2) * sp.cosh(half_width * phi)
_fourier_shrink = sp.sqrt(1 - (sp.sin(y * phi) / sp.cosh(half_width * phi)) ** 2) / sp.sqrt(
    1 + (sp.sinh(sp.pi * y) / sp.cos(_fourier_angle)) ** 2
)
_fourier_strip = (
    sp.sqrt(2 * sp.pi)
    / delta
    * sp.exp(delta**2 * half_width**2 / 2)
    * sp.cosh(half_width * phi)
    / sp.Abs(sp.cos(_fourier_angle))
)
FOURIER_STRIP = bound(
    "overlap.g.fourier_strip",
    "On the line Im w = a the Fourier integrand has mass at most "
    "M = (sqrt(2 pi)/delta) e^(delta^2 a^2/2) cosh(a phi)/cos(pi a), a < 1/2.",
    line(_fourier_size * _fourier_shrink / sp.Abs(sp.cos(_fourier_angle))),
    "<=",
    _fourier_strip,
    (
        Link(
            "|cos| is at most cosh(a phi), and 1/|cosh| is largest at the centre",
            _fourier_strip,
            Combination(
                remainder=line(
                    _fourier_size * (1 - _fourier_shrink) / sp.Abs(sp.cos(_fourier_angle))
                )
            ),
            "<=",
        ),
    ),
    where=(_inside_fourier,),
    source="reconstructed",
)


def _trapezoid(f: Callable[[Expr], Expr]) -> Expr:
    """The trapezoidal sum of f over 2 NODES + 1 nodes about the origin."""
    return step * sp.Add(*(f(k * step) for k in range(-NODES, NODES + 1)))


def _error(strip: Expr) -> Expr:
    """The discretisation error of the whole trapezoidal sum."""
    return 2 * strip / (sp.exp(2 * sp.pi * half_width / step) - 1)


_RULE = "trapezoidal rule on a strip (Trefethen, Weideman), and the integral test for its tail"
_sech_error = _error(_sech_strip) + sp.sqrt(2 * sp.pi) * sp.erfc(NODES * step / sp.sqrt(2))
SECH_TRAPEZOID = bound(
    "overlap.g.sech_trapezoid",
    "Trapezoidal sum of the sech form: error at most 2M/(e^(2 pi a/h) - 1) for the whole sum, and "
    "sqrt(2 pi) erfc(Nh/sqrt(2)) for stopping at N = 12 nodes a side.",
    sp.Abs(
        sp.sqrt(2 * sp.pi) * S.head
        - _trapezoid(lambda x: sp.exp(-(x**2) / 2) * sp.sech((phi + delta * x) / 2))
    ),
    "<=",
    _sech_error,
    (
        Link(
            "discretisation and truncation",
            _sech_error,
            Cited(_RULE, (SECH_MODULUS, SECH_STRIP)),
            "<=",
        ),
    ),
    where=(_inside_sech,),
    source="reconstructed",
)
_fourier_error = _error(_fourier_strip) + sp.sqrt(2 * sp.pi) / delta * sp.erfc(
    NODES * delta * step / sp.sqrt(2)
)
FOURIER_TRAPEZOID = bound(
    "overlap.g.fourier_trapezoid",
    "Trapezoidal sum of the Fourier form: error at most 2M/(e^(2 pi a/h) - 1) for the whole sum, "
    "and (sqrt(2 pi)/delta) erfc(delta N h/sqrt(2)) for stopping at N = 12 nodes a side.",
    sp.Abs(S.head - _trapezoid(lambda x: fourier_kernel.subs(y, x))),
    "<=",
    _fourier_error,
    (
        Link(
            "discretisation and truncation",
            _fourier_error,
            Cited(_RULE, (FOURIER, FOURIER_MODULUS, FOURIER_STRIP)),
            "<=",
        ),
    ),
    where=(_inside_fourier,),
    source="reconstructed",
)

CLAIMS = (
    PYTHAGORAS,
    SECH_MODULUS,
    FOURIER_MODULUS,
    SECH_STRIP,
    FOURIER_STRIP,
    SECH_TRAPEZOID,
    FOURIER_TRAPEZOID,
)
