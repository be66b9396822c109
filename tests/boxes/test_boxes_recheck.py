"""The checker accepts what the search writes, and nothing that was touched since."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.boxes.certificate import Rejected, read, tiling_fault, write
from proofs_check.boxes.prover import decide
from proofs_check.boxes.recheck import recheck
from proofs_check.boxes.statement import find
from proofs_check.catalogue import load
from proofs_check.conjectures.box import Box

CATALOGUE = load()
CLAIMS = {
    "classical": ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)/2", "phi=-6:6", "delta=1/4:12"),
    "scaled": ("delta*S(phi, delta) <= sqrt(2*pi)", "phi=-4:4", "delta=1/4:40"),
    "line": ("kappa(phi, delta) <= kappa(0, delta)", "phi=-4:4", "delta=1/3:8"),
    "chord": ("KL_forward(phi, delta) <= sigma(phi)*delta^2/2", "phi=-4:4", "delta=1/2:6"),
    "diagonal": (
        *("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=-1:1", "tau=-1:1", "delta=1/2:20"),
    ),
    "identity": ("sigma(x) + sigma(-x) == 1", "x=-1:1"),
}
Record = dict[str, Any]


@pytest.fixture(scope="module", params=sorted(CLAIMS))
def certificate(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _certificate(request.param, tmp_path_factory.mktemp("boxes"))


def _certificate(name: str, folder: Path) -> Path:
    statement, *sides = CLAIMS[name]
    claim, text, box, definitions = find(statement, sides, CATALOGUE)
    outcome, _ = decide(claim, text, box, definitions, time.monotonic() + 30)
    write(folder / f"{name}.json", outcome.certificate)
    return folder / f"{name}.json"


@pytest.fixture(scope="module")
def classical(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = _certificate("classical", tmp_path_factory.mktemp("classical"))
    found: Record = json.loads(path.read_text())
    return found


def test_a_certificate_is_accepted(certificate: Path) -> None:
    found = read(certificate)
    started = time.process_time()
    assert recheck(found, CATALOGUE) == len(found.leaves)
    assert time.process_time() - started < 4


def drop(record: Record) -> None:
    record["leaves"].pop(3)


def repeat(record: Record) -> None:
    record["leaves"].append(record["leaves"][3])


def widen(record: Record) -> None:
    low, high = record["leaves"][3]["sides"][1]
    record["leaves"][3]["sides"][1] = [low, str(Fraction(high) + Fraction(1, 1000))]


def narrow(record: Record) -> None:
    low, high = record["leaves"][3]["sides"][1]
    record["leaves"][3]["sides"][1] = [low, str(Fraction(high) - Fraction(1, 1000))]


def enlarge(record: Record) -> None:
    record["box"][1][2] = "13"


def easier(record: Record) -> None:
    for form in record["forms"]:
        form["expression"] = "1"


def scaled(record: Record) -> None:
    for form in record["forms"]:
        form["factor"] = f"-({form['factor']})"
        form["expression"] = f"-({form['expression']})"


def other(record: Record) -> None:
    record["conjecture"] = record["conjecture"].replace("/8)", "/7)")


def newer(record: Record) -> None:
    record["schema"] = 2


def weaker(record: Record) -> None:
    record["verdict"] = "UNDECIDED"


def identical(record: Record) -> None:
    record["verdict"], record["leaves"] = "PROVED", []


def waiting(record: Record) -> None:
    leaf = record["leaves"].pop()
    record["waiting"] = [{"sides": leaf["sides"], "depth": 3}]


def stray(record: Record) -> None:
    record["leaves"][0]["form"] = 17


def keyless(record: Record) -> None:
    del record["leaves"][0]["sides"]


TOUCHED = [
    *(drop, repeat, widen, narrow, enlarge, easier, scaled, other, newer, weaker, identical),
    *(waiting, stray, keyless),
]


@pytest.mark.parametrize("touch", TOUCHED)
def test_a_certificate_that_was_touched_is_rejected(
    touch: Callable[[Record], None], classical: Record, tmp_path: Path
) -> None:
    record = json.loads(json.dumps(classical))
    touch(record)
    path = tmp_path / "touched.json"
    path.write_text(json.dumps(record))
    with pytest.raises(Rejected) as why:
        recheck(read(path), CATALOGUE)
    assert "\n" not in str(why.value)


FORGED = [
    pytest.param(
        *("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/7)/2", {"phi": "-6:6", "delta": "1/4:12"}),
        *("1 - S(phi, delta)*exp(delta^2/56)", "exp(-phi/2 - delta^2/7)/2", False, {}),
        "not proved",
        id="the form is negative at delta = 11",
    ),
    pytest.param(
        *("delta <= 1", {"delta": "1/8:3"}, "log(2 - delta)", "1", True, {}, "not proved"),
        id="the form is not defined beyond delta = 2",
    ),
    pytest.param(
        *("kappa(0, delta) <= kappa(phi, delta)", {"phi": "0:4", "delta": "1:2"}),
        *("kappa(phi, delta) - kappa(0, delta)", "1", False, {"phi": "0"}, "not proved"),
        id="it is 0 on the face and falls away from it",
    ),
    pytest.param(
        *("kappa(phi, delta) <= kappa(1, delta)", {"phi": "1:4", "delta": "1:2"}),
        *("kappa(1, delta) - kappa(phi, delta)", "1", False, {"phi": "4"}, "not proved"),
        id="it is not 0 on that face",
    ),
    pytest.param(
        *("S(phi, delta) <= 0", {"phi": "0:4", "delta": "1:2"}),
        *("S(phi, delta)", "-1", False, {}, "may be negative"),
        id="the factor is negative",
    ),
    pytest.param(
        *("S(phi, delta) < 1", {"phi": "0:4", "delta": "1:2"}),
        *("(1 - S(phi, delta))/phi^2", "phi^2", False, {}, "may be negative"),
        id="the factor of a strict claim may be 0",
    ),
]


@pytest.mark.parametrize(
    ("conjecture", "box", "expression", "factor", "logarithmic", "faces", "why"), FORGED
)
def test_a_forged_leaf_is_rejected(
    conjecture: str,
    box: dict[str, str],
    expression: str,
    factor: str,
    logarithmic: bool,
    faces: dict[str, str],
    why: str,
    tmp_path: Path,
) -> None:
    """The form is equivalent to the claim and one leaf is the whole box, but it proves nothing."""
    sides = [side.split(":") for side in box.values()]
    record = {
        "schema": 1,
        "conjecture": conjecture,
        "box": [[name, *side] for name, side in zip(box, sides, strict=True)],
        "verdict": "CERTIFIED",
        "forms": [{"expression": expression, "factor": factor, "logarithmic": logarithmic}],
        "leaves": [{"sides": sides, "form": 0, "faces": [list(face) for face in faces.items()]}],
        "waiting": [],
        "lemmas": [],
        "witness": [],
    }
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(record))
    with pytest.raises(Rejected, match=why):
        recheck(read(path), CATALOGUE)


def test_a_file_cut_short_is_rejected(classical: Record, tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    path.write_text(json.dumps(classical)[:-40])
    with pytest.raises(Rejected, match="cut short"):
        read(path)


def test_another_conjecture_is_rejected(classical: Record, tmp_path: Path) -> None:
    path = tmp_path / "classical.json"
    path.write_text(json.dumps(classical))
    text = "2*eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)"
    with pytest.raises(Rejected, match="another conjecture"):
        recheck(read(path), CATALOGUE, text)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40), st.integers(1, 15)), max_size=30))
def test_parts_of_repeated_splits_tile(splits: list[tuple[bool, int, int]]) -> None:
    whole = Box((("x", Fraction(-1, 3), Fraction(2)), ("y", Fraction(0), Fraction(1, 7))))
    parts = [whole]
    for along_x, index, sixteenths in splits:
        part = parts.pop(index % len(parts))
        name = "x" if along_x else "y"
        low, high = next((a, b) for n, a, b in part.sides if n == name)
        parts += part.split(name, low + (high - low) * sixteenths / 16)
    assert tiling_fault(whole, parts) == ""
    assert tiling_fault(whole, [*parts, parts[0]])
    assert tiling_fault(whole, parts[1:])
