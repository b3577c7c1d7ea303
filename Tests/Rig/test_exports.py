"""Contacts in the formats of other programs, read back by programs that others wrote."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import sqlite3
import subprocess
from collections import Counter, defaultdict
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import networkx
import openpyxl
import pandas
import pyarrow.parquet as parquet
import pytest

from exports import contacts, exported, named_sample, seconds, tables
from sample_archive import Sample

@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await named_sample(tmp_path, monkeypatch)


async def totals(sample: Sample) -> dict[frozenset[str], tuple[int, float]]:
    """The number of contacts, and their seconds, of each pair."""
    sums: dict[frozenset[str], tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for board, other, start, end in await contacts(sample):
        count, duration = sums[frozenset((board, other))]
        sums[frozenset((board, other))] = (count + 1, duration + end - start)
    return dict(sums)


async def test_sociopatterns_lines_are_the_windows_in_which_a_pair_was_in_contact(sample: Sample) -> None:
    people = sample.folder / "people.tsv"
    path = await exported(sample, "sociopatterns", "--groups", "--people", str(people))
    lines = pandas.read_csv(path, sep="\t", comment="#", names=["t", "i", "j", "Ci", "Cj"], keep_default_na=False)
    names = pandas.read_csv(
        people, sep="\t", comment="#", names=["i", "C", "sex", "id"], keep_default_na=False, quoting=csv.QUOTE_NONE
    )
    by_number = dict(zip(names["i"], names["id"], strict=True))
    expected: set[tuple[int, frozenset[str]]] = set()
    for board, other, start, end in await contacts(sample):
        window = -(-round(start * 1000) // 20_000) * 20
        while window - 20 < end:
            expected.add((window, frozenset((board, other))))
            window += 20
    assert {(t, frozenset((by_number[i], by_number[j]))) for t, i, j in lines[["t", "i", "j"]].values} == expected
    assert len(lines) == len(expected)
    assert (lines["i"] < lines["j"]).all() and lines["t"].is_monotonic_increasing
    groups = dict(zip(names["i"], names["C"], strict=True))
    assert [groups[i] for i in lines["i"]] == list(lines["Ci"]) and [groups[j] for j in lines["j"]] == list(lines["Cj"])
    assert groups[1] == "A" and groups[3] == "B" and groups[4] == "NA"


@pytest.mark.parametrize("what", ["gexf", "graphml"])
async def test_networkx_reads_the_network(sample: Sample, what: str) -> None:
    path = await exported(sample, what)
    graph = networkx.read_gexf(path) if what == "gexf" else networkx.read_graphml(path)
    label = "label" if what == "gexf" else "id"
    names = {node: attributes[label] for node, attributes in graph.nodes(data=True)}
    assert set(names.values()) == {each["name"] for each in (await sample.document("boards"))}
    ada = next(attributes for _, attributes in graph.nodes(data=True) if attributes[label] == 'Ada <&"> Ω')
    assert (ada["group"], ada["age_years"], ada["sex"], ada["kind"]) == ("A", 36, "F", "wearable")
    edges = {
        frozenset((names[one], names[other])): (attributes["contacts"], attributes["weight"])
        for one, other, attributes in graph.edges(data=True)
    }
    expected = await totals(sample)
    assert edges.keys() == expected.keys()
    for pair, (count, duration) in expected.items():
        assert edges[pair] == (count, pytest.approx(duration, abs=0.001))


async def test_gexf_has_the_time_of_each_contact(sample: Sample) -> None:
    graph = networkx.read_gexf(await exported(sample, "gexf"))
    names = networkx.get_node_attributes(graph, "label")
    spells = Counter(
        (frozenset((names[one], names[other])), round(float(start), 3), round(float(end), 3))
        for one, other, attributes in graph.edges(data=True)
        for start, end in attributes["spells"]
    )
    assert spells == Counter((frozenset((a, b)), start, end) for a, b, start, end in await contacts(sample))


async def test_csv_tables_have_a_dictionary_that_is_true(sample: Sample) -> None:
    folder = await exported(sample, "csv")
    package = json.loads((folder / "datapackage.json").read_text())
    assert {each["path"] for each in package["resources"]} == {path.name for path in folder.glob("*.csv")}
    for resource in package["resources"]:
        data = (folder / resource["path"]).read_bytes()
        assert (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}") == (resource["bytes"], resource["hash"])
        rows = list(csv.DictReader(data.decode().splitlines()))
        assert len(rows) == resource["rowCount"] > 0
        fields = resource["schema"]["fields"]
        assert list(rows[0]) == [field["name"] for field in fields] and all(field["description"] for field in fields)
        for row in rows:
            for field in fields:
                check(row[field["name"]], field["type"], field.get("constraints", {}).get("required", False))
    table = pandas.read_csv(folder / "contacts.csv", parse_dates=["start", "end"])
    assert [
        (a, b, start.timestamp(), end.timestamp())
        for a, b, start, end in table[["participant", "other_participant", "start", "end"]].itertuples(index=False)
    ] == await contacts(sample)
    with closing(sqlite3.connect(":memory:")) as database:
        table.to_sql("contacts", database)
        sums = database.execute(
            "SELECT participant, other_participant, count(*), sum(duration_seconds) FROM contacts GROUP BY 1, 2"
        ).fetchall()
    assert {frozenset((a, b)): (n, pytest.approx(s, abs=0.01)) for a, b, n, s in sums} == await totals(sample)


def check(text: str, kind: str, required: bool) -> None:
    """The value of a field is of the type that the dictionary says."""
    if text == "":
        assert not required
    elif kind == "integer":
        int(text)
    elif kind == "number":
        float(text)
    elif kind == "boolean":
        assert text in ("true", "false")
    elif kind == "datetime":
        assert text.endswith("Z") and datetime.fromisoformat(text)


async def test_json_lines_have_what_the_lists_have(sample: Sample) -> None:
    rows = await tables(sample)
    assert [
        (each["participant"], each["other_participant"], seconds(each["start"]), seconds(each["end"]))
        for each in rows["contacts"]
    ] == await contacts(sample)
    slots = await sample.document("presence", "--by", "quarter-hour")
    assert [(each["board"], each["start"], each["peak"], each["at_most"], each["boards"]) for each in rows["presence"]] == [
        (each["name"], each["start"], each["peak"], each["atMost"], each["boards"]) for each in slots
    ]
    covered = sum(seconds(each["end"]) - seconds(each["start"]) for each in rows["coverage"] if each["listened"])
    assert covered == pytest.approx(sum(each["coveredSeconds"] for each in await sample.document("coverage")))
    assert rows["export"][0]["provenance"]["tool"].startswith("tabardctl ")


@pytest.mark.parametrize("table", ["contacts", "presence", "coverage", "participants"])
async def test_parquet_has_the_rows_of_json_lines(sample: Sample, table: str) -> None:
    expected = (await tables(sample))[table]
    path = await exported(sample, "parquet", "--table", table)
    arrow = parquet.read_table(path)
    assert [plain(row) for row in arrow.to_pylist()] == expected
    assert [plain(row) for row in pandas.read_parquet(path).astype(object).to_dict("records")] == expected
    with closing(duckdb.connect()) as database:
        database.execute("SET TimeZone = 'UTC'")
        cursor = database.execute(f"SELECT * FROM '{path}'")
        names = [column[0] for column in cursor.description]
        assert [plain(dict(zip(names, row, strict=True))) for row in cursor.fetchall()] == expected
    metadata = arrow.schema.metadata
    assert json.loads(metadata[b"provenance"])["parameters"]["format"] == {"table": table}
    assert all(metadata[f"description.{name}".encode()] for name in arrow.column_names)


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with times as JSON Lines have them."""
    return {name: plain_value(value) for name, value in row.items()}


