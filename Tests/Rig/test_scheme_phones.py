"""Phones of Sonar, CovidTracer and BLE-Proximity, which the agent reads as a central."""

from __future__ import annotations

import asyncio

import pytest

from motion import standing
from phone_kinds import ANDROID_CURRENT, PhoneKind
from scheme_phones import (
    COVID_TRACER_ANDROID,
    PROXIMITY_IPHONE,
    SONAR_ANDROID,
    SONAR_IPHONE,
    SONAR_IPHONE_BACKGROUND,
    SONAR_SMALL_MTU,
    SchemeApp,
    SchemePhone,
    covid_tracer_app,
    proximity_app,
    saying,
    sonar_app,
    unregistered,
)
from tabardctl import FoundEncounter
from venue import Venue

LISTEN = {
    "schemes": {"sonar": "listen", "covid_tracer": "listen", "ble_proximity": "listen"},
    "encounters": {"gap_seconds": 30},
}


async def phone_with(venue: Venue, kind: PhoneKind, *apps: SchemeApp, metres: float = 2.0) -> SchemePhone:
    phone = SchemePhone(venue.air, kind.name, kind, apps, position=standing(metres, 0))
    await venue.admit(phone)
    return phone


def found_by(app: SchemeApp, phone: SchemePhone, encounters: list[FoundEncounter]) -> list[FoundEncounter]:
    """The encounters with the identity that the phone has in the scheme."""
    if not phone.answers[app.scheme]:
        return []
    name = phone.names(app)
    return [
        encounter
        for encounter in encounters
        if encounter.scheme == app.scheme and (encounter.identity or b"")[: len(name)] == name
    ]


async def assert_recorded(venue: Venue, phone: SchemePhone, *apps: SchemeApp) -> list[FoundEncounter]:
    """Asserts that the log has the encounter's scheme, time and RSSI, and that one link was enough."""
    found = await venue.synced(
        lambda found: all(any(each.samples for each in found_by(app, phone, found)) for app in apps),
        what="encounter with a sample in every scheme",
    )
    for app in apps:
        (encounter,) = found_by(app, phone, found)
        assert encounter.identity == phone.answers[app.scheme][0]
        assert len(phone.reads[app.scheme]) == 1
        assert set(encounter.addresses) <= {address.lower() for address in phone.addresses}
        assert encounter.start is not None and encounter.start <= phone.reads[app.scheme].entries[0].at + 1
        truth = [hearing.rssi_dbm for hearing in venue.truth.heard(phone.name)]
        assert min(truth) <= encounter.rssi["minimum"] <= encounter.rssi["maximum"] <= max(truth)
    assert len([link for link in phone.links if link.what == "up"]) == 1
    return found


@pytest.mark.parametrize(
    ("kind", "make_apps"),
    [
        (SONAR_IPHONE, [sonar_app]),
        (SONAR_IPHONE_BACKGROUND, [sonar_app]),
        (SONAR_ANDROID, [lambda: sonar_app(android=True)]),
        (COVID_TRACER_ANDROID, [covid_tracer_app]),
        (PROXIMITY_IPHONE, [proximity_app]),
        (SONAR_IPHONE, [sonar_app, proximity_app]),
        (SONAR_ANDROID, [lambda: sonar_app(android=True), covid_tracer_app]),
        (PROXIMITY_IPHONE, [covid_tracer_app, proximity_app]),
    ],
    ids=lambda value: value.name if isinstance(value, PhoneKind) else f"{len(value)}",
)
async def test_a_phone_is_read_over_one_link_and_recorded(venue: Venue, kind: PhoneKind, make_apps: list) -> None:
    await venue.start_agent(**LISTEN)
    apps = [make() for make in make_apps]
    phone = await phone_with(venue, kind, *apps)
    await assert_recorded(venue, phone, *apps)


async def test_all_at_once_each_side_by_side_with_herald(venue: Venue) -> None:
    await venue.start_agent(**LISTEN)
    sonar, tracer, proximity = sonar_app(), covid_tracer_app(), proximity_app()
    everything = await phone_with(venue, ANDROID_CURRENT, sonar, tracer, proximity)
    others = [
        (await phone_with(venue, kind, app), app)
        for kind, app in (
            (SONAR_IPHONE, sonar_app()),
            (COVID_TRACER_ANDROID, covid_tracer_app()),
            (PROXIMITY_IPHONE, proximity_app()),
        )
    ]
    for phone, app in others:
        await assert_recorded(venue, phone, app)
    found = await assert_recorded(venue, everything, sonar, tracer, proximity)
    assert everything.payload in {encounter.identity for encounter in found if encounter.scheme == "herald"}


@pytest.mark.parametrize("android", [False, True])
async def test_a_phone_that_is_not_registered_yet_is_asked_again(venue: Venue, android: bool) -> None:
    await venue.start_agent(**LISTEN)
    registered = asyncio.Event()
    app = sonar_app(android=android)
    phone = await phone_with(venue, SONAR_IPHONE, unregistered(app, registered, android=android))
    await phone.reads["sonar"].first(what="first attempt")
    found = await venue.synced(lambda all: bool(all), what="encounter with the phone")
    assert "sonar" not in {encounter.scheme for encounter in found}
    registered.set()
    found = await venue.synced(lambda all: bool(found_by(app, phone, all)), what="encounter in Sonar")
    assert [encounter.identity for encounter in found_by(app, phone, found)] == phone.answers["sonar"]
    assert len(phone.reads["sonar"]) >= 2


@pytest.mark.parametrize(
    ("app", "reason"),
    [
        (sonar_app(seconds_off=-700), "its time differs from the time of reading"),
        (sonar_app(country=0x4742), "unknown country code"),
        (saying(sonar_app(), bytes_more=-1), "wrong length"),
        (saying(sonar_app(), bytes_more=1), "wrong length"),
        (saying(covid_tracer_app(), bytes_more=-1), "wrong length"),
        (saying(proximity_app(), bytes_more=-1), "wrong length"),
    ],
    ids=["stale", "country", "128 bytes", "130 bytes", "19 bytes", "7 bytes"],
)
async def test_invalid_identities_are_refused_with_a_reason(venue: Venue, app: SchemeApp, reason: str) -> None:
    phone = await phone_with(venue, SONAR_IPHONE, app)
    assert reason in await refused_by_a_new_agent(venue, phone, app)


async def test_a_phone_that_ignores_offsets_says_nothing_over_a_small_mtu(venue: Venue) -> None:
    """Its answer repeats the beginning. The agent must not take that for an identity."""
    app = sonar_app()
    phone = await phone_with(venue, SONAR_SMALL_MTU, app)
    refusal = await refused_by_a_new_agent(venue, phone, app)
    assert "wrong length" in refusal and (phone.answers["sonar"][0][:22] * 2).hex() in refusal
    assert {read.mtu for read in phone.reads["sonar"]} == {23}


async def refused_by_a_new_agent(venue: Venue, phone: SchemePhone, app: SchemeApp) -> str:
    """Starts an agent and lets it read the phone; returns the entry of its refusal as text."""
    agent = await venue.start_agent(**LISTEN)
    await phone.reads[app.scheme].first(what="read by the agent")
    await phone.links.first(lambda link: link.what == "down", what="end of the agent's link")
    assert await agent.stop() == 0
    text = await venue.tabardctl.run("inspect", str(agent.log_path), "--entries")
    assert "identified" not in text
    [refusal] = [line for line in text.splitlines() if "refused " in line]
    return refusal
