"""Phones, rooms and starts that other systems take for faults, with a scripted controller."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from agent import Agent, find_tabardctl
from journal import Overdue
from scripted_controller import (
    HERALD_ADVERT,
    LE_CREATE_CONNECTION,
    LE_SET_SCAN_PARAMETERS,
    RENEWAL_SECONDS,
    RESET,
    Command,
    ScriptedController,
    start,
)
from tabardctl import Tabardctl


# G: an error that would repeat itself.


async def test_a_payload_that_needs_pairing_is_asked_for_once(agent: Agent, controller: ScriptedController) -> None:
    reads: list[bytes] = []

    def connect(command: Command) -> bool:
        controller.execute(command)
        controller.state.is_scanning = controller.state.is_advertising = False
        controller.connection(0x10, role=0, peer=1)
        return True

    def answer(pdu: bytes) -> bytes:
        match pdu[0]:
            case 0x02:
                return bytes.fromhex("03f700")
            case 0x06 if pdu[7:] == bytes.fromhex("f6fc") and pdu[1] <= 1:
                return bytes.fromhex("0701000500")
            case 0x08 if pdu[1] <= 2:
                payload = bytes.fromhex("3e98d50f0fa3f79e804ecf0f7e7e6098")
                return bytes.fromhex("0915 0200 02 0300") + payload
            case 0x0A:
                reads.append(pdu)
                return b"\x01\x0a" + pdu[1:3] + b"\x05"
        return b"\x01" + pdu[:3] + b"\x0a"

    controller.reactions[LE_CREATE_CONNECTION] = connect
    await start(agent, controller)
    answered = 0
    for _ in range(200):
        controller.advert(1, HERALD_ADVERT)
        with suppress(Overdue):
            await controller.data.until(lambda all: len(all) > answered, within=0.25, what="data")
        for packet in controller.data.entries[answered:]:
            controller.att(0x10, answer(packet[8:]))
        answered = len(controller.data)
    assert len(reads) <= 1, reads
    assert controller.count(LE_CREATE_CONNECTION) >= 1


# H: a sparse room.


@pytest.mark.parametrize("count", [1, 12])
async def test_a_group_that_leaves_at_once_costs_one_reset(
    agent: Agent, controller: ScriptedController, count: int
) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    for _ in range(30 * 4):
        for sender in range(count):
            controller.advert(sender)
        await controller.quiet(0.25, RESET)
    assert controller.count(RESET, since=since) == 0
    await controller.until(RESET, since=since, within=30)
    await controller.until_ready()
    await controller.quiet(20, RESET)
    assert not [line for line in agent.lines if "fault" in line.text or "radio down" in line.text]


async def test_three_senders_heard_once_and_one_without_data_are_no_fault(
    agent: Agent, controller: ScriptedController
) -> None:
    await start(agent, controller)
    for sender in range(3):
        controller.advert(sender)
    for _ in range(80):
        controller.advert(9, b"")
        await controller.quiet(0.5, RESET)
    assert not [line for line in agent.lines if "fault" in line.text]


# I: a controller that is late.


async def test_a_late_controller_is_waited_for_and_the_log_is_served(agent: Agent, tmp_path: Path) -> None:
    controller = ScriptedController(tmp_path / "late")
    await agent.start(controller.transport)
    await agent.line("waiting for it")
    await agent.line("sync on")
    tabardctl = Tabardctl(find_tabardctl(), tmp_path / "archive.sqlite")
    devices = await tabardctl.run("devices", "--port", str(agent.sync_port))
    assert "recovering" in devices, devices
    async with controller:
        await agent.line("radio up")
        await controller.until_ready()


async def test_a_reset_may_take_nine_seconds_each_time(agent: Agent, controller: ScriptedController) -> None:
    def slowly(command: Command) -> bool:
        asyncio.get_running_loop().call_later(9, lambda: controller.execute(command))
        return True

    controller.reactions[RESET] = slowly
    await start(agent, controller)
    assert controller.count(RESET) == 1


# J: packets of other kinds.


async def test_packets_of_other_kinds_are_passed_over(agent: Agent, controller: ScriptedController) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    # Isochronous and synchronous data and Broadcom's diagnostics, each with a Hardware Error inside.
    for packet in ("05 00 00 04 00 04 10 01 42", "03 00 00 04 04 10 01 42", "07 04 10 01 42" + " 00" * 59):
        controller.send(packet)
    await controller.until(LE_SET_SCAN_PARAMETERS, since=since, within=RENEWAL_SECONDS)
    assert controller.count(RESET, since=since) == 0
