"""Trapezoidal sums on the line, with the step from the strip of analyticity.

For an integrand analytic in |Im x| < a and of Gaussian growth e^{(Im x)^2/2} there, step h leaves
about exp(-2 pi a/h + a^2/2) of the integral. The range is found from the integrand itself, outward
from several seeds: nothing is assumed about where it lives except that a seed lies in each part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from numerics.point import Unreachable
from numerics.precise.evaluation import Context, Estimate, Real

Integrand: TypeAlias = Callable[[Real], Real]

MOST_SECONDS = 8


@dataclass(frozen=True, slots=True)
class Pole:
    """Singularities at centre ± i(half_width, and beyond)."""

    centre: Real
    half_width: Real


def integrate(
    ctx: Context, integrand: Integrand, seeds: Sequence[Real], poles: Iterable[Pole] = ()
) -> Estimate:
    """∫ integrand over R, to about the precision of ctx less what the exponents cost.

    A pole slows the sum only by the size of the integrand there: one far out in the tail is left
    out of the step. The error estimate is (T_h - T_2h)^2 over the sum of moduli (the error of T_h
    is about the square of that of T_2h), plus truncation and rounding.
    Raises Unreachable when the nodes would take too long.
    """
    nats = nats_within(ctx, max(abs(seed) for seed in seeds))
    quarter = ctx.mpf(1) / 4
    places = [seed + shift for seed in seeds for shift in (-quarter, 0, quarter)]
    largest = max(abs(integrand(place)) for place in places)
    step = longest_step(ctx, nats, ctx.inf)
    for pole in poles:
        reach = min(pole.half_width, 1) / 2
        there = max(abs(integrand(pole.centre + side * reach)) for side in (-1, 0, 1))
        step = min(step, longest_step(ctx, nats - depth(ctx, there, largest), pole.half_width))
    return trapezoid(ctx, integrand, seeds, step, nats)


def integrate_beyond(
    ctx: Context, integrand: Integrand, kink: Real, side: int, seeds: Sequence[Real]
) -> Estimate:
    """∫ from the kink to side * infinity of an integrand that is smooth on that side only.

    side: +1 or -1. Seeds on the other side of the kink are moved to it. The stretch where the
    integrand lives is mapped to the line by x = a + (b-a)/(1 + exp(-pi sinh t)), analytic for
    |Im t| < pi/2; a decay e^-cx over all its nats grows so fast there that pi/8 is what is left.
    """
    inside = [max(ctx.zero, side * (seed - kink)) for seed in seeds]
    nats = nats_within(ctx, abs(kink) + max(inside))
    grain = 1 / (64 * (1 + max(abs(seed - kink) for seed in seeds)))

    @cache
    def size(index: int) -> Real:
        return abs(integrand(kink + side * index * grain)) if index >= 0 else ctx.zero

    indices = {int(distance / grain) for distance in inside}
    windows = _windows(size, indices, max(map(size, indices)) * ctx.exp(-nats - 6))
    if not windows:
        return Estimate((ctx.zero,), ctx.zero)
    start = grain * max(0, windows[0][0])
    length = grain * windows[-1][1] - start

    def mapped(t: Real) -> Real:
        growth = ctx.exp(t)
        fraction = 1 / (1 + ctx.exp((1 / growth - growth) * ctx.pi / 2))
        slope = length * (growth + 1 / growth) * ctx.pi / 2 * fraction * (1 - fraction)
        return integrand(kink + side * (start + length * fraction)) * slope

    step = min(
        longest_step(ctx, nats, ctx.pi / 8),
        longest_step(ctx, nats, ctx.inf) / (1 + length * ctx.pi / 4),
    )
    middle = [ctx.mpf(k) for k in range(-2, 3)]
    return trapezoid(ctx, mapped, middle, step, nats)


def trapezoid(
    ctx: Context, integrand: Integrand, seeds: Sequence[Real], step: Real, nats: Real
) -> Estimate:
    """step * Σ integrand over one lattice, on the windows around the seeds where it is above
    e^-nats of its largest value."""
    strongest = max(seeds, key=lambda seed: abs(integrand(seed)))
    value = cache(lambda index: integrand(strongest + index * step))
    indices = {int(ctx.nint((seed - strongest) / step)) for seed in seeds}
    largest = max(abs(value(index + shift)) for index in indices for shift in (-1, 0, 1))
    if not largest:
        return Estimate((ctx.zero,), ctx.zero)
    floor = largest * ctx.exp(-nats - 6)
    windows = _windows(lambda index: abs(value(index)), indices, floor)
    if not windows:  # no digit of the sum is within this precision
        return Estimate((ctx.zero,), step * largest)
    charge(ctx, sum(last - first + 1 for first, last in windows))
    terms = {k: value(k) for first, last in windows for k in range(first, last + 1)}
    halves = [[term for k, term in terms.items() if k % 2 == parity] for parity in (0, 1)]
    even, odd = (ctx.fsum(half) for half in halves)
    scale = step * sum(ctx.fsum(half, absolute=True) for half in halves)
    gap = step * (even - odd)
    return Estimate((step * (even + odd),), scale * ctx.exp(-nats) + gap**2 / scale)


def _windows(
    size: Callable[[int], Real], seeds: Iterable[int], floor: Real
) -> list[tuple[int, int]]:
    """Disjoint index ranges, one around each seed where the integrand is above the floor."""
    found: list[tuple[int, int]] = []
    for seed in sorted(seeds):
        if found and seed <= found[-1][1]:
            continue
        if max(size(seed + shift) for shift in (-1, 0, 1)) <= floor:
            continue
        first, last = _extent(size, seed, -1, floor), _extent(size, seed, 1, floor)
        while found and first <= found[-1][1] + 1:
            before = found.pop()
            first, last = min(first, before[0]), max(last, before[1])
        found.append((first, last))
    return found


def _extent(size: Callable[[int], Real], start: int, side: int, floor: Real) -> int:
    """The index beyond which size stays below the floor: galloping, then bisection."""

    def negligible(distance: int) -> bool:
        return all(size(start + side * (distance + more)) <= floor for more in (0, 1))

    beyond = 2
    while not all(negligible(distance) for distance in (beyond, beyond + beyond // 2, 2 * beyond)):
        beyond *= 2
    inside = beyond // 2
    while beyond - inside > max(1, beyond // 16):
        middle = (inside + beyond) // 2
        inside, beyond = (inside, middle) if negligible(middle) else (middle, beyond)
    return start + side * beyond


def nats_within(ctx: Context, reach: Real) -> Real:
    """-log of the relative accuracy that ctx can give when |x| and the means stay within reach:
    a rounded exponent x^2/2 costs its own bits."""
    width = ctx.sqrt(2 * ctx.prec * ctx.ln2)
    return (ctx.prec - ctx.mag(1 + (reach + width) ** 2) - 10) * ctx.ln2


def longest_step(ctx: Context, nats: Real, half_width: Real) -> Real:
    """The step h at which T_2h is off by e^(-nats/2), so that its square, the error estimate, is
    e^-nats, when singularities are half_width away (infinity: none). T_h is off by less."""
    if nats <= 0 and half_width != ctx.inf:
        return ctx.inf
    nats = max(nats, 16) + 4
    width = min(half_width, ctx.sqrt(nats))
    return 2 * ctx.pi * width / (nats + width**2)


def depth(ctx: Context, there: Real, largest: Real) -> Real:
    """Nats by which the integrand there lies below its largest value."""
    if not there:
        return ctx.zero
    return max(ctx.zero, ctx.log(largest / there))


def charge(ctx: Context, nodes: int) -> None:
    """Raises Unreachable before a sum that would take more than about MOST_SECONDS."""
    microseconds = nodes * 60 * (1 + (ctx.prec / 400) ** 2)
    if microseconds > MOST_SECONDS * 10**6:
        raise Unreachable(
            f"the precise lane would need {nodes} nodes at {ctx.prec} bits here, "
            f"more than {MOST_SECONDS} seconds of work"
        )
