"""Expression trees in mpmath, with the precision scoped to a context of its own.

Integrals by Gauss-Legendre rules on panels that grow geometrically away from every bell and every
step of the integrand; the precise lane has a quadrature of its own, which this does not share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from flint import arb
from mpmath.calculus.quadrature import GaussLegendre
from mpmath.ctx_mp import MPContext

from numerics.expression import fold, largest_free_of
from numerics.point import Exact, Logit, Unreachable

_MOST_WINDOWS = 100
_MOST_HALVINGS = 20


@cache
def context_of(digits: int) -> MPContext:
    """A context of its own for each precision, which never changes; it keeps its nodes."""
    context = MPContext()
    context.dps = digits
    return context


def read(context: MPContext, value: Exact) -> Any:
    if isinstance(value, Logit):
        odds = value.weight / (1 - value.weight)
        return context.log(context.mpf(odds.numerator) / odds.denominator)
    fraction = Fraction(value)
    return context.mpf(fraction.numerator) / fraction.denominator


def ball(value: Any) -> arb:
    """An mpf, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    if not mantissa and exponent:  # inf and nan
        return arb.nan()
    return arb(((-1) ** sign * int(mantissa), exponent))


def _functions(ctx: MPContext) -> dict[str, Callable[..., Any]]:
    elementary = (
        *("exp", "log", "cosh", "sinh", "tanh", "sech"),
        *("cos", "sin", "acos", "erf", "erfc"),
    )
    return {
        "Add": lambda *terms: sum(terms, ctx.zero),
        "Mul": lambda *factors: ctx.fprod(factors),
        "Pow": lambda base, power: base**power,
        "Abs": abs,
        "Min": min,
        "Max": max,
        **{name: getattr(ctx, name) for name in elementary},
    }


def arithmetic(
    digits: int, answer: Callable[[Multiprecision, str, tuple[Any, ...]], Any]
) -> Multiprecision:
    """The arithmetic at this many digits."""
    context = context_of(digits)
    return Multiprecision(context, _functions(context), answer)


@dataclass(frozen=True, slots=True)
class Multiprecision:
    """The arithmetic of an expression tree in mpmath at one precision. `answer` gives the value
    of a quantity at given arguments: by its formula, or as another lane measured it."""

    context: MPContext
    functions: Mapping[str, Callable[..., Any]]
    answer: Callable[[Multiprecision, str, tuple[Any, ...]], Any]

    def rational(self, p: int, q: int) -> Any:
        return self.context.mpf(p) / q

    def constant(self, name: str) -> Any:
        return {"Pi": +self.context.pi, "Exp1": +self.context.e}[name]

    def call(self, head: str, arguments: tuple[Any, ...]) -> Any:
        return self.answer(self, head, arguments)

    def integral(
        self, body: Any, variable: str, lower: Any, upper: Any, bindings: Mapping[str, Any]
    ) -> Any:
        inner = replace(self, functions=_functions(self.context))  # a zero there is no loss
        constants: dict[Any, Any] = {}
        for node in largest_free_of(body, variable):
            fold(node, bindings, inner, constants)

        def at(tree: Any, x: Any) -> Any:
            return fold(tree, {**bindings, variable: x}, inner, dict(constants))

        def integrand(x: Any) -> Any:
            return at(body, x)

        if lower is not None and upper is not None:
            windows = [[lower, upper]]
        else:
            centres = _centres(self.context, body, variable, at)
            windows = _panels(self.context, centres, integrand)
        return _gauss_legendre(self.context, integrand, windows)


def _centres(
    ctx: MPContext, body: Any, variable: str, at: Callable[[Any, Any], Any]
) -> list[tuple[Any, Any]]:
    """(place, width) of every bell and every step in the integrand, read off its tree: where an
    exponent that is quadratic in the variable is largest, where one that is linear is zero."""
    found = []
    for node in {n for n in _nodes(body) if n.func.__name__ in ("exp", "sech", "tanh", "cosh")}:
        if variable not in {symbol.name for symbol in node.free_symbols}:
            continue
        left, middle, right = (at(node.args[0], ctx.mpf(x)) for x in (-1, 0, 1))
        bend, slope = left + right - 2 * middle, (right - left) / 2
        rounding = 16 * ctx.eps * (abs(left) + abs(middle) + abs(right))
        if bend < -rounding:
            found.append((-slope / bend, 1 / ctx.sqrt(-bend)))
        elif slope != 0:
            found.append((-middle / slope, 1 / abs(slope)))
    if not found:
        raise Unreachable("the derived lane sees no bell in the integrand")
    return sorted(found)


