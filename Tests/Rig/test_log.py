"""The log through the sync port: stock MCUmgr clients, the operator's tool, and the effects of a kill."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import btsnoop
import program
from archive import snapshot
from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT, WEARABLE
from venue import Venue, until_left_alone


async def smpmgr(venue: Venue, *arguments: str) -> str:
    """Runs the stock client on the agent's port and returns its output."""
    # The client sends a request once. Its own timeout of 2 s would depend on the machine, and no repeat would
    # help.
    options = ("--timeout", f"{PATIENCE_SECONDS:g}", "--port", venue.agent.sync_port)
    return (await program.run_well(Path(sys.executable).parent / "smpmgr", *options, *arguments)).output


async def download(venue: Venue, name: str) -> bytes:
    """Fetches one of the board's files with the stock client."""
    target = venue.directory / "download"
    target.unlink(missing_ok=True)
    await smpmgr(venue, "file", "download", name, str(target))
    return target.read_bytes()


async def with_something_in_the_log(venue: Venue) -> None:
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await until_left_alone(phone)
    await venue.synced(lambda all: any(e.identity == phone.payload for e in all), what="encounter with the phone")


async def test_the_stock_client_gets_its_echo(venue: Venue) -> None:
    await venue.start_agent()
    assert "good day" in await smpmgr(venue, "os", "echo", "good day")


async def test_the_stock_client_fetches_the_index(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    header, *segments = (await download(venue, "/index")).decode().splitlines()
    words = header.split()
    assert words[:2] == ["tabard-index", "2"]
    values = dict(word.split("=") for word in words[2:])
    assert len(bytes.fromhex(values["log"])) == 16 and len(bytes.fromhex(values["boot"])) == 8
    assert int(values["block"]) >= int(values["unit"]) > 0
    assert segments
    for line in segments:
        word, _ordinal, byte_count, state = line.split()
        assert word == "segment" and int(byte_count) % int(values["unit"]) == 0 and state in ("open", "closed")
    assert sum(line.endswith("open") for line in segments) <= 1


async def test_the_stock_client_downloads_the_log_byte_for_byte(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    _, *segments = (await download(venue, "/index")).decode().splitlines()
    listed = {int(line.split()[1]): int(line.split()[2]) for line in segments}
    pieces = {ordinal: await download(venue, f"/log/{ordinal:08}") for ordinal in listed}
    whole = await download(venue, "/log")
    flash = venue.agent.log_path.read_bytes()
    for ordinal, data in pieces.items():
        assert len(data) >= listed[ordinal] > 0
        assert data in flash
    assert whole.startswith(b"".join(pieces.values()))

    await venue.tabardctl.sync(venue.agent.sync_port)
    archived = {ordinal: data for (_, ordinal), data in snapshot(venue.tabardctl.archive).segments.items()}
    for ordinal, data in pieces.items():
        assert archived[ordinal].startswith(data)


async def test_a_missing_file_is_an_answer_and_not_a_silence(venue: Venue) -> None:
    await venue.start_agent()
    with pytest.raises(AssertionError, match="FILE_NOT_FOUND"):
        await download(venue, "/nothing")
    assert "still there" in await smpmgr(venue, "os", "echo", "still there")


async def test_a_second_sync_fetches_nothing_twice(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    before = snapshot(venue.tabardctl.archive)
    await venue.tabardctl.sync(venue.agent.sync_port)
    after = snapshot(venue.tabardctl.archive)
    assert before.lost_bytes(after) == 0
    assert before.samples <= after.samples or len(after.samples) >= len(before.samples)


async def test_termination_leaves_everything_in_the_log(venue: Venue) -> None:
    agent = await venue.start_agent(log={"loss_window_seconds": 300})
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    await venue.truth.hearings.until(lambda all: len(all) >= 12, what="a dozen adverts")
    assert await agent.stop() == 0
    heard = len(venue.truth.hearings)
    phone.switch_off()
    await agent.start_and_wait(venue.endpoint.transport)
    (encounter,) = await venue.synced(
        lambda all: any(e.identity == phone.payload for e in all), what="encounter from before"
    )
    assert heard - 1 <= encounter.readings <= heard  # the last one may still have been on its way


async def test_a_kill_costs_at_most_the_loss_window_and_the_encounter_continues(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    phone = venue.phones[0]
    before = snapshot(venue.tabardctl.archive)
    killed_at = await venue.agent.kill()
    await venue.agent.start_and_wait(venue.endpoint.transport)
    await phone.served.until(lambda all: len(all) == 2, what="read after the restart")
    (encounter,) = await venue.synced(
        lambda all: any(e.boots == 2 and (e.end or 0) > killed_at for e in all), what="encounter over two boots"
    )
    assert before.lost_bytes(snapshot(venue.tabardctl.archive)) == 0
    assert encounter.identity == phone.payload
    (truth,) = venue.truth.encounters(phone.name, gap_seconds=5)
    assert encounter.start is not None and abs(encounter.start - truth.start) < 1


async def test_many_kills_at_any_moment_never_spoil_the_log(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    snapshots = [snapshot(venue.tabardctl.archive)]
    for _ in range(6):
        heard = len(venue.truth.hearings)
        await venue.agent.kill()
        await venue.agent.start_and_wait(venue.endpoint.transport)
        await venue.truth.hearings.until(lambda all: len(all) > heard + 2, what="adverts after a restart")
        await venue.tabardctl.sync(venue.agent.sync_port)
        snapshots.append(snapshot(venue.tabardctl.archive))
    for earlier, later in zip(snapshots, snapshots[1:]):
        assert earlier.lost_bytes(later) == 0
    await venue.tabardctl.run("inspect", str(venue.agent.log_path))


async def test_the_capture_is_read_by_tshark_without_complaint(venue: Venue) -> None:
    agent = await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT, reads_beacons=True)
    await venue.phone(WEARABLE, "wearable")
    await phone.read.first(what="read of the agent")
    await phone.served.first(what="read by the agent")
    await venue.truth.hearings.until(lambda all: len(all) >= 40, what="forty adverts")
    assert await agent.stop() == 0
    (capture,) = agent.snoop_paths
    judgement = await btsnoop.judge(capture)
    assert judgement.is_clean, judgement
    reports = await btsnoop.fields(capture, "bthci_evt.le_meta_subevent == 2", "bthci_evt.bd_addr", "bthci_evt.rssi")
    told = [(address, int(rssi)) for address, rssi in reports]
    heard = [(hearing.address, hearing.rssi_dbm) for hearing in venue.truth.hearings]
    assert told == heard[: len(told)] and len(heard) - len(told) <= 2
    payload_reads = await btsnoop.fields(capture, "btatt.opcode == 0x0b", "btatt.value")
    assert [phone.payload.hex()] in payload_reads


async def test_a_capture_cut_by_a_kill_is_read_up_to_the_cut(venue: Venue) -> None:
    await with_something_in_the_log(venue)
    await venue.agent.kill()
    joined = venue.directory / "joined.btsnoop"
    assert btsnoop.join(venue.agent.snoop_paths, joined) > 10
    assert (await btsnoop.judge(joined)).is_clean
