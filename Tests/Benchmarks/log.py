#!/usr/bin/env python3
"""Measures the log's cost: bytes programmed, operations and erasures on emulated NOR flash, bytes written to
a file, reads at mount, and time. The same for the least C that does this work (LogFloor), and for SQLite
in WAL mode on the file.

Fails if a count exceeds its goal, because counts are exact. Times, all of the processor, and bytes on the
file never fail it; docs/bounds.md has their reference values.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "build/bench"
ENTRIES, BYTES = 200_000, 64
BATCHES = {1: "each entry", 64: "64 entries", 0: "page full"}
GOAL_SYNCED, GOAL_BATCHED, GOAL_FILE, GOAL_ERASURES = 1.13, 1.02, 1.05, 0.02
GOAL_MOUNT_BYTES, GOAL_MOUNT_READS = 8_192, 100


def run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build_floor() -> Path:
    compiler = Path(shutil.which("swiftc") or sys.exit("bench: swiftc is not in PATH")).resolve().parent / "clang"
    image = OUTPUT / "log-floor"
    run(compiler, "-O2", "-Wall", "-Wextra", "-Werror", ROOT / "Tests/Benchmarks/LogFloor/floor.c", "-o", image)
    return image


def process_writes() -> tuple[int, int]:
    """This process's bytes so far, in write calls and in dirtied pages."""
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"]), int(fields["write_bytes"])


def sqlite(path: Path, batch: int, entries: int) -> dict:
    """Writes the same entries as rows, durable at each commit."""
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA synchronous=FULL")
    base.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, entry BLOB)")
    called, written = process_writes()
    start = time.process_time_ns()
    for first in range(0, entries, batch):
        base.execute("BEGIN")
        rows = ((number, number.to_bytes(BYTES, "little")) for number in range(first, min(first + batch, entries)))
        base.executemany("INSERT INTO log VALUES (?, ?)", rows)
        base.execute("COMMIT")
    base.close()  # writes what the WAL still holds
    nanoseconds = time.process_time_ns() - start
    after = process_writes()
    path.unlink()
    return {"medium": "file", "pages": "SQLite", "batch": batch, "entries": entries, "payload": entries * BYTES,
            "called": after[0] - called, "written": after[1] - written, "nanoseconds": nanoseconds}  # fmt: skip


def print_flash(runs: list[dict]) -> list[str]:
    complaints = []
    print(f"log: {ENTRIES} entries of {BYTES} bytes into 16 MiB of emulated NOR flash whose ring has gone round")
    print(f"{'':8}{'pages':9}{'synced':13}{'programmed':>12}{'programs':>10}{'4 KiB':>10}{'ns per':>9}{'mount':>15}{'mount':>8}")
    print(f"{'unit':8}{'':9}{'':13}{'per payload':>12}{'/entry':>10}{'erased/e.':>10}{'entry':>9}{'reads, bytes':>15}{'µs':>8}")
    for figures in runs:
        entries = figures["entries"]
        programmed = figures["programmed"] / figures["payload"]
        erased = figures["erasedSectors"] / entries
        mount = f"{figures['mountReads']}, {figures['mountBytes']}"
        print(f"{figures['medium'][3:]:8}{figures['pages']:9}{BATCHES[figures['batch']]:13}{programmed:12.4f}"
              f"{figures['programs'] / entries:10.3f}{erased:10.4f}{figures['nanoseconds'] / entries:9.0f}{mount:>15}"
              f"{figures['mountNanoseconds'] / 1000:8.1f}")  # fmt: skip
        if figures["pages"] == "floor":
            continue
        where = f"{figures['medium']} {figures['pages']} {BATCHES[figures['batch']]}"
        if figures["pages"] == "bare":
            # A page takes whole units of 16 bytes: 64 bytes and a header of 8 bytes take 80.
            goal = (GOAL_SYNCED if figures["medium"] == "nor8" else 1.26) if figures["batch"] == 1 else GOAL_BATCHED
            if programmed > goal:
                complaints.append(f"{where}: {programmed:.4f} bytes programmed per byte, goal {goal}")
            if erased > GOAL_ERASURES:
                complaints.append(f"{where}: {erased:.4f} sectors erased per entry, goal {GOAL_ERASURES}")
        if figures["mountReads"] > GOAL_MOUNT_READS or figures["mountBytes"] > GOAL_MOUNT_BYTES:
            complaints.append(f"{where}: mounting read {mount} bytes, goal {GOAL_MOUNT_READS}, {GOAL_MOUNT_BYTES}")
    return complaints


def print_file(runs: list[dict]) -> None:
    print(f"log: entries of {BYTES} bytes on a preallocated file, fdatasync; SQLite in WAL mode, synchronous=FULL")
    print(f"{'':9}{'synced':13}{'entries':>9}{'in calls':>10}{'dirtied':>10}{'µs per':>9}")
    print(f"{'':9}{'':13}{'':>9}{'/payload':>10}{'/payload':>10}{'entry':>9}")
    for figures in runs:
        payload = figures["payload"]
        print(f"{figures['pages']:9}{BATCHES[figures['batch']]:13}{figures['entries']:9}{figures['called'] / payload:10.3f}"
              f"{figures['written'] / payload:10.3f}{figures['nanoseconds'] / 1000 / figures['entries']:9.2f}")  # fmt: skip
        if figures["pages"] == "bare" and figures["batch"] == 0 and figures["written"] / payload > GOAL_FILE:
            print(f"{'':9}goal {GOAL_FILE} (docs/bounds.md)")


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    floor = build_floor()
    file = OUTPUT / "log-bench.file"
    flash = [json.loads(run(floor, "nor", unit, batch, ENTRIES)) for unit in ("1", "8", "16") for batch in ("1", "64", "0")]
    log = run(os.environ.get("TABARD_SIM", ROOT / ".build/sim/release/tabard-sim"), "log-bench", "--file", file)
    log = [json.loads(line) for line in log.splitlines()]
    complaints = print_flash(flash + [figures for figures in log if figures["medium"] != "file"])
    floors = [json.loads(run(floor, "file", file, *arguments)) for arguments in (("0", ENTRIES), ("64", ENTRIES), ("1", ENTRIES // 100))]
    bases = [sqlite(file, batch, entries) for batch, entries in ((64, ENTRIES), (1, ENTRIES // 100))]
    print_file(floors + [figures for figures in log if figures["medium"] == "file"] + bases)
    if complaints:
        sys.exit("bench: " + "; ".join(complaints))


if __name__ == "__main__":
    main()
