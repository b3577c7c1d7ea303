"""A command never answers falsely about a board, an identity or an output that is not there."""

from __future__ import annotations

import signal
from pathlib import Path

import desk as desks
import pytest
from desk import Desk

import custody
import program
from agent import find_tabardctl
from submissions import DAY, ONSET


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    """An archive with one encounter of an hour and a half at the board Foyer."""
    desk = await desks.at(tmp_path)
    desks.start(desk, ONSET)
    desks.meet(desk, "ble-proximity", bytes(range(8)), after=DAY, seconds=80)
    await desk.make_ready()
    return desk


COMMANDS = [
    ("encounters",),
    ("encounters", "--readings"),
    ("encounters", "--refused"),
    ("report", "--output", "-"),
    ("clocks",),
    ("coverage",),
    ("messages",),
    ("match", "ble-proximity", "list.json"),
    ("submit", "ble-proximity", "--yes"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
async def test_a_board_that_is_not_there_is_no_empty_list(desk: Desk, command: tuple[str, ...]) -> None:
    (desk.folder / "list.json").write_text('{"format":"tabard-ble-proximity-positives-1","positives":[]}')
    arguments = [str(desk.folder / each) if each.endswith(".json") else each for each in command]
    ended = await desk.run(*arguments, "--archive", desk.archive, "--board", "Foyre")
    assert ended.exit_code == 66 and not ended.output, ended
    assert "--board Foyre: no such board; did you mean Foyer?" in ended.errors, ended
    ended = await desk.run(*arguments, "--archive", desk.archive, "--board", "Attic")
    assert ended.exit_code == 66 and "the archive contains Foyer" in ended.errors, ended


async def test_a_board_is_found_by_its_name_in_any_case_and_several_may_be_named(desk: Desk) -> None:
    for boards in (["foyer"], ["FOYER"], ["foyer", "Foyer"]):
        options = [text for board in boards for text in ("--board", board)]
        assert "1 encounter" in (await desk.run("encounters", "--archive", desk.archive, *options)).errors
    ended = await desk.run("encounters", "--archive", desk.archive, "--board", "Foyer", "--board", "Attic")
    assert ended.exit_code == 66 and "--board Attic: no such board" in ended.errors, ended


@pytest.mark.parametrize(
    "options", [("--minimum-duration", "10h"), ("--until", "2020-01-01"), ("--since", "2099-01-01"), ("--identity", "ff")]
)
async def test_options_that_leave_nothing_are_named(desk: Desk, options: tuple[str, str]) -> None:
    ended = await desk.run("encounters", "--archive", desk.archive, *options)
    assert ended.exit_code == 0 and not ended.output, ended
    assert "none of 1 encounter is what these options ask for: " in ended.errors and options[1] in ended.errors, ended
    ended = await desk.run("report", "--archive", desk.archive, "--output", "-", *options)
    assert "None of 1 encounter is what these options ask for: " in ended.output and options[1] in ended.output, ended
    assert "The archive has no encounter" not in ended.output, ended


async def test_force_is_an_option_only_where_keys_must_explain_what_was_shown(desk: Desk) -> None:
    schemes = ("herald", "covid-tracer", "sonar", "ble-proximity", "exposure-notification")
    having = [each for each in schemes if "--force" in (await desk.run("submit", each, "--help")).output]
    assert having == ["herald", "covid-tracer"]
    ended = await desk.run("submit", "ble-proximity", "--yes", "--force")
    assert ended.exit_code == 64 and "--force" in ended.errors, ended


async def test_an_empty_identity_is_a_mistake(desk: Desk) -> None:
    ended = await desk.run("encounters", "--archive", desk.archive, "--identity", "")
    assert ended.exit_code == 64 and "--identity: empty" in ended.errors, ended


OUTPUTS = [("encounters",), ("encounters", "--csv"), ("encounters", "--json"), ("report", "--output", "-"), ("clocks",)]


@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
async def test_an_output_that_cannot_be_written_is_one_line(desk: Desk, command: tuple[str, ...]) -> None:
    shell = ("/bin/sh", "-c", '"$0" "$@" > /dev/full')
    ended = await program.run(*shell, find_tabardctl(), *command, "--archive", desk.archive)
    assert ended.exit_code == 74, ended
    assert "tabardctl: standard output: No space left on device" in ended.errors, ended
    shell = ("/bin/sh", "-c", '"$0" "$@" >&-')
    ended = await program.run(*shell, find_tabardctl(), *command, "--archive", desk.archive)
    assert ended.exit_code == 74 and "tabardctl: standard output: " in ended.errors, ended


@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
async def test_a_reader_that_has_gone_ends_the_command_silently(desk: Desk, command: tuple[str, ...]) -> None:
    # A shell that ignores the signal passes that on, so the write fails instead.
    shell = ("/bin/bash", "-c", 'trap "" PIPE; "$0" "$@" | true; echo "${PIPESTATUS[0]}"')
    ended = await program.run(*shell, find_tabardctl(), *command, "--archive", desk.archive)
    assert ended.output.strip() in {"0", str(128 + signal.SIGPIPE)}, ended
    assert "standard output" not in ended.errors, ended


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/London", "Europe/London (UTC+00:00)"),
        ("GMT0BST,M3.5.0/1,M10.5.0", "UTC+00:00"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "UTC+01:00"),
        ("EST5EDT,M3.2.0,M11.1.0", "UTC-05:00"),
        ("<-03>3", "UTC-03:00"),
        ("UTC+5", "UTC-05:00"),
    ],
)
async def test_time_zones_are_those_of_the_system(desk: Desk, zone: str, said: str) -> None:
    """POSIX counts the hours west of Greenwich, so `UTC+5` is five hours behind."""
    ended = await program.run("env", f"TZ={zone}", find_tabardctl(), "clocks", "--archive", desk.archive)
    assert ended.exit_code == 0 and said in ended.output + ended.errors, ended


async def test_a_time_zone_that_does_not_exist_is_named(desk: Desk) -> None:
    ended = await program.run("env", "TZ=Mars/Phobos", find_tabardctl(), "clocks", "--archive", desk.archive)
    assert ended.exit_code == 0 and "TZ=Mars/Phobos: no such time zone" in ended.errors, ended


async def test_the_version_on_a_full_disk_is_an_error() -> None:
    ended = await program.run("/bin/sh", "-c", '"$0" version > /dev/full', find_tabardctl())
    assert ended.exit_code == 74 and "No space left on device" in ended.errors, ended
