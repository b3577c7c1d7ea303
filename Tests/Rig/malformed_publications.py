"""Malformed files of health authorities, patients and boards: lists, exports, registers, secrets and backups."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from malformed import AS_A_USER, Case, Maker, Workshop, folder, key, pipe, private, unreadable
from test_match import EXPORT, write_pem

BINARY, SIGNATURE = (bytes.fromhex(EXPORT[f"export_{name}"]) for name in ("bin", "sig"))
MATCH = "match exposure-notification export.zip --verification-key authority.pem --as-of 2020-05-21T12:00Z"


def authority(path: Path, workshop: Workshop) -> None:
    write_pem(path, EXPORT["signing_public_x963"])


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED, byte_count: int | None = None) -> Maker:
    """A zip file, or the first bytes of one."""

    def make(path: Path, workshop: Workshop) -> None:
        with zipfile.ZipFile(path, "w", method) as file:
            for name, content in members:
                file.writestr(name, content)
        path.write_bytes(path.read_bytes()[:byte_count])

    return make


def claiming(path: Path, workshop: Workshop) -> None:
    """A zip file whose directory claims 4 GiB for the export."""
    zipped(("export.bin", BINARY), ("export.sig", SIGNATURE))(path, workshop)
    file = bytearray(path.read_bytes())
    struct.pack_into("<I", file, file.find(b"PK\x01\x02") + 24, 2**32 - 2)
    path.write_bytes(file)


def export(name: str, line: str, content: Maker | bytes, status: int = 65) -> Case:
    """A signed export of Exposure Notification."""
    return Case(name, MATCH, status, f"export.zip: {line}", {"export.zip": content, "authority.pem": authority})


def listed(name: str, scheme: str, content: str, line: str) -> Case:
    """A list of published identities."""
    return Case(name, f"match {scheme} list.json", 65, f"list.json: {line}", {"list.json": content.encode()})


def positive(members: str) -> str:
    return f'{{"format":"tabard-ble-proximity-positives-1","positives":[{members}]}}'


PERIOD = '"from":"2025-11-22T00:00:00Z","until":"2025-11-22T00:15:00Z"'
NO_JSON = "check that it is the right file and complete, or fetch it again"
NO_HERALD = "not a list of Herald matching keys, or damaged; fetch it again"
NO_PROXIMITY = "not a list of BLE-Proximity identities, or damaged; fetch it again"
NO_CASES = "not a cases.json of CovidTracer; fetch it again"
NO_ZIP = "not an export file or a readable zip file; fetch it again"
REGISTER = "--key sonar.pem --register register.json"

CASES = [
    # Exports of Exposure Notification
    export(
        "an export that was cut short", NO_ZIP,
        zipped(("export.bin", BINARY), ("export.sig", SIGNATURE), byte_count=400),
    ),
    export("a text in place of an export", NO_ZIP, b"<html>404</html>"),
    export(
        "an export without its signature", "the zip file lacks export.bin or export.sig",
        zipped(("export.bin", BINARY)),
    ),
    export(
        "an export with its signature alone", "the zip file lacks export.bin or export.sig",
        zipped(("export.sig", SIGNATURE)),
    ),
    export(
        "a changed key in an export", "not signed with this key; check the authority's key, or fetch the file again",
        zipped(("export.bin", BINARY[:-3] + b"\0" + BINARY[-2:]), ("export.sig", SIGNATURE)),
    ),
    export(
        "an export of a later version", "not signed with this key",
        zipped(("export.bin", b"EK Export v9    " + BINARY[16:]), ("export.sig", SIGNATURE)),
    ),
    export(
        "a signature that is none", "not an Exposure Notification export, or damaged; fetch it again",
        zipped(("export.bin", BINARY), ("export.sig", b"\xff" * 64)),
    ),
    export(
        "an export that unpacks to 100 MB", "longer than 64 MiB, too long for an export; check the file",
        zipped(("export.bin", bytes(100_000_000)), ("export.sig", SIGNATURE)),
    ),
    export("an export that claims 4 GiB", "longer than 64 MiB, too long for an export; check the file", claiming),
    export(
        "an export packed by LZMA", "the zip file is not packed by deflate; unpack it, and give the folder",
        zipped(("export.bin", BINARY), ("export.sig", SIGNATURE), method=zipfile.ZIP_LZMA),
    ),
    export("a pipe as export", "a folder or device; give a file", pipe),
    Case(
        "an export that may not be read", MATCH, 77, "export.zip: Permission denied; ",
        {"export.zip": unreadable, "authority.pem": authority}, wrapper=AS_A_USER,
    ),
    Case(
        "an export that nobody signed as it is read", "match exposure-notification export.zip --unverified", 65,
        "export.zip: not an Exposure Notification export, or damaged; fetch it again",
        {"export.zip": zipped(("export.bin", b"EK Export v9    " + BINARY[16:]), ("export.sig", SIGNATURE))},
    ),
    Case(
        "another authority's key", MATCH, 65, "export.zip: not signed with this key",
        {
            "export.zip": zipped(("export.bin", BINARY), ("export.sig", SIGNATURE)),
            "authority.pem": key("operator.pub.pem"),
        },
    ),
    Case(
        "an authority's key that is none", MATCH, 65, "authority.pem: not a P-256 key in PEM or DER",
        {"export.zip": zipped(("export.bin", BINARY), ("export.sig", SIGNATURE)), "authority.pem": b"key\n"},
    ),
    Case(
        "a day twice in a table of infectiousness", f"{MATCH} --infectiousness table", 65,
        "table: line 2: day -14 occurs twice; remove one",
        {
            "export.zip": zipped(("export.bin", BINARY), ("export.sig", SIGNATURE)),
            "authority.pem": authority,
            "table": b"-14..14 high\n-14..3 none\n",
        },
    ),
    # Lists of other schemes
    listed("a list that is no JSON", "herald", "{", f"not JSON at byte 1: expected a member name; {NO_JSON}"),
    listed(
        "a list in lists in lists", "covid-tracer", "[" * 100_000,
        f"not JSON at byte 32: nested too deeply; {NO_JSON}",
    ),
    listed("a list of a later version", "herald", '{"format":"tabard-herald-matching-keys-9","keys":[]}', NO_HERALD),
    listed(
        "a list of another scheme", "ble-proximity", '{"format":"tabard-herald-matching-keys-1","keys":[]}',
        NO_PROXIMITY,
    ),
    listed(
        "a member twice", "ble-proximity", positive(f'{{"id":"0706050403020100","id":"0706050403020100",{PERIOD}}}'),
        f"not JSON at byte 87: duplicate member name; {NO_JSON}",
    ),
    listed(
        "a matching key of one byte", "herald",
        '{"format":"tabard-herald-matching-keys-1","keys":[{"key":"00","date":"2026-11-20"}]}', NO_HERALD,
    ),
    listed("cases without keys", "covid-tracer", '{"cases":[{"date":"2020-11-20"}]}', NO_CASES),
    listed("an identity of one byte", "ble-proximity", positive(f'{{"id":"07",{PERIOD}}}'), NO_PROXIMITY),
    listed(
        "an identity in the year 99999", "ble-proximity",
        positive('{"id":"0706050403020100","from":"99999-11-22T00:00:00Z","until":"99999-11-22T00:15:00Z"}'),
        NO_PROXIMITY,
    ),
    listed(
        "an identity that ends before it begins", "ble-proximity",
        positive('{"id":"0706050403020100","from":"2025-11-23T00:00:00Z","until":"2025-11-22T00:15:00Z"}'),
        NO_PROXIMITY,
    ),
    Case("no list", "match herald none.json", 66, "none.json: no such file; check the name"),
    Case(
        "a folder as list", "match herald list.json", 65, "list.json: a folder or device; give a file",
        {"list.json": folder},
    ),
    # Secrets and reports of patients
    Case(
        "a root key of five bytes", "submit covid-tracer --root root --symptoms-began 2026-11-20 --yes", 65,
        "root: not a CovidTracer root key of 32 bytes; check the file", {"root": private(b"short")},
    ),
    Case(
        "a secret that others can read", "submit herald --secret secret --yes", 77,
        "secret: other users can read this secret; run chmod 600 on it", {"secret": bytes(2048)},
    ),
    Case(
        "a registration that is none",
        "submit sonar --registration board --symptom cough --symptoms-began 2026-11-20 --yes", 65,
        "board: not a Sonar registration, or damaged; register again", {"board": private(bytes(127))},
    ),
    Case(
        "exposure keys that are none",
        "submit exposure-notification --keys keys.json --symptoms-began 2026-11-20 --yes", 65,
        "keys.json: not a file of temporary exposure keys", {"keys.json": private(b"[]")},
    ),
    Case(
        "a report that is no request",
        "authority covid-tracer accept report.http --register register.json --address 192.0.2.1", 65,
        "report.http: not a complete request of `tabardctl submit`; write it again",
        {"report.http": b"GET / HTTP/1.1\r\n\r\n"},
    ),
    Case(
        "a report that is no list", "authority herald append report.json --list list.json", 65,
        "report.json: not a list of Herald matching keys, or damaged; fetch or write it again", {"report.json": b"{}"},
    ),
    # Registers of authorities
    Case(
        "another scheme's register", "authority covid-tracer cases --register register.json --output cases.json", 65,
        "register.json: not a register of CovidTracer, or damaged", {"register.json": private(b"{}")},
    ),
    Case(
        "a register that others can read", f"authority sonar resolve report.http {REGISTER}", 77,
        "register.json: other users can read this secret; run chmod 600 on it",
        {"report.http": b"", "sonar.pem": key("opening.pem"), "register.json": b"{}"},
    ),
    Case(
        "no register", "authority exposure-notification export --register none.json --key key.pem --output export.zip",
        66, "none.json: no such file; check the name", {"key.pem": key("opening.pem")},
    ),
    Case(
        "a reference code that was mistyped", "authority sonar find b2k5 --register register.json", 65,
        "b2k5: not a reference code, or mistyped; ask for it again", {"register.json": private(b"{}")},
    ),
    Case(
        "a registration that exists already",
        "authority sonar register --key key.pem --register register.json --output board", 73,
        "board: already exists and was not changed; choose another name",
        {"key.pem": key("opening.pub.pem"), "board": b""},
    ),
    # Files for boards
    Case(
        "a backup that is no JSON", "restore /dev/null board.json", 65,
        "board.json: not a whole backup: not JSON at byte 0", {"board.json": b"id,name\n"},
    ),
    Case(
        "a backup without its members", "restore /dev/null board.json", 65,
        "board.json: not a whole backup … make it again with `tabardctl backup`",
        {"board.json": b'{"format":"tabard-backup-1"}'},
    ),
    Case(
        "an update that is no package", "update /dev/null tabard_9.9.9_amd64.deb --operator operator.pem", 65,
        "tabard_9.9.9_amd64.deb: ", {"tabard_9.9.9_amd64.deb": b"notes\n", "operator.pem": key("operator.pem")},
    ),
    Case(
        "a package of something else", "update /dev/null notes.deb --operator operator.pem", 65,
        "notes.deb: not named as a package of the agent is: tabard_VERSION_ARCHITECTURE.deb",
        {"notes.deb": b"notes\n", "operator.pem": key("operator.pem")},
    ),
    Case(
        "a configuration without an equals sign", "payload venue --configuration tabard.toml", 65,
        'tabard.toml:1: id: no "=" after the key; write key = value', {"tabard.toml": b"id,name\n"},
    ),
    Case(
        "test vectors that are a folder", "conformance vectors.json", 65,
        "vectors.json: a folder or device; give a file", {"vectors.json": folder},
    ),
    Case(
        "test vectors without cases", "conformance vectors.json", 65,
        "1 case failed or could not be understood; see above", {"vectors.json": b'{"cases":[]}'}, prints=True, notes=1,
    ),
    Case(
        "a message that is too long", "send --file message --port /dev/null", 65,
        "message: more than 509 bytes; write a message of 1 to 509 bytes", {"message": bytes(10_000)},
    ),
    Case(
        "a payload that is no text of one", "payload read nothing.bin", 65,
        "not hexadecimal or base64; check the input",
    ),
    Case("a payload of 1,000 bytes", f"payload read {'00' * 1000}", 65, "too long; a payload has at most 512 bytes"),
]
