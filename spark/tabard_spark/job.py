"""The command line: `match SCHEME` and `contacts` over partitioned exports."""

from __future__ import annotations

import argparse
import json
import os
import sys
from datetime import UTC, datetime

from pyspark.sql import DataFrame, SparkSession

from tabard_spark import exposure, published
from tabard_spark.contacts import contacts
from tabard_spark.matching import RETENTION_DAYS, Results, Search, match_exposures, match_identities
from tabard_spark.partitions import Lake, PartitionError, read_file

LISTS = {
    "herald": published.herald_keys,
    "covid-tracer": published.covid_tracer_keys,
    "ble-proximity": published.ble_proximity_identities,
}


def session(name: str = "tabard") -> SparkSession:
    """The session of this job. spark-submit, or the caller, decides where it runs."""
    spark = SparkSession.builder.appName(name).getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    # A wrong number must never pass for a missing one.
    spark.conf.set("spark.sql.ansi.enabled", "true")
    return spark


def run_match(
    spark: SparkSession, scheme: str, lakes: list[str], files: list[str], now: int, *, risk: str = "corona-warn-app",
    infectiousness: str | None = None, correction: int = 0, without_written: bool = False,
) -> Results:
    """Searches for published keys. `now` is in milliseconds since 1970."""
    search = Search(Lake.at(spark, lakes), scheme, now, without_written)
    if scheme != "exposure-notification":
        [file] = files
        return match_identities(spark, search, LISTS[scheme](read_file(spark, file)))
    keys, skipped = published.exposure_keys([read_file(spark, file) for file in exports(files)])
    if skipped:
        print(f"{skipped} invalid published keys were skipped", file=sys.stderr)
    mapping = exposure.mapping(read_file(spark, infectiousness).decode()) if infectiousness else exposure.Mapping()
    return match_exposures(spark, search, keys, risk, mapping, correction)


def exports(paths: list[str]) -> list[str]:
    """The export files that paths stand for: a file, a folder with export.bin, or the zip files of a folder."""
    files: list[str] = []
    for path in paths:
        if "://" in path or not os.path.isdir(path):
            files.append(path)
        elif "export.bin" in os.listdir(path):
            files.append(os.path.join(path, "export.bin"))
        else:
            files += sorted(os.path.join(path, name) for name in os.listdir(path) if name.lower().endswith(".zip"))
    return files


def write(table: DataFrame, place: str, form: str) -> None:
    """Writes a table as a folder of files; an existing one is an error."""
    writer = table.write
    if form == "csv":
        writer.option("header", True).option("escape", '"').csv(place)
    elif form == "json":
        writer.option("ignoreNullFields", False).json(place)
    else:
        writer.parquet(place)


def arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="submit.py", description="Match published keys, or compute contacts of boards, with Spark.")
    commands = parser.add_subparsers(dest="command", required=True)
    match = commands.add_parser("match", help="find encounters with published identities")
    match.add_argument("scheme", choices=sorted(RETENTION_DAYS))
    match.add_argument("files", nargs="+", help="the published list, or export files of Exposure Notification")
    match.add_argument("--as-of", help="match as of this time, RFC 3339; default: now")
    match.add_argument("--unverified", action="store_true", help="required for Exposure Notification: this job checks no signature")
    match.add_argument("--risk", choices=[*exposure.MODELS, "version-1"], default="corona-warn-app")
    match.add_argument("--infectiousness", help="table of infectiousness by days since symptoms began")
    match.add_argument("--receiver-correction", type=int, default=0, help="dB, -50 to 50, added to each reading")
    match.add_argument("--without-written", action="store_true", help="leave out what peers only wrote")
    listing = commands.add_parser("contacts", help="list which boards met each other")
    for command in (match, listing):
        command.add_argument("--partitions", nargs="+", required=True, help="folders of tabardctl export parquet --partitioned")
        command.add_argument("--output", required=True, help="a new folder")
        command.add_argument("--format", choices=["parquet", "csv", "json"], default="parquet")
    chosen = parser.parse_args(given)
    if chosen.command == "match":
        if chosen.scheme == "exposure-notification" and not chosen.unverified:
            parser.error("check the exports with `tabardctl match exposure-notification --verification-key`, then give --unverified")
        if chosen.scheme != "exposure-notification" and len(chosen.files) != 1:
            parser.error("give one list")
        if not -50 <= chosen.receiver_correction <= 50:
            parser.error("--receiver-correction must be from -50 to 50")
    return chosen


def milliseconds(text: str | None) -> int:
    """A time in milliseconds since 1970; without a zone it is UTC."""
    time = datetime.fromisoformat(text) if text else datetime.now(UTC)
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return int(aware.timestamp() * 1000)


def main(given: list[str]) -> int:
    """Runs a command. Exit codes: 0 done, 64 wrong usage, 65 a file that is no such list, 66 no such file."""
    try:
        chosen = arguments(given)
    except SystemExit as error:
        return 64 if error.code else 0
    spark = session()
    try:
        return _run(spark, chosen)
    except (published.PublishedError, PartitionError, ValueError) as error:
        print(f"submit.py: {error}", file=sys.stderr)
        return 65
    except FileNotFoundError as error:
        print(f"submit.py: {error.filename or error}: no such file; check the name", file=sys.stderr)
        return 66
    finally:
        spark.stop()


def _run(spark: SparkSession, chosen: argparse.Namespace) -> int:
    output = chosen.output.rstrip("/")
    if chosen.command == "contacts":
        results = Results({"contacts": contacts(Lake.at(spark, chosen.partitions))}, {})
    else:
        results = run_match(
            spark, chosen.scheme, chosen.partitions, chosen.files, milliseconds(chosen.as_of), risk=chosen.risk,
            infectiousness=chosen.infectiousness, correction=chosen.receiver_correction, without_written=chosen.without_written,
        )
    for name, table in results.tables.items():
        write(table, f"{output}/{name}", chosen.format)
    if results.counts:
        counts = spark.createDataFrame([(json.dumps(results.counts),)], "value string")
        counts.coalesce(1).write.text(f"{output}/summary")
        print(json.dumps(results.counts))
    return 0
