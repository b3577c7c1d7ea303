"""The agent as a service: its messages to systemd and the journal, its status socket, and SIGHUP."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import program
import pytest
from agent import Agent, find_agent
from journal import PATIENCE_SECONDS
from printed_json import document_in
from venue import Venue


class ServiceManager:
    """Stands in for systemd: the socket of sd_notify(3), as that page describes it."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)

    async def until(self, words: str) -> str:
        """Waits for a datagram with these words; returns it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                told = (await asyncio.get_running_loop().sock_recv(self._socket, 4096)).decode()
                if words in told:
                    return told

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServiceManager]:
    """A service manager that the agent inherits, and a folder for its socket."""
    manager = ServiceManager(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    yield manager
    manager.close()


def ask(path: Path, datagram: bytes = b"") -> bytes:
    """The agent's answer on one of its sockets."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as asker:
        asker.settimeout(PATIENCE_SECONDS)
        asker.bind("")
        asker.connect(str(path))
        asker.send(datagram)
        return asker.recv(4096)


async def started_anew(agent: Agent, count: int) -> None:
    """Waits until the sync port has been opened that many times."""
    await agent.lines.until(
        lambda lines: sum("sync on" in line.text for line in lines) >= count, what=f"start number {count}"
    )


async def test_it_says_when_it_runs_and_that_it_is_well(venue: Venue, manager: ServiceManager) -> None:
    await venue.start_agent()
    assert "STATUS=" in await manager.until("READY=1")
    assert "recovering" not in await manager.until("STATUS=radio up")
    await manager.until("WATCHDOG=1")


async def test_it_says_that_the_radio_is_down(venue: Venue, manager: ServiceManager) -> None:
    await venue.start_agent()
    await manager.until("STATUS=radio up")
    venue.endpoint.unplug()
    await manager.until("STATUS=radio down, recovering")


async def test_a_board_that_is_not_set_up_is_ready_and_says_so(venue: Venue, manager: ServiceManager) -> None:
    await venue.open_endpoint()
    agent = venue.prepare_agent(herald={"location": None})
    await agent.start(venue.endpoint.transport)
    assert "READY=1" in await manager.until("STATUS=not set up")


async def test_any_user_may_ask_for_the_status(venue: Venue, manager: ServiceManager, tmp_path: Path) -> None:
    await venue.start_agent()
    await manager.until("STATUS=radio up")
    answer = await asyncio.to_thread(ask, tmp_path / "status")
    # An SMP answer of group 64, command 0.
    assert answer[0] & 7 == 1 and answer[4:6] == b"\0\x40" and answer[7] == 0, answer
    assert b"radio" in answer and b"segments" in answer
    assert (tmp_path / "status").stat().st_mode & 0o777 == 0o666


async def test_lines_have_levels_in_the_journal_only(
    venue: Venue, manager: ServiceManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await venue.start_agent()
    assert (await agent.line("radio up")).text.startswith("tabard: ")
    await agent.stop()
    monkeypatch.setenv("JOURNAL_STREAM", "8:1234")
    await agent.start(venue.endpoint.transport)
    assert (await agent.line("radio up")).text.startswith("<6>tabard: ")


async def test_an_agent_that_its_watchdog_aborts_is_not_called_a_defect(venue: Venue) -> None:
    agent = await venue.start_agent()
    os.kill(agent.process_identifier, signal.SIGABRT)
    assert (await agent.line("aborted by another program")).text.endswith("when an agent says nothing for a minute")
    assert not any("defect" in line.text for line in agent.lines)


async def test_sighup_reads_the_configuration_anew(venue: Venue, manager: ServiceManager) -> None:
    agent = await venue.start_agent()
    text = agent.configuration_path.read_text()
    agent.configuration_path.write_text(text.replace("Adams Pizza", "Eves Pasta"))
    os.kill(agent.process_identifier, signal.SIGHUP)
    await agent.line("reload: the agent starts again")
    await started_anew(agent, 2)
    assert "Eves Pasta" in await venue.tabardctl.run("config", str(agent.sync_port), "get", "herald.name")


async def test_a_mistake_in_the_configuration_does_not_end_a_running_agent(
    venue: Venue, manager: ServiceManager
) -> None:
    agent = await venue.start_agent()
    agent.configuration_path.write_text(agent.configuration_path.read_text() + "\n[radoi]\n")
    os.kill(agent.process_identifier, signal.SIGHUP)
    await agent.line("did you mean [radio]?")
    await agent.line("reload: the agent keeps its present configuration")
    assert "near now" in await venue.tabardctl.run("devices", "--port", str(agent.sync_port))


async def test_status_prints_what_the_agent_does(venue: Venue, manager: ServiceManager, tmp_path: Path) -> None:
    await venue.start_agent()
    await manager.until("STATUS=radio up")
    socket_option = ("--socket", tmp_path / "status")
    shown = await program.run_well(find_agent(), "status", *socket_option)
    assert "radio     up" in shown.output and "not encrypted" in shown.output, shown
    document = document_in((await program.run_well(find_agent(), "status", "--json", *socket_option)).output)
    assert document["radio"] == "up" and document["isSetUp"] and not document["isSealed"], document
    listed = document_in(await venue.tabardctl.run("devices", "--json", "--port", str(venue.agent.sync_port)))
    assert listed[0]["board"] == document["log"] and listed[0]["boot"] == document["boot"], (listed, document)


async def test_status_without_an_agent_says_what_to_do(programs: None, tmp_path: Path) -> None:
    ended = await program.run(find_agent(), "status", "--socket", tmp_path / "status")
    assert ended.exit_code == 69 and "no agent answers: No such file or directory; look at systemctl" in ended.errors, ended
    ended = await program.run(find_agent(), "status", "--sokket", "x")
    assert ended.exit_code == 64 and "--sokket: not an option" in ended.errors, ended