def plain_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return None if value is None or value is pandas.NaT or value != value else value


async def test_a_workbook_has_the_same_rows(sample: Sample) -> None:
    expected = await tables(sample)
    book = openpyxl.load_workbook(await exported(sample, "xlsx"))
    assert book.sheetnames == ["contacts", "presence", "coverage", "participants", "about"]
    for name in book.sheetnames[:-1]:
        heading, *rows = book[name].iter_rows(values_only=True)
        assert list(heading) == list(expected[name][0])
        for row, each in zip(rows, expected[name], strict=True):
            for cell, value in zip(row, each.values(), strict=True):
                if isinstance(cell, datetime):
                    assert cell.replace(tzinfo=UTC).timestamp() == pytest.approx(seconds(value), abs=0.001)
                else:
                    assert cell == (pytest.approx(value) if isinstance(value, float) else value)
    assert any("provenance" in row for row in book["about"].iter_rows(values_only=True))


def r_values(folder: Path, script: str) -> list[str]:
    """The lines that a script prints in base R, without epicontacts and socialmixr."""
    program = shutil.which("Rscript")
    assert program, "scripts/setup exports installs R"
    return subprocess.run(
        [program, "--vanilla", "-e", script], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.split("\n")


async def test_r_reads_a_line_list_by_the_rules_of_epicontacts(sample: Sample) -> None:
    folder = await exported(sample, "epicontacts")
    script = """
        linelist <- read.csv("linelist.csv", stringsAsFactors = FALSE, na.strings = "")
        contacts <- read.csv("contacts.csv", stringsAsFactors = FALSE, na.strings = "")
        stopifnot(names(linelist)[1] == "id", !anyDuplicated(linelist$id), !anyNA(linelist$id))
        stopifnot(identical(names(contacts)[1:2], c("from", "to")))
        stopifnot(all(contacts$from %in% linelist$id), all(contacts$to %in% linelist$id))
        stopifnot(!anyNA(as.Date(contacts$date)), is.numeric(contacts$duration_minutes), is.integer(linelist$age))
        cat(nrow(linelist), nrow(contacts), sprintf("%.6f", sum(contacts$duration_minutes)),
            linelist$age[linelist$id == "Ben"], linelist$sex[linelist$id == "Cem"])
    """
    expected = await contacts(sample)
    minutes = sum(end - start for _, _, start, end in expected) / 60
    assert r_values(folder, script)[0].split() == ["10", str(len(expected)), f"{minutes:.6f}", "7", "NA"]
    assert "make_epicontacts(linelist, contacts" in (folder / "read.R").read_text()


async def test_r_reads_a_survey_by_the_rules_of_socialmixr(sample: Sample) -> None:
    folder = await exported(sample, "socialmixr")
    script = """
        part <- read.csv("tabard_participant_common.csv", na.strings = "")
        cont <- read.csv("tabard_contact_common.csv", na.strings = "")
        days <- read.csv("tabard_sday.csv", na.strings = "")
        stopifnot(!anyDuplicated(part$part_id), all(cont$part_id %in% part$part_id), setequal(days$part_id, part$part_id))
        stopifnot(!anyDuplicated(cont$cont_id), all(cont$duration_multi %in% 1:5))
        stopifnot(c("part_age", "part_gender") %in% names(part), c("cnt_age_exact", "cnt_gender") %in% names(cont))
        merged <- merge(merge(cont, part, by = "part_id"), days, by = "part_id")
        row <- merged[merged$part_uid == "Ben", ]
        cat(sprintf("%d %s %d %.3f\\n", row$sday_id, row$cnt_uid, row$duration_multi, row$duration_minutes), sep = "")
    """
    minutes: dict[tuple[int, str], float] = defaultdict(float)
    for board, other, start, end in await contacts(sample):
        if "Ben" in (board, other):
            day = int(datetime.fromtimestamp(start, UTC).strftime("%Y%m%d"))
            assert int(datetime.fromtimestamp(end, UTC).strftime("%Y%m%d")) == day, "no contact of Ben is at midnight"
            minutes[day, other if board == "Ben" else board] += (end - start) / 60
    expected = [f"{day} {name} {sum(m >= b for b in (0, 5, 15, 60, 240))} {m:.3f}" for (day, name), m in minutes.items()]
    assert sorted(line for line in r_values(folder, script) if line) == sorted(expected)
