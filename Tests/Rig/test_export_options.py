"""The options of exports: the same bytes each time, pseudonyms, strangers, selections, and mistakes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import openpyxl
import pyarrow.parquet as parquet
import pytest

from exports import FOLDERS, SINGLE_FILES, contacts, exported, named_sample, seconds, tables
from sample_archive import Sample


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await named_sample(tmp_path, monkeypatch)


@pytest.mark.parametrize("what", [*SINGLE_FILES, *FOLDERS])
async def test_the_same_export_has_the_same_bytes_and_replaces_nothing(sample: Sample, what: str) -> None:
    first = await exported(sample, what)
    second = await exported(sample, what)
    assert content(first) == content(second)
    refused = await sample.run("export", what, "--output", str(first))
    assert refused.exit_code == 73 and refused.errors.count("\n") == 1 and "--force" in refused.errors
    await sample.printed("export", what, "--output", str(first), "--force")
    assert content(first) == content(second)


def content(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir()} if path.is_dir() else {"": path.read_bytes()}


@pytest.mark.parametrize("what", [*SINGLE_FILES, *FOLDERS])
async def test_pseudonyms_leave_no_name_and_no_identity(sample: Sample, what: str) -> None:
    secret = sample.folder / "secret"
    output = await exported(sample, what, "--pseudonyms", str(secret), "--strangers")
    assert secret.stat().st_mode & 0o777 == 0o600
    again = await exported(sample, what, "--pseudonyms", str(secret), "--strangers")
    assert content(output) == content(again)
    boards = (await sample.document("boards"))["boards"]
    identities = {each["identity"] for each in await sample.document("encounters")}
    if what == "xlsx":
        book = openpyxl.load_workbook(output)
        text = " ".join(str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    elif what == "parquet":
        text = str(parquet.read_table(output).to_pylist())
    else:
        text = b"".join(content(output).values()).decode()
    for hidden in [each["name"] for each in boards] + [each["board"] for each in boards] + sorted(identities):
        assert hidden not in text
    assert len(text) > 1000


async def test_strangers_are_participants_once_for_each_identity(sample: Sample) -> None:
    rows = await tables(sample, "--strangers")
    strangers = [each for each in await sample.document("encounters") if not each["ownBoards"]]
    assert sum(each["kind"] == "stranger" for each in rows["participants"]) == len({s["identity"] for s in strangers})
    assert len(rows["contacts"]) == len(strangers) + len(await contacts(sample))
    starts = [each["start"] for each in rows["contacts"]]
    assert starts == sorted(starts)


async def test_contacts_are_selected_joined_and_rounded(sample: Sample) -> None:
    everything = (await tables(sample))["contacts"]
    strong = (await tables(sample, "--minimum-rssi", "-60"))["contacts"]
    assert strong == [each for each in everything if each["rssi_maximum_dbm"] >= -60] and 0 < len(strong) < len(everything)
    joined = (await tables(sample, "--join-gap", "365d"))["contacts"]
    assert len(joined) == len({(each["participant"], each["other_participant"]) for each in everything})
    assert sum(each["readings"] for each in joined) == sum(each["readings"] for each in everything)
    rounded = (await tables(sample, "--round-time", "5min"))["contacts"]
    for each, exact in zip(rounded, everything, strict=True):
        start, end = seconds(each["start"]), seconds(each["end"])
        assert start % 300 == end % 300 == 0
        assert start <= seconds(exact["start"]) < start + 300 and end - 300 < seconds(exact["end"]) <= end


async def test_people_in_small_groups_lose_attributes_until_enough_are_alike(sample: Sample) -> None:
    rows = (await tables(sample, "--smallest-group", "2"))["participants"]
    kinds = Counter((each["group"], each["age_years"], each["sex"]) for each in rows)
    assert min(kinds.values()) >= 2
    assert ("A", None, None) in kinds, "both of group A stay in it"
    assert all(each["age_years"] is None for each in rows)


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


async def test_a_secret_that_is_too_short_is_refused(sample: Sample) -> None:
    secret = sample.folder / "secret"
    secret.write_text("short")
    secret.chmod(0o600)
    ended = await sample.run("export", "gexf", "--output", "-", "--pseudonyms", str(secret))
    assert ended.exit_code == 65 and ended.errors.count("\n") == 1 and "at least 16 bytes" in ended.errors
