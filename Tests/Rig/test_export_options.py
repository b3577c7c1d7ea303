"""The options of exports: the same bytes each time, pseudonyms, strangers, selections, and mistakes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as parquet
import pytest

from exports import FOLDERS, SINGLE_FILES, contacts, exported, named_sample, seconds, tables
from sample_archive import Sample


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await named_sample(tmp_path, monkeypatch)


@pytest.mark.parametrize("what", [*SINGLE_FILES, *FOLDERS])
async def test_an_export_has_the_same_bytes_each_time_replaces_nothing_and_hides_what_it_should(
    sample: Sample, what: str
) -> None:
    secret = sample.folder / "secret"
    hidden = ("--pseudonyms", str(secret), "--strangers")
    first = await exported(sample, what, *hidden)
    assert secret.stat().st_mode & 0o777 == 0o600
    assert content(first) == content(await exported(sample, what, *hidden))
    refused = await sample.run("export", what, "--output", str(first))
    assert refused.exit_code == 73 and refused.errors.count("\n") == 1 and "--force" in refused.errors
    text = readable(first, what)
    assert len(text) > 1000
    for name in await names_and_identities(sample):
        assert name not in text
    plain = await exported(sample, what)
    await sample.printed("export", what, "--output", str(first), "--force")
    assert content(first) == content(plain)


def content(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir()} if path.is_dir() else {"": path.read_bytes()}


def readable(path: Path, what: str) -> str:
    """All values and the metadata of an export."""
    if what == "xlsx":
        book = openpyxl.load_workbook(path)
        cells = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
        return " ".join(cells) + str(book.properties)
    if what == "parquet":
        table = parquet.read_table(path)
        return str(table.to_pylist()) + str(table.schema.metadata)
    return b"".join(content(path).values()).decode()


async def names_and_identities(sample: Sample) -> set[str]:
    """All texts that pseudonyms hide. The digest would tell the archive's owner where the data are from."""
    boards = await sample.document("boards")
    identities = {each["identity"] for each in await sample.document("encounters")}
    digest = (await tables(sample))["export"][0]["provenance"]["evidence"]
    return {each["name"] for each in boards} | {each["board"] for each in boards} | identities | {digest}


@pytest.mark.parametrize("table", ["presence", "coverage", "participants"])
async def test_the_order_of_rows_under_pseudonyms_is_that_of_the_codes(sample: Sample, table: str) -> None:
    rows = (await tables(sample, "--pseudonyms", str(sample.folder / "secret"), "--strangers"))[table]
    people = [each["id"] if table == "participants" else each["board"] for each in rows]
    boards = [each for each, row in zip(people, rows, strict=True) if row.get("kind") != "stranger"]
    strangers = people[len(boards) :]
    assert boards == sorted(boards) and strangers == sorted(strangers)
    assert len(set(boards)) == 10


async def test_strangers_are_participants_once_for_each_identity(sample: Sample) -> None:
    rows = await tables(sample, "--strangers")
    strangers = [each for each in await sample.document("encounters") if not each["ownBoards"]]
    assert sum(each["kind"] == "stranger" for each in rows["participants"]) == len({s["identity"] for s in strangers})
    assert len(rows["contacts"]) == len(strangers) + len(await contacts(sample))
    starts = [each["start"] for each in rows["contacts"]]
    assert starts == sorted(starts)


async def test_contacts_are_selected_and_joined(sample: Sample) -> None:
    everything = (await tables(sample))["contacts"]
    strong = (await tables(sample, "--minimum-rssi", "-60"))["contacts"]
    assert strong == [each for each in everything if each["rssi_maximum_dbm"] >= -60] and 0 < len(strong) < len(everything)
    joined = (await tables(sample, "--join-gap", "365d"))["contacts"]
    assert len(joined) == len({(each["participant"], each["other_participant"]) for each in everything})
    assert sum(each["readings"] for each in joined) == sum(each["readings"] for each in everything)


async def test_strangers_without_a_selected_contact_are_no_participants(sample: Sample) -> None:
    strong = await tables(sample, "--strangers", "--minimum-rssi", "-60")
    strangers = {each["id"] for each in strong["participants"] if each["kind"] == "stranger"}
    met = {name for each in strong["contacts"] for name in (each["participant"], each["other_participant"])}
    assert strangers == {name for name in met if name.startswith("herald ")} and strangers
    everybody = (await tables(sample, "--strangers"))["participants"]
    assert len(strangers) < sum(each["kind"] == "stranger" for each in everybody)


async def test_rounded_times_are_rounded_in_all_tables_and_tell_no_order(sample: Sample) -> None:
    exact = await tables(sample)
    rows = await tables(sample, "--round-time", "1h")
    for table in ("contacts", "coverage", "presence"):
        times = [each[end] for each in rows[table] for end in ("start", "end") if end in each]
        assert times and all(seconds(time) % 3600 == 0 for time in times)
    numbers = {each["id"]: each["number"] for each in rows["participants"]}
    keys = [(each["start"], numbers[each["participant"]], numbers[each["other_participant"]]) for each in rows["contacts"]]
    assert keys == sorted(keys)
    # Each pair's hours are those that the union of its exact contacts touches.
    assert hours(rows["contacts"]) == hours(exact["contacts"])
    assert len(hours(exact["contacts"])) == sum(
        (seconds(each["end"]) - seconds(each["start"])) // 3600 for each in rows["contacts"]
    )
    assert sum(each["arrivals"] for each in rows["presence"]) == sum(each["arrivals"] for each in exact["presence"])
    assert max(each["peak"] for each in rows["presence"]) == max(each["peak"] for each in exact["presence"])


