"""The lists of `tabardctl`: their width at a terminal, formats and files, boards' names, and ports."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import desk as desks
import pytest
from desk import Desk
from sonar_authority import sonar_authority
from submissions import DAY

import lists
import terminal
from agent import find_tabardctl
from lists import LISTS, arguments
from phone_kinds import ANDROID_CURRENT
from printed_json import document_in
from venue import Venue, until_left_alone

HOSTILE = "\x1b[2JFoyer\nForged: sound: 9 pages\x07\u202e"


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await lists.full_desk(tmp_path)


# Width


@pytest.mark.parametrize("board", ["Foyer", "The room behind the stage on the second floor"])
async def test_no_list_is_wider_than_the_terminal(tmp_path: Path, board: str) -> None:
    desk = await lists.full_desk(tmp_path, board)
    for command in LISTS:
        shown = await terminal.run(find_tabardctl(), *arguments(desk, command))
        assert terminal.widest(shown.output) <= 80, (command, shown.output)
        assert shown.exit_code == (await desk.run(*arguments(desk, command))).exit_code, (command, shown)


async def test_boards_that_nobody_has_trusted_fit_a_terminal(desk: Desk) -> None:
    with sqlite3.connect(desk.archive) as database:
        database.execute(
            "INSERT INTO board (id, logIdentity, claimedIdentity, name, blockByteCount, unitByteCount)"
            " VALUES (2, ?, ?, 'The room behind the stage', 4096, 512)",
            [bytes(range(16, 32)), bytes(range(32, 48))],
        )
    shown = await terminal.run(find_tabardctl(), *arguments(desk, ("trust",)))
    assert "20212223" in shown.output and terminal.widest(shown.output) <= 80, shown.output


async def test_contacts_that_an_authority_resolves_fit_a_terminal(desk: Desk) -> None:
    authority = await sonar_authority(desk, "authority")
    _, registration, _ = await authority.install("owner")
    friend, _, _ = await authority.install("friend")
    began = lists.BEGAN + 2 * DAY
    desks.meet(desk, "sonar", friend.answer(friend.broadcast(began), began + 60), 2 * DAY + 60, 80)
    upload = desk.folder / "upload.http"
    day = "2025-11-23"
    words = ("--symptom", "cough", "--symptoms-began", day, "--from", day, "--until", day, "--yes")
    command = ("submit", "sonar", "--registration", registration, *words, "--archive", desk.archive)
    await desk.run_well(*command, "--output", upload)
    shown = await terminal.run(find_tabardctl(), *authority.resolve(upload))
    assert friend.name in shown.output and terminal.widest(shown.output) <= 80, shown.output


async def test_a_narrow_terminal_names_what_is_left_out(desk: Desk) -> None:
    shown = await terminal.run(find_tabardctl(), *arguments(desk, ("encounters",)))
    said = " ".join(shown.output.split())
    assert "READINGS" not in shown.output.splitlines()[0], shown.output
    assert "are left out at this width; use a wider terminal, --csv or --json" in said, shown.output


async def test_a_pipe_has_all_columns(desk: Desk) -> None:
    output = await desk.run_well(*arguments(desk, ("encounters",)))
    assert output.splitlines()[0].split() == [
        "START", "ERROR", "DURATION", "WHO", "READINGS", "STRONGEST", "MEAN", "BOARD",
    ]  # fmt: skip


async def test_a_file_has_all_columns_even_from_a_terminal(desk: Desk) -> None:
    file = desk.folder / "encounters.txt"
    piped = await desk.run_well(*arguments(desk, ("encounters",)))
    await terminal.run(find_tabardctl(), *arguments(desk, ("encounters", "--output", str(file))))
    assert file.read_text() == piped


async def test_coverage_hides_columns_of_zeros_on_a_terminal_only(desk: Desk) -> None:
    shown = await terminal.run(find_tabardctl(), *arguments(desk, ("coverage",)), columns=200)
    assert "EVICTED" in shown.output and "MALFORMED  " not in shown.output, shown.output
    assert "MALFORMED" in await desk.run_well(*arguments(desk, ("coverage",)))


# Formats and files


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
async def test_format_json_is_json_on_every_list(desk: Desk, command: tuple[str, ...]) -> None:
    short = await desk.run(*arguments(desk, command), "--json")
    long = await desk.run(*arguments(desk, command), "--format", "json")
    document_in(short.output)
    assert long.output == short.output and long.exit_code == short.exit_code


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
async def test_format_table_is_the_default(desk: Desk, command: tuple[str, ...]) -> None:
    assert await desk.run(*arguments(desk, command), "--format", "table") == await desk.run(*arguments(desk, command))


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
async def test_every_list_can_be_written_to_a_file(desk: Desk, command: tuple[str, ...]) -> None:
    file = desk.folder / "out"
    for form in ((), ("--json",)):
        printed = await desk.run(*arguments(desk, command), *form)
        written = await desk.run(*arguments(desk, command), *form, "--output", file)
        assert not written.output and written.exit_code == printed.exit_code, written
        assert file.read_text() == printed.output


async def test_match_has_csv_by_either_name_and_still_takes_text(desk: Desk) -> None:
    command = arguments(desk, ("match", "ble-proximity", "list.json"))
    assert await desk.run_well(*command, "--csv") == await desk.run_well(*command, "--format", "csv")
    assert await desk.run(*command, "--format", "text") == await desk.run(*command)


async def test_a_list_without_csv_refuses_it(desk: Desk) -> None:
    ended = await desk.run(*arguments(desk, ("clocks",)), "--format", "csv")
    assert ended.exit_code == 64 and "this list has no CSV; write table or json" in ended.errors, ended


async def test_two_formats_are_a_mistake(desk: Desk) -> None:
    for formats in (("--json", "--format", "csv"), ("--csv", "--format", "json"), ("--json", "--csv")):
        ended = await desk.run(*arguments(desk, ("encounters",)), *formats)
        assert ended.exit_code == 64 and "cannot both be given" in ended.errors, ended


async def test_keys_and_retention_have_stable_names_in_json(desk: Desk) -> None:
    [key] = await desk.document(*arguments(desk, ("keys", "show", "operator.pem")), "--json")
    assert set(key) == {"file", "half", "fingerprint"} and key["half"] == "private"
    rules = await desk.document("forget", "--list", "--json")
    assert {"scheme": "blue-trace", "days": 21, "rule": "BlueTrace's apps: 21 days"} in rules


# Names


@pytest.mark.parametrize(
    "command",
    [
        *LISTS,
        ("open",),
        ("report", "--output", "-"),
        ("forget", "--older-than", "2000-01-01"),
        ("submit", "ble-proximity", "--yes"),
    ],
    ids=" ".join,
)
async def test_a_board_s_name_controls_no_terminal_and_forges_no_line(tmp_path: Path, command: tuple[str, ...]) -> None:
    desk = await lists.full_desk(tmp_path, HOSTILE)
    ended = await desk.run(*arguments(desk, command))
    for text in (ended.output, ended.errors):
        assert not [each for each in text if each < " " and each != "\n" or each == "\u202e"], text
        assert not [line for line in text.splitlines() if line.startswith("Forged")], text


async def test_an_export_has_no_control_characters_of_a_board_s_name(tmp_path: Path) -> None:
    desk = await lists.full_desk(tmp_path, HOSTILE)
    ended = await desk.run(*arguments(desk, ("export", "herald", "--output", str(tmp_path / "export"))))
    assert ended.exit_code == 0 and "\nForged" not in ended.errors, ended
    [file] = (tmp_path / "export").glob("*/detection.csv")
    assert not [each for each in file.read_text() if each < " " and each != "\n" or each == "\u202e"]


@pytest.mark.parametrize("name", ["\x1b[2J", "two\nlines", "\u202e", ""])
async def test_a_board_gets_no_name_with_control_characters(tmp_path: Path, name: str) -> None:
    ended = await Desk(tmp_path).run("sync", "--port", "/dev/null", "--name", name)
    assert ended.exit_code == 64 and "--name must be one line of text" in ended.errors, ended


# Ports


PORTS = [
    ("config",),
    ("erase",),
    ("rotate", "--new-opening", "--operator"),
    ("provision", "--opening", "--operator"),
    ("devices",),
    ("sync",),
]


@pytest.mark.parametrize("command", PORTS, ids=" ".join)
async def test_a_port_is_an_argument_or_an_option(desk: Desk, command: tuple[str, ...]) -> None:
    rest = [text for option in command[1:] for text in (option, str(desk.folder / "operator.pem"))]
    archive = ["--archive", str(desk.archive)] if command[0] in ("rotate", "provision", "sync") else []
    as_argument = await desk.run(command[0], "/nowhere/at/all", *rest, *archive)
    as_option = await desk.run(command[0], "--port", "/nowhere/at/all", *rest, *archive)
    assert as_argument.exit_code == as_option.exit_code == 69 and as_argument.errors == as_option.errors, as_option


async def test_a_setting_follows_the_port_in_either_form(tmp_path: Path) -> None:
    for words in (("/nowhere/at/all", "set", "a.b=c"), ("--port", "/nowhere/at/all", "set", "a.b=c")):
        ended = await Desk(tmp_path).run("config", *words)
        assert ended.exit_code == 69 and "/nowhere/at/all: no such port" in ended.errors, ended


async def test_a_port_given_twice_or_never_is_a_mistake(tmp_path: Path) -> None:
    ended = await Desk(tmp_path).run("erase", "/dev/null", "--port", "/dev/null")
    assert ended.exit_code == 64 and "give the port once" in ended.errors, ended
    ended = await Desk(tmp_path).run("erase")
    assert ended.exit_code == 64 and "give the board's serial port" in ended.errors, ended


# A board at the cable


async def test_lists_of_a_real_log_fit_a_terminal(venue: Venue) -> None:
    agent = await venue.start_agent()
    await until_left_alone(await venue.phone(ANDROID_CURRENT))
    await venue.tabardctl.sync(agent.sync_port)
    archive = ("--archive", str(venue.tabardctl.archive))
    for command in (("verify", *archive), ("inspect", "--entries", *archive), ("devices", str(agent.sync_port))):
        shown = await terminal.run(find_tabardctl(), *command)
        assert shown.exit_code == 0 and terminal.widest(shown.output) <= 80, (command, shown.output)


async def test_devices_and_pages_have_stable_names_in_json(venue: Venue) -> None:
    agent = await venue.start_agent()
    await venue.tabardctl.sync(agent.sync_port)
    ports = document_in(await venue.tabardctl.run("devices", "--port", str(agent.sync_port), "--json"))
    [port] = [each for each in ports if each["port"] == str(agent.sync_port)]
    archive = ("--archive", str(venue.tabardctl.archive))
    [log] = document_in(await venue.tabardctl.run("inspect", "--entries", "--json", *archive))
    assert port["state"] == "board" and port["board"] == log["board"], (port, log["board"])
    pages = [page for segment in log["segments"] for page in segment["pages"]]
    assert pages and pages[0]["state"] == "sound" and len(pages[0]["entryTexts"]) == pages[0]["entries"]
