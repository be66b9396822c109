"""One fold over an expression tree; the numbers it folds into are chosen by the caller.

The tree is a SymPy expression, read through `func.__name__`, `args` and a few of its flags only:
SymPy itself is not imported. Whoever evaluates passes an `Arithmetic`, which says what the leaves
are and what each operation does to them; two evaluators share this walk and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from numerics.point import Unreachable

T = TypeVar("T")

Definitions: TypeAlias = Mapping[str, tuple[tuple[str, ...], Any]]
"""Head -> (its parameter names, the expression it stands for)."""


class Arithmetic(Protocol[T]):
    """What a tree folds into.

    functions   by SymPy's class name; `Add`, `Mul` (any number of arguments) and `Pow` among them.
    rational    an exact p/q.
    constant    "Pi" or "Exp1".
    call        an undefined head applied to values already folded.
    integral    of `body` over the variable of that name. A limit is None where it is infinite; the
                body is an unfolded tree, to be folded with `bindings` and a value of the variable.
    """

    @property
    def functions(self) -> Mapping[str, Callable[..., T]]: ...

    def rational(self, p: int, q: int) -> T: ...

    def constant(self, name: str) -> T: ...

    def call(self, head: str, arguments: tuple[T, ...]) -> T: ...

    def integral(
        self, body: Any, variable: str, lower: T | None, upper: T | None, bindings: Mapping[str, T]
    ) -> T: ...


def evaluate(expr: Any, bindings: Mapping[str, T], arithmetic: Arithmetic[T]) -> T | tuple[T, ...]:
    """`expr` with its symbols bound by name; a `Tuple` gives a tuple, one value a component.

    Raises ValueError on a float (it is no exact input) and on an unbound symbol, Unreachable on a
    node that has no rule.
    """
    if expr.func.__name__ == "Tuple":
        return tuple(fold(component, bindings, arithmetic, {}) for component in expr.args)
    return fold(expr, bindings, arithmetic, {})


def expand(
    head: str, arguments: tuple[T, ...], definitions: Definitions, arithmetic: Arithmetic[T]
) -> T:
    """A head at given values, by its definition."""
    if head not in definitions:
        raise Unreachable(f"no definition is known of {head}")
    names, expr = definitions[head]
    return fold(expr, dict(zip(names, arguments, strict=True)), arithmetic, {})


def fold(expr: Any, bindings: Mapping[str, T], arithmetic: Arithmetic[T], known: dict[Any, T]) -> T:
    """A scalar tree; `known` holds the values of subtrees, and gains those met on the way."""
    if expr in known:
        return known[expr]
    kind = expr.func.__name__
    value: T
    if expr.is_Symbol:
        if expr.name not in bindings:
            raise ValueError(f"the symbol {expr.name} has no value")
        value = bindings[expr.name]
    elif expr.is_Rational:
        value = arithmetic.rational(int(expr.p), int(expr.q))
    elif expr.is_Float:
        raise ValueError(f"the float {expr} is no exact number")
    elif kind in ("Pi", "Exp1"):
        value = arithmetic.constant(kind)
    elif kind == "Integral":
        value = _integral(expr, bindings, arithmetic, known)
    elif kind in arithmetic.functions or expr.is_Function:
        arguments = tuple([fold(a, bindings, arithmetic, known) for a in expr.args])
        operation = arithmetic.functions.get(kind)
        value = operation(*arguments) if operation else arithmetic.call(kind, arguments)
    else:
        raise Unreachable(f"no rule is known for {kind}")
    known[expr] = value
    return value


def largest_free_of(expr: Any, variable: str) -> Iterator[Any]:
    """The largest subtrees without the variable: constants of an integrand.

    What stands inside another integral is left alone: its own variable has no value outside.
    """
    if all(symbol.name != variable for symbol in expr.free_symbols):
        yield expr
    elif expr.func.__name__ != "Integral":
        for part in expr.args:
            yield from largest_free_of(part, variable)


def _integral(
    expr: Any, bindings: Mapping[str, T], arithmetic: Arithmetic[T], known: dict[Any, T]
) -> T:
    body, *ranges = expr.args
    if len(ranges) != 1 or len(ranges[0].args) != 3:
        raise Unreachable(f"no rule is known for the integral {expr}")
    variable, *limits = ranges[0].args
    lower, upper = (
        None if end.is_infinite else fold(end, bindings, arithmetic, known) for end in limits
    )
    return arithmetic.integral(body, variable.name, lower, upper, bindings)
