"""By quantity, the ids of the claims that its range over a box rests on."""

from __future__ import annotations

from collections.abc import Mapping

_SHAPE = (
    "overlap.j.even",
    "overlap.j.log_concave",
    "overlap.j.decreasing",
    "overlap.j.heat",
    "overlap.j.scaled_increasing",
    "overlap.j.damped_decreasing",
    "overlap.j.slope_above",
    "overlap.j.slope_below",
    "overlap.j.cube_decreasing",
    "overlap.j.cube_scaled_increasing",
    "overlap.j.cube_damped_decreasing",
    "overlap.j.cube_formula",
    "overlap.j.ratio_decreasing",
    "overlap.j.slope_in_delta",
)
_MISASSIGNED = (*_SHAPE, "overlap.c.old", "overlap.c.new")
_KAPPA = (*_SHAPE, "overlap.e.sech_form", "overlap.f.decreasing", "overlap.f.increasing")
_SECOND_MOMENT = (
    *_MISASSIGNED,
    "overlap.j.second_moment",
    "overlap.j.cube_slope_above",
    "overlap.j.cube_slope_below",
)
_SOFTPLUS = (*_SECOND_MOMENT, "overlap.i.derivative", "overlap.i.derivative_in_delta")
_REVERSE = (
    *dict.fromkeys((*_KAPPA, *_SOFTPLUS)),
    "overlap.i.kl",
    "reverse_kl.b.gradient",
    "reverse_kl.b.objective_accumulated",
)
_ACCUMULATED = (*_REVERSE, "reverse_kl.b.accumulated_through_softplus")
LEMMAS: Mapping[str, tuple[str, ...]] = {
    "S": _SHAPE,
    "T": _SHAPE,
    "D": _SHAPE,
    "eps_o": (*_MISASSIGNED, "overlap.j.eps_o_in_phi", "overlap.j.eps_o_in_delta"),
    "eps_n": (*_MISASSIGNED, "overlap.j.eps_n_in_phi", "overlap.j.eps_n_in_delta"),
    "kappa": _KAPPA,
    "E2": _SECOND_MOMENT,
    "Q": _SECOND_MOMENT,
    "A": _SOFTPLUS,
    "KL_forward": (
        *dict.fromkeys((*_KAPPA, *_SOFTPLUS)),
        "forward_kl.f.softplus_form",
        "forward_kl.b.weight_gradient",
    ),
    "KL_reverse": _REVERSE,
    "W": _ACCUMULATED,
    "K": _ACCUMULATED,
    "G": _REVERSE,
    "H": _REVERSE,
}
