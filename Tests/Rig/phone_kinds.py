"""The kinds of phone that pass a beacon, with their adverts and GATT services."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

from bumble.core import UUID

import herald


class AddressKind(Enum):
    """The two most significant bits of a random address."""

    NON_RESOLVABLE = 0x00
    RESOLVABLE = 0x40
    STATIC = 0xC0

    def address(self, seed: str) -> str:
        """A random address of this kind, the same for the same seed."""
        octets = bytearray(hashlib.sha256(seed.encode()).digest()[:6])
        octets[0] = octets[0] & 0x3F | self.value
        return octets.hex(":").upper()


@dataclass(frozen=True)
class PhoneKind:
    """The common properties of phones of one kind."""

    name: str
    advert_structures: tuple[bytes, ...] = ()
    pseudo_address_manufacturer: int | None = None
    """The manufacturer's number in front of the advert's pseudo device address of six bytes, if it has one.
    """
    scan_response: bytes = b""
    hosted_services: tuple[UUID, ...] = ()
    signal: UUID = herald.COMPLIANT_SIGNAL
    address_kind: AddressKind = AddressKind.RESOLVABLE
    advertising_interval_milliseconds: float = 250
    maximum_mtu: int = 517
    pause_seconds: float = 0.0
    """The delay of each answer and of each request."""
    address_seconds: float | None = None
    """The interval between changes of address; None: only on request."""
    reads_beacons: bool = True
    connectable: bool = True
    extended_advertising: bool = False
    """Whether it advertises in extended PDUs, which scanners with the legacy commands do not receive."""

    @property
    def is_herald(self) -> bool:
        """Whether a beacon should count this device."""
        return herald.SERVICE in self.hosted_services or herald.LEGACY_SERVICE in self.hosted_services

    @property
    def sought_services(self) -> tuple[UUID, ...]:
        """The services in which it looks for characteristics, in order.

        Before version 2.1, phones know only the old service.
        """
        return (herald.SERVICE, herald.LEGACY_SERVICE) if herald.SERVICE in self.hosted_services else (herald.LEGACY_SERVICE,)

    def writes(self, message: bytes) -> list[bytes]:
        """The writes of a signal message: Android phones split it, iPhones do not."""
        return herald.fragments(message) if self.signal == herald.COMPLIANT_SIGNAL else [message]

    def advert(self, seed: str) -> bytes:
        """The advertising data of the device named `seed`."""
        structures = b"".join(self.advert_structures)
        if self.pseudo_address_manufacturer is not None:
            pseudo_address = hashlib.sha256(b"pseudo address of " + seed.encode()).digest()[:6]
            structures += herald.manufacturer_data(self.pseudo_address_manufacturer, pseudo_address)
        if len(structures) > (229 if self.extended_advertising else 31):
            raise ValueError(f"an advert of {len(structures)} bytes does not fit")
        return structures


ANDROID_CURRENT = PhoneKind(
    "Android, current Herald",
    (herald.flags(0x02), herald.service_list(herald.SERVICE)),
    pseudo_address_manufacturer=herald.MANUFACTURER,
    hosted_services=(herald.SERVICE,),
)

ANDROID_LEGACY = PhoneKind(
    "Android, legacy Herald",
    (herald.flags(0x02), herald.service_list(herald.LEGACY_SERVICE)),
    pseudo_address_manufacturer=herald.LEGACY_MANUFACTURER,
    hosted_services=(herald.LEGACY_SERVICE,),
)

ANDROID_SMALL_MTU = PhoneKind(
    "Android without a larger MTU",
    (herald.flags(0x02), herald.service_list(herald.SERVICE)),
    pseudo_address_manufacturer=herald.MANUFACTURER,
    hosted_services=(herald.SERVICE,),
    maximum_mtu=23,
)

ANDROID_SLOW = PhoneKind(
    "slow Android without a larger MTU",
    (herald.flags(0x02), herald.service_list(herald.SERVICE)),
    hosted_services=(herald.SERVICE,),
    maximum_mtu=23,
    pause_seconds=0.15,
)

ANDROID_RESTLESS = PhoneKind(
    "Android with a new address every two seconds",
    (herald.flags(0x02), herald.service_list(herald.SERVICE)),
    pseudo_address_manufacturer=herald.MANUFACTURER,
    hosted_services=(herald.SERVICE,),
    address_seconds=2.0,
)

ANDROID_RESTLESS_LEGACY = PhoneKind(
    "Android, legacy Herald, with a new address every two seconds",
    (herald.flags(0x02), herald.service_list(herald.LEGACY_SERVICE)),
    pseudo_address_manufacturer=herald.LEGACY_MANUFACTURER,
    hosted_services=(herald.LEGACY_SERVICE,),
    address_seconds=2.0,
)

ANDROID_EXTENDED = PhoneKind(
    "Android with extended advertising",
    # The service is beyond the reach of a legacy advert.
    (herald.flags(0x02), herald.local_name("a phone whose name is longer than a legacy advert"), herald.service_list(herald.SERVICE)),
    pseudo_address_manufacturer=herald.MANUFACTURER,
    hosted_services=(herald.SERVICE,),
    extended_advertising=True,
)

BOTH_SERVICES = PhoneKind(
    "phone with both services",
    (herald.flags(0x06), herald.service_list(herald.SERVICE), herald.service_list(herald.LEGACY_SERVICE)),
    hosted_services=(herald.SERVICE, herald.LEGACY_SERVICE),
)

IPHONE_FOREGROUND = PhoneKind(
    "iPhone, app in the foreground",
    (herald.flags(0x1A), herald.tx_power(12), herald.service_list(herald.SERVICE)),
    hosted_services=(herald.SERVICE,),
    signal=herald.NON_COMPLIANT_SIGNAL,
)

IPHONE_BACKGROUND = PhoneKind(
    "iPhone, app in the background",
    (herald.flags(0x1A), herald.tx_power(12), herald.overflow_area()),
    hosted_services=(herald.LEGACY_SERVICE,),
    signal=herald.NON_COMPLIANT_SIGNAL,
)

WEARABLE = PhoneKind(
    "wearable with a name",
    (herald.flags(0x06), herald.service_list(herald.LEGACY_SERVICE)),
    scan_response=herald.local_name("Herald Wearable"),
    hosted_services=(herald.LEGACY_SERVICE,),
)

EXPOSURE_NOTIFICATION = PhoneKind(
    "phone with Exposure Notification",
    (
        herald.flags(0x1A),
        bytes.fromhex("03036ffd"),
        bytes.fromhex("17166ffd8be6cd371c5c891604bfbe49df84509672033874"),  # Google's first vector
    ),
    address_kind=AddressKind.NON_RESOLVABLE,
    reads_beacons=False,
    connectable=False,
)

OWN_SERVICE = PhoneKind(
    "phone of a country with a service of its own",
    (herald.flags(0x02), herald.service_list(UUID("0544082d-4676-4d5e-8ee0-34bd1907f95f"))),
    hosted_services=(UUID("0544082d-4676-4d5e-8ee0-34bd1907f95f"),),
    reads_beacons=False,
)

PASSER_BY = PhoneKind(
    "earphones, no Herald",
    (herald.flags(0x06), herald.service_list(UUID(0x180F)), herald.local_name("Earphones")),
    address_kind=AddressKind.STATIC,
    reads_beacons=False,
)

APPLE_TELEVISION = PhoneKind(
    "Apple TV, no Herald",
    (bytes.fromhex("02011a020a0c0aff4c00100508141bba69"),),
    address_kind=AddressKind.RESOLVABLE,
    reads_beacons=False,
)

IPHONE_OTHER_APP = PhoneKind(
    "iPhone in the background with another app",
    (herald.flags(0x1A), herald.tx_power(12), herald.overflow_area(3, 0x04)),
    reads_beacons=False,
)

MALFORMED = PhoneKind(
    "advert with an Apple message cut short",
    (bytes.fromhex("04ff4c0010"),),
    address_kind=AddressKind.NON_RESOLVABLE,
    reads_beacons=False,
    connectable=False,
)
