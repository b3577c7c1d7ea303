"""The page on conformance says what the tests have shown, no more."""

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
def test_other_titles_name_none(title: str) -> None:
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


def test_what_does_not_apply_needs_no_test() -> None:
    assert verdict(ELSEWHERE, []) == "does not apply"


def test_the_page_names_what_must_hold_and_has_no_test() -> None:
    assert "as yet, though it must hold: HP-C27." in page([APPLIES, ELSEWHERE], [])


def test_a_test_with_several_arguments_is_named_once() -> None:
    assert conformance.table([APPLIES], [Proof((APPLIES.id,), "counts", "A", "passed")] * 3).count("counts") == 1


def test_every_clause_is_there_once() -> None:
    names = [clause.id for clause in conformance.clauses()]
    assert len(set(names)) == len(names) == 42 + 6 + 11 + 8


def test_a_damaged_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "rig").write_text('{"title": ')
    with pytest.raises(conformance.InvalidRecord, match="rig:1: not a record"):
        rig_proofs(tmp_path / "rig")
