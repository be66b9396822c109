"""Is an expression zero? An exact decision by normal form, with three answers.

SymPy's `simplify` and `equals` may answer None or a non-zero form on a true identity, or never
end. Here an expression becomes a rational function over independent generators and is zero when
its numerator is; it is not zero when a rational point says so in ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from proofs_check.symbolic import signs
from proofs_check.symbolic.generators import Generators, Refined
from proofs_check.symbolic.growth import vanishes_at_infinity
from proofs_check.symbolic.integrals import read_integral
from proofs_check.symbolic.ratio import Ratio, Undecided, factors, grouped
from proofs_check.symbolic.witness import certainly_nonzero

__all__ = ["is_zero", "manifestly_nonnegative", "manifestly_positive", "vanishes_at_infinity"]

Expr = Any


def is_zero(expr: Expr) -> bool | None:
    """Whether `expr` vanishes identically.

    True: proved, at all real values of the symbols within their SymPy assumptions where the
    expression is real, integrals taken to converge absolutely and to be differentiated under the
    sign. False: proved not to, at a rational point; an undefined function and each of its
    derivatives may take any value there that its assumptions allow. None: undecided.
    Raises ValueError if `expr` holds a float.
    """
    expr = sp.S.Zero + expr  # a plain number becomes one of SymPy's
    if expr.has(sp.Float):
        raise ValueError("a float in a proof step; exact expressions only")
    if expr.has(sp.I):
        return None
    expr, distinct = _without_functions(_differentiated(_real(expr)))
    try:
        answer = _decide(expr)
    except Undecided:
        answer = None
    return answer if distinct or answer else None


def manifestly_positive(expr: Expr) -> bool:
    """True only if `expr` > 0 on its structure, or on that of its factors in normal form."""
    expr = sp.S.Zero + expr  # a plain number becomes one of SymPy's
    return signs.manifestly_positive(expr) or _by_factors(expr, strict=True)


def manifestly_nonnegative(expr: Expr) -> bool:
    """True only if `expr` >= 0 on its structure, or on that of its factors in normal form."""
    expr = sp.S.Zero + expr  # a plain number becomes one of SymPy's
    return signs.manifestly_nonnegative(expr) or _by_factors(expr, strict=False)


def _decide(expr: Expr) -> bool | None:
    if not expr.has(sp.Integral) and certainly_nonzero(expr):
        return False
    generators, ratio = _normal(expr)
    if ratio.num == 0:
        return True
    answers = [_merge(generators, part) for part in _parts(generators, ratio)]
    if True in answers:
        return True
    return None if None in answers else False


def _parts(generators: Generators, ratio: Ratio) -> list[Ratio]:
    """The numerator's factors: zero if one of them is."""
    numerator = generators.polynomial(ratio.num)
    if ratio.num.total_degree() < 2 or not _integrals(generators, numerator):
        return [numerator]
    return [generators.polynomial(base) for base, _ in factors(numerator)[1]]


def _merge(generators: Generators, ratio: Ratio) -> bool | None:
    """Integrals with the same limits become one, whose integrand is then put to the test."""
    columns = _integrals(generators, ratio)
    terms = grouped(ratio.num, columns)
    expr = generators.restored(ratio)
    if any(sum(powers) > 1 for powers in terms):
        return False if certainly_nonzero(expr) else None
    rest = sp.Integer(0)
    merged: dict[Any, Expr] = {}
    for powers, coefficient in terms.items():
        weight = generators.restored(generators.polynomial(coefficient))
        if not any(powers):
            rest = weight
            continue
        integral = generators.table[columns[powers.index(1)]].meaning
        merged[integral.limits] = merged.get(integral.limits, 0) + weight * integral.function
    if len(merged) == sum(any(powers) for powers in terms):
        return False if certainly_nonzero(expr) else None
    return _decide(rest + sp.Add(*(sp.Integral(f, *limits) for limits, f in merged.items())))


def _integrals(generators: Generators, ratio: Ratio) -> tuple[int, ...]:
    degrees = ratio.num.degrees()
    return tuple(i for i, g in enumerate(generators.table) if g.kind == "integral" and degrees[i])


def _normal(expr: Expr) -> tuple[Generators, Ratio]:
    units: dict[Hashable, Fraction] = {}
    while True:
        generators = Generators(units)
        generators.integral = partial(read_integral, generators)
        try:
            return generators, generators.read(expr)
        except Refined:
            continue


def _real(expr: Expr) -> Expr:
    """Symbols without assumptions, bound ones included, made real."""
    vague = [s for s in expr.atoms(sp.Symbol) if s.is_extended_real is None]
    return expr.xreplace({s: sp.Dummy(s.name, real=True) for s in vague})


def _differentiated(expr: Expr) -> Expr:
    """Derivatives carried out, under integral signs too; those of undefined functions stay."""
    if not expr.has(sp.Derivative, sp.Subs):
        return expr
    if isinstance(expr, sp.Derivative):
        return _differentiated(expr.expr).diff(*expr.variable_count)
    if isinstance(expr, sp.Subs):
        return expr.func(_differentiated(expr.expr), *expr.args[1:]).doit(integrals=False)
    return expr.func(*(_differentiated(arg) for arg in expr.args))


def _without_functions(expr: Expr) -> tuple[Expr, bool]:
    """Undefined functions and their derivatives as symbols; are they surely distinct?

    Functions of a bound variable stay inside their integrals.
    """
    atoms = expr.atoms(sp.core.function.AppliedUndef, sp.Derivative, sp.Subs)
    bound = {v for integral in expr.atoms(sp.Integral) for v in integral.variables}
    names: dict[Any, Expr] = {}
    groups: dict[Any, list[tuple[Expr, Expr]]] = {}
    distinct = True
    for atom in sorted(atoms, key=lambda a: (a.count_ops(), sp.default_sort_key(a))):
        if atom.free_symbols & bound:
            continue
        family = groups.setdefault(atom.func, [])
        same = None
        if isinstance(atom, sp.core.function.AppliedUndef):
            for other, name in family:
                equal = [is_zero(x - y) for x, y in zip(atom.args, other.args, strict=True)]
                same = name if all(equal) else same
                distinct = distinct and (all(equal) or False in equal)
        else:
            distinct = distinct and not isinstance(atom, sp.Subs)
        names[atom] = same or sp.Dummy(
            str(atom.func), real=True, positive=atom.is_positive, nonnegative=atom.is_nonnegative
        )
        family.append((atom, names[atom]))
    return expr.xreplace(names), distinct


def _by_factors(expr: Expr, strict: bool) -> bool:
    if expr.has(sp.I, sp.Float):
        return False
    try:
        generators, ratio = _normal(_differentiated(_real(expr)))
        if ratio.num == 0:
            return not strict
        constant, listed = factors(ratio)
    except Undecided:
        return False
    for base, power in listed:
        meaning = generators.restored(generators.polynomial(base))
        if signs.manifestly_positive(meaning):
            continue
        if signs.manifestly_positive(-meaning):
            constant *= (-1) ** power
        elif strict or (power % 2 and not signs.manifestly_nonnegative(meaning)):
            return False
    return bool(constant > 0)
