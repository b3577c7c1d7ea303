#!/usr/bin/env python3
"""Writes docs/herald-conformance.md from the results of the test run.

    conformance.py --units build/conformance/units.jsonl --rig build/conformance/rig.jsonl [--output FILE]

A test's title names the clauses that it proves: `HP-C27: every advert's RSSI is counted`, or several,
separated by commas. The program fails (exit code 1) if a test that names a clause has failed. It also fails
if an applicable clause beyond SHOULD and MAY has no test, or one that was skipped. An unknown clause in a
title is an error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TITLE = re.compile(r"^((?:HP-[CDO]\d\d|[XT]\d+)(?:, (?:HP-[CDO]\d\d|[XT]\d+))*): (.+)$")


@dataclass(frozen=True)
class Clause:
    """One clause of the protocol, and the roles that it applies to."""

    id: str
    level: str
    requirement: str
    beacon: str
    wearable: str
    deviation: str = ""
    """Where the software does otherwise, and why; empty if it does as the clause says."""

    @property
    def applies(self) -> bool:
        return not self.beacon == self.wearable == "no"

    @property
    def must_hold(self) -> bool:
        """Whether it is more than a SHOULD or MAY. Clauses X, and rules without a keyword, count as MUSTs."""
        return self.applies and self.level not in ("SHOULD", "MAY")


@dataclass(frozen=True)
class Proof:
    """A test that names clauses, and its result."""

    clauses: tuple[str, ...]
    title: str
    place: str
    result: str
    """passed, failed or skipped."""


class InvalidRecord(Exception):
    """A malformed file of results."""


def clauses(path: Path = HERE / "clauses.json") -> list[Clause]:
    """All clauses, in the order of the page."""
    return [Clause(**row) for row in json.loads(path.read_text())]


def proof(title: str, place: str, result: str) -> Proof | None:
    """The proof of a test; None if its title names no clause."""
    match = TITLE.match(title)
    return Proof(tuple(match[1].split(", ")), match[2], place, result) if match else None


def records(path: Path) -> Iterator[dict]:
    """The JSON objects of a file with one on each line."""
    try:
        # A title may have characters at which Python would also break a line, such as U+2028.
        lines = path.read_bytes().decode().split("\n")
    except OSError as error:
        raise InvalidRecord(f"{path}: {error.strerror}; `make test` makes it") from error
    if lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            raise InvalidRecord(f"{path}:{number}: not a record of a test: {error}; run the tests again") from error


def unit_proofs(path: Path) -> list[Proof]:
    """Proofs from the event stream of Swift Testing (`swift test --event-stream-output-path`)."""
    tests: dict[str, tuple[str, str]] = {}
    results: dict[str, str] = {}
    for record in records(path):
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            title = payload.get("displayName", payload["name"].strip("`"))
            tests[payload["id"]] = (title, payload["sourceLocation"]["fileID"])
        elif record["kind"] == "event" and payload.get("testID") in tests:
            test = payload["testID"]
            if payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown", False):
                results[test] = "failed"
            elif payload["kind"] == "testSkipped":
                results.setdefault(test, "skipped")
            elif payload["kind"] == "testEnded":
                results.setdefault(test, "passed")
    found = (proof(title, file, results.get(test, "skipped")) for test, (title, file) in tests.items())
    return [proof for proof in found if proof]


def rig_proofs(path: Path) -> list[Proof]:
    """Proofs from the output of Tests/Rig/conftest.py."""
    found = (proof(record["title"], record["file"], record["result"]) for record in records(path))
    return [proof for proof in found if proof]


def table(all_clauses: list[Clause], proofs: list[Proof]) -> str:
    """The table of all clauses, with their proofs and results."""
    lines = [
        "| clause | level | in short | beacon | wearable | proven by | result |",
        "|---|---|---|---|---|---|---|",
    ]
    for clause in all_clauses:
        own = [p for p in proofs if clause.id in p.clauses]
        # A test with several arguments has a result for each of them.
        names = sorted({(p.place, p.title) for p in own})
        tests = "<br>".join(f"{title} ({place})" for place, title in names).replace("|", "\\|")
        row = (clause.id, clause.level, clause.requirement, clause.beacon, clause.wearable)
        lines.append(f"| {' | '.join(row)} | {tests or '-'} | {verdict(clause, own)} |")
    return "\n".join(lines)


def verdict(clause: Clause, proofs: list[Proof]) -> str:
    """The result of a clause: that of its worst test."""
    if not clause.applies:
        return "does not apply"
    if not proofs:
        return "not shown yet"
    for result in ("failed", "skipped"):
        if any(p.result == result for p in proofs):
            return result
    return "passed"


def standings(all_clauses: list[Clause], proofs: list[Proof]) -> dict[str, str]:
    """The result of each clause, by its id."""
    return {c.id: verdict(c, [p for p in proofs if c.id in p.clauses]) for c in all_clauses}


def owed(all_clauses: list[Clause], proofs: list[Proof], state: str) -> list[str]:
    """The clauses that must hold, but have the result `state`."""
    standing = standings(all_clauses, proofs)
    return [c.id for c in all_clauses if c.must_hold and standing[c.id] == state]


def complaints(all_clauses: list[Clause], proofs: list[Proof]) -> list[str]:
    """The problems that forbid a claim of conformance; none if every required clause is shown."""
    said = {
        "FAILED": sorted({i for p in proofs if p.result == "failed" for i in p.clauses}),
        "WITHOUT A TEST": owed(all_clauses, proofs, "not shown yet"),
        "SKIPPED": owed(all_clauses, proofs, "skipped"),
    }
    return [f"{what}: {', '.join(ids)}" for what, ids in said.items() if ids]


def page(all_clauses: list[Clause], proofs: list[Proof]) -> str:
    """The whole document."""
    unproven = owed(all_clauses, proofs, "not shown yet")
    shown = sum(state == "passed" for state in standings(all_clauses, proofs).values())
    missing = f"Without a test of its own as yet, though it must hold: {', '.join(unproven)}." if unproven else (
        "Every clause that must hold has a test.")
    return (
        "# Conformance with the Herald protocol\n\n"
        "Made by the test run (`make test`) from the titles and results of the tests; changed by hand, it is overwritten.\n"
        "Clauses HP-C, HP-D and HP-O are those of the Herald protocol's specification in our words; X are what the field\n"
        "demands besides.\n\n"
        f"{shown} of {sum(c.applies for c in all_clauses)} clauses that apply are shown by tests. {missing}\n\n"
        f"{table(all_clauses, proofs)}\n\n"
        "## Deviations\n\n"
        f"{deviations(all_clauses)}\n"
    )


def deviations(all_clauses: list[Clause]) -> str:
    """The differences from the letter of the clauses, grouped by reason."""
    reasons: dict[str, list[str]] = {}
    for clause in all_clauses:
        if clause.deviation:
            reasons.setdefault(clause.deviation, []).append(clause.id)
    rows = [f"| {', '.join(ids)} | {reason} |" for reason, ids in reasons.items()]
    return "\n".join(["| clauses | what differs, and why |", "|---|---|", *rows])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=Path, required=True, help="event stream of the unit tests")
    parser.add_argument("--rig", type=Path, required=True, help="results of the rig")
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "docs/herald-conformance.md")
    options = parser.parse_args()
    try:
        proofs = unit_proofs(options.units) + rig_proofs(options.rig)
    except InvalidRecord as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 65
    all_clauses = clauses()
    known = {clause.id for clause in all_clauses}
    unknown = sorted({i for p in proofs for i in p.clauses if i not in known and not i.startswith("T")})
    if unknown:
        print(f"conformance: no such clause: {', '.join(unknown)}; see Tests/Conformance/clauses.json", file=sys.stderr)
        return 65
    options.output.write_text(page(all_clauses, proofs))
    wrong = complaints(all_clauses, proofs)
    print("; ".join([f"conformance: {options.output.name}: {len(proofs)} tests name clauses", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
