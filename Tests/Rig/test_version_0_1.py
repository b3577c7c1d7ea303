"""Archives and logs that version 0.1.0 wrote are read as it read them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import program
from agent import find_tabardctl
from printed_json import document_in
from tabardctl import Tabardctl

SAMPLES = Path(__file__).parent.parent / "Vectors" / "version-0.1"


def unpack(name: str, directory: Path) -> Path:
    """Unpacks one of the samples, for a test to do with as it likes."""
    target = directory / name
    target.write_bytes(gzip.decompress((SAMPLES / f"{name}.gz").read_bytes()))
    return target


NOT_COMPARED = (
    "text", "isClaimed", "writtenReadings", "ownBoards", "personName", "scanIntervalMilliseconds",
    "scanWindowMilliseconds",
)
"""Texts for people, and fields that later versions have added."""


def without_texts(document: Any) -> Any:
    """The document less what is written for people, whose wording may change."""
    if isinstance(document, dict):
        return {key: without_texts(value) for key, value in document.items() if key not in NOT_COMPARED}
    if isinstance(document, list):
        return [without_texts(item) for item in document]
    return document


UNPROVEN = ("boardKeyUnknown", "keyNotVouched", "unsigned", "unsignedEnd", "notChained")
"""Findings that were notes in 0.1; since 0.2 `verify` says that something could not be proven."""


def expected(name: str) -> Any:
    """What version 0.1.0 printed."""
    document = without_texts(json.loads((SAMPLES / f"{name}.json").read_text()))
    for board in document if name.endswith("verify") else []:
        for finding in board["findings"]:
            if finding["kind"] in UNPROVEN:
                assert finding["severity"] == "note"
                finding["severity"] = "unproven"
                board["verdict"] = "unproven" if board["verdict"] in ("sound", "gaps") else board["verdict"]
    return document


async def printed(tool: Tabardctl, *command: str, home: Path | None = None) -> Any:
    """The document that a command prints now. `verify` may also say that something could not be proven.

    `home`: the folder of the user's data. The archive in its usual place is the user's own.
    """
    place = ("env", f"XDG_DATA_HOME={home}") if home else ()
    ended = await program.run(*place, tool.binary, *command)
    assert ended.output, ended
    document = without_texts(document_in(ended.output))
    is_unproven = command[0] == "verify" and any(board["verdict"] == "unproven" for board in document)
    assert ended.exit_code == (76 if is_unproven else 0), ended
    return without_new_findings(document) if command[0] == "verify" else document


NEW_FINDINGS = ("inClear", "clockReadingsUnproven", "redactionUnproven", "forgottenUnproven", "ownKeysUnproven")
"""Findings of later versions, which 0.1 did not print."""


def unpack_as_own(name: str, folder: Path) -> Path:
    """Unpacks an archive into the usual place below a folder."""
    (folder / "tabard").mkdir()
    return unpack(name, folder).rename(folder / "tabard/archive.sqlite")


def without_new_findings(document: Any) -> Any:
    for board in document:
        board.pop("completeThrough", None)
        board["findings"] = [finding for finding in board["findings"] if finding["kind"] not in NEW_FINDINGS]
        severities = {finding["severity"] for finding in board["findings"]}
        if board["verdict"] == "unproven" and "unproven" not in severities:
            board["verdict"] = "gaps" if "gap" in severities else "sound"
    return document


COMMANDS = ["encounters", "coverage", "verify", "messages", "clocks"]


async def assert_answers_as_before(archive: Path, name: str) -> None:
    """Asserts that each command prints what version 0.1.0 printed, and leaves the file as it is."""
    before = archive.read_bytes()
    files = sorted(archive.parent.iterdir())
    for command in COMMANDS:
        document = await printed(Tabardctl(find_tabardctl(), archive), command, "--json", home=archive.parent.parent)
        assert document == expected(f"{name}-{command}"), command
        assert archive.read_bytes() == before and sorted(archive.parent.iterdir()) == files, command


@pytest.mark.parametrize("name", ["venue", "forgotten", "messages"])
async def test_an_archive_of_version_0_1_answers_as_before(name: str, tmp_path: Path, programs: None) -> None:
    await assert_answers_as_before(unpack_as_own(f"{name}.sqlite", tmp_path), name)


@pytest.mark.parametrize("name", ["venue", "forgotten", "messages"])
async def test_a_converted_archive_answers_as_before(
    name: str, tmp_path: Path, programs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = unpack_as_own(f"{name}.sqlite", tmp_path)
    upgrade = ("env", f"XDG_DATA_HOME={tmp_path}", find_tabardctl(), "archive", "upgrade")
    assert "converted" in (await program.run_well(*upgrade)).output
    await assert_answers_as_before(archive, name)
    assert "already up to date" in (await program.run_well(*upgrade)).output
    rebuilt = await program.run_well(*upgrade[:-1], "rebuild")
    assert "all tables made anew" in rebuilt.output, rebuilt
    await assert_answers_as_before(archive, name)
    # The earlier archive is still one. Its rows count where none was converted at that place.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    Path(f"{archive}.version-0.1").rename(archive)
    await assert_answers_as_before(archive, name)


@pytest.mark.parametrize("name", ["venue", "sealed"])
async def test_a_log_of_version_0_1_is_read_as_before(
    name: str, tmp_path: Path, programs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another test may have converted the archive of the same board, whose key this computer then knows.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    log = unpack(f"{name}.log", tmp_path)
    options = []
    if name == "sealed":
        key = tmp_path / "owner-key.pem"
        key.write_bytes((SAMPLES / "sealed-owner-key.pem").read_bytes())
        key.chmod(0o600)
        options = ["--opening", str(key)]
    tool = Tabardctl(find_tabardctl(), tmp_path / "archive.sqlite")
    document = await printed(tool, "verify", str(log), "--json", "--archive", str(tool.archive), *options)
    for board in document:
        board["findings"] = [finding for finding in board["findings"] if finding["kind"] != "endUnproven"]
    assert document == expected(f"{name}-log-verify")
    assert await tool.run("inspect", str(log), *options) == (SAMPLES / f"{name}-log-pages.txt").read_text()
