"""Ports without a board behind them, and what a terminal shows of a port."""

from __future__ import annotations

import re

import program
from agent import find_tabardctl
from screen import COLUMNS, Console, Terminal
from venue import Venue


async def test_a_login_console_is_not_taken_for_a_board() -> None:
    with Console(b"\r\nraspberrypi login: ") as console:
        ended = await program.run(find_tabardctl(), "config", console.port)
    assert ended.exit_code == 69 and ended.errors.count("\n") == 1, ended
    assert f"{console.port}: something answers, but it is not Tabard; is it a login console?" in ended.errors, ended


async def test_a_port_where_nothing_answers_is_reported_without_jargon() -> None:
    with Console() as console:
        ended = await program.run(find_tabardctl(), "config", console.port)
    assert ended.exit_code == 69, ended
    assert ended.errors == f"tabardctl: {console.port}: no answer; check the cable, and that the agent uses this port\n"


async def test_a_terminal_shows_that_the_command_waits_for_an_answer() -> None:
    terminal = Terminal()
    with Console() as console:
        assert await terminal.run(find_tabardctl(), "config", console.port) == 69
    note, _, rest = terminal.text.partition(f"{console.port}: waiting for an answer")
    assert rest and "\r\x1b[Ktabardctl: " in rest, terminal.text
    assert note == "\r\x1b[K", terminal.text


async def test_the_outcome_of_a_fetch_fits_a_terminal(venue: Venue) -> None:
    agent = await venue.start_agent()
    terminal = Terminal()
    options = ("--watch", "--port", agent.sync_port, "--archive", venue.directory / "dock.sqlite")
    assert await terminal.run(find_tabardctl(), "sync", *options, until="safe to unplug") == 0
    [outcome] = set(re.findall(r"[^\r\n\x1b]*safe to unplug[^\r\n\x1b]*", terminal.text))
    assert re.search(r": untrusted; done, safe to unplug: \d+ new entr(y|ies)$", outcome), terminal.text
    assert len(outcome) < COLUMNS and "…" not in outcome, outcome
