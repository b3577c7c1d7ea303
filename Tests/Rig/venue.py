"""A venue for tests: the air, a real agent at its origin, phones as needed, and the operator's tool."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import herald
from agent import Agent, find_agent, find_tabardctl
from air import Air
from endpoints import AGENT_PUBLIC_ADDRESS, Endpoint, SeqpacketEndpoint, SerialEndpoint, TcpEndpoint, UnixStreamEndpoint
from journal import PATIENCE_SECONDS
from motion import Point, standing
from phone_kinds import PhoneKind
from phones import Phone
from tabardctl import FoundEncounter, Tabardctl
from truth import Truth

COUNTRY, STATE, LOCATION, PREMISES, AREA = 826, 4, 123456, "Adams Pizza", "Upstairs"
PAYLOAD = herald.beacon_payload(COUNTRY, STATE, LOCATION, name=PREMISES, area=AREA)
"""The payload of a beacon with the tests' configuration."""
TX_POWER_DBM = -6
ADDRESS = "c4:a2:0d:11:22:33"


def configuration() -> dict[str, dict[str, object]]:
    """A beacon's settings, with short times so that tests are short."""
    return {
        "agent": {"role": "beacon"},
        "radio": {"address": ADDRESS.upper(), "tx_power_dbm": TX_POWER_DBM, "advertising_interval_milliseconds": 100},
        "herald": {"country": COUNTRY, "state": STATE, "location": LOCATION, "name": PREMISES, "area": AREA},
        "encounters": {"sample_seconds": 1, "gap_seconds": 5},
        "log": {"size_mebibytes": 1, "loss_window_seconds": 1},
    }


@dataclass(frozen=True)
class Place:
    """The position of an agent's controller in the air, and its name there."""

    name: str = "agent"
    public_address: str = AGENT_PUBLIC_ADDRESS
    position: Callable[[], Point] = standing(0, 0)


class Venue:
    """One test's venue, as an asynchronous context manager, which leaves nothing behind.

    Another board in the same air is a venue `beside` the first one, with a directory of its own.
    """

    def __init__(self, directory: Path, *, beside: Venue | None = None, metres: float = 3.0) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.air = Air() if beside is None else beside.air
        self._place = Place() if beside is None else Place("other agent", "F0:0A:00:00:00:02", standing(metres, 0))
        self._owns_air = beside is None
        self.truth = Truth(self.air, self._place.name)
        self.phones: list[Phone] = []
        self.endpoint: Endpoint
        self.agent: Agent
        self.tabardctl: Tabardctl
        self._open_endpoints: list[Endpoint] = []

    async def __aenter__(self) -> Venue:
        if self._owns_air:
            await self.air.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        for phone in self.phones:
            phone.switch_off()
        if hasattr(self, "agent"):
            await self.agent.discard()
        for endpoint in self._open_endpoints:
            endpoint.close()
        if self._owns_air:
            await self.air.__aexit__()

    async def open_endpoint(self, kind: str = "unix") -> Endpoint:
        """Opens one of `unix`, `unix-seqpacket`, `tcp-client`, `serial`."""
        place = asdict(self._place)
        makers: dict[str, Callable[[], Endpoint]] = {
            "unix": lambda: UnixStreamEndpoint(self.air, self.directory / "hci.sock", **place),
            "unix-seqpacket": lambda: SeqpacketEndpoint(self.air, self.directory / "hci.seqpacket", **place),
            "tcp-client": lambda: TcpEndpoint(self.air, **place),
            "serial": lambda: SerialEndpoint(self.air, **place),
        }
        self.endpoint = makers[kind]()
        await self.endpoint.open()
        self._open_endpoints.append(self.endpoint)
        return self.endpoint

    async def start_agent(self, kind: str = "unix", **changes: dict[str, object]) -> Agent:
        """Starts the agent on an endpoint of that kind and waits until it is up; `changes` are per table."""
        await self.open_endpoint(kind)
        agent = self.prepare_agent(**changes)
        await agent.start_and_wait(self.endpoint.transport)
        return agent

    def prepare_agent(self, **changes: dict[str, object]) -> Agent:
        """Writes the agent's configuration without starting it; a key that is changed to None is left out."""
        tables = configuration()
        for table, keys in changes.items():
            tables.setdefault(table, {}).update(keys)
        tables = {
            table: {key: value for key, value in keys.items() if value is not None} for table, keys in tables.items()
        }
        self.agent = Agent(find_agent(), self.directory / "agent", tables)
        self.tabardctl = Tabardctl(find_tabardctl(), self.directory / "archive.sqlite")
        return self.agent

    async def phone(self, kind: PhoneKind, name: str = "phone", *, metres: float = 2.0, **options: object) -> Phone:
        """Switches a phone on, `metres` from the beacon; by default it does not read beacons."""
        options.setdefault("reads_beacons", False)
        phone = Phone(self.air, name, kind, position=standing(metres, 0), **options)  # type: ignore[arg-type]
        await self.admit(phone)
        return phone

    async def admit(self, phone: Phone) -> None:
        """Switches on a phone of any class; the venue switches it off at its end."""
        self.phones.append(phone)
        await phone.switch_on()

    def rssi_dbm(self, phone: Phone) -> int:
        """The RSSI between a phone and the agent, which is the same in both directions, without noise."""
        return round(self.air.mean_rssi_dbm(self.air.nodes[phone.name], self.air.nodes[self._place.name]))

    async def synced(self, condition: Callable[[list[FoundEncounter]], bool], *, what: str) -> list[FoundEncounter]:
        """Syncs repeatedly until the archive's encounters satisfy `condition`, and returns them.

        The agent writes its observations to the log within its loss window, so one sync may come too early.
        """
        found: list[FoundEncounter] = []
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    await self.tabardctl.sync(self.agent.sync_port)
                    found = await self.tabardctl.encounters()
                    if condition(found):
                        return found
        except TimeoutError:
            listing = "\n  ".join(map(str, found)) or "(no encounters)"
            raise AssertionError(f"no {what} within {PATIENCE_SECONDS:g} s; the archive has:\n  {listing}") from None


async def until_left_alone(phone: Phone) -> None:
    """Waits until the agent has read the phone, so that the agent's own link is out of the way."""
    await phone.served.first(what="read by the agent")
    await phone.links.first(lambda link: link.what == "down", what="end of the agent's link")
