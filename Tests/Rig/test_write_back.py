"""The writes of a board that does not advertise to phones."""

from __future__ import annotations

import pytest

import herald
from phone_kinds import ANDROID_CURRENT, ANDROID_SMALL_MTU, IPHONE_BACKGROUND, PhoneKind
from venue import PAYLOAD, Venue


@pytest.mark.parametrize(
    "kind", [ANDROID_CURRENT, ANDROID_SMALL_MTU, IPHONE_BACKGROUND], ids=["Android", "Android, MTU 23", "iPhone"]
)
async def test_a_board_that_does_not_advertise_writes_its_payload_and_rssi(venue: Venue, kind: PhoneKind) -> None:
    """HP-C06, HP-C39, HP-C40, X4: a board that does not advertise writes its payload and RSSI to a phone."""
    await venue.start_agent(radio={"advertise": False})
    phone = await venue.phone(kind)
    payload = herald.write_payload(PAYLOAD)
    await phone.signals.until(
        lambda all: len(b"".join(signal.value for signal in all)) >= len(payload) + 3,
        what="payload and RSSI, written by the agent",
    )
    writes = [signal.value for signal in phone.signals]
    if kind.signal == herald.NON_COMPLIANT_SIGNAL:
        assert writes[0] == payload
    else:
        assert all(len(write) <= herald.FRAGMENT_BYTES for write in writes)
    written = b"".join(writes)
    assert written[: len(payload)] == payload
    assert written[len(payload)] == 2
    rssi_dbm = int.from_bytes(written[len(payload) + 1 : len(payload) + 3], "little", signed=True)
    assert -100 < rssi_dbm < 0
    assert len(phone.served) == 1, "its own payload is read once"


async def test_a_silent_iphone_is_woken_and_an_android_phone_is_not(venue: Venue) -> None:
    """An empty write, which is not a message, follows a minute without writes, if it is enabled."""
    await venue.start_agent(herald={"wake_iphones": True})
    iphone = await venue.phone(IPHONE_BACKGROUND, "iPhone")
    android = await venue.phone(ANDROID_CURRENT, "Android")
    await android.served.first(what="the Android phone's payload, read by the agent")
    await iphone.signals.until(
        lambda all: any(signal.value == b"" for signal in all), what="an empty write, for the iPhone", within=90
    )
    assert b"" not in [signal.value for signal in android.signals]
