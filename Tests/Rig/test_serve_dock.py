"""Boards in the dashboard's dock: what they say of themselves, and fetches that somebody asked for."""

from __future__ import annotations

import asyncio
import html
import re
import signal

import dashboard
import smp
from dashboard import Dashboard, Reply, cells
from line import Line
from venue import Venue


async def live(served: Dashboard) -> str:
    return html.unescape((await served.page("/boards/live")).text).replace("\xa0", " ")


async def until(served: Dashboard, text: str) -> str:
    """What the boards' page says, as soon as it has this text."""
    async with asyncio.timeout(60):
        while text not in (shown := await live(served)):
            await asyncio.sleep(0.2)
    return shown


def proof(page: Reply) -> str:
    found = re.search(r'name="proof" value="([0-9a-f]+)"', page.text)
    assert found, page.text
    return found[1]


async def test_the_dock_shows_a_board_and_fetches_if_asked(venue: Venue) -> None:
    await venue.start_agent()
    with smp.Client(venue.agent.sync_port) as client:
        await asyncio.to_thread(client.fill_log, 128 << 10)
    archive = venue.tabardctl.archive
    with Line(venue.agent.sync_port, 115_200) as line:
        async with dashboard.serve("--board", line.port, "--archive", archive, "--trust", "new") as served:
            shown = await until(served, "near now")
            assert str(line.port) in shown and "has nothing of this board" in shown
            assert not archive.exists()
            page = await served.page("/boards")
            own = {"Cookie": served.cookie, "Origin": served.origin, "Content-Type": "application/x-www-form-urlencoded"}
            sent = f"proof={proof(page)}".encode()
            for headers, body in (
                (own, b""), (own, b"proof=" + b"0" * 64), ({**own, "Cookie": ""}, sent),
                ({**own, "Origin": "http://elsewhere.example"}, sent), ({**own, "Sec-Fetch-Site": "cross-site"}, sent),
            ):  # fmt: skip
                assert (await served.send("POST", "/boards/fetch", headers, body)).status == 403
            assert (await served.send("GET", "/boards/fetch", own)).status == 404
            await asyncio.sleep(1.5)
            assert not archive.exists()
            reply = await served.send("POST", "/boards/fetch", own, sent)
            assert (reply.status, reply.headers["location"]) == (303, "/boards")
            shown = await until(served, "<progress")
            assert "leave it plugged in" in shown
            assert (await served.page("/")).status == 200
            shown = await until(served, "done, safe to unplug")
            await until(served, "fetched today")
            rows = cells(await served.page("/"), "Boards of the archive")
            assert len(rows) == 2 and rows[1][4] != "never"
            assert await served.stop() == 0
    assert len((await venue.tabardctl.run("boards", "--archive", str(archive))).splitlines()) == 2


async def test_with_sync_a_board_is_fetched_as_it_comes(venue: Venue) -> None:
    archive = venue.directory / "archive.sqlite"
    port = venue.directory / "agent" / "sync"
    async with dashboard.serve("--sync", "--board", port, "--archive", archive, "--trust", "new") as served:
        assert "No board is plugged in" in await live(served)
        await venue.start_agent()
        await until(served, "done, safe to unplug")
        assert "name=\"proof\"" not in (await served.page("/boards")).text
        assert await served.stop(signal.SIGTERM) == 0
    assert archive.exists()
