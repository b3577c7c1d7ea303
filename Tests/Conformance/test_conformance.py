"""The conformance page states what the tests have shown, and no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import conformance
from conformance import Clause, Proof, page, proof, rig_proofs, unit_proofs, verdict

APPLIES = Clause("HP-C27", "MUST", "Hand on RSSI", "yes", "yes")
ELSEWHERE = Clause("HP-C14", "MUST", "Pseudo address", "no", "no")


def write(path: Path, *records: dict) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def function(identifier: str, title: str) -> dict:
    location = {"fileID": "PeersTests/RecorderTests.swift"}
    return {"kind": "test", "payload": {"kind": "function", "id": identifier, "name": "f()", "displayName": title, "sourceLocation": location}}


def event(kind: str, test: str, **rest: object) -> dict:
    return {"kind": "event", "payload": {"kind": kind, "testID": test, **rest}}


def test_a_title_names_its_clauses() -> None:
    assert proof("HP-C27, X4: counts", "A", "passed") == Proof(("HP-C27", "X4"), "counts", "A", "passed")


@pytest.mark.parametrize("title", ["Counts", "HP-C27 counts", "HP-C7: counts", "see HP-C27: counts"])
def test_other_titles_name_no_clause(title: str) -> None:
    assert proof(title, "A", "passed") is None


@pytest.mark.parametrize(
    ("events", "result"),
    [
        ([event("testEnded", "t")], "passed"),
        ([event("issueRecorded", "t", issue={"isKnown": False}), event("testEnded", "t")], "failed"),
        ([event("testSkipped", "t")], "skipped"),
        ([], "skipped"),
    ],
)
def test_a_unit_test_counts_as_it_ended(tmp_path: Path, events: list[dict], result: str) -> None:
    stream = write(tmp_path / "units", function("t", "HP-C27: counts"), *events)
    assert [p.result for p in unit_proofs(stream)] == [result]


def test_a_test_of_the_rig_counts_as_it_ended(tmp_path: Path) -> None:
    results = write(tmp_path / "rig", {"title": "X4: fragments", "file": "Rig/test_beacon.py", "result": "failed"})
    assert rig_proofs(results) == [Proof(("X4",), "fragments", "Rig/test_beacon.py", "failed")]


@pytest.mark.parametrize(
    ("results", "expected"),
    [([], "not shown yet"), (["passed"], "passed"), (["passed", "failed"], "failed"), (["passed", "skipped"], "skipped")],
)
def test_a_clause_stands_as_its_worst_test(results: list[str], expected: str) -> None:
    assert verdict(APPLIES, [Proof((APPLIES.id,), "t", "p", result) for result in results]) == expected


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, except_for: str = "", **results: str) -> tuple[int, str]:
    """The exit code and the page, with all clauses shown but one, and the given results for some."""
    ended = {clause.id: "passed" for clause in conformance.clauses() if clause.id != except_for}
    ended |= {name.replace("_", "-"): result for name, result in results.items()}
    units = write(tmp_path / "units", function("t", "Counts"), event("testEnded", "t"))
    rig = write(tmp_path / "rig", *({"title": f"{i}: t", "file": "f", "result": r} for i, r in ended.items()))
    output = tmp_path / "page.md"
    arguments = ["conformance.py", "--units", str(units), "--rig", str(rig), "--output", str(output)]
    monkeypatch.setattr("sys.argv", arguments)
    return conformance.main(), output.read_text()


def test_all_is_well_when_every_clause_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path, monkeypatch)[0] == 0


@pytest.mark.parametrize(
    ("except_for", "results", "said"),
    [
        ("HP-C11", {}, "WITHOUT A TEST: HP-C11"),
        ("X5", {}, "WITHOUT A TEST: X5"),
        ("", {"HP_C33": "skipped"}, "SKIPPED: HP-C33"),
        ("", {"HP_C33": "failed"}, "FAILED: HP-C33"),
        ("", {"HP_O05": "failed"}, "FAILED: HP-O05"),
    ],
)
def test_it_fails_if_a_required_clause_has_no_proof(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    except_for: str,
    results: dict[str, str],
    said: str,
) -> None:
    code, page = run(tmp_path, monkeypatch, except_for, **results)
    assert code == 1 and said in capsys.readouterr().out
    assert (except_for or next(iter(results)).replace("_", "-")) in page


@pytest.mark.parametrize("clause", ["HP-C14", "HP-C23", "HP-O05"])
def test_clauses_that_do_not_apply_and_optional_clauses_need_no_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    assert run(tmp_path, monkeypatch, except_for=clause)[0] == 0


def test_clauses_that_do_not_apply_need_no_test() -> None:
    assert verdict(ELSEWHERE, []) == "does not apply"


def test_the_page_names_required_clauses_without_a_test() -> None:
    assert "as yet, though it must hold: HP-C27." in page([APPLIES, ELSEWHERE], [])


def test_a_test_with_several_arguments_is_named_once() -> None:
    assert conformance.table([APPLIES], [Proof((APPLIES.id,), "counts", "A", "passed")] * 3).count("counts") == 1


def test_every_clause_is_there_once() -> None:
    names = [clause.id for clause in conformance.clauses()]
    assert len(set(names)) == len(names) == 42 + 6 + 11 + 8


def test_a_title_may_have_any_character(tmp_path: Path) -> None:
    (tmp_path / "records").write_text('{"title": "a\u2028b"}\n{"title": "c"}\n')
    assert [record["title"] for record in conformance.records(tmp_path / "records")] == ["a\u2028b", "c"]


def test_a_damaged_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "rig").write_text('{"title": ')
    with pytest.raises(conformance.InvalidRecord, match="rig:1: not a record"):
        rig_proofs(tmp_path / "rig")
