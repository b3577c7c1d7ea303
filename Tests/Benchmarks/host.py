#!/usr/bin/env python3
"""Measures what `tabardctl` does with large archives, beside the program `sqlite3` on the same tables.

`tabard-sim archive` writes the logs of ten boards with the board's own code. `tabardctl archive upgrade` imports them, as
after a fetch. A day of 1,000 encounters is listed from archives of each size, then all encounters are. `sqlite3` groups the
same samples by track, and inserts the same rows into the same tables. A C program (MatchFloor) looks up the identifiers of
28,000 published keys in the same table as `tabardctl match`. With `--keep FOLDER` the archive stays there, and the next run
uses it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "Rig"), str(ROOT / "spark")]

from agent import find_simulator, find_tabardctl  # noqa: E402
from images import OUTPUT, TOOLCHAIN, run  # noqa: E402
from tabard_spark.published import exposure_keys  # noqa: E402

DAY = ("--since", "2023-01-01", "--until", "2023-01-02")
"""The first day of each archive, which has 1,000 encounters in all sizes."""
GROUPING = """
    SELECT hex(payload), min(startMilliseconds), max(endMilliseconds), sum(sample.readingCount), max(maximumDBm),
        sum(meanTenthsDBm * sample.readingCount) / sum(sample.readingCount)
    FROM sample JOIN track ON sample.trackID = track.id JOIN identification ON identification.trackID = track.id
    GROUP BY track.id
"""
ENTRIES_PER_ENCOUNTER = 11
"""An opening, an identity, eight samples and a closing."""

DAY_GOAL_SECONDS = 0.5
LIST_GOAL = 2.0
PUBLISHED_KEYS = 28_000
"""Of 144 identifiers each: four million."""
MATCH_GOAL = 2.0
MEMORY_GOAL_MEBIBYTES = 100
"""Of every list and export, however many encounters there are."""
REPORT_GOAL_SECONDS = 10
REPORT_GOAL_BYTES = 2_000_000
REPORT_GOAL_ENCOUNTERS = 1_000_000
"""The goal of seconds holds up to this size."""
BYTES_PER_ENCOUNTER = 1_500
"""Of an archive with its tables, its export and SQLite's temporary files: what a run needs on the disk."""


@dataclass(frozen=True)
class Run:
    """The time, memory and output of one command."""

    seconds: float
    mebibytes: float
    byte_count: int


@dataclass(frozen=True)
class Host:
    """An operator's computer, whose archive is at its usual place."""

    folder: Path
    tabardctl: Path

    @property
    def archive(self) -> Path:
        return self.folder / "data" / "tabard" / "archive.sqlite"

    def run(self, *command: str | Path) -> Run:
        """Runs a command, whose output goes to a file; it must succeed."""
        environment = os.environ | {
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "TZ": "UTC",
        }
        output = self.folder / "output"
        with output.open("wb") as file, (self.folder / "errors").open("wb") as errors:
            start = time.monotonic()
            child = subprocess.Popen(command, stdout=file, stderr=errors, env=environment)
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.monotonic() - start
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {(self.folder / 'errors').read_text()}")
        return Run(seconds, usage.ru_maxrss / 1024, output.stat().st_size)

    def ask(self, *arguments: str) -> Run:
        """Runs `tabardctl` on the archive."""
        return self.run(self.tabardctl, *arguments)

    @property
    def published(self) -> Path:
        """The export of published keys; beside it are the same keys for the C program."""
        return self.folder / "export.bin"

    def query(self, sql: str) -> Run:
        """Runs `sqlite3` on the archive."""
        return self.run("sqlite3", "-readonly", self.archive, sql)

    def copy_tables(self) -> Run:
        """Lets `sqlite3` insert all rows that were decoded into the same tables of another file."""
        other = self.folder / "copy.sqlite"
        other.unlink(missing_ok=True)
        schema = subprocess.run(
            ["sqlite3", "-readonly", self.archive, ".schema"], check=True, capture_output=True, text=True
        ).stdout
        tables = subprocess.run(
            ["sqlite3", "-readonly", self.archive, DERIVED], check=True, capture_output=True, text=True
        ).stdout.split()
        copies = "".join(f"INSERT INTO main.{name} SELECT * FROM archive.{name};\n" for name in tables)
        script = f"PRAGMA journal_mode = WAL; {schema} ATTACH '{self.archive}' AS archive; BEGIN; {copies} COMMIT;"
        (self.folder / "copy.sql").write_text(script)
        return self.run("sqlite3", other, f".read {self.folder / 'copy.sql'}")


