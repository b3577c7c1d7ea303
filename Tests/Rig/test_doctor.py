"""`tabard doctor` names what keeps an agent from its work, and what mends it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path

import board_system
import program
import pytest
from agent import Agent, find_agent
from board_system import Finding, System
from journal import PATIENCE_SECONDS
from printed_json import document_in
from test_service import ServiceManager
from test_service import manager as manager  # a fixture
from venue import Venue


@pytest.fixture
def system(programs: None, tmp_path: Path) -> System:
    """A system that lacks nothing but a running agent."""
    return board_system.made_in(tmp_path / "system")


async def test_a_board_without_faults_is_said_to_have_none(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    agent = await venue.start_agent()
    await manager.until("STATUS=radio up")
    shown = await program.run(*doctor(agent, venue, tmp_path))
    assert shown.exit_code == 0, shown
    # The rig's boards have no clock that anybody has confirmed, and no keys.
    assert "ok       radio          up, " in shown.output and "\n0 faults, " in shown.output, shown.output


def doctor(agent: Agent, venue: Venue, folder: Path, *options: str) -> tuple[str | Path, ...]:
    """The command about a running agent of the rig."""
    places = ("--config", agent.configuration_path, "--socket", folder / "status")
    return (find_agent(), "doctor", "--hci", venue.endpoint.transport, *places, *options)


async def found(agent: Agent, venue: Venue, folder: Path) -> list[Finding]:
    """The findings that are not good."""
    ended = await program.run(*doctor(agent, venue, folder, "--json"))
    return [each for each in (Finding(**each) for each in document_in(ended.output)) if each.level != "ok"]


async def test_an_agent_that_hangs_is_told_from_one_that_does_not_run(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    agent = await venue.start_agent()
    await manager.until("READY=1")
    os.kill(agent.process_identifier, signal.SIGSTOP)
    hangs = next(each for each in await found(agent, venue, tmp_path) if each.subject == "agent")
    os.kill(agent.process_identifier, signal.SIGCONT)
    assert (hangs.level, hangs.run) == ("fault", "sudo systemctl restart tabard") and "hangs" in hangs.finding, hangs
    assert not [each for each in await found(agent, venue, tmp_path) if each.subject == "agent"]
    await agent.stop()
    ended = next(each for each in await found(agent, venue, tmp_path) if each.subject == "agent")
    assert ended.level == "fault" and "does not run" in ended.finding, ended


async def test_a_radio_that_is_down_is_a_fault_until_it_is_back(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    agent = await venue.start_agent()
    await manager.until("STATUS=radio up")
    venue.endpoint.unplug()
    await manager.until("STATUS=radio down, recovering")
    radio = next(each for each in await found(agent, venue, tmp_path) if each.subject == "radio")
    assert radio.level == "fault" and radio.finding.startswith("recovering"), radio


async def test_a_board_that_is_not_set_up_is_told_about_setup(
    venue: Venue, manager: ServiceManager, tmp_path: Path
) -> None:
    await venue.open_endpoint()
    agent = venue.prepare_agent(herald={"location": None})
    await agent.start(venue.endpoint.transport)
    await manager.until("STATUS=not set up")
    place = next(each for each in await found(agent, venue, tmp_path) if each.subject == "place")
    assert place.level == "fault" and "tabardctl setup" in place.advice, place
    keys = ("--without-keys", "--archive", str(venue.tabardctl.archive))
    await venue.tabardctl.run("setup", str(agent.sync_port), "--venue-number", "7", "--name", "X", "--yes", *keys)
    assert not [each for each in await found(agent, venue, tmp_path) if each.subject == "place"]


async def test_a_configuration_with_a_mistake_is_a_fault(system: System) -> None:
    code, found = await system.findings(radio={"scna": True})
    assert code == 65 and found == [
        Finding(
            "fault",
            "configuration",
            "the agent refuses it, for the reason above",
            advice="correct it, then run: sudo systemctl restart tabard",
        )
    ]


async def test_the_socket_of_an_agent_that_has_ended_is_no_agent(system: System) -> None:
    (system.folder / "run/tabard").mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as left:
        left.bind(str(system.folder / "run/tabard/status"))
    finding = await system.finding("agent")
    assert finding.level == "fault" and "does not run" in finding.finding, finding


async def test_an_agent_that_systemd_is_starting_is_no_fault(system: System) -> None:
    group = system.folder / "sys/fs/cgroup/system.slice/tabard.service"
    group.mkdir(parents=True)
    (group / "cgroup.procs").write_text("4711\n")
    finding = await system.finding("agent")
    assert finding.level == "warning" and "is starting" in finding.finding, finding
    (group / "cgroup.procs").write_text("")
    finding = await system.finding("agent")
    assert finding.level == "fault" and "does not run" in finding.finding, finding


async def test_a_stranger_on_the_socket_is_not_taken_for_the_agent(system: System) -> None:
    (system.folder / "run/tabard").mkdir()

    def answer(stranger: socket.socket) -> None:
        _, asker = stranger.recvfrom(16)
        stranger.sendto(b"hello", asker)

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
        stranger.settimeout(PATIENCE_SECONDS)
        stranger.bind(str(system.folder / "run/tabard/status"))
        answering = asyncio.create_task(asyncio.to_thread(answer, stranger))
        finding = await system.finding("agent")
        await answering
    assert finding.level == "fault" and "not a board's status" in finding.finding, finding
