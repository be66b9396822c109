r"""S(phi, delta) = E[sech((phi + delta Z)/2)] and A(c, delta) = E[log(1 + e^{c + L})] in balls.

Each has two trapezoidal forms, and the cheaper one at the point is taken:

    on the line of Z      error relative to the value, at any phi and c; the poles of sech within
                          the strip are known residues, about delta of them; A has none to offer;
    on the Fourier line   S = int e^{-delta^2 w^2/2} cos(w phi) sech(pi w) dw,
                          A = e^{c/2 - delta^2/8}/2 int e^{-delta^2 w^2/2 + iwc}
                              / ((1/2 + iw) cosh(pi w)) dw,
                          about 1/delta residues, and more bits where phi is large against delta.

Values are relatively accurate to nearly the precision of the context wherever the arguments are;
the ball proves it or shows that it is not so. Unreachable past MOST_TERMS. Where both forms are
affordable their balls must meet, and the tests hold them against a third, generic quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, TypeAlias

from flint import acb, arb, ctx

from numerics.certified.trapezoid import (
    Line,
    gaussian,
    geometric,
    line,
    log_concave_sum,
    rotations,
    symmetric,
)
from numerics.point import Unreachable

Ball: TypeAlias = Any
MOST_TERMS = 50_000
MOST_BITS = 200_000
LARGEST = 1e100  # shift or delta: beyond it floats no longer steer
LN2 = math.log(2)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a form would be summed: chosen in floats, proved afterwards."""

    line: Line
    terms: int  # in one direction
    bits: int
    cost: float  # of the sum, to compare with that of another form


OUT_OF_REACH = Plan(Line(0.0, 0, 0.0), MOST_TERMS + 1, 0, math.inf)


def sech_overlap(phi: Ball, delta: Ball) -> Ball:
    """S for a real ball delta; phi may be a complex ball, S being entire in it."""
    delta = abs(delta)
    if delta.is_zero():
        return (phi / 2).sech()
    plans = [(fourier_plan(phi, delta), sech_overlap_fourier)]
    if isinstance(phi, arb):
        plans.append((line_plan(delta, residues=True), sech_overlap_line))
    return _cheapest(plans, phi, delta)


def softplus_mean(c: Ball, delta: Ball) -> Ball:
    """A for real balls c and delta, by A(c) = c - delta^2/2 + A(delta^2 - c) where c is large."""
    delta = abs(delta)
    if not isinstance(c, arb):
        raise Unreachable("A is evaluated on the real line only")
    if delta.is_zero():
        return c + (-c).exp().log1p() if c > 0 else c.exp().log1p()
    mean = c - delta**2 / 2
    if mean > 0:
        return mean + softplus_mean(delta**2 - c, delta)
    plans = [
        (fourier_plan(c, delta), softplus_mean_fourier),
        (line_plan(delta, residues=False), softplus_mean_line),
    ]
    return _cheapest(plans, c, delta)


def _cheapest(
    plans: Sequence[tuple[Plan, Callable[[Ball, Ball, Plan], Ball]]], shift: Ball, delta: Ball
) -> Ball:
    plan, form = min(plans, key=lambda entry: entry[0].cost)
    if plan.terms + plan.line.poles > MOST_TERMS or plan.bits > MOST_BITS:
        raise Unreachable(
            f"S or A at shift {float(shift.real):.6g} and delta {float(delta):.6g} takes more than "
            f"{MOST_TERMS} terms or {MOST_BITS} bits"
        )
    with ctx.workprec(plan.bits):
        value = form(shift, delta, plan)
    return +value


def line_plan(delta: Ball, residues: bool) -> Plan:
    """For an integrand e^{-z^2/2} times a function of period 4 pi i/delta, log-concave."""
    d, nats = float(delta), (ctx.prec + 8) * LN2
    if not d < LARGEST:
        return OUT_OF_REACH
    chosen = line(nats, 1.0, 0.0, 2 * math.pi / max(d, 1 / LARGEST), residues)
    terms = math.ceil((math.sqrt(2 * nats) + 1) / chosen.step)
    bits = ctx.prec + 2 * terms.bit_length() + 24 + chosen.poles.bit_length()
    return Plan(chosen, terms, bits, _cost(2 * terms * 1.7 + 8 * chosen.poles, bits))


