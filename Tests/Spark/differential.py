#!/usr/bin/env python3
"""Compares the Spark job with `tabardctl`, row for row, on random archives (`make spark`).

Each seed makes an archive and a list of each scheme. Both programs match the lists and compute the contacts. The job runs on
executors in processes of their own, `local-cluster`, as on a cluster. A difference prints the seed and the rows, and the exit
code is 1. `--break RULE` changes a rule of the job, to show that the comparison can fail.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "spark"), str(ROOT / "Tests" / "Rig"), str(Path(__file__).parent)]
os.environ["PYTHONPATH"] = f"{ROOT / 'spark'}:{Path(__file__).parent}"

import custody  # noqa: E402
from random_archive import NOW, World  # noqa: E402

SCHEMES = ["exposure-notification", "herald", "covid-tracer", "ble-proximity"]
TABARDCTL = os.environ.get("TABARD_CTL", str(ROOT / ".build/debug/tabardctl"))
Row = tuple[str, ...]


def tabardctl(*command: str | Path) -> str:
    """The output of a command that must succeed."""
    ended = subprocess.run([TABARDCTL, *map(str, command)], capture_output=True, text=True)
    assert ended.returncode == 0, f"{command}: exit code {ended.returncode}\n{ended.stderr}"
    return ended.stdout


def value(given: Any) -> str:
    """A value as both programs mean it: numbers without needless digits, nothing for null."""
    if given is None or given == "":
        return ""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float):
        return repr(float(given))
    if isinstance(given, date) and not isinstance(given, datetime):
        return given.isoformat()
    try:
        return repr(float(given)) if given.lower() not in ("nan", "inf", "infinity") and "_" not in given and len(given) < 16 else given
    except ValueError:
        return str(given)


def csv_rows(text: str) -> list[Row]:
    lines = list(csv.reader(io.StringIO(text)))
    return [tuple(map(value, line)) for line in lines]


def spark_rows(table: Any) -> list[Row]:
    return [tuple(table.columns), *[tuple(map(value, row)) for row in table.collect()]]


def json_rows(rows: list[dict[str, Any]], names: dict[str, str]) -> list[Row]:
    return [tuple(names.values()), *[tuple(value(row[name]) for name in names) for row in rows]]


def difference(seed: int, what: str, swift: list[Row], spark: list[Row]) -> list[str]:
    """The differences. Rows of one time have no order, so only the times must be in order."""
    if swift[0] != spark[0]:
        return [f"seed {seed}: {what}: columns {swift[0]} and {spark[0]}"]
    one, other = Counter(swift[1:]), Counter(spark[1:])
    found = [f"seed {seed}: {what}: only tabardctl: {row}" for row in (one - other).elements()]
    found += [f"seed {seed}: {what}: only Spark: {row}" for row in (other - one).elements()]
    times = [swift[0].index(name) for name in ("start", "date") if name in swift[0]][:1]
    for place in times:
        if [row[place] for row in swift[1:]] != [row[place] for row in spark[1:]]:
            found.append(f"seed {seed}: {what}: another order")
    return found


class Trial:
    """The archive of a seed, and what both programs find in it."""

    def __init__(self, seed: int, folder: Path, spark: Any) -> None:
        self.seed, self.folder, self.spark = seed, folder, spark
        self.archive = folder / "archive.sqlite"
        self.archive.touch()
        tabardctl("archive", "upgrade", "--archive", self.archive)
        world = World(seed)
        world.publish(folder)
        world.fill(self.archive)
        custody.settle(self.archive)
        tabardctl("archive", "upgrade", "--archive", self.archive)
        buckets = world.random.choice(["1", "3", "8"])
        tabardctl("export", "parquet", "--partitioned", "--buckets", buckets, "--archive", self.archive, "--output", folder / "lake")
        self.compared: Counter[str] = Counter()

    def differences(self) -> list[str]:
        found = self._contacts()
        for scheme in SCHEMES:
            found += self._exposures() if scheme == "exposure-notification" else self._identities(scheme)
        return found

    def _compare(self, what: str, swift: list[Row], spark: list[Row]) -> list[str]:
        self.compared[what] += len(swift) - 1
        return difference(self.seed, what, swift, spark)

    def _contacts(self) -> list[str]:
        from tabard_spark.columns import DISTANCE_COLUMNS
        from tabard_spark.contacts import contacts
        from tabard_spark.partitions import Lake

        listed = csv_rows(tabardctl("contacts", "--csv", "--archive", self.archive))
        places = [place for place, name in enumerate(listed[0]) if name not in DISTANCE_COLUMNS]
        swift = [tuple(row[place] for place in places) for row in listed]
        return self._compare("contacts", swift, spark_rows(contacts(Lake.at(self.spark, [str(self.folder / "lake")]))))

    @property
    def _as_of(self) -> str:
        return datetime.fromtimestamp(NOW, UTC).isoformat().replace("+00:00", "Z")

    def _identities(self, scheme: str) -> list[str]:
        from tabard_spark.job import run_match

        file = self.folder / f"{scheme}.json"
        command = ["match", scheme, file, "--as-of", self._as_of, "--archive", self.archive]
        without = ["--without-written"] if self.seed % 3 == 0 else []
        results = run_match(self.spark, scheme, [str(self.folder / "lake")], [str(file)], NOW * 1000, without_written=bool(without))
        found = self._compare(scheme, csv_rows(tabardctl(*command, "--csv", *without)), spark_rows(results.tables["encounters"]))
        document = json.loads(tabardctl(*command, "--json", *without))
        for name in ("asOf", "scheme", "publishedKeys", "searchedEncounters", "toleranceSeconds"):
            if document[name] != results.counts[name]:
                found.append(f"seed {self.seed}: {scheme}: {name}: {document[name]} and {results.counts[name]}")
        return found

    def _exposures(self) -> list[str]:
        from tabard_spark.job import run_match

        scheme = "exposure-notification"
        risk = ["corona-warn-app", "swisscovid-pilot", "version-1"][self.seed % 3]
        correction = self.seed % 5 - 2
        table = self.folder / "infectiousness"
        table.write_text("-14..-3 none\n-2..2 high # near the onset\n3..14 standard\nmissing standard\nreport clinical\n")
        command = [
            "match", scheme, "--unverified", self.folder / "exports", "--as-of", self._as_of, "--archive", self.archive,
            "--risk", risk, f"--receiver-correction={correction}", "--infectiousness", table,
        ]
        results = run_match(
            self.spark, scheme, [str(self.folder / "lake")], [str(self.folder / "exports")], NOW * 1000, risk=risk,
            infectiousness=str(table), correction=correction,
        )
        found = self._compare(scheme, csv_rows(tabardctl(*command, "--csv")), spark_rows(results.tables["encounters"]))
        document = json.loads(tabardctl(*command, "--json"))
        names = {
            "board": "board", "key": "key", "start": "start", "seconds": "seconds", "scans": "scans",
            "attenuation": "attenuation_db", "infectiousness": "infectiousness", "reportType": "report_type",
        }
        found += self._compare("windows", json_rows(document["windows"], names), spark_rows(results.tables["windows"]))
        same = {name: name for name in ("board", "date", "windows", "seconds", "score", "level")}
        found += self._compare("days", json_rows(document["days"], same), spark_rows(results.tables["days"]))
        for name in ("asOf", "risk", "publishedKeys", "searchedEncounters"):
            if document[name] != results.counts[name]:
                found.append(f"seed {self.seed}: {scheme}: {name}: {document[name]} and {results.counts[name]}")
        return found


def break_rule(rule: str) -> None:
    """Changes a rule of the job by a little."""
    from tabard_spark import contacts, expansion, matching

    if rule == "tolerance":
        matching.TOLERANCE |= {scheme: seconds + 1 for scheme, seconds in expansion.TOLERANCE.items()}
    elif rule == "retention":
        matching.RETENTION_DAYS |= {scheme: days + 1 for scheme, days in matching.RETENTION_DAYS.items()}
    elif rule == "interval":
        expansion.INTERVAL += 60
    elif rule == "certainty":
        contacts.WRITTEN = contacts.SERVED
    else:
        raise SystemExit(f"--break {rule}: tolerance, retention, interval or certainty")


def session(master: str = "local-cluster[2,1,1024]") -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("tabard differential test")
    settings = {
        "spark.sql.session.timeZone": "UTC", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2",
        "spark.executor.memory": "1g",
        # Compiling each small query would take most of the time.
        "spark.sql.codegen.wholeStage": "false", "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "spark.log.level": "ERROR",
        "spark.pyspark.python": sys.executable, "spark.pyspark.driver.python": sys.executable,
    }
    for name, setting in settings.items():
        builder = builder.config(name, setting)
    return builder.getOrCreate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--master", default="local-cluster[2,1,1024]", help="where Spark runs")
    parser.add_argument("--break", dest="rule", help="change a rule of the job: tolerance, retention, interval or certainty")
    chosen = parser.parse_args()
    custody.isolate()
    os.environ["TZ"] = "UTC"
    spark = session(chosen.master)
    if chosen.rule:
        break_rule(chosen.rule)
    failed: list[str] = []
    compared: Counter[str] = Counter()
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tabard-spark-") as folder:
            trial = Trial(seed, Path(folder), spark)
            found = trial.differences()
        failed += found
        compared += trial.compared
        rows = ", ".join(f"{count} {what}" for what, count in sorted(trial.compared.items()))
        print(f"seed {seed}: {'DIFFERENT' if found else 'equal'} in {time.monotonic() - begin:.0f} s: {rows}", flush=True)
        for line in found[:10]:
            print(line, file=sys.stderr)
        spark.catalog.clearCache()
    spark.stop()
    empty = [what for what in ["contacts", "windows", "days", *SCHEMES] if not compared[what]]
    if empty:
        print(f"nothing was compared of: {', '.join(empty)}", file=sys.stderr)
        return 1
    print(f"{chosen.seeds} seeds, {sum(compared.values())} rows: {len(failed)} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