def _nodes(tree: Any) -> list[Any]:
    return [tree, *(node for child in tree.args for node in _nodes(child))]


def _panels(
    ctx: MPContext, centres: list[tuple[Any, Any]], f: Callable[[Any], Any]
) -> list[list[Any]]:
    """Edges that grow geometrically away from every centre, in windows beyond which the integrand
    is negligible: as wide as the digits to begin with, and wider where it lives on."""
    reach = (ctx.sqrt(2 * ctx.dps * ctx.log(10)) + 2) * max(width for _, width in centres)
    peak = max(abs(f(place)) for place, _ in centres)
    windows: list[list[Any]] = []
    for place, _ in centres:
        low, high = (_end(ctx, f, place, side * reach, peak) for side in (-1, 1))
        if windows and low <= windows[-1][1]:
            windows[-1] = [min(low, windows[-1][0]), max(high, windows[-1][1])]
        else:
            windows.append([low, high])
    return [_edges(ctx, low, high, centres) for low, high in windows]


def _end(ctx: MPContext, f: Callable[[Any], Any], place: Any, reach: Any, peak: Any) -> Any:
    """The first place, going out from a centre by `reach`, where the integrand is negligible."""
    for _ in range(_MOST_WINDOWS):
        place += reach
        height = abs(f(place))
        if height <= peak * ctx.eps:
            return place
        peak = max(peak, height)
    raise Unreachable("the derived lane does not see where the integrand ends")


def _edges(ctx: MPContext, low: Any, high: Any, centres: list[tuple[Any, Any]]) -> list[Any]:
    edges = {low, high}
    for place, width in centres:
        for side in (-1, 1):
            step = width
            while step < high - low:
                edges.add(place + side * step)
                step *= 2
        edges.add(place)
    inside = sorted(edge for edge in edges if low <= edge <= high)
    widest = max(width for _, width in centres)
    return [
        a + (b - a) * k / pieces
        for a, b in pairwise(inside)
        for pieces in (int(ctx.ceil((b - a) / (3 * widest))),)
        for k in range(pieces)
    ] + [inside[-1]]


def _gauss_legendre(ctx: MPContext, f: Callable[[Any], Any], windows: list[list[Any]]) -> Any:
    """The sum over panels; a panel is halved until its rule and one of half as many nodes agree to
    half the digits, which leaves all of them to the finer."""
    size = max(abs(f(edge)) for edges in windows for edge in edges)
    return sum(
        (
            _panel(ctx, f, low, high, size, _MOST_HALVINGS)
            for edges in windows
            for low, high in pairwise(edges)
        ),
        ctx.zero,
    )


def _panel(
    ctx: MPContext, f: Callable[[Any], Any], low: Any, high: Any, size: Any, halvings: int
) -> Any:
    half, middle = (high - low) / 2, (high + low) / 2
    coarse, fine = (
        half * ctx.fdot((weight, f(middle + half * node)) for node, weight in rule)
        for rule in _rules(ctx.dps)
    )
    if abs(fine - coarse) <= size * half * ctx.sqrt(ctx.eps):
        return fine
    if halvings == 0:
        raise Unreachable("the derived lane sees no end of halving a panel")
    left = _panel(ctx, f, low, middle, size, halvings - 1)
    return left + _panel(ctx, f, middle, high, size, halvings - 1)


@cache
def _rules(digits: int) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """Two Gauss-Legendre rules; the finer has 0.7 nodes a digit or more, the other half as many."""
    ctx = context_of(digits)
    least = math.ceil(0.7 * digits) + 6
    degree = max(2, math.ceil(math.log2(least / 3)) + 1)  # the rule has 3·2^(degree−1) nodes
    rule = GaussLegendre(ctx)
    return rule.calc_nodes(degree - 1, ctx.prec), rule.calc_nodes(degree, ctx.prec)
