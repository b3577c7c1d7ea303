"""Keys: a provisioned board accepts changes only from its operator; anybody may fetch its log."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import program
import pytest
import smp
from desk import Desk
from test_log import download, smpmgr
from venue import Venue

# The stock library's command to set the clock, which the stock tool lacks. It runs in a process of its own,
# because some of its modules have the same names as the rig's.
SET_CLOCK = """
import asyncio, sys
from smpclient import SMPClient
from smpclient.requests.os_management import DateTimeWrite
from smpclient.transport.serial import SMPSerialTransport

async def main():
    async with SMPClient(SMPSerialTransport(), sys.argv[1]) as client:
        print(await client.request(DateTimeWrite(datetime="2030-01-01T00:00:00")))

asyncio.run(main())
"""


async def pairs(venue: Venue, name: str) -> Path:
    """Two fresh pairs of keys in a directory of their own."""
    directory = venue.directory / name
    directory.mkdir()
    await venue.tabardctl.run("keys", "new", "--directory", str(directory))
    return directory


async def provision(venue: Venue, keys: Path) -> str:
    """Gives the board the public halves."""
    options = ("--opening", str(keys / "opening.pub.pem"), "--operator", str(keys / "operator.pub.pem"), "--yes")
    archive = ("--archive", str(venue.tabardctl.archive))
    return await venue.tabardctl.run("provision", str(venue.agent.sync_port), *options, *archive)


async def refusal(venue: Venue, *arguments: str) -> program.Ended:
    """Runs a command of the operator's tool that must fail."""
    ended = await program.run(venue.tabardctl.binary, *arguments)
    assert ended.exit_code != 0, ended
    return ended


async def test_secret_files_are_the_owners_alone(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in keys.iterdir()}
    assert modes["opening.pem"] == modes["operator.pem"] == 0o600
    assert stat.S_IMODE(Path(f"{agent.log_path}.keys").stat().st_mode) == 0o600


async def test_a_stock_client_reads_a_provisioned_board_and_cannot_change_it(venue: Venue) -> None:
    await venue.start_agent()
    await provision(venue, await pairs(venue, "keys"))
    assert "good day" in await smpmgr(venue, "os", "echo", "good day")
    assert (await download(venue, "/index")).startswith(b"tabard-index")
    answer = (await program.run_well(sys.executable, "-c", SET_CLOCK, venue.agent.sync_port)).output
    assert "EACCESSDENIED" in answer, answer


async def test_only_the_operator_sends_messages(venue: Venue) -> None:
    await venue.start_agent()
    keys = await pairs(venue, "keys")
    others = await pairs(venue, "others")
    await provision(venue, keys)
    send = ("send", "hello", "--port", str(venue.agent.sync_port), "--wait", "0")
    assert (await refusal(venue, *send)).exit_code == 77
    assert (await refusal(venue, *send, "--operator", str(others / "operator.pem"))).exit_code == 77
    # With a valid signature, the command fails only because no device is near.
    assert (await refusal(venue, *send, "--operator", str(keys / "operator.pem"))).exit_code == 69


async def test_a_courier_without_a_key_fetches(venue: Venue) -> None:
    await venue.start_agent()
    await provision(venue, await pairs(venue, "keys"))
    await venue.tabardctl.sync(venue.agent.sync_port)


async def test_keys_are_there_after_a_power_cut_and_can_be_changed_by_the_operator_only(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    others = await pairs(venue, "others")
    await provision(venue, keys)
    await agent.kill()
    await agent.start_and_wait(venue.endpoint.transport)
    port = str(agent.sync_port)
    archive = ("--archive", str(venue.tabardctl.archive))
    new = ("--new-operator", str(others / "operator.pub.pem"), "--yes")
    again = ("provision", port, "--opening", str(others / "opening.pem"), "--operator", str(others / "operator.pem"))
    assert (await refusal(venue, *again, *archive, "--yes")).exit_code == 77
    foreign = ("rotate", port, "--operator", str(others / "operator.pem"), *new, *archive)
    assert (await refusal(venue, *foreign)).exit_code == 77
    await venue.tabardctl.run("rotate", port, "--operator", str(keys / "operator.pem"), *new, *archive)
    back = ("--new-operator", str(keys / "operator.pub.pem"), "--yes")
    assert (await refusal(venue, "rotate", port, "--operator", str(keys / "operator.pem"), *back, *archive)).exit_code == 77
    await venue.tabardctl.run("rotate", port, "--operator", str(others / "operator.pem"), *back, *archive)


async def test_keys_are_given_and_replaced_with_consent_only(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    port = str(agent.sync_port)
    archive = ("--archive", str(venue.tabardctl.archive))
    first = ("--opening", str(keys / "opening.pub.pem"), "--operator", str(keys / "operator.pub.pem"))
    refused = "the board's keys were not changed: the command cannot ask here; confirm with --yes"
    ended = await refusal(venue, "provision", port, *first, *archive)
    assert ended.exit_code == 64 and refused in ended.errors and "new operator key" in ended.errors, ended
    desk = Desk(venue.directory)
    ended = await desk.answer("no\n", "provision", port, *first, *archive)
    assert ended.exit_code == 75 and "Only the private operator key can change them again" in ended.errors, ended
    assert "not provisioned" in await venue.tabardctl.run("devices", "--port", port)
    ended = await desk.answer("yes\n", "provision", port, *first, *archive)
    assert ended.exit_code == 0 and "operator key" in ended.output, ended
    new = ("--operator", str(keys / "operator.pem"), "--new-operator", str(keys / "operator.pub.pem"))
    ended = await refusal(venue, "rotate", port, *new, *archive)
    assert ended.exit_code == 64 and refused in ended.errors, ended


async def test_only_the_operator_acknowledges_and_erases_fetched_segments(venue: Venue) -> None:
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    port = str(agent.sync_port)
    operator = ("--operator", str(keys / "operator.pem"))
    for command, body in ((7, {"segment": 0, "offset": 0}), (8, {"segment": 9, "force": 1}), (10, {"retention": 1})):
        with smp.Client(agent.sync_port) as client, pytest.raises(AssertionError, match="'rc': 11"):
            client.ask(2, 64, command, body)
    sync = ("sync", "--port", port, "--archive", str(venue.tabardctl.archive))
    assert "not acknowledged: no operator key at hand" in await venue.tabardctl.run(*sync)
    assert ", acknowledged" in await venue.tabardctl.run(*sync, *operator)

    # An acknowledgement of less than a whole segment may wait for the loss window, but is written when the
    # agent ends.
    await agent.stop()
    await agent.start_and_wait(venue.endpoint.transport)
    with smp.Client(agent.sync_port) as client:
        status = client.ask(0, 64, 0, {})
    assert isinstance(status["syncoff"], int) and status["syncoff"] > 0, status
    assert (await refusal(venue, "erase", port, "--yes")).exit_code == 77
    ended = await refusal(venue, "erase", port, *operator)
    assert ended.exit_code == 64 and "nothing was erased: the command cannot ask here" in ended.errors, ended
    assert f"{port}: erases " in ended.errors, ended
    assert "0 segments erased, 1 left" in await venue.tabardctl.run("erase", port, *operator, "--yes")
