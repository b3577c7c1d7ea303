"""Ports without a board behind them, and what a terminal shows of a port."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import program
from agent import find_agent, find_tabardctl
from journal import PATIENCE_SECONDS
from screen import COLUMNS, Console, Terminal
from smp import Client
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


def test_a_port_that_appears_after_the_start_is_served(tmp_path: Path) -> None:
    ours, boards = os.openpty()
    port, device = tmp_path / "sync", os.ttyname(boards)
    os.close(boards)
    options = ("--hci", f"unix:{tmp_path}/hci", "--sync", port, "--log", tmp_path / "log", "--set", "herald.location=1",
               "--set", "log.size_mebibytes=1")
    with subprocess.Popen([find_agent(), "run", *options], stderr=subprocess.PIPE, text=True) as agent:
        try:
            assert agent.stderr is not None
            assert any(line == f"tabard: sync on {port}; waiting for it\n" for line in agent.stderr)
            port.symlink_to(device)
            descriptors = Path(f"/proc/{agent.pid}/fd")
            deadline = time.monotonic() + PATIENCE_SECONDS
            while device not in {os.readlink(entry) for entry in descriptors.iterdir()}:
                assert time.monotonic() < deadline, "the agent does not open its port"
                time.sleep(0.05)
            with Client(ours) as client:
                assert client.ask(2, 0, 0, {"d": "here"}) == {"r": "here"}
        finally:
            agent.terminate()
