"""Partitioned exports: the archive's own rows, read back by pyarrow and DuckDB."""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.dataset as dataset
import pyarrow.parquet as parquet
import pytest

import sample_archive
from sample_archive import Sample

ROWS = """
    SELECT lower(hex(logIdentity)), encounter.id, encounter.payload, startMilliseconds, endMilliseconds,
        startErrorMilliseconds, readingCount, sampleCount, maximumDBm, weightedTenthsDBm, weight, timeoutMilliseconds
    FROM encounter JOIN board ON board.id = boardID WHERE boot IS NULL AND scheme NOT NULL AND NOT isLost
"""
EXPORTED = """
    SELECT board, encounter, header || coalesce(identifier, ''::BLOB) || trailer, start_milliseconds, end_milliseconds,
        start_error_milliseconds, readings, samples, maximum_dbm, weighted_tenths_dbm, weight, timeout_milliseconds
    FROM read_parquet('{}/encounters/**/*.parquet', hive_partitioning = true) WHERE day IS NOT NULL
"""


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await sample_archive.at(tmp_path, monkeypatch)


async def lake(sample: Sample, *options: str) -> Path:
    """The folder of a partitioned export."""
    folder = sample.folder / f"lake-{len(list(sample.folder.iterdir()))}"
    await sample.printed("export", "parquet", "--partitioned", "--output", str(folder), *options)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def queried(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as database:
        return database.execute(sql).fetchall()


async def test_each_encounter_is_in_the_partition_of_its_day_and_identifier(sample: Sample) -> None:
    folder = await lake(sample, "--buckets", "3")
    rows = queried(EXPORTED.format(folder))
    assert Counter(rows) == Counter(sample.rows(ROWS)) and len(rows) > 1_900
    table = dataset.dataset(folder / "encounters", partitioning="hive").to_table().to_pylist()
    for row in table:
        assert row["day"] == sample_archive.moment(row["start_milliseconds"])[:10]
        assert int(row["bucket"]) == zlib.crc32(row["identifier"]) % 3
    summary = json.loads((folder / "export.json").read_text())
    assert summary["encounters"] == len(table) and summary["days"] == len({row["day"] for row in table})
    length = max(row["last_sample_milliseconds"] - row["start_milliseconds"] for row in table)
    assert summary["longestMilliseconds"] == length


async def test_the_samples_of_an_encounter_are_in_its_partition(sample: Sample) -> None:
    folder = await lake(sample)
    joined = f"""
        SELECT e.board, e.encounter, e.samples, count(*), min(s.start_milliseconds), max(s.start_milliseconds),
            sum(s.mean_tenths_dbm * s.readings), max(s.maximum_dbm)
        FROM read_parquet('{folder}/encounters/**/*.parquet', hive_partitioning = true) AS e
        JOIN read_parquet('{folder}/samples/**/*.parquet', hive_partitioning = true) AS s USING (day, bucket, board, encounter)
        GROUP BY ALL
    """
    rows = {(row[0], row[1]): row[2:] for row in queried(joined)}
    for board, number, _, start, _, _, _, count, maximum, weighted, _, _ in sample.rows(ROWS):
        samples, found, first, last, sum_of_tenths, strongest = rows[board, number]
        assert samples == found == count and first == start and last > first
        assert (sum_of_tenths, strongest) == (weighted, maximum)


async def test_readers_open_only_the_partitions_that_they_need(sample: Sample) -> None:
    folder = await lake(sample, "--buckets", "4")
    everything = dataset.dataset(folder / "encounters", partitioning="hive")
    day, identifier = next(iter((row["day"], row["identifier"]) for row in everything.to_table().to_pylist()))
    bucket = f"{zlib.crc32(identifier) % 4:02}"
    plan = f"""
        EXPLAIN ANALYZE SELECT * FROM read_parquet('{folder}/encounters/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)
        WHERE day = '{day}' AND bucket = '{bucket}'
    """
    assert "Total Files Read: 1" in queried(plan)[0][1]
    one = folder / "encounters" / f"day={day}" / f"bucket={bucket}" / "part-0.parquet"
    assert identifier in {row["identifier"] for row in parquet.ParquetFile(one).read().to_pylist()}
    for path in (folder / "encounters").rglob("*.parquet"):
        if path != one:
            os.truncate(path, 4)
    assert len(queried(plan.replace("EXPLAIN ANALYZE", ""))) == parquet.ParquetFile(one).metadata.num_rows


async def test_the_same_archive_gives_the_same_bytes_with_provenance(sample: Sample) -> None:
    first, second = await lake(sample), await lake(sample)
    assert files(first) == files(second) and len(files(first)) > 30
    provenance = json.loads((first / "export.json").read_text())["provenance"]
    assert provenance["parameters"] == {"buckets": 8, "since": None, "until": None} and len(provenance["evidence"]) == 32
    for path in first.rglob("*.parquet"):
        metadata = parquet.read_metadata(path).metadata
        assert json.loads(metadata[b"provenance"]) == provenance and metadata[b"description.board"]


async def test_only_an_earlier_export_is_replaced(sample: Sample) -> None:
    folder = await lake(sample, "--buckets", "5")
    command = ("export", "parquet", "--partitioned", "--output", str(folder))
    refused = await sample.run(*command)
    assert refused.exit_code == 73 and "--force" in refused.errors and refused.errors.count("\n") == 1
    await sample.printed(*command, "--force", "--buckets", "2")
    assert {path.name for path in folder.glob("encounters/*/*")} == {"bucket=00", "bucket=01"}
    mine = sample.folder / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("x")
    refused = await sample.run("export", "parquet", "--partitioned", "--force", "--output", str(mine))
    assert refused.exit_code == 73 and "not a partitioned export" in refused.errors and (mine / "thesis.txt").exists()
    assert not [path for path in sample.folder.iterdir() if path.suffix in (".part", ".old")]


async def test_times_without_a_clock_have_a_partition_of_their_own(sample: Sample) -> None:
    total = len(sample.rows("SELECT 1 FROM encounter"))
    boot = sample.rows("SELECT bootIdentifier FROM boot LIMIT 1")[0][0]
    sample.change(
        f"UPDATE encounter SET boot = {boot} WHERE id % 7 = 0",
        "UPDATE encounter SET startMilliseconds = 253402300800000 WHERE id % 7 = 1",
        "UPDATE encounter SET scheme = NULL, payload = NULL WHERE id % 7 = 2",
        "UPDATE encounter SET isLost = 1, payload = x'0011223344556677' WHERE id % 7 = 3",
    )
    ended = await sample.run("export", "parquet", "--partitioned", "--output", str(sample.folder / "lake"))
    assert ended.exit_code == 0, ended
    counts = {place: len(sample.rows(f"SELECT 1 FROM encounter WHERE id % 7 = {place}")) for place in range(4)}
    assert f"{counts[0] + counts[1]} encounters have no wall-clock time" in ended.errors, ended
    assert f"left out: {counts[2]} encounters with peers that gave no identity" in ended.errors
    assert f"left out: {counts[3]} encounters that lost the identity" in ended.errors
    table = dataset.dataset(sample.folder / "lake" / "encounters", partitioning="hive").to_table().to_pylist()
    assert len(table) == total - counts[2] - counts[3]
    undated = [row for row in table if row["day"] in (None, "__HIVE_DEFAULT_PARTITION__")]
    assert len(undated) == counts[0] + counts[1]
    days = await lake(sample, "--since", "2023-01-02", "--until", "2023-01-03")
    assert {path.name for path in days.glob("encounters/*")} == {"day=2023-01-02"}


async def test_an_archive_without_encounters_gives_tables_without_rows(sample: Sample) -> None:
    sample.change("DELETE FROM encounter")
    folder = await lake(sample)
    assert queried(EXPORTED.format(folder)) == []
    assert json.loads((folder / "export.json").read_text())["encounters"] == 0


async def test_mistakes_are_one_line(sample: Sample) -> None:
    for options, text in [
        (["--partitioned", "--strangers"], "--strangers does not apply"),
        (["--partitioned", "--buckets", "0"], "write 1 to 1000"),
        (["--buckets", "4"], "needs --partitioned"),
    ]:
        ended = await sample.run("export", "parquet", "--output", str(sample.folder / "x"), *options)
        assert ended.exit_code == 64 and text in ended.errors and ended.errors.count("\n") == 1, ended
    ended = await sample.run("export", "parquet", "--partitioned", "--output", "-")
    assert ended.exit_code == 64 and "name a folder" in ended.errors, ended
