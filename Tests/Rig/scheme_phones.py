"""Phones with apps of schemes other than Herald, which behave like the originals.

Their peripherals are here, their centrals in scheme_centrals.py. Both are implemented apart from the agent's
code.

Sources: nhsx/COVID-19-app-iOS-BETA and -Android-BETA, RaphaelJ/covid-tracer, mash/BLE-Proximity.
"""

from __future__ import annotations

import os
import struct
import time
from asyncio import Event
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bumble.att import ATT_Error, ErrorCode
from bumble.core import UUID
from bumble.device import Connection
from bumble.gatt import Characteristic, CharacteristicValue, Service
from cryptography.hazmat.primitives.asymmetric import ec

import herald
from air import Air
from journal import Journal
from link_loss import address_text
from peripheral_quirks import answer_twice, ignore_offsets
from phone_events import PayloadServed
from phone_kinds import PhoneKind
from scheme_centrals import CovidTracerCentral, ProximityCentral, SonarAndroidCentral, SonarIPhoneCentral
from scheme_uuids import (
    BLE_PROXIMITY,
    BLE_PROXIMITY_IDENTITY,
    COVID_TRACER,
    COVID_TRACER_IDENTITY,
    SONAR,
    SONAR_IDENTITY,
    SONAR_KEEP_ALIVE,
)
from seeking_phone import Central, SeekingPhone
from sonar_authority import Installation

READ, WRITE = Characteristic.Properties.READ, Characteristic.Properties.WRITE
WRITE_WITHOUT_RESPONSE = Characteristic.Properties.WRITE_WITHOUT_RESPONSE
NOTIFY = Characteristic.Properties.NOTIFY


@dataclass(frozen=True)
class SchemeApp:
    """An app's service, and its answer to a read of its identity."""

    scheme: str
    """The scheme's name in `tabardctl encounters --json`."""
    service: UUID
    identity: UUID
    properties: Characteristic.Properties
    answer: Callable[[], bytes | None]
    """Makes the answer to each read; None makes an error."""
    central: Callable[[SeekingPhone], Central]
    """Makes the central role of the app."""
    keep_alive: UUID | None = None
    names: int | None = None
    """The number of bytes of the answer that are its identity; None: all."""
    ignores_offsets: bool = False
    """Whether it answers every offset with the beginning."""
    answers_twice: bool = False
    """Whether it sends an error after each answer."""


def sonar_app(*, android: bool = False, country: int = 826, seconds_off: int = 0) -> SchemeApp:
    """NHSX's Sonar after its registration. `seconds_off` is the error of its clock."""
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    broadcast = struct.pack(">H", country) + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big") + os.urandom(42)

    def payload() -> bytes:
        return broadcast + struct.pack(">bi", sonar_power_dbm(android), int(time.time()) + seconds_off) + os.urandom(16)

    return SchemeApp(
        "sonar",
        SONAR,
        SONAR_IDENTITY,
        READ | WRITE | WRITE_WITHOUT_RESPONSE | NOTIFY if android else READ | NOTIFY,
        payload,
        SonarAndroidCentral if android else SonarIPhoneCentral,
        keep_alive=SONAR_KEEP_ALIVE,
        names=len(broadcast),
        ignores_offsets=True,
    )


def registered_sonar_app(installation: Installation, *, android: bool = False) -> SchemeApp:
    """NHSX's Sonar as an installation that an authority knows."""
    broadcast = installation.broadcast(int(time.time()) - 60)
    power_dbm = sonar_power_dbm(android)
    app = sonar_app(android=android)
    return replace(app, answer=lambda: installation.answer(broadcast, int(time.time()), power_dbm))


def sonar_power_dbm(android: bool) -> int:
    """The transmit power in its payload."""
    return -7 if android else 0


def unregistered(app: SchemeApp, until: Event, *, android: bool = False) -> SchemeApp:
    """Before its registration, an iPhone answers with an empty value, and an Android phone with an error."""
    return replace(app, answer=lambda: app.answer() if until.is_set() else None if android else b"")


def saying(app: SchemeApp, *, bytes_more: int) -> SchemeApp:
    """An app whose answer is longer or shorter than allowed."""

    def answer() -> bytes:
        right = app.answer() or b""
        return (right + bytes(max(0, bytes_more)))[: len(right) + bytes_more]

    return replace(app, answer=answer)


