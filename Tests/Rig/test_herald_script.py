"""Herald's own analysis of boards' records: an R script of the Herald project, independent of this project.

It is in the logs that the Herald project has published. `TABARD_DATA` names their folder, by default
`../shared/data` beside the repository. The test needs R: `scripts/setup analysis`. It is skipped, with a
message, if either is missing.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

import herald
import program
from agent import find_tabardctl
from printed_json import document_in
from test_kinds_of_phone import OTHER_BOARD, OTHER_PLACE, PATIENT
from venue import COUNTRY, PAYLOAD, STATE, Venue

REPOSITORY = Path(__file__).resolve().parents[2]
ARCHIVE = Path(os.environ.get("TABARD_DATA", REPOSITORY.parent / "shared/data")) / "herald-2020-12-08.zip"
SCRIPT = "20201208/TestAnalysis.R"
PACKAGES = ("plyr", "dplyr", "chron", "ggplot2", "scales", "caTools")
RAW = {"encounters": {"raw": True, "gap_seconds": 30}}
WINDOW_SECONDS = 30


async def r_program() -> str:
    """The path of R's interpreter; skips the test if R or a package that the script loads is missing."""
    interpreter = shutil.which("Rscript")
    if interpreter is None:
        pytest.skip("there is no Rscript; `scripts/setup analysis` installs it")
    there = "for (name in commandArgs(TRUE)) stopifnot(requireNamespace(name, quietly = TRUE))"
    ended = await program.run(interpreter, "-e", there, *PACKAGES, within=60)
    if ended.exit_code != 0:
        pytest.skip(f"R lacks one of {', '.join(PACKAGES)}; `scripts/setup analysis` installs them")
    return interpreter


def published_script() -> str:
    """The text of Herald's script; skips the test if the file is missing."""
    if not ARCHIVE.exists():
        pytest.skip(f"{ARCHIVE}: no such file; TABARD_DATA names the folder with Herald's published logs")
    with zipfile.ZipFile(ARCHIVE) as files:
        return files.read(SCRIPT).decode()


def adapted(script: str, start: datetime, end: datetime) -> str:
    """The script with the times of another test, which are all that its users must edit.

    A library is removed that the script loads but does not use, and that Debian does not have.
    """

    def time_of(name: str, at: datetime) -> None:
        nonlocal script
        day, second = at.strftime("%Y-%m-%d"), at.strftime("%H:%M:%S")
        text = f'{name} <- as.POSIXct(paste("{day}", "{second}"), format="%Y-%m-%d %H:%M:%S")'
        script, count = re.subn(rf"(?m)^{name} <- .*$", text, script)
        assert count == 1, name

    for name in ("filtertimemin", "cestart"):
        time_of(name, start)
    for name in ("filtertimemax", "ceend"):
        time_of(name, end)
    script, count = re.subn(r"(?m)^library\(parsedate\)$", "", script)
    assert count == 1 and "parse_date" not in script
    return script


def own_rows(folder: Path) -> list[datetime]:
    """The times of a device's readings, in whole seconds, as the script reads them."""
    with open(folder / "contacts.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "3"]
    return [datetime.strptime(row["time"][:19], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC) for row in rows]


async def test_heralds_own_script_computes_our_figures_for_two_boards(venue: Venue, tmp_path: Path) -> None:
    script, interpreter = published_script(), await r_program()
    test = tmp_path / "test"
    async with Venue(venue.directory / "other", beside=venue) as other:
        await venue.start_agent(**RAW)
        await other.start_agent(**OTHER_BOARD | RAW)
        for board in (venue, other):
            await board.truth.hearings.until(
                lambda all: bool(all) and all[-1].at - all[0].at > 3.2 * WINDOW_SECONDS,
                what="adverts of more than three windows",
                within=150,
            )
        payloads = (PAYLOAD, herald.beacon_payload(COUNTRY, STATE, OTHER_PLACE))
        for board, name, heard in ((venue, "one", payloads[1]), (other, "other", payloads[0])):
            await board.synced(lambda all: any(each.identity == heard for each in all), what="encounter with the other")
            export = ("export", "herald", "--archive", str(board.tabardctl.archive), "--output", str(tmp_path / f"export-{name}"))
            await board.tabardctl.run(*export)
            [folder] = (tmp_path / f"export-{name}").iterdir()
            test.mkdir(exist_ok=True)
            folder.rename(test / name)
    times = [own_rows(test / name) for name in ("one", "other")]
    start, end = max(min(each) for each in times), min(max(each) for each in times)
    assert (end - start).total_seconds() > 2 * WINDOW_SECONDS

    (tmp_path / "TestAnalysis.R").write_text(adapted(script, start, end))
    environment = ("env", "--chdir", test, "TZ=UTC")
    ended = await program.run_well(*environment, interpreter, tmp_path / "TestAnalysis.R", within=300)
    [theirs] = csv.DictReader(io.StringIO((test / "formal-summary.csv").read_text()))
    pictures = [path.name for path in test.iterdir() if path.suffix == ".png"]
    assert len(pictures) == 4, ended.output

    def text(at: datetime) -> str:
        return at.strftime("%Y-%m-%d %H:%M:%S")

    limits = ("--start", text(start), "--end", text(end), "--outer-start", text(start), "--outer-end", text(end))
    printed = await program.run_well(find_tabardctl(), "analyse", "formal", test / "one", test / "other", *limits, "--json")
    ours = document_in(printed.output)
    assert int(theirs["phonescount"]) == len(ours["devices"]) == 2
    assert int(theirs["maxpairs"]) == ours["detection"]["maximum"] == 2
    assert int(theirs["achieveddetections"]) == ours["detection"]["achieved"] == 2
    assert float(theirs["detectionpct"]) == ours["detection"]["percent"]
    assert int(theirs["maxwindows"]) == ours["continuity"]["maximum"]
    assert int(theirs["achievedwindows"]) == ours["continuity"]["achieved"] > 0
    assert float(theirs["deltacewindowspct"]) == pytest.approx(ours["missedPercent"], abs=1e-9)
    assert float(theirs["longevity"]) == pytest.approx(ours["longevity"]["errorPercent"], abs=1e-9)
    with open(test / "formal-continuity.csv", newline="") as file:
        pairs = {row["seenby"].split(" - ")[1]: int(row["windows"]) for row in csv.DictReader(file)}
    models = {device["name"]: device["model"] for device in ours["devices"]}
    assert pairs == {models[pair["observer"]]: pair["windows"] for pair in ours["pairs"]}
