"""The agent's Exposure Notification identity, as its phones receive it.

The adverts are compared with the key in the log, by arithmetic that is independent of the project's code.
"""

from __future__ import annotations

import sqlite3
import time

import pytest
from bumble.device import Advertisement, Device
from bumble.hci import HCI_LE_1M_PHY

from exposure_keys import PREFIX, ExposureKey
from journal import Journal
from phone_kinds import ANDROID_CURRENT
from phones import Phone
from test_detection import with_identity
from venue import ADDRESS, TX_POWER_DBM, Venue


async def listen(phone: Phone) -> Journal[Advertisement]:
    """Adverts of Exposure Notification, as the phone receives them."""
    heard: Journal[Advertisement] = Journal("adverts of Exposure Notification")

    def note(advertisement: Advertisement) -> None:
        if bytes(advertisement.data_bytes).startswith(PREFIX):
            heard.append(advertisement)

    phone.device.on(Device.EVENT_ADVERTISEMENT, note)
    await phone.device.start_scanning(active=False, scanning_phys=[HCI_LE_1M_PHY])
    return heard


def key_of_the_day(venue: Venue) -> tuple[ExposureKey, int]:
    """The owner's key in the log, with its first ten-minute interval."""
    with sqlite3.connect(venue.directory / "archive.sqlite") as archive:
        ((key, start),) = archive.execute("SELECT key, firstPeriod FROM ownKey WHERE scheme = 5").fetchall()
    return ExposureKey(key), start


@pytest.mark.parametrize("extended", [False, True], ids=["time-multiplexed", "with an advertising set of its own"])
async def test_phones_receive_the_identifiers_of_the_key_in_the_log(venue: Venue, extended: bool) -> None:
    began = int(time.time()) // 600
    await venue.start_agent(schemes={"exposure_notification": "on"}, radio={"extended_commands": extended})
    phone = await venue.phone(ANDROID_CURRENT, reads_beacons=True)
    await phone.served.first(what="read by the agent")
    await phone.read.first(what="read of the agent")
    heard = await listen(phone)
    await heard.until(lambda all: len(all) >= 12, what="a dozen adverts")
    await venue.synced(lambda all: bool(with_identity(phone.payload, all)), what="encounter with the phone")
    key, start = key_of_the_day(venue)
    assert start % 144 == 0
    intervals = range(began - 1, int(time.time()) // 600 + 1)
    expected = {PREFIX + key.said(interval, TX_POWER_DBM) for interval in intervals}
    for advert in heard:
        assert bytes(advert.data_bytes) in expected
        assert not advert.is_connectable
        address = advert.address
        assert str(address).split("/")[0].lower() != ADDRESS
        assert bytes(address)[5] >> 6 == 0, "non-resolvable"
    assert len({str(advert.address) for advert in heard}) <= 2