def covid_tracer_app() -> SchemeApp:
    """RaphaelJ's CovidTracer on Android; on iOS it has no server."""
    key = os.urandom(20)
    return SchemeApp(
        "covid-tracer",
        COVID_TRACER,
        COVID_TRACER_IDENTITY,
        READ | NOTIFY,
        lambda: key,
        CovidTracerCentral,
    )


def proximity_app() -> SchemeApp:
    """mash's BLE-Proximity."""
    user = os.urandom(8)
    return SchemeApp(
        "ble-proximity",
        BLE_PROXIMITY,
        BLE_PROXIMITY_IDENTITY,
        READ | WRITE | WRITE_WITHOUT_RESPONSE,
        lambda: user,
        lambda phone: ProximityCentral(phone, user),
        answers_twice=True,
    )


SONAR_IPHONE = PhoneKind("iPhone with Sonar", (herald.flags(0x1A), herald.service_list(SONAR)))
SONAR_IPHONE_BACKGROUND = PhoneKind(
    "iPhone with Sonar in the background", (herald.flags(0x1A), herald.overflow_area(9, 0x40))
)
SONAR_SMALL_MTU = replace(SONAR_IPHONE, name="phone with Sonar, without a larger MTU", maximum_mtu=23)
SONAR_ANDROID = PhoneKind(
    "Android phone with Sonar",
    (herald.flags(0x02), herald.service_list(SONAR), herald.tx_power(-7), herald.manufacturer_data(224, b"")),
    maximum_mtu=131,
)
COVID_TRACER_ANDROID = PhoneKind("Android phone with CovidTracer", (herald.flags(0x02),), maximum_mtu=23)
"""The app provides no advertising data; Android adds the flags of a connectable advert."""
PROXIMITY_IPHONE = PhoneKind(
    "iPhone with BLE-Proximity",
    (herald.flags(0x1A), herald.service_list(BLE_PROXIMITY)),
    scan_response=herald.local_name("BProximity"),
)


class SchemePhone(SeekingPhone):
    """A phone with such apps, which is a central only if it `seeks`.

    Its journals record by scheme what it served.
    """

    def __init__(
        self,
        air: Air,
        name: str,
        kind: PhoneKind,
        apps: Iterable[SchemeApp],
        *,
        seeks: bool = False,
        **options: object,
    ) -> None:
        super().__init__(air, name, kind, **options)
        self.apps = list(apps)
        self.centrals = [app.central(self) for app in self.apps] if seeks else []
        self.reads = {app.scheme: Journal[PayloadServed](f"{name}: {app.scheme} served") for app in self.apps}
        self.answers: dict[str, list[bytes]] = {app.scheme: [] for app in self.apps}
        self.written: Journal[bytes] = Journal(f"{name}: written by others")

    def other_services(self) -> Iterable[Service]:
        services = {app.scheme: self._service(app) for app in self.apps}
        server = self.device.gatt_server
        for app in self.apps:
            identity = services[app.scheme].characteristics[:1]
            if app.ignores_offsets:
                ignore_offsets(server, identity)
            if app.answers_twice:
                answer_twice(server, identity)
        return services.values()

    def _service(self, app: SchemeApp) -> Service:
        def read(connection: Connection) -> bytes:
            answer = app.answer()
            self.reads[app.scheme].append(
                PayloadServed(time.time(), address_text(connection.peer_address), connection.att_mtu)
            )
            if answer is None:
                raise ATT_Error(ErrorCode.UNLIKELY_ERROR)
            if answer:
                self.answers[app.scheme].append(answer)
            return answer

        def write(_: Connection, value: bytes) -> None:
            self.written.append(bytes(value))

        permissions = Characteristic.READABLE
        if app.properties & WRITE:
            permissions |= Characteristic.WRITEABLE
        characteristics = [
            Characteristic(app.identity, app.properties, permissions, CharacteristicValue(read=read, write=write))
        ]
        if app.keep_alive is not None:
            characteristics.append(Characteristic(app.keep_alive, NOTIFY, Characteristic.READABLE, b""))
        return Service(app.service, characteristics)

    def names(self, app: SchemeApp) -> bytes:
        """Its identity in this scheme, from its first answer."""
        return self.answers[app.scheme][0][: app.names]
