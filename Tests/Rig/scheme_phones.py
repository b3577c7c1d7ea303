"""Phones with apps of schemes other than Herald, as the originals' peripherals behave; written apart from the agent's code.

Sources: nhsx/COVID-19-app-iOS-BETA and -Android-BETA, RaphaelJ/covid-tracer, mash/BLE-Proximity.
"""

from __future__ import annotations

import os
import struct
import time
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
from phone_events import PayloadServed
from phone_kinds import PhoneKind
from phones import Phone

READ, WRITE = Characteristic.Properties.READ, Characteristic.Properties.WRITE
WRITE_WITHOUT_RESPONSE = Characteristic.Properties.WRITE_WITHOUT_RESPONSE
NOTIFY = Characteristic.Properties.NOTIFY


@dataclass(frozen=True)
class SchemeApp:
    """What an app hosts, and what it answers to whoever reads who it is."""

    scheme: str
    """As `tabardctl encounters --json` calls it."""
    service: UUID
    identity: UUID
    properties: Characteristic.Properties
    answer: Callable[[], bytes | None]
    """Asked at each read. None: an error."""
    keep_alive: UUID | None = None
    names: int | None = None
    """How many bytes of the answer say who it is; None: all."""


def sonar_app(*, android: bool = False, country: int = 826, seconds_off: int = 0) -> SchemeApp:
    """NHSX's Sonar after its registration. `seconds_off`: how wrong its clock is."""
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    broadcast = struct.pack(">H", country) + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big") + os.urandom(42)
    tx_power_dbm = -7 if android else 0

    def payload() -> bytes:
        return broadcast + struct.pack(">bi", tx_power_dbm, int(time.time()) + seconds_off) + os.urandom(16)

    return SchemeApp(
        "sonar",
        UUID("c1f5983c-fa94-4ac8-8e2e-bb86d6de9b21"),
        UUID("85BF337C-5B64-48EB-A5F7-A9FED135C972"),
        READ | WRITE | WRITE_WITHOUT_RESPONSE | NOTIFY if android else READ | NOTIFY,
        payload,
        keep_alive=UUID("D802C645-5C7B-40DD-985A-9FBEE05FE85C"),
        names=len(broadcast),
    )


def unregistered(app: SchemeApp, *, android: bool = False) -> SchemeApp:
    """Before its registration: an iPhone answers with nothing, an Android phone with an error."""
    return replace(app, answer=(lambda: None) if android else (lambda: b""))


def covid_tracer_app() -> SchemeApp:
    """RaphaelJ's CovidTracer on Android; on iOS it has no server."""
    key = os.urandom(20)
    return SchemeApp(
        "covid-tracer",
        UUID("22FC7440-9ED6-48B8-85B3-DA69AF417AED"),
        UUID("04B9494A-477F-4D46-B9A3-BD06C7E1E5E6"),
        READ | NOTIFY,
        lambda: key,
    )


def proximity_app() -> SchemeApp:
    """mash's BLE-Proximity."""
    user = os.urandom(8)
    return SchemeApp(
        "ble-proximity",
        UUID("8E99298E-65D6-4AF7-9074-731C66E01AF9"),
        UUID("9F565547-7415-4EF7-8CDD-E2E9674EF033"),
        READ | WRITE | WRITE_WITHOUT_RESPONSE,
        lambda: user,
    )


SONAR, COVID_TRACER, BLE_PROXIMITY = sonar_app().service, covid_tracer_app().service, proximity_app().service

SONAR_IPHONE = PhoneKind("iPhone with Sonar", (herald.flags(0x1A), herald.service_list(SONAR)))
SONAR_IPHONE_BACKGROUND = PhoneKind(
    "iPhone with Sonar in the background", (herald.flags(0x1A), herald.overflow_area(9, 0x40))
)
SONAR_ANDROID = PhoneKind(
    "Android phone with Sonar",
    (herald.flags(0x02), herald.service_list(SONAR), herald.tx_power(-7), herald.manufacturer_data(224, b"")),
    maximum_mtu=131,
)
COVID_TRACER_ANDROID = PhoneKind("Android phone with CovidTracer", (herald.flags(0x02),), maximum_mtu=23)
"""The app gives no advertising data; Android puts flags before none, as the advert is connectable."""
PROXIMITY_IPHONE = PhoneKind(
    "iPhone with BLE-Proximity",
    (herald.flags(0x1A), herald.service_list(BLE_PROXIMITY)),
    scan_response=herald.local_name("BProximity"),
)


class SchemePhone(Phone):
    """A phone with such apps; what it served is in its journals, by scheme."""

    def __init__(self, air: Air, name: str, kind: PhoneKind, apps: Iterable[SchemeApp], **options: object) -> None:
        super().__init__(air, name, kind, reads_beacons=False, **options)  # type: ignore[arg-type]
        self.apps = list(apps)
        self.reads = {app.scheme: Journal[PayloadServed](f"{name}: {app.scheme} served") for app in self.apps}
        self.answers: dict[str, list[bytes]] = {app.scheme: [] for app in self.apps}
        self.written: Journal[bytes] = Journal(f"{name}: written by others")

    def other_services(self) -> Iterable[Service]:
        return [self._service(app) for app in self.apps]

    def _service(self, app: SchemeApp) -> Service:
        def read(connection: Connection) -> bytes:
            answer = app.answer()
            peer = str(connection.peer_address).split("/")[0].lower()
            self.reads[app.scheme].append(PayloadServed(time.time(), peer, connection.att_mtu))
            if answer is None:
                raise ATT_Error(ErrorCode.UNLIKELY_ERROR)
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
        """Who it is to this scheme, as it said first."""
        return self.answers[app.scheme][0][: app.names]
