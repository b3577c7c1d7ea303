"""Malformed logs, captures and keys: damaged pages, wrong versions, and files of other kinds."""

from __future__ import annotations

import base64
import gzip
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

from malformed import AS_A_USER, Case, Maker, Workshop, folder, key, pipe, private, unreadable
from test_version_0_1 import SAMPLES

LOG = gzip.decompress((SAMPLES / "venue.log.gz").read_bytes())
LOCKED_LOG = gzip.decompress((SAMPLES / "sealed.log.gz").read_bytes())
PAGE = 4096
DAMAGED = "the log is not complete and genuine; see above"

SNOOP = b"btsnoop\0" + struct.pack(">II", 1, 1002)
PACKET = struct.pack(">IIIIq", 4, 4, 1, 0, 0x00DCDDB30F2F8000) + b"\x04\x0e\x01\x00"

NO_KEY = "key.pem: not a P-256 key in PEM or DER; create keys with `tabardctl keys new`"
OFF_THE_CURVE = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + b"\x04" + b"\xff" * 64


def pages(change: Callable[[bytearray], None]) -> bytes:
    """The log after a change."""
    log = bytearray(LOG)
    change(log)
    return bytes(log)


def swap(log: bytearray) -> None:
    log[PAGE : 3 * PAGE] = log[2 * PAGE : 3 * PAGE] + log[PAGE : 2 * PAGE]


def repeat(log: bytearray) -> None:
    log[2 * PAGE : 3 * PAGE] = log[PAGE : 2 * PAGE]


def insert_other(log: bytearray) -> None:
    log[2 * PAGE : 3 * PAGE] = LOCKED_LOG[PAGE : 2 * PAGE]


def erase(log: bytearray) -> None:
    log[PAGE : 2 * PAGE] = b"\xff" * PAGE


def flip(log: bytearray) -> None:
    log[PAGE + 100] ^= 1


def pem(kind: str, content: bytes) -> bytes:
    return f"-----BEGIN {kind}-----\n{base64.b64encode(content).decode()}\n-----END {kind}-----\n".encode()


def zipped(**members: bytes) -> Maker:
    def make(path: Path, workshop: Workshop) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in members.items():
                file.writestr(name, content)

    return make


def part_of_key(path: Path, workshop: Workshop) -> None:
    key("opening.pem")(path, workshop)
    path.write_bytes(path.read_bytes()[:100])


