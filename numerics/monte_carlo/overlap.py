"""The overlap lemma (section "overlap", reconstructed): its quantities by draws, correct means.

Every estimator takes canonical parameters and returns its scheme; integrands are f/m, the
definition's integrand over the density drawn from. Units: nats, none whitened.
"""

from __future__ import annotations

import math

from numerics.monte_carlo.compiled import integrand
from numerics.monte_carlo.mixture import (
    boundary,
    kept_apart,
    log_abs_expm1,
    log_misassigned_new,
    log_misassigned_old,
    softplus,
)
from numerics.monte_carlo.scheme import Scheme

ASIDE = 0.5  # drawn from where the weight is constant, a sample has no spread and tests nothing
REACH = 9.0  # standard deviations beyond which a Gaussian's mass is below double precision


@integrand
def _log_geometric_mean(new: float, proposal: float) -> float:
    return 0.5 * new - proposal


def bhattacharyya(delta: float) -> Scheme:
    """∫√(p_o p_n)."""
    aside = (0.5 * delta + ASIDE, 0.0)
    return Scheme(_log_geometric_mean, (), ((delta, 0.0),), (aside,), logarithmic=True)


def misassignment_old(phi: float, delta: float) -> Scheme:
    """ε_o = E_{p_o}[r_n]."""
    new = (delta, 0.0)
    return Scheme(log_misassigned_old, (phi,), (new,), (boundary(phi, new),), logarithmic=True)


def misassignment_new(phi: float, delta: float) -> Scheme:
    """ε_n = E_{p_n}[r_o]."""
    new = (delta, 0.0)
    return Scheme(log_misassigned_new, (phi,), (new,), (boundary(phi, new),), logarithmic=True)


@integrand
def _log_sech(new: float, middle: float, proposal: float, phi: float) -> float:
    size = abs(0.5 * (phi - new))
    return middle - proposal + math.log(2.0) - size - math.log1p(math.exp(-2.0 * size))


def sech_overlap(phi: float, delta: float) -> Scheme:
    """S = E[sech((φ + L)/2)] under the midpoint density N((μ_o + μ_n)/2, Σ)."""
    new, middle = (delta, 0.0), (0.5 * delta, 0.0)
    return Scheme(_log_sech, (phi,), (new, middle), (boundary(phi, new),), logarithmic=True)


def distinguishability(phi: float, delta: float) -> Scheme:
    """κ = 1 − ε_o − ε_n, both from the same draws: p_o r_n + p_n r_o = p_o p_n/q."""
    new = (delta, 0.0)
    return Scheme(kept_apart, (phi,), (new,), (boundary(phi, new),))


@integrand
def _log_second_moment(new: float, proposal: float, phi: float) -> float:
    return new - proposal - 2.0 * softplus(new - phi)


def responsibility_second_moment(phi: float, delta: float) -> Scheme:
    """E_{p_n}[r_o²]."""
    new = (delta, 0.0)
    return Scheme(_log_second_moment, (phi,), (new,), (boundary(phi, new),), logarithmic=True)


@integrand
def _log_softplus(new: float, proposal: float, c: float) -> float:
    x = c - new
    value = x if x < -40.0 else math.log(softplus(x))  # log(1 + e^x) = e^x to the last digit
    return new - proposal + value


def softplus_mean(c: float, delta: float) -> Scheme:
    """A(c) = E_{p_n}[log(1 + e^{c + L})]."""
    new = (delta, 0.0)
    return Scheme(_log_softplus, (c,), (new,), (boundary(c, new),), logarithmic=True)


@integrand
def _log_smaller(new: float, proposal: float, phi: float) -> float:
    return -softplus(-phi) - proposal + min(0.0, new - phi)


def bayes_error(phi: float, delta: float) -> Scheme:
    """B = ∫ min(β p_o, (1−β) p_n), drawn also from the kink, wherever it lies."""
    new = (delta, 0.0)
    kink = min(max(0.5 * delta + phi / delta, -REACH), delta + REACH)
    proposals = (boundary(phi, new), (kink, 0.0))
    return Scheme(_log_smaller, (phi,), (new,), proposals, logarithmic=True)


@integrand
def _apart(new: float, proposal: float) -> float:
    return -math.expm1(min(0.0, new) - proposal)


def total_variation(delta: float) -> Scheme:
    """½∫|p_o − p_n| = ∫ (m − min(p_o, p_n)), m the midpoint density."""
    return Scheme(_apart, (), ((delta, 0.0),), ((0.5 * delta, 0.0),))


@integrand
def _log_chi_squared(new: float, proposal: float) -> float:
    return new - proposal + 2.0 * log_abs_expm1(-new)


def chi_squared(delta: float) -> Scheme:
    """χ²(p_o‖p_n) = ∫ (p_o − p_n)²/p_n, drawn from where p_o²/p_n and p_n live."""
    new, beyond = (delta, 0.0), (ASIDE - delta, 0.0)
    return Scheme(_log_chi_squared, (), (new,), (beyond, new), logarithmic=True)


@integrand
def _new_log_ratio(new: float, proposal: float) -> float:
    return math.exp(new - proposal) * new


def component_kl(delta: float) -> Scheme:
    """KL(p_n‖p_o) = ∫ p_n log(p_n/p_o)."""
    new = (delta, 0.0)
    return Scheme(_new_log_ratio, (), (new,), (new,))
