"""A fetched log, opened later and checked at any time: `tabardctl open` and `verify` on a real log."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from agent import Agent
from phone_kinds import ANDROID_CURRENT
from printed_json import document_in
from program import Ended, run
from test_keys import pairs, provision, refusal
from test_log import download
from venue import Venue, until_left_alone

UNPROVEN = 76


async def sealed_log(venue: Venue) -> tuple[Agent, Path]:
    """A provisioned board that has met a phone; returns its agent and the directory of its keys."""
    agent = await venue.start_agent()
    keys = await pairs(venue, "keys")
    await provision(venue, keys)
    await until_left_alone(await venue.phone(ANDROID_CURRENT))
    await venue.tabardctl.sync(agent.sync_port)
    return agent, keys


async def verify(venue: Venue, *arguments: str) -> tuple[Ended, list[dict[str, Any]]]:
    """Runs `verify --json`; returns its outcome, and its result for each board."""
    archive = ("--archive", str(venue.tabardctl.archive))
    ended = await run(venue.tabardctl.binary, "verify", "--json", *arguments, *archive)
    return ended, document_in(ended.output)


def kinds(board: dict[str, Any], *, severity: str) -> list[str]:
    """The kinds of finding with that severity."""
    return [finding["kind"] for finding in board["findings"] if finding["severity"] == severity]


async def test_a_courier_s_archive_is_opened_later_and_is_sound_before_and_after(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    ended, [board] = await verify(venue)
    assert ended.exit_code == 0 and board["closedPages"] > 0 and board["signatures"] > 0, ended
    archive = ("--archive", str(venue.tabardctl.archive))
    assert not await venue.tabardctl.encounters()
    assert (await refusal(venue, "open", *archive, "--opening", str(keys / "operator.pem"))).exit_code == 77
    assert " opened, " in await venue.tabardctl.run("open", *archive, "--opening", str(keys / "opening.pem"))
    assert await venue.tabardctl.encounters()
    ended, [board] = await verify(venue, "--opening", str(keys / "opening.pem"))
    assert ended.exit_code == 0 and board["verdict"] == "sound", ended
    assert board["closedPages"] == 0 and board["openedPages"] > 0
    # Its manifest covers all that was fetched. A page that the board wrote after the manifest is covered by the next one.
    for _ in range(5):
        if "unsignedEnd" not in kinds(board, severity="note"):
            break
        await venue.tabardctl.sync(agent.sync_port)
        ended, [board] = await verify(venue, "--opening", str(keys / "opening.pem"))
    assert board["manifests"] >= 1 and "unsignedEnd" not in kinds(board, severity="note")


async def board_key(venue: Venue) -> str:
    """The board's public key as the archive has it, as `--board-key` takes it."""
    with sqlite3.connect(f"file:{venue.tabardctl.archive}?mode=ro", uri=True) as database:
        [[key]] = database.execute("SELECT publicKey FROM boardKey")
    return str(bytes(key).hex())


async def test_an_archive_cannot_vouch_for_itself(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    stranger = ("--archive", str(venue.directory / "stranger.sqlite"))
    await venue.tabardctl.run("sync", "--trust", "new", "--port", str(agent.sync_port), *stranger)
    courier = str(venue.tabardctl.archive)
    other = venue.directory / "empty.sqlite"
    nobody = ("--known-boards", str(venue.directory / "nobody"))
    command = (venue.tabardctl.binary, "verify", courier, "--json", *nobody, "--archive")
    ended = await run(*command, str(other))
    assert ended.exit_code == UNPROVEN, ended
    [board] = document_in(ended.output)
    assert "keyNotVouched" in kinds(board, severity="unproven"), board
    # The analyst who has the board's key in an archive of their own, or names it, can tell.
    ended = await run(*command, stranger[1])
    assert ended.exit_code == 0, ended
    ended = await run(*command, str(other), "--board-key", await board_key(venue))
    assert ended.exit_code == 0, ended
    ended = await run(*command, str(other), "--board-key", "00" * 16)
    assert ended.exit_code == UNPROVEN, ended


async def test_a_changed_byte_of_a_board_s_flash_is_found(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    await agent.stop()
    opening = ("--opening", str(keys / "opening.pem"))
    image = venue.directory / "seized.img"
    flash = bytearray(agent.log_path.read_bytes())
    image.write_bytes(flash)
    # The file cannot say where the log ended, so that is unproven until the analyst names the key.
    ended, [board] = await verify(venue, str(image), *opening)
    assert ended.exit_code == UNPROVEN and kinds(board, severity="unproven") == ["endUnproven"], ended
    ended, [board] = await verify(venue, str(image), *opening, "--board-key", await board_key(venue))
    assert ended.exit_code == 0 and board["openedPages"] > 1, ended
    used = board["signedThrough"]["byteOffset"]
    flash[used - 20] ^= 1
    image.write_bytes(flash)
    ended, [board] = await verify(venue, str(image), *opening)
    assert ended.exit_code == 65 and board["verdict"] in ("damaged", "forged"), ended


async def test_segments_that_a_stock_tool_fetched_are_checked_where_they_lie(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    folder = venue.directory / "courier"
    folder.mkdir()
    for line in (await download(venue, "/index")).decode().splitlines()[1:]:
        ordinal = line.split()[1]
        (folder / ordinal).write_bytes(await download(venue, f"/log/{ordinal}"))
    (folder / "notes.txt").write_text("from the foyer")
    files = (str(folder), "--opening", str(keys / "opening.pem"))
    ended, [board] = await verify(venue, *files, "--board-key", await board_key(venue))
    assert ended.exit_code == 0 and board["openedPages"] > 0 and board["signatures"] > 0, ended
    assert "notes.txt: not part of a log" in ended.errors
    assert agent.is_running


async def test_a_board_whose_keys_file_was_lost_is_vouched_for_by_whoever_provisions_it(venue: Venue) -> None:
    agent, keys = await sealed_log(venue)
    await agent.stop()
    Path(f"{agent.log_path}.keys").unlink()
    await agent.start_and_wait(venue.endpoint.transport)
    archive = ("--archive", str(venue.tabardctl.archive))
    rotate = ("rotate", str(agent.sync_port), "--operator", str(keys / "operator.pem"))
    ended = await refusal(venue, *rotate, "--new-operator", str(keys / "operator.pub.pem"), *archive)
    assert ended.exit_code == 77 and "a new board key" in ended.errors
    ended = await refusal(venue, "sync", "--port", str(agent.sync_port), *archive)
    assert ended.exit_code == 77 and "has another key" in ended.errors and "nothing was stored" in ended.errors

    await provision(venue, keys)
    await until_left_alone(await venue.phone(ANDROID_CURRENT, "second"))
    await venue.tabardctl.sync(agent.sync_port)
    ended, [board] = await verify(venue, "--opening", str(keys / "opening.pem"))
    assert ended.exit_code == 0 and board["verdict"] == "sound", ended
    assert "keyChanged" in kinds(board, severity="note")
