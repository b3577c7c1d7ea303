"""Phones of every scheme in both roles, and an agent with an identity in every scheme.

They meet two at a time, and all at once. Each side gets the other's identity, and the log has the scheme, the
time and the RSSI.
"""

from __future__ import annotations

import itertools

import pytest

from scheme_visitors import (
    CovidTracerVisitor,
    ExposureVisitor,
    HeraldVisitor,
    ProximityVisitor,
    SonarAndroidVisitor,
    SonarVisitor,
    Visitor,
)
from tabardctl import FoundEncounter
from venue import Venue
from verdict import TIME_TOLERANCE_SECONDS
from wearer import Wearer

Kinds = tuple[type[Visitor], ...]

ALL: Kinds = (HeraldVisitor, SonarVisitor, CovidTracerVisitor, ProximityVisitor, ExposureVisitor)
ANDROID = {SonarVisitor: SonarAndroidVisitor}


def pairs() -> list[Kinds]:
    """All pairs; Sonar's iPhone meets two of the other schemes, and its Android phone the other two."""
    return [
        tuple(ANDROID.get(kind, kind) for kind in pair) if CovidTracerVisitor in pair or ProximityVisitor in pair else pair
        for pair in itertools.combinations(ALL, 2)
    ]


async def assert_all_meet(venue: Venue, kinds: Kinds, **radio: object) -> None:
    wearer = await Wearer.equip(venue)
    await venue.start_agent(**wearer.settings(**radio))
    visitors = [await kind.come(venue, wearer, 1.0 + place) for place, kind in enumerate(kinds)]
    for visitor in visitors:
        await visitor.learnt()
    found = await venue.synced(
        lambda found: all(any(each.samples for each in visitor.encounters(found)) for visitor in visitors),
        what="encounter with a sample in every scheme",
    )
    named = {(each.scheme, each.identity) for each in found if each.identity is not None}
    assert named == {(visitor.scheme, visitor.said) for visitor in visitors}
    for visitor in visitors:
        await visitor.assert_knows(wearer)
        (encounter,) = visitor.encounters(found)
        assert_true(venue, visitor, encounter)
        assert (await visitor.learnt()).rssi_dbm == venue.rssi_dbm(visitor.phone)


def assert_true(venue: Venue, visitor: Visitor, encounter: FoundEncounter) -> None:
    """Asserts that time and RSSI are those of the air."""
    heard = venue.truth.heard(visitor.phone.name)
    assert encounter.start is not None and encounter.end is not None
    assert abs(encounter.start - heard[0].at) < TIME_TOLERANCE_SECONDS
    assert encounter.start <= encounter.end < heard[-1].at + TIME_TOLERANCE_SECONDS
    assert {heard.rssi_dbm for heard in heard} == {encounter.rssi["minimum"], encounter.rssi["maximum"]}
    assert set(encounter.addresses) == {address.lower() for address in visitor.phone.addresses}


@pytest.mark.parametrize("kinds", pairs(), ids=lambda kinds: " and ".join(kind.scheme for kind in kinds))
async def test_two_at_a_time(venue: Venue, kinds: Kinds) -> None:
    await assert_all_meet(venue, kinds, extended_commands=True)


@pytest.mark.parametrize("extended", [False, True], ids=["time-multiplexed", "with an advertising set of its own"])
async def test_all_at_once(venue: Venue, extended: bool) -> None:
    kinds = ALL if extended else tuple(ANDROID.get(kind, kind) for kind in ALL)
    await assert_all_meet(venue, kinds, extended_commands=extended)
