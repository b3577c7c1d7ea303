"""Makes inputs for the fuzz targets from real traffic: the test vectors, and captures of the rig.

    build/venv/bin/python Tests/Fuzz/seeds.py [CAPTURE.btsnoop...]

The inputs go to build/fuzz/corpora. `Tests/Fuzz/fuzz --keep TARGET` copies those that cover new code from there to the
committed corpus. A comment in each target's source describes the format of its input.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Tests/Vectors"
sys.path.insert(0, str(ROOT / "Tests/Rig"))

import btsnoop  # noqa: E402
from agent_package import package  # noqa: E402


def seed(target: str, data: bytes) -> None:
    """Adds an input to a target's corpus."""
    folder = ROOT / "build/fuzz/corpora" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def load(name: str) -> object:
    return json.loads((VECTORS / name).read_text())


def chunk(data: bytes) -> bytes:
    """Returns a length byte followed by the data, at most 255 bytes."""
    return bytes([min(len(data), 255)]) + data[:255]


def report(advert: bytes, length: int | None = None, rssi: int = -60) -> bytes:
    """Returns an LE Advertising Report event with one report, whose length field may be wrong."""
    count = len(advert) if length is None else length
    parameters = bytes([2, 1, 0, 1]) + bytes.fromhex("0102030405c0") + bytes([count]) + advert + struct.pack("b", rssi)
    return bytes([4, 0x3E, len(parameters)]) + parameters


def extended_report(advert: bytes, event_type: int = 0x13) -> bytes:
    """Returns an LE Extended Advertising Report event with one report."""
    head = struct.pack("<HB", event_type, 1) + bytes.fromhex("0102030405c0") + bytes([1, 0, 0xFF, 127, 0xC4])
    data = advert[:229]
    parameters = bytes([13, 1]) + head + bytes(9) + bytes([len(data)]) + data
    return bytes([4, 0x3E, len(parameters)]) + parameters


def adverts() -> None:
    all = [bytes.fromhex(each["raw"]) for each in load("herald-adverts.json")]
    # An Apple message that ends after its type, and reports that claim more bytes than an advert has.
    all += [bytes.fromhex("04ff4c0010"), bytes(32), bytes([31]) + bytes(31)]
    for number, advert in enumerate(all):
        seed("adverts", advert)
        seed("events", b"\x07" + report(advert) + report(advert[:31], length=32))
        # The actions are a report, a connection, and passing time; then a phone advertises.
        for kind in (0, 1 + number % 63):
            for extended in (0, 0x80):
                actions = [4, extended | 1, 0xF0, *chunk(advert[:31]), 7, 0xC4, 15, 12, 6, 1, 7, 12, 15]
                seed("agent", bytes([kind, 0, *actions]))
            seed("agent", bytes([kind, 0, 26, 0xF0, *chunk(advert[:31]), 16, 250, 16, 250]))
        seed("events", b"\x07" + extended_report(advert) + extended_report(advert[:31], event_type=0x20))
    seed("events", b"\xff" + report(bytes(32)))


