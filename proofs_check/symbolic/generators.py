"""SymPy expressions as rational functions over independent generators.

Generators are symbols, exp of a monomial, log of a positive irreducible, roots, absolute values,
integrals, and anything opaque. All symbols are real; where a root or a logarithm of one factor of
unknown sign stands, the factor is taken to be positive, since elsewhere the expression is not real.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from proofs_check.symbolic.ratio import (
    Polynomial,
    Ratio,
    Undecided,
    factors,
    folded,
    lowest,
    monomials,
)
from proofs_check.symbolic.signs import manifestly_nonnegative, manifestly_positive

Expr = Any
CAPACITY = 64
_EVEN = {sp.cos}
_ODD = {sp.sin, sp.erf, sp.atan, sp.asinh}


class Refined(Exception):
    """A finer root of an exponential turned up: build the generators again."""


@dataclass(frozen=True, slots=True)
class Generator:
    """One independent generator: what it stands for, and what is known of it."""

    meaning: Expr
    kind: str
    inner: Ratio | None = None  # of an exp: its exponent; of a log or a root: what it is taken of
    relation: tuple[int, Polynomial] | None = None  # its n-th power is this polynomial

    def depends_on(self, variables: set[Expr]) -> bool:
        return bool(self.meaning.free_symbols & variables)


class Generators:
    """The table of generators of one normal form; it grows as expressions are read."""

    def __init__(self, units: dict[Hashable, Fraction]) -> None:
        self.units = units
        names = [f"g{i}" for i in range(CAPACITY)]
        self.context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.variables = self.context.gens()
        self.table: list[Generator] = []
        self.index: dict[Hashable, int] = {}
        self.memo: dict[Expr, Ratio] = {}
        self.one = self.constant(1)
        self.integral: Callable[[Expr], Ratio] = self._opaque

    # -- reading ---------------------------------------------------------------------------------

    def read(self, expr: Expr) -> Ratio:
        """The normal form of `expr`; raises Undecided where it does not exist."""
        known = self.memo.get(expr)
        if known is None:
            known = self.memo[expr] = self._read(expr)
        return known

    def _read(self, expr: Expr) -> Ratio:
        if expr.is_Rational:
            return self.constant(Fraction(int(expr.p), int(expr.q)))
        if expr.is_Symbol or expr is sp.pi:
            return self.atom(expr, Generator(expr, "symbol"))
        if expr.is_Add:
            return self._sum([self.read(arg) for arg in expr.args])
        if expr.is_Mul:
            total = self.one
            for arg in expr.args:
                total = self.reduced(total * self.read(arg))
            return total
        if expr is sp.E:
            return self.exp(self.one)
        if expr.is_Pow:
            return self._pow(expr)
        if isinstance(expr, sp.Integral):
            return self.integral(expr)
        if isinstance(expr, sp.Max | sp.Min):
            return self._extremum(expr)
        rule = _RULES.get(expr.func)
        return rule(self, self.read(expr.args[0])) if rule else self._opaque(expr)

    def _sum(self, parts: list[Ratio]) -> Ratio:
        """Terms over one denominator first: fewer common factors to cancel."""
        shared: dict[str, Ratio] = {}
        for part in parts:
            name = str(part.den)
            shared[name] = shared[name] + part if name in shared else part
        total = self.constant(0)
        for part in shared.values():
            total = self.reduced(total + part)
        return total

    def _pow(self, expr: Expr) -> Ratio:
        base, exponent = expr.args
        if exponent.is_Integer:
            return self.reduced(self.read(base) ** int(exponent))
        if exponent.is_Rational:
            return self.root(self.read(base), Fraction(int(exponent.p), int(exponent.q)))
        if manifestly_positive(base):
            return self.exp(self.reduced(self.read(exponent) * self.log(self.read(base))))
        return self._opaque(expr)

    def _extremum(self, expr: Expr) -> Ratio:
        """max(x, y) = (x + y + |x - y|)/2, one argument after the other."""
        total, *rest = (self.read(arg) for arg in expr.args)
        sign, half = (1 if isinstance(expr, sp.Max) else -1), self.constant(Fraction(1, 2))
        for each in rest:
            gap = self.absolute(total - each) * self.constant(sign)
            total = self.reduced((total + each + gap) * half)
        return total

    def _opaque(self, expr: Expr) -> Ratio:
        """An atom, the same for equal arguments; even and odd functions shed a sign."""
        if not isinstance(expr, sp.Function) or isinstance(expr, sp.Piecewise):
            return self.atom(("opaque", expr), Generator(expr, "opaque"))
        args = [self.read(arg) for arg in expr.args]
        sign = 1
        if expr.func in _EVEN | _ODD and args[0].num.leading_coefficient() < 0:
            args, sign = [-args[0]], -1 if expr.func in _ODD else 1
        meaning = expr.func(*(self.restored(arg) for arg in args))
        key = (expr.func, *(arg.key for arg in args))
        return self.atom(key, Generator(meaning, "opaque")) * self.constant(sign)

    # -- building --------------------------------------------------------------------------------

    def constant(self, value: int | Fraction) -> Ratio:
        exact = fmpq(Fraction(value).numerator, Fraction(value).denominator)
        return Ratio(self.context.constant(exact), self.context.constant(1))

    def polynomial(self, poly: Polynomial) -> Ratio:
        return Ratio(poly, self.context.constant(1))

    def atom(self, key: Hashable, generator: Generator) -> Ratio:
        if key not in self.index:
            if len(self.table) == CAPACITY:
                raise Undecided(f"more than {CAPACITY} generators")
            self.index[key] = len(self.table)
            self.table.append(generator)
        return self.polynomial(self.variables[self.index[key]])

    def exp(self, exponent: Ratio) -> Ratio:
        """exp as a product of generators, one for each monomial of the exponent."""
        total = self.one
        for weight, monomial in monomials(exponent):
            log = self._inner(monomial, "log")
            factor = self.root(log[0], weight) if log else self._exp_generator(weight, monomial)
            total = self.reduced(total * factor)
        return total

    def _inner(self, ratio: Ratio, kind: str) -> tuple[Ratio, Fraction] | None:
        """If `ratio` is a generator of that kind: what it is taken of, and the order of a root."""
        for i, generator in enumerate(self.table):
            if ratio.num == self.variables[i] and ratio.den == 1:
                if generator.kind != kind or generator.inner is None:
                    return None
                n = generator.relation[0] if generator.relation else 1
                return generator.inner, Fraction(1, n)
        return None

    def _exp_generator(self, weight: Fraction, monomial: Ratio) -> Ratio:
        name = ("exp", self.restored(monomial))
        unit = self._unit(name, weight)
        exponent = monomial * self.constant(unit)
        meaning = sp.exp(self.restored(exponent))
        return self.atom(name, Generator(meaning, "exp", exponent)) ** int(weight / unit)

    def _unit(self, name: Hashable, weight: Fraction) -> Fraction:
        """The common unit of all rational exponents seen with `name`."""
        unit = self.units.setdefault(name, abs(weight))
        excess = (weight / unit).denominator
        if excess > 1:
            self.units[name] = unit / excess
            raise Refined
        return unit

    def log(self, ratio: Ratio) -> Ratio:
        """log as a sum over the irreducible factors of its argument."""
        total = self.constant(0)
        for base, power in self._positive_factors(ratio):
            total = self.reduced(total + self._log_factor(base) * self.constant(power))
        return total

    def _log_factor(self, base: Ratio) -> Ratio:
        if exp := self._inner(base, "exp"):
            return exp[0]
        if root := self._inner(base, "root"):
            return self._log_factor(root[0]) * self.constant(root[1])
        meaning = sp.log(self.restored(base))
        return self.atom(("log", base.key), Generator(meaning, "log", base))

    def root(self, ratio: Ratio, power: Fraction) -> Ratio:
        """A rational power, taken factor by factor."""
        total = self.one
        for base, times in self._positive_factors(ratio):
            total = self.reduced(total * self._root_factor(base, power * times))
        return total

    def _root_factor(self, base: Ratio, exponent: Fraction) -> Ratio:
        if exp := self._inner(base, "exp"):
            return self.exp(exp[0] * self.constant(exponent))
        if root := self._inner(base, "root"):
            return self._root_factor(root[0], exponent * root[1])
        if exponent.denominator == 1:
            return base ** int(exponent)
        if base.den != 1:
            raise Undecided("a root of a quotient of unknown sign")
        meaning = self.restored(base)
        unit = self._unit(("root", meaning), Fraction(1, exponent.denominator))
        n = unit.denominator
        name = sp.Pow(meaning, sp.Rational(1, n))
        new = self.atom(("root", base.key), Generator(name, "root", base, (n, base.num)))
        return new ** int(exponent / unit)

    def absolute(self, ratio: Ratio) -> Ratio:
        """|ratio|, factor by factor; an absolute value squares to the square."""
        _, positive, unknown = self._split(ratio)
        total = self.one
        for base, power in positive:
            total = self.reduced(total * base**power)
        for base, power in unknown:
            factor = base**power
            if power % 2:
                meaning = sp.Abs(self.restored(base))
                square = (2, base.num * base.num)
                modulus = self.atom(("abs", base.key), Generator(meaning, "abs", None, square))
                factor = base ** (power - 1) * modulus
            total = self.reduced(total * factor)
        return total

    def _split(self, ratio: Ratio) -> tuple[int, list[tuple[Ratio, int]], list[tuple[Ratio, int]]]:
        """Sign, positive factors (primes included) and factors of unknown sign."""
        if ratio.num == 0:
            raise Undecided("the logarithm, root or modulus of zero")
        constant, listed = factors(ratio)
        sign = 1 if constant > 0 else -1
        positive: list[tuple[Ratio, int]] = []
        unknown: list[tuple[Ratio, int]] = []
        for number, direction in ((int(abs(constant.p)), 1), (int(constant.q), -1)):
            for prime, power in sp.factorint(number).items():
                positive.append((self.constant(int(prime)), direction * power))
        for base, power in listed:
            factor = self.polynomial(base)
            meaning = self.restored(factor)
            if manifestly_nonnegative(meaning):
                positive.append((factor, power))
            elif manifestly_nonnegative(-meaning):
                positive.append((-factor, power))
                sign *= (-1) ** power
            else:
                unknown.append((factor, power))
        return sign, positive, unknown

    def _positive_factors(self, ratio: Ratio) -> list[tuple[Ratio, int]]:
        """Positive bases with exponents: even powers by modulus, the odd rest as one base."""
        sign, positive, unknown = self._split(ratio)
        odd = [(base, power) for base, power in unknown if power % 2]
        positive += [(self.absolute(base), power) for base, power in unknown if not power % 2]
        if len(odd) == 1:
            base, power = odd[0]
            return [*positive, (base * self.constant(sign), power)]
        rest = self.constant(sign)
        for base, power in odd:
            rest = rest * base**power
        if not odd and sign < 0:
            raise Undecided("the logarithm or a root of a negative expression")
        return [*positive, (rest, 1)] if odd else positive

    # -- relations and translation back ----------------------------------------------------------

    def reduced(self, ratio: Ratio) -> Ratio:
        """Powers of roots replaced by what they are; lone roots leave the denominator."""
        for i in range(len(self.table) - 1, -1, -1):
            relation = self.table[i].relation
            if relation is None:
                continue
            n, value = relation
            lone = min((exponents[i] for exponents in ratio.den.monoms()), default=0)
            num, den = ratio.num, ratio.den
            if lone % n:
                lift = self.variables[i] ** (n - lone % n)
                num, den = num * lift, den * lift
            if lone % n or max(num.degrees()[i], den.degrees()[i]) >= n:
                ratio = lowest(folded(num, i, n, value), folded(den, i, n, value))
        return ratio

    def restored(self, ratio: Ratio) -> Expr:
        """The ratio as a SymPy expression in the original symbols."""
        return self._restored(ratio.num) / self._restored(ratio.den)

    def _restored(self, poly: Polynomial) -> Expr:
        terms = []
        for exponents, coefficient in poly.to_dict().items():
            powers = (self.table[i].meaning ** int(e) for i, e in enumerate(exponents) if e)
            terms.append(sp.Mul(sp.Rational(int(coefficient.p), int(coefficient.q)), *powers))
        return sp.Add(*terms)


def _hyperbolic(combine: Callable[[Generators, Ratio, Ratio], Ratio]) -> Any:
    def rule(generators: Generators, arg: Ratio) -> Ratio:
        rising = generators.exp(arg)
        return generators.reduced(combine(generators, rising, rising.inverse()))

    return rule


_RULES: dict[Any, Callable[[Generators, Ratio], Ratio]] = {
    sp.exp: Generators.exp,
    sp.log: Generators.log,
    sp.Abs: Generators.absolute,
    sp.sign: lambda g, x: g.reduced(x / g.absolute(x)),
    sp.cosh: _hyperbolic(lambda g, x, y: (x + y) * g.constant(Fraction(1, 2))),
    sp.sinh: _hyperbolic(lambda g, x, y: (x - y) * g.constant(Fraction(1, 2))),
    sp.tanh: _hyperbolic(lambda g, x, y: (x - y) / (x + y)),
    sp.coth: _hyperbolic(lambda g, x, y: (x + y) / (x - y)),
    sp.sech: _hyperbolic(lambda g, x, y: g.constant(2) / (x + y)),
    sp.csch: _hyperbolic(lambda g, x, y: g.constant(2) / (x - y)),
    sp.erfc: lambda g, x: g.one - g.read(sp.erf(g.restored(x))),
}