def fourier_plan(shift: Ball, delta: Ball) -> Plan:
    """For an integrand of size e^{-delta^2 w^2/2} sech(pi w) that oscillates with the shift."""
    x, d = abs(float(shift.real)), float(delta)
    if not (1 / LARGEST < d < LARGEST and x < LARGEST):
        return OUT_OF_REACH
    lost = x * x / (2 * d * d) if 2 * x < d * d else x / 2 - d * d / 8
    nats = (ctx.prec + 10 + max(0.0, -math.log2(d))) * LN2 + lost
    chosen = line(nats, d * d, x, 1.0, residues=True)
    reach = 2 * nats / (math.pi + math.sqrt(math.pi**2 + 2 * d * d * nats))
    terms = math.ceil(min(reach / chosen.step, 1e15)) + 1
    bits = math.ceil(nats / LN2) + 2 * terms.bit_length() + math.isqrt(terms) + 16
    return Plan(chosen, terms, bits, _cost(terms * 2.6 + 4 * chosen.poles, bits))


def _cost(operations: float, bits: int) -> float:
    return operations * math.pow(bits + 800, 1.5)


# Forms on the line of Z.


def sech_overlap_line(phi: Ball, delta: Ball, plan: Plan) -> Ball:
    """h sum e^{-z^2/2} sech((phi + delta z)/2) with residues.

    |sech| on the line Im z = 2 pi K/delta is sech on the axis, so that the error is relative.
    """
    h, centre = arb(plan.line.step), arb(_peak(float(phi), float(delta)))
    total = arb(0)
    for sign, z in ((1, centre), (-1, centre - h)):
        u = phi + delta * z
        top = gaussian(
            (-(z**2 + u) / 2).exp(), (-(sign * (2 * z + delta) + h) * h / 2).exp(), (-(h**2)).exp()
        )
        bottom = geometric((-u).exp(), (-sign * delta * h).exp())
        total += log_concave_sum(_quotients(top, bottom, plan.terms))
    total = 2 * h * total
    period = 2 * arb.pi() / delta
    if plan.line.poles:
        pole = acb(-phi / delta, period / 2)
        q = (acb(0, 2 * arb.pi()) * (pole - centre) / h).exp()
        decay = (-2 * arb.pi() * period / h).exp()
        top = gaussian(
            (-(pole**2) / 2).exp() * q,
            -((period / 2 - acb(0, 1) * pole) * period).exp() * decay,
            (period**2).exp(),
        )
        residues = sum(_quotients(top, geometric(-q, decay), plan.line.poles), acb(0)).real
        total -= 4 * period * residues
    return total / _relative_error(delta, plan.line) / (2 * arb.pi()).sqrt()


def softplus_mean_line(c: Ball, delta: Ball, plan: Plan) -> Ball:
    """h sum e^{-z^2/2} log(1 + e^{m + delta z}), m = c - delta^2/2.

    |log(1 + e^{u + it})| <= log(1 + e^u)/cos(t/2) for |t| < pi, so that the error is relative.
    """
    h, mean = arb(plan.line.step), c - delta**2 / 2
    centre = arb(_peak(float(c), float(delta)) + float(delta) / 2)
    total = arb(0)
    for sign, z in ((1, centre), (-1, centre - h)):
        weights = gaussian(
            (-(z**2) / 2).exp(), (-(2 * sign * z + h) * h / 2).exp(), (-(h**2)).exp()
        )
        odds = geometric((mean + delta * z).exp(), (sign * delta * h).exp())
        terms = (w * t.log1p() for w, t in zip(weights, odds, strict=False))
        total += log_concave_sum(islice(terms, plan.terms))
    return h * total / _relative_error(delta, plan.line) / (2 * arb.pi()).sqrt()


def _peak(shift: float, d: float) -> float:
    """Where e^{-z^2/2} sech((shift + d z)/2) is greatest, nearly."""
    low, high = -d / 2, d / 2
    for _ in range(12):
        z = (low + high) / 2
        if z + d / 2 * math.tanh((shift + d * z) / 2) > 0:
            high = z
        else:
            low = z
    return (low + high) / 2


def _relative_error(delta: Ball, chosen: Line) -> Ball:
    """[1 - e, 1 + e], e = 2 e^{a^2/2}/(e^{2 pi a/h} - 1), over cos(delta a/2) below the poles."""
    if chosen.poles:
        a, worst = 2 * arb.pi() * chosen.poles / delta, arb(1)
    else:
        a = arb(chosen.height)
        worst = _cosine(delta * a / 2)
    return 1 + symmetric(2 * (a**2 / 2).exp() / _image(a, chosen) / worst)


def _cosine(angle: Ball) -> Ball:
    """Of an angle below a right one; not finite for any other."""
    return angle.cos() if angle < arb.pi() / 2 else arb.nan()


def _image(a: Ball, chosen: Line) -> Ball:
    return (2 * arb.pi() * a / arb(chosen.step)).expm1()


def _quotients(top: Iterator[Ball], bottom: Iterator[Ball], terms: int) -> Iterator[Ball]:
    """t/(1 + b): e^{quadratic} sech(affine), halved."""
    return (t / (1 + b) for t, b in islice(zip(top, bottom, strict=False), terms))


