#!/usr/bin/env python3
"""Measures `tabardctl` and the Spark job on one archive: the figures of docs/scale.md.

    Tests/Spark/measure.py ARCHIVE FOLDER [--keys N]

The archive should be at its usual place, as `tabard-sim archive` and `tabardctl archive upgrade` leave it. Each step prints its
seconds, its processor time, which a busy computer changes little, and its peak memory: of all processes of Spark together.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABARDCTL = os.environ.get("TABARD_CTL", str(ROOT / ".build/release/tabardctl"))
AS_OF = "2025-06-01T00:00:00Z"


def resident(process: int) -> int:
    """The bytes of a process and its descendants in memory."""
    children: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            sizes[int(entry.name)] = int((entry / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = 0, [process]
    while waiting:
        each = waiting.pop()
        found += sizes.get(each, 0)
        waiting += children.get(each, [])
    return found


def measured(name: str, *command: str | Path, output: Path | None = None) -> None:
    start, peak = time.monotonic(), 0
    # spark-submit looks for Spark beside this Python.
    environment = os.environ | {"PYTHONPATH": str(ROOT / "spark"), "PYSPARK_PYTHON": sys.executable, "TZ": "UTC"}
    with open(output or os.devnull, "wb") as file:
        child = subprocess.Popen(list(map(str, command)), stdout=file, env=environment)
        while True:
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                break
            peak = max(peak, resident(child.pid))
            time.sleep(0.2)
    wall, processor = time.monotonic() - start, usage.ru_utime + usage.ru_stime
    code = child.returncode = os.waitstatus_to_exitcode(status)
    print(f"{name}: {wall:.1f} s, {processor:.1f} s of processor time, {peak / 2**20:.0f} MiB, exit code {code}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=2_000, help="published Herald keys")
    parser.add_argument("--buckets", default="1")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    chosen = parser.parse_args()
    folder: Path = chosen.folder
    folder.mkdir(parents=True, exist_ok=True)
    stream = random.Random(1)
    keys = [{"key": stream.randbytes(32).hex(), "date": f"2025-05-{number % 28 + 1:02}"} for number in range(chosen.keys)]
    published = folder / "published.json"
    published.write_text(json.dumps({"format": "tabard-herald-matching-keys-1", "keys": sorted(keys, key=lambda row: row["key"])}))
    lake, archive = folder / "lake", ("--archive", chosen.archive)
    measured("export", TABARDCTL, "export", "parquet", "--partitioned", "--buckets", chosen.buckets, "--force", "--output", lake, *archive)
    count = json.loads((lake / "export.json").read_text())["encounters"]
    for table in ("encounters", "samples", "served"):
        files = [path for path in (lake / table).rglob("*.parquet")]
        size = sum(path.stat().st_size for path in files)
        print(f"{table}: {len(files)} files, {size} bytes, {size / count:.1f} for each of {count} encounters", flush=True)
    measured("tabardctl match", TABARDCTL, "match", "herald", published, "--as-of", AS_OF, "--csv", *archive, output=folder / "match.csv")
    measured("tabardctl contacts", TABARDCTL, "contacts", "--csv", *archive, output=folder / "contacts.csv")
    spark = [
        Path(sys.executable).parent / "spark-submit", "--master", chosen.master, "--driver-memory", "2g", "--executor-memory", "2g",
        "--conf", "spark.ui.showConsoleProgress=false", "--conf", f"spark.executorEnv.PYTHONPATH={ROOT / 'spark'}",
        "--conf", "spark.sql.shuffle.partitions=8", ROOT / "spark/submit.py",
    ]
    places = ("--partitions", lake.resolve(), "--format", "csv", "--output")
    measured("Spark match", *spark, "match", "herald", published.resolve(), "--as-of", AS_OF, *places, (folder / "spark-match").resolve())
    measured("Spark contacts", *spark, "contacts", *places, (folder / "spark-contacts").resolve())


if __name__ == "__main__":
    main()
