"""How a phone starts to advertise, by legacy or extended commands as its kind does."""

from __future__ import annotations

from bumble.device import AdvertisingEventProperties, AdvertisingParameters, AdvertisingType, Device
from bumble.hci import Address, OwnAddressType

from phone_kinds import PhoneKind


async def start_advertising(device: Device, kind: PhoneKind, name: str, address: str, step: int) -> None:
    """Starts to advertise under this address; `step` moves the interval by up to 15 slots of 0.625 ms."""
    connectable = AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE
    # Radios add up to 10 ms at random to each interval, but RootCanal does not. Without this offset all
    # phones would advertise in step.
    interval = kind.advertising_interval_milliseconds + step % 16 * 0.625
    if kind.extended_advertising:
        await device.create_advertising_set(
            AdvertisingParameters(
                advertising_event_properties=AdvertisingEventProperties(is_connectable=kind.connectable),
                primary_advertising_interval_min=interval,
                primary_advertising_interval_max=interval,
                own_address_type=OwnAddressType.RANDOM,
            ),
            random_address=Address(address),
            advertising_data=kind.advert(name),
            auto_restart=True,
        )
        return
    await device.start_advertising(
        advertising_type=connectable if kind.connectable else AdvertisingType.UNDIRECTED,
        own_address_type=OwnAddressType.RANDOM,
        advertising_data=kind.advert(name),
        scan_response_data=kind.scan_response,
        advertising_interval_min=interval,
        advertising_interval_max=interval,
        auto_restart=True,
    )
