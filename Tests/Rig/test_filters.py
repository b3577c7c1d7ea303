"""The filters of `tabardctl`'s lists, and what an empty list reports."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from desk import Desk

import custody
import lists
from lists import LISTS, arguments
from printed_json import document_in


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await lists.full_desk(tmp_path)


@pytest.mark.parametrize("text", ["000102030405", "ble-proximity 000102030405", "0001"])
async def test_an_identity_is_found_as_the_list_shows_it(desk: Desk, text: str) -> None:
    [found] = [
        each
        for each in await desk.document(*arguments(desk, ("encounters", "--json", "--identity", text)))
        if each["scheme"] == "ble-proximity"
    ]
    assert found["identity"] == bytes(range(8)).hex()


async def test_the_last_word_of_each_label_finds_its_encounters(desk: Desk) -> None:
    everybody = await desk.document(*arguments(desk, ("encounters", "--json")))
    for each in everybody:
        if each["identity"]:
            word = each["label"].split()[-1]
            found = await desk.document(*arguments(desk, ("encounters", "--json", "--identity", word)))
            assert each in found, word


async def test_an_identity_that_nobody_has_is_reported_with_the_other_form(desk: Desk) -> None:
    ended = await desk.run(*arguments(desk, ("encounters", "--identity", "XYZ")))
    assert ended.exit_code == 66 and not ended.output, ended
    assert "--identity XYZ: nobody has this label" in ended.errors and "hexadecimal" in ended.errors, ended


@pytest.mark.parametrize(("scheme", "count"), [("blue-trace", 1), ("unidentified", 0), ("herald", 1), ("robert", 0)])
async def test_every_scheme_of_the_retention_list_is_a_filter(desk: Desk, scheme: str, count: int) -> None:
    found = await desk.document(*arguments(desk, ("encounters", "--json", "--scheme", scheme)))
    assert len(found) == count


async def test_an_unknown_scheme_is_answered_with_those_that_are_accepted(desk: Desk) -> None:
    ended = await desk.run(*arguments(desk, ("encounters", "--scheme", "bluetrace")))
    assert ended.exit_code == 64 and "blue-trace, unidentified" in ended.errors, ended


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("encounters", "--readings"), "none of 4 encounters is what these options ask for: since 2099-01-01"),
        (("encounters", "--refused"), "none of 1 refused identity is what these options ask for: since 2099-01-01"),
        (("messages",), "none of 1 message is what these options ask for: since 2099-01-01"),
    ],
    ids=["readings", "refused", "messages"],
)
async def test_an_empty_list_names_the_options_that_leave_nothing(
    desk: Desk, command: tuple[str, ...], words: str
) -> None:
    ended = await desk.run(*arguments(desk, command), "--since", "2099-01-01")
    assert ended.exit_code == 0 and words in ended.errors, ended


async def test_refused_identities_end_with_the_time_zone(desk: Desk) -> None:
    ended = await desk.run(*arguments(desk, ("encounters", "--refused")))
    assert "times are " in ended.errors, ended


async def test_a_match_names_encounters_whose_clock_nobody_checked(tmp_path: Path) -> None:
    desk = await lists.full_desk(tmp_path)
    with sqlite3.connect(desk.archive) as database:
        database.execute("UPDATE anchor SET errorMilliseconds = 4294967295, source = 0")
    await desk.make_ready()
    ended = await desk.run(*arguments(desk, ("match", "ble-proximity", "list.json", "--as-of", "2025-11-25")))
    assert ended.exit_code == 0 and "1 encounter has a clock that nobody checked" in ended.errors, ended


async def test_several_boards_can_be_named_on_every_list_of_boards(desk: Desk) -> None:
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount) VALUES (2, ?, 'Attic', 4096, 512)",
            [bytes(range(16, 32))],
        )
    for command in (("clocks",), ("open",), ("inspect",), ("coverage",), ("messages",)):
        ended = await desk.run(*arguments(desk, command), "--board", "Foyer", "--board", "Attic")
        assert ended.exit_code == 0, ended
    ended = await desk.run(*arguments(desk, ("inspect",)), "--board", "Attic")
    assert "board Attic" in ended.output and "Foyer" not in ended.output, ended


async def test_trust_takes_the_board_as_an_option_too(desk: Desk) -> None:
    ended = await desk.run(*arguments(desk, ("trust", "--board", "Attic")))
    assert ended.exit_code == 66 and "Attic: no untrusted board" in ended.errors, ended


@pytest.mark.parametrize(
    "command",
    [*(each for each in LISTS if each[0] not in ("forget", "keys")), ("report", "--output", "-"), ("encounters", "--readings")],
    ids=" ".join,
)
async def test_an_empty_archive_is_no_input(tmp_path: Path, command: tuple[str, ...]) -> None:
    desk = Desk(tmp_path)
    desk.archive.touch(0o600)
    await desk.run_well("archive", "upgrade", "--archive", desk.archive)
    (tmp_path / "list.json").write_text(json.dumps(lists.PUBLISHED))
    ended = await desk.run(*arguments(desk, command))
    assert ended.exit_code == 66 and "the archive is empty; fetch a board with `tabardctl sync`" in ended.errors, ended
    if command[0] in ("encounters", "inspect", "match") and "--readings" not in command:
        ended = await desk.run(*arguments(desk, command), "--json")
        assert ended.exit_code == 66, ended
        document_in(ended.output)
