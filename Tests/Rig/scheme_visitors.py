"""A phone of each scheme, in both roles, that visits an agent; and the expected results of its visit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

from exposure_phone import ExposurePhone
from motion import standing
from phone_events import IdentityLearnt
from phone_kinds import ANDROID_CURRENT, PhoneKind
from phones import Phone
from scheme_phones import (
    COVID_TRACER_ANDROID,
    PROXIMITY_IPHONE,
    SONAR_ANDROID,
    SONAR_IPHONE,
    SchemeApp,
    SchemePhone,
    covid_tracer_app,
    proximity_app,
    registered_sonar_app,
)
from sonar_authority import Installation
from tabardctl import FoundEncounter
from venue import Venue
from wearer import Wearer


class Visitor(ABC):
    """A phone of one scheme."""

    scheme: ClassVar[str]
    phone: Phone

    @classmethod
    @abstractmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        """Switches the phone on at this distance from the agent."""

    @property
    @abstractmethod
    def said(self) -> bytes | None:
        """The identity that it has served, as the archive must have it."""

    @abstractmethod
    async def learnt(self) -> IdentityLearnt:
        """Waits until it has learnt an identity."""

    async def assert_knows(self, wearer: Wearer) -> None:
        """Asserts that the identity that it has learnt is the wearer's."""
        learnt = await self.learnt()
        assert learnt.identity in wearer.identities(self.scheme, learnt.at)

    def encounters(self, found: list[FoundEncounter]) -> list[FoundEncounter]:
        """The encounters with its identity."""
        return [each for each in found if (each.scheme, each.identity) == (self.scheme, self.said)]


class HeraldVisitor(Visitor):
    scheme = "herald"

    @classmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        visitor = cls()
        visitor.phone = await venue.phone(ANDROID_CURRENT, cls.scheme, metres=metres, reads_beacons=True)
        return visitor

    @property
    def said(self) -> bytes:
        return self.phone.payload

    async def learnt(self) -> IdentityLearnt:
        read = await self.phone.read.first(what="payload of the agent")
        return IdentityLearnt(read.at, read.address, read.payload, read.rssi_dbm)


class AppVisitor(Visitor):
    """A phone that is read over links, and reads others."""

    phone: SchemePhone

    @classmethod
    async def with_app(cls, venue: Venue, kind: PhoneKind, app: SchemeApp, metres: float) -> Self:
        visitor = cls()
        visitor.phone = SchemePhone(venue.air, kind.name, kind, [app], seeks=True, position=standing(metres, 0))
        await venue.admit(visitor.phone)
        return visitor

    @property
    def said(self) -> bytes | None:
        answers = self.phone.answers[self.scheme]
        return answers[0] if answers else None

    async def learnt(self) -> IdentityLearnt:
        return await self.phone.learnt.first(what="identity of the agent")


class SonarVisitor(AppVisitor):
    """An iPhone, which stays connected."""

    scheme = "sonar"
    is_android = False
    installation: Installation

    @classmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        installation, _, _ = await wearer.authority.install(f"visitor-{len(venue.phones)}")
        app = registered_sonar_app(installation, android=cls.is_android)
        visitor = await cls.with_app(venue, SONAR_ANDROID if cls.is_android else SONAR_IPHONE, app, metres)
        visitor.installation = installation
        return visitor

    async def assert_knows(self, wearer: Wearer) -> None:
        """Asserts that the authority finds each installation in the other's upload."""
        learnt = await self.learnt()
        upload = self.installation.upload([(learnt.identity, learnt.at, learnt.rssi_dbm)])
        assert await wearer.authority.resolved(upload) == [wearer.sonar.name]
        assert await wearer.authority.resolved(await wearer.upload()) == [self.installation.name]


class SonarAndroidVisitor(SonarVisitor):
    """An Android phone, which connects and disconnects."""

    is_android = True


class CovidTracerVisitor(AppVisitor):
    scheme = "covid-tracer"

    @classmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        return await cls.with_app(venue, COVID_TRACER_ANDROID, covid_tracer_app(), metres)


class ProximityVisitor(AppVisitor):
    scheme = "ble-proximity"

    @classmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        return await cls.with_app(venue, PROXIMITY_IPHONE, proximity_app(), metres)

    async def assert_knows(self, wearer: Wearer) -> None:
        """Asserts the same of the identity that the agent has written to it."""
        await super().assert_knows(wearer)
        told = await self.phone.written.first(what="identity that the agent has written")
        assert told in wearer.identities(self.scheme, (await self.learnt()).at)


class ExposureVisitor(Visitor):
    scheme = "exposure-notification"
    phone: ExposurePhone

    @classmethod
    async def come(cls, venue: Venue, wearer: Wearer, metres: float) -> Self:
        visitor = cls()
        visitor.phone = ExposurePhone(venue.air, cls.scheme, position=standing(metres, 0))
        await venue.admit(visitor.phone)
        return visitor

    @property
    def said(self) -> bytes:
        return self.phone.identity

    async def learnt(self) -> IdentityLearnt:
        return await self.phone.learnt.first(what="identifier of the agent")
