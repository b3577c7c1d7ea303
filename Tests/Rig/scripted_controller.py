"""A controller that behaves as a test prescribes: any packets, in any order, at any time, over H4.

It executes commands as a BCM43438 does, as far as the agent can tell. A test replaces answers, sends further
packets, and waits for commands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from agent import Agent
from journal import PATIENCE_SECONDS, Journal, Overdue

RESET, SET_EVENT_MASK, READ_ADDRESS = 0x0C03, 0x0C01, 0x1009
LE_SET_EVENT_MASK, LE_READ_BUFFER_SIZE, LE_SET_RANDOM_ADDRESS = 0x2001, 0x2002, 0x2005
LE_SET_SCAN_PARAMETERS, LE_SET_SCAN_ENABLE, LE_SET_ADVERTISING_ENABLE = 0x200B, 0x200C, 0x200A
LE_CREATE_CONNECTION, LE_CREATE_CONNECTION_CANCEL, DISCONNECT = 0x200D, 0x200E, 0x0406
SUCCESS, COMMAND_DISALLOWED = 0x00, 0x0C
RENEWAL_SECONDS = 35.0
"""A renewal comes every 28 s; the rest is for a busy machine."""

HERALD_ADVERT = bytes.fromhex("0201060303f6fc")
FLAGS_ADVERT = bytes.fromhex("020106")

ANSWERED_BY_STATUS = (LE_CREATE_CONNECTION, DISCONNECT)
INFORMATION = {
    0x1001: bytes.fromhex("07 0000 07 0f00 0000"),
    0x1002: bytes(64),
    0x2003: bytes(8),
    0x1005: bytes.fromhex("fd03 00 0800 0000"),
    LE_READ_BUFFER_SIZE: bytes.fromhex("1b00 08"),
}


@dataclass(frozen=True)
class Command:
    """A command of the agent, and when it came (the event loop's time)."""

    at: float
    op_code: int
    parameters: bytes


@dataclass
class State:
    """The settings that the agent has made since the last reset."""

    event_mask: int = 0x1FFF_FFFF_FFFF
    le_event_mask: int = 0x1F
    has_address: bool = False
    is_scanning: bool = False
    is_advertising: bool = False


Reaction = Callable[[Command], bool]
"""Takes a command's place; returns False to have it executed as usual."""


@dataclass
class ScriptedController:
    """One controller behind a UNIX socket, as an asynchronous context manager."""

    path: Path
    public_address: bytes = bytes.fromhex("907856341200")
    commands: Journal[Command] = field(default_factory=lambda: Journal("the agent's commands"))
    data: Journal[bytes] = field(default_factory=lambda: Journal("the agent's ACL data"))
    reactions: dict[int, Reaction] = field(default_factory=dict)
    state: State = field(default_factory=State)
    _server: asyncio.AbstractServer | None = None
    _writer: asyncio.StreamWriter | None = None

    @property
    def transport(self) -> str:
        """The value for the agent's `--hci`."""
        return f"unix:{self.path}"

    async def open(self) -> None:
        """Starts to listen."""
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    async def __aenter__(self) -> ScriptedController:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()
        if self._server is not None:
            self._server.close()

    # To the agent.

    def send(self, packet: str | bytes) -> None:
        """Sends bytes, or their hexadecimal text, in one write."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(bytes.fromhex(packet) if isinstance(packet, str) else packet)

    def event(self, code: int, parameters: bytes) -> None:
        """Sends an event, masked or not."""
        self.send(bytes([4, code, len(parameters)]) + parameters)

    def complete(self, op_code: int, status: int = SUCCESS, returned: bytes = b"", credits: int = 1) -> None:
        """Sends Command Complete, or Command Status for commands that are answered so."""
        code = op_code.to_bytes(2, "little")
        if op_code in ANSWERED_BY_STATUS:
            self.event(0x0F, bytes([status, credits]) + code)
        else:
            self.event(0x0E, bytes([credits]) + code + bytes([status]) + returned)

    def advert(self, sender: int, data: bytes = FLAGS_ADVERT, rssi: int = -50) -> None:
        """Reports an advert, if the agent has a scan and its masks allow it."""
        state = self.state
        if state.is_scanning and state.event_mask >> 61 & 1 and state.le_event_mask & 2:
            address = sender.to_bytes(5, "little") + b"\xc0"
            self.event(0x3E, bytes([2, 1, 0, 1]) + address + bytes([len(data)]) + data + bytes([rssi & 255]))

    def connection(self, handle: int, *, role: int, peer: int = 0x77) -> None:
        """Sends LE Connection Complete."""
        address = peer.to_bytes(5, "little") + b"\xc0"
        head = bytes([1, 0]) + handle.to_bytes(2, "little") + bytes([role, 1]) + address
        self.event(0x3E, head + bytes.fromhex("1800 0000 f401 00"))

    def att(self, handle: int, pdu: bytes) -> None:
        """Sends an ATT packet on a link."""
        frame = len(pdu).to_bytes(2, "little") + b"\x04\x00" + pdu
        self.send(b"\x02" + (handle | 0x2000).to_bytes(2, "little") + len(frame).to_bytes(2, "little") + frame)

    def forget(self) -> None:
        """Loses everything that the agent has set, without a word."""
        self.state = State()

    # From the agent.

    def count(self, op_code: int, *, since: int = 0) -> int:
        """How often a command came; `since` is a place in `commands`."""
        return sum(command.op_code == op_code for command in self.commands.entries[since:])

    async def until(self, op_code: int, *, since: int = 0, within: float = PATIENCE_SECONDS) -> Command:
        """Waits for a command, and returns the first one."""
        await self.commands.until(
            lambda all: any(command.op_code == op_code for command in all[since:]),
            within=within,
            what=f"command 0x{op_code:04x}",
        )
        return next(command for command in self.commands.entries[since:] if command.op_code == op_code)

    async def until_ready(self) -> None:
        """Waits until the agent scans and advertises."""
        await self.commands.until(
            lambda _: self.state.is_scanning and self.state.is_advertising, what="both roles"
        )

    async def quiet(self, seconds: float, *op_codes: int) -> None:
        """Watches for a while that none of these commands comes."""
        since = len(self.commands)
        with suppress(Overdue):
            await self.commands.until(
                lambda all: any(command.op_code in op_codes for command in all[since:]),
                within=seconds,
                what="a command that must not come",
            )
        found = [hex(one.op_code) for one in self.commands.entries[since:] if one.op_code in op_codes]
        assert not found, found

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.forget()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind = (await reader.readexactly(1))[0]
                if kind == 1:
                    head = await reader.readexactly(3)
                    parameters = await reader.readexactly(head[2])
                    self._take(int.from_bytes(head[:2], "little"), parameters)
                else:
                    head = await reader.readexactly(4)
                    body = await reader.readexactly(int.from_bytes(head[2:], "little"))
                    handle = int.from_bytes(head[:2], "little") & 0xFFF
                    self.event(0x13, b"\x01" + handle.to_bytes(2, "little") + b"\x01\x00")
                    self.data.append(head + body)

    def _take(self, op_code: int, parameters: bytes) -> None:
        command = Command(asyncio.get_running_loop().time(), op_code, parameters)
        reaction = self.reactions.get(op_code)
        if reaction is None or not reaction(command):
            self.execute(command)
        self.commands.append(command)

    def execute(self, command: Command) -> None:
        """Executes a command, and answers it."""
        op_code, parameters, state = command.op_code, command.parameters, self.state
        status = SUCCESS
        if op_code == RESET:
            self.forget()
        elif op_code == SET_EVENT_MASK:
            state.event_mask = int.from_bytes(parameters, "little")
        elif op_code == LE_SET_EVENT_MASK:
            state.le_event_mask = int.from_bytes(parameters, "little")
        elif op_code == LE_SET_RANDOM_ADDRESS:
            state.has_address = True
        elif op_code == LE_SET_SCAN_PARAMETERS and state.is_scanning:
            status = COMMAND_DISALLOWED
        elif op_code == LE_SET_SCAN_ENABLE:
            state.is_scanning = parameters[0] == 1
        elif op_code == LE_SET_ADVERTISING_ENABLE:
            state.is_advertising = parameters[0] == 1
        returned = self.public_address if op_code == READ_ADDRESS else INFORMATION.get(op_code, b"")
        self.complete(op_code, status, returned)


async def start(agent: Agent, controller: ScriptedController) -> None:
    """Starts the agent and waits for both roles."""
    await agent.start_and_wait(controller.transport)
    await controller.until_ready()