# Forms on the Fourier line.


def sech_overlap_fourier(phi: Ball, delta: Ball, plan: Plan) -> Ball:
    """h sum e^{-delta^2 w^2/2} cos(w phi) sech(pi w) with residues, even in w."""
    h, n = arb(plan.line.step), plan.terms
    if isinstance(phi, arb):
        cosines: Iterator[Ball] = (turn.real for turn in rotations(h * phi, n))
    else:
        cosines = ((j * h * phi).cos() for j in count())
    terms = (t * u for t, u in zip(_fourier_terms(delta, h, n), cosines, strict=False))
    total = h * (4 * sum(terms, arb(0)) - 1)
    for v, image in _fourier_residues(delta, plan.line):
        total -= 4 * image * (v * phi).cosh()
    error = _fourier_tail(phi, delta, h, n) + _fourier_error(phi, delta, plan.line)
    return total + (symmetric(error) if isinstance(phi, arb) else acb(*[symmetric(error)] * 2))


def softplus_mean_fourier(c: Ball, delta: Ball, plan: Plan) -> Ball:
    """h sum e^{-delta^2 w^2/2} (cos(wc)/2 + w sin(wc))/((1/4 + w^2) cosh(pi w)) with residues.

    The pole at i/2 is double; those at -i/2 and at the other +-i(k + 1/2) are simple.
    """
    h, n = arb(plan.line.step), plan.terms
    total = arb(0)
    pairs = zip(_fourier_terms(delta, h, n), rotations(h * c, n), strict=False)
    for j, (term, turn) in enumerate(pairs):
        w = j * h
        total += term * (turn.real / 2 + w * turn.imag) / (w**2 + arb(1) / 4)
    total = h * (4 * total - 2)
    for k, (v, image) in enumerate(_fourier_residues(delta, plan.line)):
        up, down = (-v * c).exp(), (v * c).exp() / (k + 1)
        if k:
            up = -up / k
        else:
            q = (-arb.pi() / h).exp()
            up = up * (c - delta**2 / 2 + 2 * arb.pi() / h / (1 - q))
        total -= 2 * image * (up + down)
    a = abs(arb(1) / 2 - arb(plan.line.poles or plan.line.height))
    error = 2 * _fourier_tail(c, delta, h, n) + _fourier_error(c, delta, plan.line) / a
    return (c / 2 - delta**2 / 8).exp() / 2 * (total + symmetric(error))


def _fourier_terms(delta: Ball, h: Ball, terms: int) -> Iterator[Ball]:
    """e^{-delta^2 w^2/2} sech(pi w)/2 at w = jh, j = 0, 1, ..."""
    width, decay = (delta * h) ** 2, -arb.pi() * h
    top = gaussian(arb(1), (decay - width / 2).exp(), (-width).exp())
    return _quotients(top, geometric(arb(1), (2 * decay).exp()), terms)


def _fourier_residues(delta: Ball, chosen: Line) -> Iterator[tuple[Ball, Ball]]:
    """For the poles iv below the line: v, (-1)^k e^{delta^2 v^2/2} q/(1 - q), q = e^{-2 pi v/h}."""
    q = (-arb.pi() / arb(chosen.step)).exp()
    top = gaussian((delta**2 / 8).exp() * q, -((delta**2).exp()) * q**2, (delta**2).exp())
    images = _quotients(top, geometric(-q, q**2), chosen.poles)
    return ((k + arb(1) / 2, image) for k, image in enumerate(images))


def _fourier_tail(shift: Ball, delta: Ball, h: Ball, terms: int) -> Ball:
    """What the terms from jh = w on amount to: they fall at least geometrically."""
    w = terms * h
    rate = arb.pi() - shift.imag.abs_upper()
    ratio = (-(delta**2 * w + rate) * h).exp()
    last = (-(delta**2) * w**2 / 2 - rate * w).exp()
    return 4 * h * last / (1 - ratio) if ratio < 1 else arb.pos_inf()


def _fourier_error(shift: Ball, delta: Ball, chosen: Line) -> Ball:
    """(M_+ + M_-)/(e^{2 pi a/h} - 1): |cos(w shift)| <= e^{a |Re shift| + |Re w| |Im shift|} there,
    |sech(pi w)| <= 1, or 1/cos(pi a) below the first pole."""
    a, side = arb(chosen.poles or chosen.height), shift.imag.abs_upper()
    size = (2 * arb.pi()).sqrt() / delta * ((delta * a) ** 2 / 2 + a * shift.real.abs_upper()).exp()
    if not side.is_zero():
        size = 2 * size * ((side / delta) ** 2 / 2).exp()
    if not chosen.poles:
        size = size / _cosine(arb.pi() * a)
    return 2 * size / _image(a, chosen)
