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
from proofs_check.conjectures.box import Box

CLAIMS = {
    "classical": ("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/8)/2", "phi=-6:6", "delta=1/4:12"),
    "scaled": ("delta*S(phi, delta) <= sqrt(2*pi)", "phi=-4:4", "delta=1/4:40"),
    "line": ("kappa(phi, delta) <= kappa(0, delta)", "phi=-4:4", "delta=1/3:8"),
    "chord": ("KL_forward(phi, delta) <= sigma(phi)*delta^2/2", "phi=-4:4", "delta=1/2:6"),
    "diagonal": (
        *("KL_reverse(phi, tau, delta) <= (phi-tau)^2/8", "phi=-1:1", "tau=-1:1", "delta=1/2:20"),
    ),
    "identity": ("sigma(x) + sigma(-x) == 1", "x=-1:1"),
    "square": ("x^2 + y^2 >= 2*x*y", "x=-1:1", "y=-2:2"),
    "least": ("min(phi, 0) <= phi + kappa(phi, delta)", "phi=-4:4", "delta=1/2:8"),
    "far": ("delta*tanh(x) < delta", "delta=1/4:2", "x=-1:40"),
    "number": ("3 < pi",),
    "hypothesis": ("forward_kl.d.plateau",),
    "share": ("reverse_kl.e.kappa_at_reach",),
}
Record = dict[str, Any]


@pytest.fixture(scope="module", params=sorted(CLAIMS))
def certificate(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _certificate(request.param, tmp_path_factory.mktemp("boxes"))


def _certificate(name: str, folder: Path) -> Path:
    statement, *sides = CLAIMS[name]
    outcome, _ = decide(find(statement, sides), time.monotonic() + 30)
    write(folder / f"{name}.json", outcome.certificate)
    return folder / f"{name}.json"


@pytest.fixture(scope="module")
def classical(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = _certificate("classical", tmp_path_factory.mktemp("classical"))
    found: Record = json.loads(path.read_text())
    return found


def test_a_certificate_is_accepted(certificate: Path) -> None:
    found = read(certificate)
    if found.claim:
        find(found.claim, ())  # loads the declarations, whose time is not the checker's
    started = time.process_time()
    assert recheck(found) == len(found.leaves)
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
        recheck(read(path))
    assert "\n" not in str(why.value)


FORGED = [
    pytest.param(
        *("pi <= 3", {}, "3 - pi", "1", "plain", {}, "not proved"), id="there is nothing to split"
    ),
    pytest.param(
        *("eps_o(phi, delta) <= exp(-phi/2)*exp(-delta^2/7)/2", {"phi": "-6:6", "delta": "1/4:12"}),
        *("1 - S(phi, delta)*exp(delta^2/56)", "exp(-phi/2 - delta^2/7)/2", "plain", {}),
        "not proved",
        id="the form is negative at delta = 11",
    ),
    pytest.param(
        *("delta <= 1", {"delta": "1/8:3"}, "log(2 - delta)", "1", "logarithmic", {}, "not proved"),
        id="the form is not defined beyond delta = 2",
    ),
    pytest.param(
        *("kappa(0, delta) <= kappa(phi, delta)", {"phi": "0:4", "delta": "1:2"}),
        *("kappa(phi, delta) - kappa(0, delta)", "1", "plain", {"phi": "0"}, "not proved"),
        id="it is 0 on the face and falls away from it",
    ),
    pytest.param(
        *("kappa(phi, delta) <= kappa(1, delta)", {"phi": "1:4", "delta": "1:2"}),
        *("kappa(1, delta) - kappa(phi, delta)", "1", "plain", {"phi": "4"}, "not proved"),
        id="it is not 0 on that face",
    ),
    pytest.param(
        *("S(phi, delta) <= 0", {"phi": "0:4", "delta": "1:2"}),
        *("S(phi, delta)", "-1", "plain", {}, "may be negative"),
        id="the factor is negative",
    ),
    pytest.param(
        *("S(phi, delta) < 1", {"phi": "0:4", "delta": "1:2"}),
        *("(1 - S(phi, delta))/phi^2", "phi^2", "plain", {}, "may be negative"),
        id="the factor of a strict claim may be 0",
    ),
    pytest.param(
        *("S(phi, delta) <= 0", {"phi": "0:4", "delta": "1:2"}),
        *("S(phi, delta)", "1", "hypothesis", {}, "not that of a hypothesis"),
        id="no hypothesis says so",
    ),
    pytest.param(
        *("S(phi, delta) <= 0", {"phi": "2:4", "delta": "1:2"}),
        *("phi - delta", "1", "hypothesis", {}, "not proved"),
        id="the hypothesis holds at a corner",
    ),
    pytest.param(
        *("S(phi, delta) <= 0", {"phi": "0:4", "delta": "1:2"}),
        *("S(phi, delta)", "1", "hopeful", {}, "none of plain"),
        id="there is no such kind of form",
    ),
]


@pytest.mark.parametrize(
    ("conjecture", "box", "expression", "factor", "kind", "faces", "why"), FORGED
)
def test_a_forged_leaf_is_rejected(
    conjecture: str,
    box: dict[str, str],
    expression: str,
    factor: str,
    kind: str,
    faces: dict[str, str],
    why: str,
    tmp_path: Path,
) -> None:
    """The form is equivalent to the claim and one leaf is the whole box, but it proves nothing."""
    sides = [side.split(":") for side in box.values()]
    record = {
        "schema": 1,
        "claim": "",
        "conjecture": conjecture,
        "where": ["phi <= delta"] if "phi" in box else [],
        "box": [[name, *side] for name, side in zip(box, sides, strict=True)],
        "verdict": "CERTIFIED",
        "forms": [{"expression": expression, "factor": factor, "kind": kind}],
        "leaves": [{"sides": sides, "form": 0, "faces": [list(face) for face in faces.items()]}],
        "waiting": [],
        "lemmas": [],
        "witness": [],
    }
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(record))
    with pytest.raises(Rejected, match=why):
        recheck(read(path))


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
        recheck(read(path), text)


def test_a_declared_claim_is_checked_against_its_declaration(tmp_path: Path) -> None:
    path = _certificate("hypothesis", tmp_path)
    assert recheck(read(path), "forward_kl.d.plateau") > 1
    for key, value, why in (
        ("claim", "forward_kl.d.plateau_bound", "something else"),
        ("claim", "forward_kl.d.plateaux", "no certificate can be"),
        ("conjecture", "1/4 <= kappa(phi, delta)", "something else"),
        ("where", ["exp(-delta^2/4) <= 1/5"], "something else"),
        ("box", [["phi", "-6", "6"], ["delta", "1/2", "12"]], "another box"),
    ):
        record = json.loads(path.read_text()) | {key: value}
        touched = tmp_path / "touched.json"
        touched.write_text(json.dumps(record))
        with pytest.raises(Rejected, match=why):
            recheck(read(touched), "" if key == "claim" else "forward_kl.d.plateau")


KEPT = Path(__file__).parents[2] / "proofs_check" / "certificates"


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_a_kept_certificate_is_of_its_claim(path: Path) -> None:
    assert recheck(read(path), path.stem) == len(read(path).leaves)


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
