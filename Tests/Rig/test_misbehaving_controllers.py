"""Controllers out of order, as users of other systems have reported them: each kind in a few lines.

The misbehaviours are also faults of the simulator (docs/simulator.md). Here the agent is the program, over H4.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from agent import Agent, find_tabardctl
from journal import Overdue
from scripted_controller import (
    COMMAND_DISALLOWED,
    HERALD_ADVERT,
    LE_CREATE_CONNECTION,
    LE_SET_EVENT_MASK,
    LE_SET_RANDOM_ADDRESS,
    LE_SET_SCAN_ENABLE,
    LE_SET_SCAN_PARAMETERS,
    READ_ADDRESS,
    RENEWAL_SECONDS,
    RESET,
    SET_EVENT_MASK,
    Command,
    ScriptedController,
    start,
)
from tabardctl import Tabardctl


# A: the controller forgets.


async def test_what_a_controller_forgets_is_told_again_within_half_a_minute(
    agent: Agent, controller: ScriptedController
) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    controller.forget()
    for op_code in (SET_EVENT_MASK, LE_SET_EVENT_MASK, LE_SET_RANDOM_ADDRESS):
        await controller.until(op_code, since=since, within=RENEWAL_SECONDS)
    await controller.until_ready()
    assert controller.count(RESET, since=since) == 0


async def test_a_forgotten_scan_in_an_empty_room_is_not_covered(
    agent: Agent, controller: ScriptedController, tmp_path: Path
) -> None:
    await start(agent, controller)
    tabardctl = Tabardctl(find_tabardctl(), tmp_path / "archive.sqlite")
    # The proofs that the agent has until then end before.
    proofs = controller.count(LE_SET_SCAN_PARAMETERS)
    await controller.commands.until(
        lambda _: controller.count(LE_SET_SCAN_PARAMETERS) > proofs, what="another proof of the scan"
    )
    await tabardctl.sync(agent.sync_port)
    forgot = asyncio.get_running_loop().time()
    since = len(controller.commands)
    controller.forget()
    told = await controller.until(SET_EVENT_MASK, since=since, within=RENEWAL_SECONDS)
    await controller.until_ready()
    ready = len(controller.commands)
    await controller.until(LE_SET_SCAN_PARAMETERS, since=ready)
    await controller.until(LE_SET_SCAN_PARAMETERS, since=len(controller.commands))
    await tabardctl.sync(agent.sync_port)
    blind = [one for one in await tabardctl.coverage() if not one.is_covered and one.start and one.end]
    length = told.at - forgot
    assert any(one.end - one.start > length - 2 for one in blind), (length, blind)


@pytest.mark.parametrize("nop", ["04 0e 03 01 00 00", "04 0f 04 00 01 00 00"])
async def test_a_nop_out_of_turn_leads_to_a_new_bring_up(
    agent: Agent, controller: ScriptedController, nop: str
) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    controller.forget()
    controller.send(nop)
    await controller.until(RESET, since=since, within=10)
    await controller.until_ready()


async def test_another_address_of_the_controller_leads_to_a_new_bring_up(
    agent: Agent, controller: ScriptedController
) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    controller.public_address = bytes.fromhex("000000a04343")
    await controller.until(RESET, since=since, within=RENEWAL_SECONDS)
    await agent.line("firmware patch")


# B: an answer that is not final.


async def test_a_command_status_is_not_the_answer_of_the_scan(agent: Agent, controller: ScriptedController) -> None:
    def status_first(command: Command) -> bool:
        if command.parameters[0] == 0 or controller.count(LE_SET_SCAN_ENABLE) > 1:
            return False
        controller.send("04 0f 04 00 01 0c 20")
        asyncio.get_running_loop().call_later(
            0.03, lambda: controller.complete(LE_SET_SCAN_ENABLE, COMMAND_DISALLOWED)
        )
        return True

    controller.reactions[LE_SET_SCAN_ENABLE] = status_first
    await agent.start_and_wait(controller.transport)
    # Perhaps in turns with advertising: the refusal may mean that.
    await controller.commands.until(lambda _: controller.state.is_scanning, what="a scan that is on")


# C: data before the event of their connection.


@pytest.mark.parametrize("ahead_seconds", [0, 0.01, 0.1])
async def test_data_ahead_of_their_connection_are_answered(
    agent: Agent, controller: ScriptedController, ahead_seconds: float
) -> None:
    await start(agent, controller)
    controller.att(0x10, bytes.fromhex("02f700"))
    asyncio.get_running_loop().call_later(ahead_seconds, lambda: controller.connection(0x10, role=1))
    await controller.data.until(lambda all: any(one[8] == 0x03 for one in all), what="the answer to the MTU request")


# D: answers to commands that nobody sent.


async def test_answers_to_commands_never_sent_change_nothing(agent: Agent, controller: ScriptedController) -> None:
    await start(agent, controller)
    since = len(controller.commands)
    for answer in ("04 0e 04 00 18 fc 00", "04 0e 04 00 16 20 00", "04 0f 04 00 00 05 04"):
        controller.send(answer)
    await controller.until(LE_SET_SCAN_PARAMETERS, since=since, within=RENEWAL_SECONDS)
    assert controller.count(RESET, since=since) == 0


# E: a connecting role that is dead.


async def test_a_connecting_role_that_refuses_several_peers_leads_to_a_reset(
    agent: Agent, controller: ScriptedController
) -> None:
    def refuse(_: Command) -> bool:
        controller.complete(LE_CREATE_CONNECTION, COMMAND_DISALLOWED)
        return True

    controller.reactions[LE_CREATE_CONNECTION] = refuse
    await start(agent, controller)
    since = len(controller.commands)
    for _ in range(60 * 4):
        for sender in range(4):
            controller.advert(sender, HERALD_ADVERT)
        with suppress(Overdue):
            await controller.until(RESET, since=since, within=0.25)
            break
    assert controller.count(RESET, since=since) == 1


# F: refusals in bring-up.


@pytest.mark.parametrize("op_code", [0x1001, READ_ADDRESS, 0x2003, 0x2002, LE_SET_EVENT_MASK])
async def test_bring_up_passes_over_what_only_informs(
    agent: Agent, controller: ScriptedController, op_code: int
) -> None:
    def refuse(_: Command) -> bool:
        controller.complete(op_code, 0x12)
        return True

    controller.reactions[op_code] = refuse
    await start(agent, controller)
