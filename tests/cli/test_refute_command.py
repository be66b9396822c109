"""`forgetting refute` and `list --functions`: output, exit codes, sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

import pytest

BOX = ["--box", "phi=-4:4", "--box", "delta=1/4:40"]


def test_a_witness_ends_with_1(forgetting: Callable[..., tuple[int, str, str]]) -> None:
    arguments = ["refute", "2 >= delta*S(phi, delta)", *BOX]
    code, out, _ = forgetting(*arguments, "--json")
    record = json.loads(out)
    assert code == 1
    assert set(record) == {"conjecture", "verdict", "witness", "left", "right", "seconds"}
    assert record["verdict"] == "REFUTED"
    assert {name: Fraction(text) for name, text in record["witness"].items()}.keys() == {
        "phi",
        "delta",
    }
    assert Fraction(record["left"][1]) < Fraction(record["right"][0])
    code, out, err = forgetting(*arguments)
    assert code == 1
    assert out.startswith("REFUTED: 2 >= delta*S(phi, delta)\n")
    assert record["right"][0] in out
    assert not err


def test_no_witness_ends_with_3(forgetting: Callable[..., tuple[int, str, str]]) -> None:
    arguments = ["refute", "delta*S(phi, delta) <= 3", *BOX, "--seed", "7"]
    code, out, _ = forgetting(*arguments, "--json")
    record = json.loads(out)
    assert (code, record["verdict"]) == (3, "UNDECIDED")
    assert "witness" not in record
    code, out, _ = forgetting(*arguments)
    assert code == 3
    assert "proves nothing" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["refute", "S(phi, dleta) <= 1", *BOX], "column 8 of the conjecture: 'dleta' is unknown"),
        (["refute", "S(phi, delta) <= 1", "--box", "phi=1:0"], "'phi=1:0' is empty"),
        (["refute", "S(phi, delta) <= 1", *BOX, "--seed", "-1"], "seed: -1 is not allowed"),
        (["refute"], "CONJECTURE"),
    ],
)
def test_wrong_input_ends_with_2_and_a_sentence(
    arguments: list[str], said: str, forgetting: Callable[..., tuple[int, str, str]]
) -> None:
    code, out, err = forgetting(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_functions_are_listed_with_their_arguments(
    forgetting: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _ = forgetting("list", "--functions")
    assert code == 0
    assert "KL_reverse(phi, tau, delta)" in out
    code, out, _ = forgetting("list", "--functions", "--json")
    listed = {record["function"]: record["source"] for record in json.loads(out)}
    assert listed["eps_o(phi, delta)"] == "overlap"
    assert listed["sigma(x)"] == ""
