"""Positions in the venue: points in metres, and routes at walking speed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Point(NamedTuple):
    """A position in metres; the beacon is at the origin."""

    x: float
    y: float

    def distance_to(self, other: "Point") -> float:
        """The distance in metres."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Waypoint(NamedTuple):
    """A position (x, y) in metres, to be reached `at` seconds after the start of the scene."""

    at: float
    x: float
    y: float


@dataclass(frozen=True)
class Route:
    """Waypoints in the order of time, joined by straight lines.

    The position is constant before the first and after the last.
    """

    waypoints: Sequence[Waypoint]

    def __post_init__(self) -> None:
        times = [waypoint.at for waypoint in self.waypoints]
        if not times or times != sorted(times):
            raise ValueError("a route needs waypoints in the order of time")

    @property
    def starts(self) -> float:
        """Scene time of the first waypoint, in seconds."""
        return self.waypoints[0].at

    @property
    def ends(self) -> float:
        """Scene time of the last waypoint, in seconds."""
        return self.waypoints[-1].at

    def position(self, at: float) -> Point:
        """The position at scene time `at`."""
        for before, after in zip(self.waypoints, self.waypoints[1:]):
            if before.at <= at < after.at:
                part = (at - before.at) / (after.at - before.at)
                return Point(before.x + part * (after.x - before.x), before.y + part * (after.y - before.y))
        edge = self.waypoints[0] if at < self.starts else self.waypoints[-1]
        return Point(edge.x, edge.y)


def standing(x: float, y: float) -> Callable[[], Point]:
    """A position that does not change."""
    point = Point(x, y)
    return lambda: point
