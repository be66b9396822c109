"""The language in which a theorem is declared: frozen data, no tolerance, no assert, no plumbing.

A theorem claims equalities and orders between expressions. Expressions are SymPy's; a quantity is
an applied function (`eps_o(phi, delta)`), so that a claim reads as on paper and each lane may put
its own evaluation in its place. A proof is a chain of links from the left side of a claim to its
right side, each with the reason why it holds; the chain is checked link by link elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import sympy as sp

Expr: TypeAlias = Any  # SymPy carries no types
Relation: TypeAlias = Literal["=", "<=", "<"]
Lane: TypeAlias = Literal["derived", "certified", "precise", "monte_carlo"]
Kind: TypeAlias = Literal[
    "identity", "bound", "sign", "monotone", "convex", "minimiser", "limit", "path", "shape"
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: what is valid (domain) and a rational part of it for draws and proofs (box).

    name is what users type; symbol is what expressions hold. domain is an interval, or a range of
    integers. typical is a value where every lane has something to say. A logit may also be given as
    the weight itself, under the name `weight`.
    """

    name: str
    symbol: Expr
    domain: Expr
    box: tuple[Expr, Expr]
    text: str
    weight: str = ""
    typical: Expr = sp.S.One


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number (or, as a SymPy Tuple, a vector in whitened coordinates) that the theory speaks of.

    symbol is its name in expressions and conjectures, definition the expression the theory starts
    from, formula the one derived from it (claimed equal somewhere, and evaluated by the derived
    and certified lanes); `through` are quantities that only proofs speak of, in which it is
    written. `exempt` says why a lane has no answer. positive: the definition is manifestly
    positive, which is checked.
    """

    name: str
    symbol: str
    parameters: tuple[Parameter, ...]
    definition: Expr
    formula: Expr
    text: str
    positive: bool = False
    exempt: Mapping[Lane, str] = field(default_factory=dict)
    through: tuple[Quantity, ...] = ()

    def __call__(self, *arguments: Expr) -> Expr:
        """The quantity at these arguments, as an atom of expressions."""
        assumption = {"positive": True} if self.positive else {"real": True}
        return sp.Function(self.symbol, **assumption)(*arguments)

    @property
    def head(self) -> Expr:
        """The quantity at its own parameters."""
        return self(*(parameter.symbol for parameter in self.parameters))


@dataclass(frozen=True, slots=True)
class Algebra:
    """Both sides have the same normal form once the quantities in `unfold` are replaced by their
    definitions; integrals over the same limits merge and Gaussian moments are taken exactly."""

    unfold: tuple[Quantity, ...] = ()


@dataclass(frozen=True, slots=True)
class Divergence:
    """The difference of both sides is the integral over `over` of the divergence of a flux that
    vanishes at infinity: fluxes holds (variable, flux) pairs."""

    fluxes: tuple[tuple[Expr, Expr], ...]
    over: tuple[Expr, ...]
    unfold: tuple[Quantity, ...] = ()


@dataclass(frozen=True, slots=True)
class Substitution:
    """Integrals over `old` on the whole line become integrals over `new`: old = value(new), a map
    of the line onto itself that is affine and not constant."""

    old: Expr
    new: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Use:
    """A claim made before, at other arguments, times a factor (not negative, for an order)."""

    claim: Claim
    at: Mapping[Expr, Expr] = field(default_factory=dict)
    times: Expr = sp.S.One


@dataclass(frozen=True, slots=True)
class Combination:
    """right − left = Σ times·(right − left of a claim used) + remainder.

    For an order the remainder is manifestly not negative (an expression whose sign can be read off:
    squares, exponentials, integrals of such); for an equality it is 0. Strict orders need a strict
    claim used with a positive factor, or a positive remainder.
    """

    uses: tuple[Use, ...] = ()
    remainder: Expr = sp.S.Zero
    unfold: tuple[Quantity, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The link is one of the claim's hypotheses, as `where` states it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A named theorem gives the link; its hypotheses are the premises, each checked."""

    theorem: str
    premises: tuple[Claim, ...] = ()