def attributes() -> None:
    requests, responses = b"", b""
    for each in load("att.json")["pdus"]:
        pdu = bytes.fromhex(each["pdu"])
        frame = struct.pack("<HH", len(pdu), 4) + pdu
        pieces = [frame[start : start + 24] for start in range(0, len(frame), 24)]
        data = b""
        for index, piece in enumerate(pieces):
            piece += bytes(-len(piece) % 4) if index < len(pieces) - 1 else b""
            data += bytes([(0x80 if index == 0 else 0x40) | len(piece) // 4]) + piece[: len(piece) // 4 * 4]
        seed("l2cap", b"\x03" + data)
        # A link that the controller does not have, and one to a phone.
        seed("agent", bytes([0, 0, 6, 1, 7, 7, 1]) + chunk(pdu) + bytes([12, 15]))
        seed("agent", bytes([0, 0, 27, 28]) + chunk(pdu) + bytes([12, 15]))
        if each["direction"] == "request":
            requests += chunk(pdu)
            seed("attribute-server", struct.pack("<H", 185) + chunk(pdu))
        else:
            responses += bytes([min(len(pdu), 127)]) + pdu[:127]
    seed("attribute-server", struct.pack("<H", 0) + requests)
    # Two phones subscribe, read Sonar's answer at once and in parts, and read and write identities.
    asked = ["12 1700 0100", "0a 1300", "0c 1300 1600", "0c 1300 2c00", "0a 1a00", "12 1d00 0102030405060708", "52 1d00 0102030405060708", "0a 1d00"]
    pdus = [chunk(bytes.fromhex(each)) for each in asked]
    seed("attribute-server", struct.pack("<H", 0x8000) + b"".join(pdu + pdu for pdu in pdus))
    seed("attribute-server", struct.pack("<H", 185) + b"".join(pdus))
    seed("attribute-client", b"\x00" + responses)
    # A successful search for a payload: MTU exchange, service, characteristic, value in two parts.
    found = bytes.fromhex("0100 02 0200") + bytes.fromhex("e733898fe34321a12948058ff8c0983e")
    answers = ["0502", "07000a00", "15" + found.hex(), "00" * 22, "0102"]
    seed("attribute-client", b"\x00" + b"".join(bytes([0x80 | len(a) // 2]) + bytes.fromhex(a) for a in answers))


def packets() -> None:
    for each in load("smp.json")["requests"]:
        packet, line = bytes.fromhex(each["packet"]), bytes.fromhex(each["serial"])
        seed("smp", b"\x00" + line)
        seed("smp", b"\x01" + chunk(packet))
        seed("agent", bytes([0, 0, 13]) + chunk(packet) + bytes([15, 15]))
        seed("cbor", packet[8:])
        if each.get("answer"):
            seed("cbor", bytes.fromhex(each["answer"])[8:])
    seed("cbor", b"2026-11-21T08:15:00.123+01:00")
    index = "tabard-index 2 log=" + "ab" * 16 + " boot=" + "cd" * 8 + " block=4096 unit=4096\nsegment 00000007 0000262144 open\n"
    seed("cbor", index.encode())


def payloads() -> None:
    vectors = load("herald-payloads.json")
    found: list[bytes] = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("payload"), str):
                found.append(bytes.fromhex(value["payload"]))
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)

    walk(vectors)
    for payload in found:
        seed("payloads", payload)
        message = b"\x01" + struct.pack("<H", len(payload)) + payload
        pieces = [message[start : start + 20] for start in range(0, len(message), 20)]
        seed("signals", b"".join(map(chunk, pieces)) + chunk(bytes.fromhex("02c8ff")))
    seed("signals", chunk(bytes.fromhex("03c8ff0200abcd")) + chunk(bytes.fromhex("04020068")) + chunk(b"i"))


def configuration() -> None:
    for path in (VECTORS / "configuration").iterdir():
        seed("configuration", path.read_bytes()[:2000])
    seed("configuration", b"radio.hci=serial:/dev/ttyAMA0,115200,rtscts")


def contacts() -> None:
    """Adds both versions of contacts.csv, with each kind of row and with quoted fields."""
    times = ("2020-12-08 22:55:0", ""), ("2022-11-29 22:21:5", ".552+0000")
    events = "detect,read,measure,share,visit", "detect,read,measure,share,visit,detectHerald,delete"
    for (start, end), columns in zip(times, events):
        names = columns.split(",")
        text = f"time,sensor,id,{columns},data\n"
        for number, name in enumerate(names, 1):
            data = {"read": "bbbbbb", "share": "bbbbbb", "measure": "RSSI:-66.0[BLETransmitPower:8.0]", "visit": '"a, "b""'}
            marks = ",".join(str(number) if other == name else "" for other in names)
            text += f"{start}{number}{end},BLE,AA,{marks},{data.get(name, '')}\n"
        seed("contacts", text.encode())


def logs() -> None:
    entries = bytes.fromhex("0105") + bytes(5) + bytes.fromhex("0207 01 02 03 01 000000") + bytes.fromhex("0605 0102030405")
    seed("log-page", b"\x01" + entries)
    page = b"\x04\x00\x00\x01" + chunk(entries)
    seed("log-mount", page * 4 + bytes(12) + bytes([1, 2, 3, 0, 5]))


def keys() -> None:
    """Adds a board key alone, with one more key and with both, and changes to every part of sealed pages."""
    generator = bytes.fromhex(
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    )
    scalar = bytes(31) + b"\x07"
    for flags, opening, operating in [(0, bytes(65), bytes(65)), (1, generator, bytes(65)), (3, generator, generator)]:
        seed("key-records", b"\x01" + bytes([flags]) + scalar + opening + operating)
    seed("key-records", b"\x00TABARDKY\x01" + bytes(166))
    seed("sealed-pages", b"\x00")
    for offset in [0, 1, 2, 4, 8, 20, 82, 90, 120, 180, 200, 250, 1024, 1025, 1040, 1100]:
        seed("sealed-pages", b"\x01" + struct.pack("<HB", offset, 1))
        seed("sealed-pages", b"\x00" + struct.pack("<HB", offset, 0x80))


def updates() -> None:
    """Adds headers of updates, records of the launcher, pieces in and out of order, and a package."""
    header = b"\x00" + bytes([0, 3, 0]) + bytes(3) + b"aarch64".ljust(16, b"\0") + struct.pack("<I", 500_000) + bytes(range(32)) + bytes(124)
    seed("updates", b"\x01" + header)
    seed("updates", b"\x01\x01" + header[1:])
    for slot, state, starts, earlier in [(0, 0, 0, 0), (1, 1, 0, 0), (2, 1, 3, 1), (1, 0, 0, 2)]:
        seed("updates", b"\x03" + bytes([slot, state, starts, earlier, 0, 2, 9, 1]) + bytes(4) + (bytes([0, 3, 0, 4]) + bytes(64)) * 2)
    content = bytes(each & 0xFF for each in range(600))
    pieces = [struct.pack("<HB", start, 200) + content[start : start + 200] for start in (0, 200, 400)]
    seed("updates", b"\x04" + b"".join(pieces))
    seed("updates", b"\x04" + pieces[0] + pieces[2] + pieces[0] + pieces[1] + pieces[2])
    with tempfile.TemporaryDirectory() as folder:
        seed("updates", b"\x05" + package(Path(folder), b"\x7fELF", "1.2.3", "arm64").read_bytes())


def schemes() -> None:
    sonar, gaen = load("schemes/sonar.json"), load("schemes/gaen.json")
    payload = bytes.fromhex(sonar["vectors"]["cases"][0]["payload_129"])
    identity = bytes.fromhex(gaen["official"]["advert_31_bytes_interval0"])[11:]
    simple = bytes.fromhex("103a030400e2cfbeb32de932c9171c658b5f57a337")
    for each in [payload, payload[:128], bytes(129), identity, simple, bytes.fromhex("efcdab8967452301")]:
        seed("schemes", each)
    for export in [gaen["official_export"], gaen["own_export"]]:
        seed("exports", bytes.fromhex(export["export_bin"]))
        seed("exports", bytes.fromhex(export["export_sig"]))
    for name in ["deflated", "streamed"]:
        seed("exports", bytes.fromhex(load("export-zip.json")[name]))
    seed("exports", sonar["upload"]["body_utf8"].encode())
    form = b"is_tested=true&comment=50+%25&keys-0-date=2026-11-20"
    seed("exports", form)
    head = f"POST /notify HTTP/1.1\r\nHost: authority.invalid\r\nContent-Length: {len(form)}\r\n\r\n"
    seed("exports", head.encode() + form)
    positive = {"id": "00000000000000fe", "from": "2020-05-07T12:30:00Z", "until": "2020-05-07T12:45:00Z"}
    listing = {"format": "tabard-ble-proximity-positives-1", "positives": [positive]}
    seed("exports", json.dumps(listing, separators=(",", ":")).encode())
    seed("exports", rb'[1.5e3,-0,"\u00e9\ud83d\ude00\n",true,null,{"a":{}}]')


def packed_captures() -> None:
    """Adds the same capture in each form and packing, and each form with changed byte order or link type."""
    for name, text in load("captures.json").items():
        if name == "note":
            continue
        data = bytes.fromhex(text)
        seed("zips" if name.startswith("zip") else "captures", data)
        if name == "pcap":
            for link_type in (187, 254, 256):
                seed("captures", data[:20] + struct.pack("<I", link_type) + data[24:])
    notes = [(0, "030c00"), (1, "0e0401030c00"), (2, "400001000a"), (3, "402001000b"), (9, "4000010d"), (0xFC, "6e6f7465")]
    for order in "<>":
        records = ((kind, bytes.fromhex(text)) for kind, text in notes)
        seed("captures", b"".join(struct.pack(order + "IIIB", len(data) + 9, 1000, 5, kind) + data for kind, data in records))
        head = struct.pack(order + "IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 254)
        monitor = bytes.fromhex("00010003") + bytes.fromhex(notes[1][1])
        seed("captures", head + struct.pack(order + "IIII", 1000, 5, len(monitor), len(monitor)) + monitor)
        seed("captures", pcapng(order))


def pcapng(order: str) -> bytes:
    """Returns a capture with each kind of block that is read, and options of the interface's clock."""

    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        length = struct.pack(order + "I", len(body) + 12)
        return struct.pack(order + "I", kind) + length + body + length

    section = block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    options = struct.pack(order + "HHBxxxHHqHH", 9, 1, 0x94, 14, 8, -5, 0, 0)
    interfaces = b"".join(block(1, struct.pack(order + "HHI", kind, 0, 64) + options) for kind in (201, 187))
    packet = bytes.fromhex("00000001040e0401030c00")
    length = struct.pack(order + "II", len(packet), len(packet))
    enhanced = block(6, struct.pack(order + "III", 0, 1 << 8, 5) + length + packet)
    simple = block(3, struct.pack(order + "I", len(packet)) + packet)
    obsolete = block(2, struct.pack(order + "HHII", 1, 0, 1 << 8, 5) + length[:4] + length[:4] + packet[4:] + bytes(4))
    return section + interfaces + enhanced + simple + obsolete + block(5, bytes(8)) + section


def captures(paths: list[str]) -> None:
    for path in map(Path, paths):
        stream = b""
        for record in btsnoop.records(path):
            if record.is_received:
                stream += record.packet
        for start in range(0, min(len(stream), 20_000), 700):
            seed("events", b"\x1b" + stream[start : start + 700])
        seed("btsnoop", path.read_bytes()[:3000])
        seed("replay", path.read_bytes()[:3000])


if __name__ == "__main__":
    adverts()
    attributes()
    packets()
    payloads()
    configuration()
    contacts()
    logs()
    keys()
    updates()
    schemes()
    packed_captures()
    captures(sys.argv[1:])
