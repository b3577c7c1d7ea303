"""A scripted scene of devices that come, move and leave, played in real time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from air import Air
from motion import Point, Route, Waypoint
from phone_kinds import PhoneKind
from phones import Phone
from propagation import Propagation


@dataclass(frozen=True)
class Part:
    """One device's part: switched on at the start of each visit, and off at its end."""

    name: str
    kind: PhoneKind
    visits: Sequence[Route]
    rotates_at: float | None = None
    """Scene time at which the phone takes a new address, in seconds."""
    radiated_power_dbm: float = 0.0


@dataclass(order=True)
class Cue:
    """An event at a moment of the scene."""

    at: float
    text: str = field(compare=False)
    action: Callable[[], Awaitable[None]] | None = field(compare=False, default=None)


class Scene:
    """The parts, their phones and the cues."""

    def __init__(self, air: Air, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.phones: dict[str, Phone] = {}
        self._air = air
        self._began = time.monotonic()
        self._cues: list[Cue] = []
        self._routes: dict[str, Route] = {}
        for part in parts:
            self._add_part(part)

    @property
    def now(self) -> float:
        """Scene time in seconds."""
        return time.monotonic() - self._began

    @property
    def ends(self) -> float:
        """Scene time of the last cue."""
        return max(cue.at for cue in self._cues)

    def cue(self, at: float, text: str, action: Callable[[], Awaitable[None]] | None = None) -> None:
        """Adds an event at scene time `at`, in seconds."""
        self._cues.append(Cue(at, text, action))

    async def play(self, say: Callable[[str], None]) -> None:
        """Plays all cues at their times, announcing each through `say`. Raises what an action raises."""
        self._began = time.monotonic()
        actions: list[asyncio.Task[None]] = []
        for cue in sorted(self._cues):
            await asyncio.sleep(max(0.0, cue.at - self.now))
            say(f"{cue.at:5.1f} s  {cue.text}")
            if cue.action is not None:
                actions.append(asyncio.ensure_future(cue.action()))
            for action in actions:
                if action.done():
                    action.result()
        await asyncio.gather(*actions)

    def in_reach(self, part: Part, propagation: Propagation) -> list[tuple[float, float]]:
        """The intervals of scene time in which the phone is in range, by positions alone.

        In range means that the beacon at the origin would receive the phone's mean RSSI.
        """
        step = 0.1
        intervals: list[tuple[float, float]] = []
        for visit in part.visits:
            since: float | None = None
            for index in range(round((visit.ends - visit.starts) / step) + 1):
                at = visit.starts + index * step
                rssi = propagation.mean_rssi_dbm(visit.position(at), Point(0, 0), part.radiated_power_dbm)
                if rssi >= propagation.sensitivity_dbm:
                    since = at if since is None else since
                elif since is not None:
                    intervals.append((round(since, 1), round(at, 1)))
                    since = None
            if since is not None:
                intervals.append((round(since, 1), visit.ends))
        return intervals

    def describe(self, part: Part) -> dict[str, object]:
        """A part, described for the written truth."""
        phone = self.phones[part.name]
        return {
            "name": part.name,
            "kind": part.kind.name,
            "isHerald": part.kind.is_herald,
            "payload": phone.payload.hex(),
            "addresses": [address.lower() for address in phone.addresses],
            "routes": [[list(waypoint) for waypoint in visit.waypoints] for visit in part.visits],
            "inReachByPosition": self.in_reach(part, self._air.propagation),
            "payloadServed": [vars(served) for served in phone.served],
            "failedReads": [vars(failure) for failure in phone.failures],
            "payloadsRead": [{"at": read.at, "payload": read.payload.hex()} for read in phone.read],
        }

    def _add_part(self, part: Part) -> None:
        self._routes[part.name] = part.visits[0]
        phone = Phone(
            self._air,
            part.name,
            part.kind,
            position=lambda: self._routes[part.name].position(self.now),
            radiated_power_dbm=part.radiated_power_dbm,
        )
        self.phones[part.name] = phone
        for count, visit in enumerate(part.visits):
            self.cue(visit.starts, _arrival(phone, visit, count), partial(self._arrive, phone, visit))
            self.cue(visit.ends, f"{part.name} is off the air", partial(self._leave, phone))
        for start, end in self.in_reach(part, self._air.propagation):
            if all(start != visit.starts for visit in part.visits):
                self.cue(start, f"{part.name} comes into reach")
            if all(end != visit.ends for visit in part.visits):
                self.cue(end, f"{part.name} goes out of reach")
        if part.rotates_at is not None:
            self.cue(part.rotates_at, f"{part.name} takes a new address", phone.rotate_address)

    async def _arrive(self, phone: Phone, visit: Route) -> None:
        self._routes[phone.name] = visit
        await phone.switch_on()

    async def _leave(self, phone: Phone) -> None:
        phone.switch_off()


def _arrival(phone: Phone, visit: Route, earlier_visits: int) -> str:
    first = visit.waypoints[0]
    metres = Point(first.x, first.y).distance_to(Point(0, 0))
    walks = len({(waypoint.x, waypoint.y) for waypoint in visit.waypoints}) > 1
    again = " again" if earlier_visits else ""
    return f"{phone} is switched on{again} {metres:.0f} m away" + (" and walks" if walks else "")


def walk(*waypoints: tuple[float, float, float]) -> Route:
    """A route from (seconds, x metres, y metres) triples."""
    return Route([Waypoint(*waypoint) for waypoint in waypoints])