Reason: TypeAlias = Algebra | Divergence | Substitution | Combination | Given | Cited


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a chain: what stood before, `relation`, `to`; and why. `name` is printed."""

    name: str
    to: Expr
    by: Reason
    relation: Relation = "="


@dataclass(frozen=True, slots=True)
class Claim:
    """left relation right, for all parameters in their domains subject to `where`.

    where: SymPy relations between parameters (the hypotheses beyond the domains).
    box: a part of the parameters' boxes, where the claim's own is narrower.
    proof: a chain from left to right; empty when the claim is only checked at points.
    """

    id: str
    text: str
    left: Expr
    relation: Relation
    right: Expr
    kind: Kind
    proof: tuple[Link, ...] = ()
    where: tuple[Expr, ...] = ()
    box: Mapping[Parameter, tuple[Expr, Expr]] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Process:
    """A gradient flow of one scalar: state' = velocity(state), from `start`, over `time`.

    start and time are the symbols that claims along the path may hold. Where the velocity is
    negative and its size increases with the state below `monotone_below`, by the claim `lemma`, two
    values of the velocity give a proved bracket of the time between them.
    """

    name: str
    state: Parameter
    velocity: Expr
    start: Parameter
    time: Expr
    text: str
    monotone_below: Expr | None = None
    lemma: Claim | None = None


@dataclass(frozen=True, slots=True)
class System:
    """Several numbers in motion: a flow, state' = rate(state), or, if discrete, a map, whose next
    state is rate(state).

    states, starts and clock (the time, or how many steps) are what claims along a path may hold;
    paths are tried from starts, and for times, in their boxes.
    """

    name: str
    states: tuple[Parameter, ...]
    starts: tuple[Parameter, ...]
    rate: tuple[Expr, ...]
    clock: Parameter
    text: str
    discrete: bool = False

    @property
    def time(self) -> Expr:
        """The symbol of the time, or of how many steps were taken."""
        return self.clock.symbol


@dataclass(frozen=True, slots=True)
class Path:
    """left relation right at every time along a process, from every start.

    left and right may hold the process's states, its starts and its time. The proof is the claims
    it follows from by `theorem` (a comparison principle, induction), checked as any other.
    """

    id: str
    text: str
    process: Process | System
    left: Expr
    relation: Relation
    right: Expr
    by: Cited | None = None
    kind: Kind = "path"
    source: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    """A false variant of the claims `of`, which the suite must refute.

    hint: parameter → exact value, where a witness lies (for a path: start and state reached).
    invariant: claims that, once proved, exhibit a set that the dynamics never leaves: the witness
    where the variant speaks of every start.
    """

    id: str
    text: str
    of: tuple[str, ...]
    variant: Claim | Path | None
    hint: Mapping[Parameter, Expr] = field(default_factory=dict)
    invariant: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Argument:
    """What a theorem claims, and the false variants of its claims.

    variables are generic ones that only claims hold; auxiliary quantities are those that only
    proofs speak of.
    """

    claims: tuple[Claim | Path, ...]
    controls: tuple[Control, ...]
    variables: tuple[Parameter, ...] = ()
    auxiliary: tuple[Quantity, ...] = ()


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem: its statement, parameters and quantities, and the argument for it.

    argument is called when claims are wanted, so that theorems are listed and quantities evaluated
    without deriving anything. section is its place in the order of reading.
    """

    name: str
    title: str
    source: str
    statement: str
    parameters: tuple[Parameter, ...]
    quantities: tuple[Quantity, ...]
    argument: Callable[[], Argument]
    section: int = 99

    @property
    def claims(self) -> tuple[Claim | Path, ...]:
        """What is claimed, in the order of the statement's parts."""
        return self.argument().claims

    @property
    def controls(self) -> tuple[Control, ...]:
        """The false variants."""
        return self.argument().controls

    @property
    def variables(self) -> tuple[Parameter, ...]:
        """Every parameter that a claim may hold."""
        return self.parameters + self.argument().variables


def identity(
    id: str, text: str, left: Expr, right: Expr, proof: tuple[Link, ...] = (), **more: Any
) -> Claim:
    """left = right everywhere."""
    return Claim(id, text, left, "=", right, "identity", proof, **more)


def bound(
    id: str,
    text: str,
    left: Expr,
    relation: Relation,
    right: Expr,
    proof: tuple[Link, ...] = (),
    **more: Any,
) -> Claim:
    """left <= right, or left < right."""
    return Claim(id, text, left, relation, right, more.pop("kind", "bound"), proof, **more)


def positive(id: str, text: str, value: Expr, proof: tuple[Link, ...] = (), **more: Any) -> Claim:
    """0 < value: a sign, the derivative of something monotone, or a second derivative."""
    return Claim(id, text, sp.S.Zero, "<", value, more.pop("kind", "sign"), proof, **more)


def by_algebra(name: str, to: Expr, *unfold: Quantity) -> tuple[Link, ...]:
    """A chain of one link: both sides have the same normal form."""
    return (Link(name, to, Algebra(unfold)),)