DERIVED = """
    SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('page', 'boot', 'anchor', 'track', 'identification',
        'sample', 'coverage', 'ownIdentity', 'placement', 'encounter', 'encounterPart', 'servedIdentity', 'sighting',
        'contact', 'presence')
"""


def make(host: Host, encounter_count: int) -> None:
    """Makes an archive, and prints the figures of the import."""
    host.archive.parent.mkdir(parents=True)
    host.published.unlink(missing_ok=True)
    host.run(
        find_simulator(), "archive", "--encounters", str(encounter_count), "--published", host.published,
        "--keys", str(PUBLISHED_KEYS), host.archive,
    )  # fmt: skip
    logs = host.archive.stat().st_size
    imported = host.ask("archive", "upgrade")
    inserted = host.copy_tables()
    (host.folder / "copy.sqlite").unlink()
    entries = encounter_count * ENTRIES_PER_ENCOUNTER
    print(
        f"{encounter_count:9,d} encounters: import {entries / imported.seconds:9,.0f} entries/s,"
        f" {imported.mebibytes:4.0f} MiB; sqlite3 alone inserts the rows in {inserted.seconds / imported.seconds:4.0%} of that time;"
        f" {(host.archive.stat().st_size - logs) / encounter_count:4.0f} bytes an encounter in tables,"
        f" {logs / encounter_count:4.0f} in logs",
        flush=True,
    )


@cache
def match_floor() -> Path:
    """The C program, on the libraries that `tabardctl` uses."""
    floor = OUTPUT / "match-floor"
    benchmarks = ROOT / "Tests/Benchmarks"
    run(TOOLCHAIN / "clang", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{benchmarks / 'Common'}", benchmarks / "MatchFloor/floor.c",
        "-o", floor, "-lcrypto", "-lsqlite3")  # fmt: skip
    return floor


def match(host: Host, encounter_count: int) -> float:
    """Prints the figures of `tabardctl match` beside those of the C program. Returns their ratio."""
    keys, _ = exposure_keys([host.published.read_bytes()])
    raw = host.folder / "keys"
    raw.write_bytes(b"".join(key.key + struct.pack("<II", key.rolling_start, key.rolling_period) for key in keys))
    # Keys are published at the end of the archive.
    end = datetime.fromtimestamp(max(key.rolling_start + key.rolling_period for key in keys) * 600, UTC) - timedelta(seconds=1)
    floors, matched = [], []
    for _ in range(3):
        floors.append(host.run(match_floor(), host.archive, raw, str(int(end.timestamp()))))
        expected = (host.folder / "output").read_text().split()
        matched.append(host.ask("match", "exposure-notification", str(host.published), "--unverified", "--as-of",
                                end.strftime("%Y-%m-%dT%H:%M:%SZ"), "--json"))  # fmt: skip
        document = json.loads((host.folder / "output").read_text())
        found = [str(document["searchedEncounters"]), str(len(document["encounters"]))]
        if found != expected:
            sys.exit(f"host.py: match searched and found {' and '.join(found)}, the C program {' and '.join(expected)}")
    floor, match = (min(runs, key=lambda run: run.seconds) for runs in (floors, matched))
    ratio = match.seconds / floor.seconds
    print(
        f"{'':22s} match {len(keys) * 144:9,d} ids     {match.seconds:7.2f} s, {match.mebibytes:4.0f} MiB,"
        f" {encounter_count / match.seconds / 1e6:.2f} million encounters/s, {found[1]} of the {found[0]} of 14 days match;"
        f" in C {floor.seconds:.2f} s, {floor.mebibytes:.0f} MiB: {ratio:.2f} x (goal <= {MATCH_GOAL:g})",
        flush=True,
    )
    return ratio


