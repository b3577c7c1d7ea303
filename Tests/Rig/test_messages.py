"""Immediate messages end to end: from an operator to phones, and from phones to the operator."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import herald
import program
from agent import find_tabardctl
from journal import PATIENCE_SECONDS
from phone_kinds import ANDROID_CURRENT, IPHONE_FOREGROUND, PASSER_BY
from phones import Phone
from printed_json import document_in
from venue import Venue

MESSAGE = "Fire drill at noon, gather in the yard"


def received(phone: Phone) -> bytes:
    """All bytes written to the phone, in order."""
    return b"".join(signal.value for signal in phone.signals)


async def send(venue: Venue, *arguments: str) -> program.Ended:
    """Runs `tabardctl send`, with any outcome."""
    return await program.run(find_tabardctl(), "send", *arguments, "--port", str(venue.agent.sync_port))


async def messages(venue: Venue) -> list[dict[str, Any]]:
    """The phones' messages in the operator's list; syncs until there are any."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            await venue.tabardctl.sync(venue.agent.sync_port)
            text = await venue.tabardctl.run("messages", "--json", "--archive", str(venue.tabardctl.archive))
            if found := document_in(text):
                return found


async def test_a_message_reaches_everybody_near(venue: Venue) -> None:
    """HP-C29, HP-C30, HP-C39, HP-O08: an operator's message reaches each phone near, in its own way."""
    await venue.start_agent()
    android = await venue.phone(ANDROID_CURRENT, "android")
    iphone = await venue.phone(IPHONE_FOREGROUND, "iphone")
    stranger = await venue.phone(PASSER_BY, "earphones")
    for phone in (android, iphone):
        await phone.served.first(what="read by the agent")
    ended = await send(venue, MESSAGE)
    assert ended.exit_code == 0, ended.errors
    assert "for 2 devices, delivered to 2" in ended.output
    message = herald.immediate_send(MESSAGE.encode())
    assert received(android).endswith(message)
    assert all(len(signal.value) <= herald.FRAGMENT_BYTES for signal in android.signals)
    assert message in [signal.value for signal in iphone.signals]
    assert not stranger.links


async def test_a_message_to_one_device_reaches_no_other(venue: Venue) -> None:
    """HP-O08: a message to one phone reaches only that phone."""
    await venue.start_agent()
    phones = [await venue.phone(ANDROID_CURRENT, name) for name in ("one", "other")]
    for phone in phones:
        await phone.served.first(what="read by the agent")
    ended = await send(venue, "--hex", "00ff10", "--identity", phones[0].payload.hex())
    assert ended.exit_code == 0, ended.errors
    assert received(phones[0]) == herald.immediate_send(bytes([0, 0xFF, 0x10]))
    assert received(phones[1]) == b""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((MESSAGE,), 69, "the board has heard no device with Herald within the last minute"),
        ((MESSAGE, "--to", "C0:01:02:03:04:05"), 69, "no device C0:01:02:03:04:05"),
        ((), 64, "give one message"),
        (("--hex", "123"), 64, "an even number of hexadecimal digits"),
        (("x" * 510,), 65, "more than 509 bytes; write a message of 1 to 509 bytes"),
        (("--file", "/nowhere/at/all"), 66, "/nowhere/at/all: cannot read the file"),
        ((MESSAGE, "--to", "C0:01:02"), 64, "write one such as"),
    ],
    ids=["nobody near", "not that one", "nothing", "half a byte", "too long", "no file", "half an address"],
)
async def test_errors_of_send_are_one_line(
    venue: Venue, arguments: tuple[str, ...], code: int, words: str
) -> None:
    await venue.start_agent()
    ended = await send(venue, *arguments)
    assert ended.exit_code == code
    assert words in ended.errors and ended.errors.count("\n") == 1


async def test_messages_of_phones_reach_the_operator(venue: Venue) -> None:
    """HP-C29, HP-C30: a phone's message, and the payloads it shares, are listed with their sender."""
    await venue.start_agent()
    phone = await venue.phone(ANDROID_CURRENT)
    await phone.served.first(what="read by the agent")
    await phone.links.first(lambda link: link.what == "down", what="end of the agent's link")
    peer = await phone.connect(await phone.find_beacon())
    await phone.write_signal(peer, herald.fragments(herald.immediate_send(MESSAGE.encode())))
    await peer.connection.disconnect()
    (message,) = await messages(venue)
    assert message["text"] == MESSAGE
    assert message["sender"] == phone.payload.hex()
    assert message["address"].lower() == phone.address.lower()