def hours(contacts: list[dict[str, Any]]) -> set[tuple[str, str, int]]:
    return {
        (each["participant"], each["other_participant"], hour)
        for each in contacts
        for hour in range(int(seconds(each["start"]) // 3600), int(-(-seconds(each["end"]) // 3600)))
    }


async def test_people_in_small_groups_lose_attributes_until_enough_are_alike(sample: Sample) -> None:
    rows = (await tables(sample, "--smallest-group", "2"))["participants"]
    kinds = Counter((each["group"], each["age_years"], each["sex"]) for each in rows)
    assert min(kinds.values()) >= 2
    assert ("A", None, None) in kinds, "both of group A stay in it"
    assert all(each["age_years"] is None for each in rows)


async def test_several_identities_of_one_person_are_one_participant_of_one_group(sample: Sample) -> None:
    strangers = sorted({each["identity"] for each in await sample.document("encounters") if not each["ownBoards"]})
    names = sample.folder / "visitors.csv"
    names.write_text(
        f"id,name,group,age\n{strangers[0]},Dee,C,\n{strangers[1]},dee,,50\n{strangers[2]},Eve,D,\n"
    )
    people = (await tables(sample, "--strangers", "--names", str(names)))["participants"]
    named = [(each["id"], each["group"], each["age_years"]) for each in people if each["id"] in ("Dee", "dee", "Eve")]
    assert sorted(named) == [("Dee", "C", 50), ("Eve", "D", None)]
    hidden = (await tables(sample, "--strangers", "--names", str(names), "--smallest-group", "2"))["participants"]
    # Two identities are not two people.
    assert {each["group"] for each in hidden if each["kind"] == "stranger"} == {None}


async def test_names_of_one_run_and_unsigned_pages_are_in_the_provenance(sample: Sample) -> None:
    names = sample.folder / "other.csv"
    names.write_text("id,group\nBoard 4,Z\n")
    stored = (await tables(sample))["export"][0]["provenance"]
    given = (await tables(sample, "--names", str(names)))["export"][0]["provenance"]
    assert stored["evidence"] != given["evidence"] and stored["parameters"]["includeUnverified"] is False
    unverified = (await tables(sample, "--include-unverified"))["export"][0]["provenance"]
    assert unverified["parameters"]["includeUnverified"] is True


async def test_impossible_times_are_left_out_and_counted(sample: Sample) -> None:
    count = len(await contacts(sample))
    sample.change(
        "UPDATE contact SET startMilliseconds = 4102444800000, endMilliseconds = 9223372036854775807 WHERE rowid = "
        "(SELECT rowid FROM contact WHERE isOnWallClock LIMIT 1)"
    )
    for what in [*SINGLE_FILES, *FOLDERS]:
        ended = await sample.run("export", what, "--output", str(sample.folder / f"late-{what}"))
        assert ended.exit_code == 0 and "left out: 1 contact at times before 2000 or after 2099" in ended.errors
    assert len((await tables(sample))["contacts"]) == count - 1


async def test_a_refused_export_makes_no_secret(sample: Sample) -> None:
    taken = sample.folder / "taken.gexf"
    taken.write_text("mine")
    secret = sample.folder / "secret"
    ended = await sample.run("export", "gexf", "--output", str(taken), "--pseudonyms", str(secret))
    assert ended.exit_code == 73 and not secret.exists() and taken.read_text() == "mine"


async def test_both_files_of_sociopatterns_are_checked_before_one_is_written(sample: Sample) -> None:
    lines, people = sample.folder / "tij.dat", sample.folder / "people.tsv"
    people.write_text("mine")
    ended = await sample.run("export", "sociopatterns", "--output", str(lines), "--people", str(people))
    assert ended.exit_code == 73 and "people.tsv" in ended.errors and not lines.exists()
    for same in (str(lines), "-"):
        ended = await sample.run("export", "sociopatterns", "--force", "--output", same, "--people", same)
        assert ended.exit_code == 64 and "one file" in ended.errors


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--minimum-rssi", "30"], "write -127 to 20 dBm"),
        (["--smallest-group", "0"], "write 1 or more"),
        (["--join-gap", "soon"], "--join-gap"),
        (["--round-time", "-5min"], "--round-time"),
        (["--since", "yesterday-ish"], "--since"),
    ],
)
async def test_a_wrong_option_is_one_line(sample: Sample, options: list[str], complaint: str) -> None:
    ended = await sample.run("export", "gexf", "--output", "-", *options)
    assert ended.exit_code == 64 and ended.errors.count("\n") == 1 and complaint in ended.errors


async def test_a_folder_cannot_be_standard_output(sample: Sample) -> None:
    ended = await sample.run("export", "csv", "--output", "-")
    assert ended.exit_code == 64 and ended.errors.count("\n") == 1 and "name a folder" in ended.errors


async def test_a_secret_that_is_too_short_is_refused(sample: Sample) -> None:
    secret = sample.folder / "secret"
    secret.write_text("short")
    secret.chmod(0o600)
    ended = await sample.run("export", "gexf", "--output", "-", "--pseudonyms", str(secret))
    assert ended.exit_code == 65 and ended.errors.count("\n") == 1 and "at least 16 bytes" in ended.errors
