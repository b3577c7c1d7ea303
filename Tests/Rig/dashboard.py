"""`tabardctl serve`, run beside a test, and somebody's browser without a screen."""

from __future__ import annotations

import asyncio
import html
import http.client
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from agent import find_tabardctl

PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Dashboard:
    """A running dashboard, and the cookie of somebody who opened its address."""

    process: asyncio.subprocess.Process
    address: str
    cookie: str = field(default="")

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    async def send(self, method: str, target: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> Reply:
        """One request, with no header but those of its method and the given ones."""
        return await asyncio.to_thread(self._send, method, target, headers or {}, body)

    def _send(self, method: str, target: str, headers: dict[str, str], body: bytes | None) -> Reply:
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, target, body=body, headers=headers)
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    async def open(self) -> None:
        """Opens the printed address, and keeps the cookie."""
        parts = urlsplit(self.address)
        reply = await self.send("GET", f"{parts.path}?{parts.query}")
        assert reply.status == 303, reply
        self.cookie = reply.headers["set-cookie"].split(";")[0]

    async def page(self, path: str, **fields: str) -> Reply:
        """A page, as a browser with the cookie asks for it."""
        query = "?" + urlencode({name.replace("_", "-"): text for name, text in fields.items()}) if fields else ""
        return await self.send("GET", path + query, {"Cookie": self.cookie})

    async def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        os.kill(self.process.pid, number)
        return await asyncio.wait_for(self.process.wait(), PATIENCE_SECONDS)


@asynccontextmanager
async def serve(*arguments: str | Path) -> AsyncIterator[Dashboard]:
    """Serves at any free port, and leaves no process behind."""
    process = await asyncio.create_subprocess_exec(
        find_tabardctl(), "serve", "--port", "0", *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
        dashboard = Dashboard(process, line.decode().strip())
        assert dashboard.address.startswith("http://"), line
        await dashboard.open()
        yield dashboard
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def cells(reply: Reply, caption: str) -> list[list[str]]:
    """The rows of the table with this caption, as text."""
    found = re.search(rf'aria-label="{re.escape(caption)}">(.*?)</table>', reply.text, re.DOTALL)
    assert found, reply.text
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL)
    return [[html.unescape(cell).replace("\xa0", " ") for cell in re.findall(r">([^<]*)</t[hd]>", row)] for row in rows]