CASES = [
    # Logs
    Case(
        "an empty log", "verify board.log", 65, "board.log: no readable page; check that it is a Tabard log",
        {"board.log": b""},
    ),
    Case(
        "a log of zeros", "inspect board.log", 65, "board.log: no readable page; check that it is a Tabard log",
        {"board.log": bytes(1 << 16)},
    ),
    Case(
        "a blank flash", "verify board.log", 65, "board.log: no readable page; check that it is a Tabard log",
        {"board.log": b"\xff" * (1 << 16)},
    ),
    Case(
        "a log that ends in its first page", "inspect board.log", 65,
        "board.log: no readable page; check that it is a Tabard log", {"board.log": LOG[:100]}, prints=True, notes=1,
    ),
    Case(
        "a log that ends within a page", "verify board.log", 76, "could not be proven; see above",
        {"board.log": LOG[:5000]}, prints=True, notes=1,
    ),
    Case("a log with a changed bit", "verify board.log", 65, DAMAGED, {"board.log": pages(flip)}, prints=True),
    Case("two pages in the wrong order", "verify board.log", 65, DAMAGED, {"board.log": pages(swap)}, prints=True),
    Case("the same page twice", "verify board.log", 65, DAMAGED, {"board.log": pages(repeat)}, prints=True),
    Case("a page of another board", "verify board.log", 65, DAMAGED, {"board.log": pages(insert_other)}, prints=True),
    Case("a page that was erased", "verify board.log", 65, DAMAGED, {"board.log": pages(erase)}, prints=True),
    Case(
        "a log of an unknown format", "inspect board.log", 65,
        "board.log: no readable page; check that it is a Tabard log",
        {"board.log": b"".join(b"\xff\xff\xff" + LOG[at + 3 : at + PAGE] for at in range(0, 40 * PAGE, PAGE))},
    ),
    Case(
        "a folder without segments", "verify segments", 65,
        "segments: no readable page; check that it is a Tabard log", {"segments": folder},
    ),
    Case("no log", "inspect none.log", 66, "none.log: no such file; check the name"),
    Case("a pipe as log", "verify board.log", 65, "board.log: a folder or device; give a file", {"board.log": pipe}),
    Case("a device as log", "inspect /dev/zero", 65, "/dev/zero: a folder or device; give a file"),
    Case(
        "a log that may not be read", "verify board.log", 77, "board.log: Permission denied; ",
        {"board.log": unreadable}, wrapper=AS_A_USER,
    ),
    Case(
        "a locked log and another owner's key", "verify board.log --opening opening.pem", 76,
        "could not be proven; see above", {"board.log": LOCKED_LOG, "opening.pem": key("opening.pem")}, prints=True,
    ),
    # Keys
    Case("a key with nothing in it", "keys show key.pem", 65, NO_KEY, {"key.pem": private(b"")}),
    Case("a key that was cut short", "keys show key.pem", 65, NO_KEY, {"key.pem": part_of_key}),
    Case(
        "a key whose content is no key", "archive upgrade --opening key.pem", 65, NO_KEY,
        {"key.pem": private(pem("PRIVATE KEY", b"not a key"))},
    ),
    Case(
        "a point that is not on the curve", "keys show key.pem", 65, NO_KEY,
        {"key.pem": pem("PUBLIC KEY", OFF_THE_CURVE)},
    ),
    Case("20 MB instead of a key", "keys show key.pem", 65, NO_KEY, {"key.pem": private(bytes(20_000_000))}),
    Case(
        "a private key that others can read", "keys show key.pem", 77,
        "key.pem: other users can read this private key; run chmod 600", {"key.pem": key("opening.pem", 0o644)},
    ),
    Case(
        "a private key that may not be read", "keys show key.pem", 77, "key.pem: Permission denied; ",
        {"key.pem": unreadable}, wrapper=AS_A_USER,
    ),
    Case(
        "a public key that cannot decrypt", "open --opening key.pem", 65,
        "key.pem: a public key; give the private key", {"key.pem": key("opening.pub.pem")},
    ),
    Case(
        "a public key that cannot sign", "sync --port /dev/null --operator key.pem", 65,
        "key.pem: a public key; give the private key", {"key.pem": key("operator.pub.pem")},
    ),
    Case("no key", "open --opening none.pem", 66, "none.pem: no such file; create keys with `tabardctl keys new`"),
    Case(
        "keys that exist already", "keys new --directory keys", 73,
        "keys/opening.pem: already exists and was not changed; choose another --directory",
        {"keys/opening.pem": key("opening.pem")},
    ),
    Case(
        "a folder for keys that is a file", "keys new --directory keys", 66,
        "keys: part of the path is not a folder; choose another place", {"keys": b""},
    ),
    # Captures
    Case(
        "an empty capture", "convert a.btsnoop --output b.btsnoop", 65, "a.btsnoop: an empty file; capture again",
        {"a.btsnoop": b""},
    ),
    Case(
        "a text instead of a capture", "convert a.btsnoop --output b.btsnoop", 65,
        "a.btsnoop: a text file, not a capture; save the capture as btsnoop", {"a.btsnoop": b"> HCI Event\n" * 9},
    ),
    Case(
        "a capture of an unknown version", "convert a.btsnoop --output b.btsnoop", 65,
        "a.btsnoop: btsnoop version 9; only version 1 exists",
        {"a.btsnoop": b"btsnoop\0" + struct.pack(">II", 9, 1002)},
    ),
    Case(
        "a capture of something else than HCI", "convert a.pcap", 65,
        "a.pcap: a capture of link type 1, which has no HCI packets; capture on the host",
        {"a.pcap": struct.pack("<IHHIIIIIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1, 0, 0, 4, 4) + b"abcd"},
    ),
    Case(
        "a capture that ends in its header", "convert a.btsnoop --output b.btsnoop", 65,
        "a.btsnoop: a capture that ends within its header; capture again", {"a.btsnoop": SNOOP[:10]},
    ),
    Case(
        "a gzip file that was cut short", "convert a.gz", 65, "a.gz: … check that the file is whole",
        {"a.gz": gzip.compress(SNOOP + PACKET * 5)[:-12]},
    ),
    Case(
        "a gzip file that unpacks to 100 MB of zeros", "convert a.gz", 65,
        "a.gz: not a capture in a known form; save it as btsnoop", {"a.gz": gzip.compress(bytes(100_000_000), 1)},
    ),
    Case(
        "a zip file with two captures", "convert a.zip", 64,
        "a.zip: has 2 captures; give one of them with --member: a, b",
        {"a.zip": zipped(a=SNOOP + PACKET, b=SNOOP + PACKET)},
    ),
    Case(
        "a zip file without a capture", "convert a.zip", 65, "a.zip: no entry of the zip file begins like a capture",
        {"a.zip": zipped(a=b"notes")},
    ),
    Case(
        "a capture that exists already", "convert a.btsnoop --output b.btsnoop", 73,
        "b.btsnoop: already exists; --force overwrites it", {"a.btsnoop": SNOOP + PACKET, "b.btsnoop": b""},
    ),
    Case(
        "a capture as its own output", "convert a.btsnoop --output a.btsnoop --force", 64,
        "a.btsnoop: the capture itself; give another name with --output", {"a.btsnoop": SNOOP + PACKET},
    ),
]