def measure(host: Host, encounter_count: int) -> list[str]:
    """Prints the figures of an archive. Returns the missed goals."""
    made = host.folder / "made"
    if made.exists():
        print(f"{encounter_count:9,d} encounters: the archive of an earlier run")
    else:
        # A run that was interrupted leaves a part.
        shutil.rmtree(host.folder / "data", ignore_errors=True)
        make(host, encounter_count)
        made.touch()
    day = min((host.ask("encounters", "--csv", *DAY) for _ in range(3)), key=lambda run: run.seconds)
    print(f"{'':22s} list a day of 1,000   {day.seconds:7.2f} s, {day.mebibytes:4.0f} MiB (goal <= {DAY_GOAL_SECONDS} s)")
    grouped = min((host.query(GROUPING) for _ in range(3)), key=lambda run: run.seconds)
    listed = min((host.ask("encounters", "--csv") for _ in range(3)), key=lambda run: run.seconds)
    print(
        f"{'':22s} list all as CSV       {listed.seconds:7.2f} s, {listed.mebibytes:4.0f} MiB;"
        f" sqlite3 groups the samples in {grouped.seconds:.2f} s: {listed.seconds / grouped.seconds:.2f} x (goal <= {LIST_GOAL:g})"
    )
    printed = host.ask("encounters", "--json")
    print(
        f"{'':22s} list all as JSON      {printed.seconds:7.2f} s, {printed.mebibytes:4.0f} MiB"
        f" for {printed.byte_count / 1e6:,.0f} MB (goal <= {MEMORY_GOAL_MEBIBYTES} MiB)",
        flush=True,
    )
    others = {
        "contacts of a day": ("contacts", "--csv", *DAY),
        "presence of a day": ("presence", "--csv", *DAY),
        "all contacts": ("contacts", "--csv"),
        "export as Parquet": ("export", "parquet", "--strangers", "--output", "-"),
        "export as SocioPatterns": ("export", "sociopatterns", "--strangers", "--output", "-"),
    }
    largest = max(day.mebibytes, listed.mebibytes, printed.mebibytes)
    for name, command in others.items():
        run = host.ask(*command)
        largest = max(largest, run.mebibytes)
        print(f"{'':22s} {name:24s} {run.seconds:5.2f} s, {run.mebibytes:4.0f} MiB for {run.byte_count / 1e6:,.1f} MB", flush=True)
    report = min((host.ask("report", "--output", "-") for _ in range(3)), key=lambda run: run.seconds)
    has_report_goal = encounter_count <= REPORT_GOAL_ENCOUNTERS
    print(
        f"{'':22s} report                   {report.seconds:5.2f} s, {report.mebibytes:4.0f} MiB for {report.byte_count / 1e6:.2f} MB"
        f" (goal <= {f'{REPORT_GOAL_SECONDS} s and ' if has_report_goal else ''}{REPORT_GOAL_BYTES / 1e6:g} MB)",
        flush=True,
    )
    ratio = match(host, encounter_count)
    missed = {
        "a day takes too long": day.seconds > DAY_GOAL_SECONDS,
        "the list takes too long": listed.seconds > LIST_GOAL * grouped.seconds,
        "a list or an export takes too much memory": largest > MEMORY_GOAL_MEBIBYTES,
        "the report takes too long": has_report_goal and report.seconds > REPORT_GOAL_SECONDS,
        "match takes too long": ratio > MATCH_GOAL,
        "the report is too large": report.byte_count > REPORT_GOAL_BYTES,
    }
    return [f"{encounter_count:,d} encounters: {what}" for what, is_missed in missed.items() if is_missed]


def require_space(folder: Path, encounter_count: int) -> None:
    """Ends the program if the disk is too full for an archive of this size."""
    needed = encounter_count * BYTES_PER_ENCOUNTER
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(f"host.py: {folder} has {free / 1e9:.1f} GB free; {encounter_count:,d} encounters need {needed / 1e9:.1f} GB")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--encounters", type=int, nargs="*", default=[100_000, 1_000_000])
    arguments.add_argument("--keep", type=Path, help="folder in which archives stay for the next run")
    chosen = arguments.parse_args()
    complaints: list[str] = []
    for encounter_count in chosen.encounters:
        if chosen.keep:
            folder = chosen.keep.resolve() / str(encounter_count)
            folder.mkdir(parents=True, exist_ok=True)
            require_space(folder, encounter_count)
            complaints += measure(Host(folder, find_tabardctl()), encounter_count)
        else:
            with tempfile.TemporaryDirectory(prefix="tabard-bench-") as name:
                require_space(Path(name), encounter_count)
                complaints += measure(Host(Path(name), find_tabardctl()), encounter_count)
    if complaints:
        sys.exit(f"host.py: {'; '.join(complaints)}")


main()
