"""Published lists and export files, read as `tabardctl match` reads them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tabard_spark.derivations import days_since_1970

EXPORT_HEADER = b"EK Export v1    "
STANDARD_ROLLING_PERIOD = 144
LARGEST_INTERVAL = 2**32 - 1


class PublishedError(Exception):
    """A file that is not such a list, or damaged."""


@dataclass(frozen=True)
class PublishedKey:
    """A key or identity of a list, with its text and its classification by the authority."""

    text: str
    key: bytes
    kind: str | None = None
    day: str | None = None
    """The day of a key, such as 2020-04-25."""
    valid: tuple[int, int] | None = None
    """The validity of an identity, in seconds since 1970; its end is excluded."""


@dataclass(frozen=True)
class ExposureKey:
    """A temporary exposure key with its published data."""

    key: bytes
    rolling_start: int
    rolling_period: int
    report_type: int | None
    days_since_onset: int | None
    transmission_risk: int


# MARK: Lists of the other schemes


def herald_keys(data: bytes) -> list[PublishedKey]:
    """The list that `tabardctl authority herald` writes."""
    rows = _rows(data, "keys", "tabard-herald-matching-keys-1", {"key", "date"})
    keys = [PublishedKey(row["key"], _hexadecimal(row["key"], 32), day=_day(row["date"])) for row in rows]
    _require([key.text for key in keys] == sorted({key.text for key in keys}))
    return keys


def covid_tracer_keys(data: bytes) -> list[PublishedKey]:
    """The cases.json that phones fetch. One key may occur several times."""
    rows = _rows(data, "cases", None, None)
    for row in rows:
        _require(isinstance(row, dict) and row.get("type") in ("positive", "symptomatic"))
    return [
        PublishedKey(_text(row, "key"), _hexadecimal(_text(row, "key"), 32, "0-9A-F"), row["type"], _day(_text(row, "date")))
        for row in rows
    ]


def ble_proximity_identities(data: bytes) -> list[PublishedKey]:
    """The list that `tabardctl authority ble-proximity` writes. The number's text begins with its last byte."""
    rows = _rows(data, "positives", "tabard-ble-proximity-positives-1", {"id", "from", "until"})
    keys = []
    for row in rows:
        valid = (_seconds(row["from"]), _seconds(row["until"]))
        _require(valid[0] < valid[1])
        keys.append(PublishedKey(row["id"], _hexadecimal(row["id"], 8)[::-1], valid=valid))
    _require([key.text for key in keys] == sorted({key.text for key in keys}))
    return keys


def _rows(data: bytes, member: str, form: str | None, members: set[str] | None) -> list[Any]:
    try:
        document = json.loads(data)
    except ValueError as error:
        raise PublishedError("not JSON") from error
    _require(isinstance(document, dict) and isinstance(document.get(member), list))
    rows: list[Any] = document[member]
    if form is not None:
        _require(document.get("format") == form and set(document) == {"format", member})
        for row in rows:
            _require(isinstance(row, dict) and set(row) == members and all(isinstance(each, str) for each in row.values()))
    return rows


def _require(holds: bool) -> None:
    if not holds:
        raise PublishedError("not such a list, or damaged")


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    _require(isinstance(value, str))
    return str(value)


def _hexadecimal(text: str, byte_count: int, digits: str = "0-9a-f") -> bytes:
    _require(re.fullmatch(f"[{digits}]{{{2 * byte_count}}}", text) is not None)
    return bytes.fromhex(text)


def _day(text: str) -> str:
    _require(re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII) is not None)
    try:
        _require(days_since_1970(text) >= 0)
    except ValueError as error:
        raise PublishedError("no such day") from error
    return text


def _seconds(text: str) -> int:
    _require(re.fullmatch(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", text, re.ASCII) is not None)
    try:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
    except ValueError as error:
        raise PublishedError("no such time") from error


# MARK: Export files of Exposure Notification


def exposure_keys(files: list[bytes]) -> tuple[list[ExposureKey], int]:
    """The keys of several exports, each once: as in the latest one, including revisions. And how many were skipped.

    A file is an export.bin, or a zip file with one. Signatures are not checked.
    """
    exports = [_export(_unpacked(data)) for data in files]
    keys: dict[bytes, ExposureKey] = {}
    skipped = 0
    # Sorting is stable, so files that end at the same time stay in their order.
    for _, published, revised, unreadable in sorted(exports, key=lambda export: export[0]):
        skipped += unreadable
        for fields in published + revised:
            key = _exposure_key(fields)
            if key is None:
                skipped += 1
            else:
                keys[key.key] = key
    return list(keys.values()), skipped


def _unpacked(data: bytes) -> bytes:
    if data.startswith(EXPORT_HEADER):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return file.read("export.bin")
    except (zipfile.BadZipFile, KeyError) as error:
        raise PublishedError("not an export file, or a zip file without one") from error


def _export(data: bytes) -> tuple[int, list[dict[int, Any]], list[dict[int, Any]], int]:
    _require(data.startswith(EXPORT_HEADER))
    end, unreadable = 0, 0
    lists: dict[int, list[dict[int, Any]]] = {7: [], 8: []}
    for number, kind, value in _fields(data[len(EXPORT_HEADER) :]):
        if number == 2:
            _require(kind == 1)
            end = value
        elif number in lists:
            _require(kind == 2)
            try:
                lists[number].append({field: _key_field(field, form, each) for field, form, each in _fields(value)})
            except PublishedError:
                # One bad key must not cost the others of the day.
                unreadable += 1
    return end, lists[7], lists[8], unreadable


def _key_field(number: int, kind: int, value: Any) -> Any:
    if number == 1:
        _require(kind == 2)
        return value
    if number in (2, 3, 4, 5):
        _require(kind == 0)
        signed = value - 2**64 if value >= 2**63 else value
        _require(-(2**31) <= signed < 2**31)
        return signed
    if number == 6:
        _require(kind == 0 and value < 2**32)
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1
    return value


def _exposure_key(fields: dict[int, Any]) -> ExposureKey | None:
    data = fields.get(1, b"")
    if len(data) != 16 or 3 not in fields:
        return None
    start = fields[3] % 2**32
    period = fields.get(4, STANDARD_ROLLING_PERIOD)
    if not 1 <= period <= STANDARD_ROLLING_PERIOD or period - 1 > LARGEST_INTERVAL - start:
        return None
    return ExposureKey(data, start, period, fields.get(5), fields.get(6), fields.get(2, 0))


def _fields(data: bytes) -> list[tuple[int, int, Any]]:
    """The fields of a protocol buffer: number, wire type and value."""
    fields: list[tuple[int, int, Any]] = []
    place = 0

    def varint() -> int:
        nonlocal place
        value = 0
        for shift in range(0, 70, 7):
            _require(place < len(data))
            byte = data[place]
            place += 1
            _require(shift < 63 or byte <= 1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise PublishedError("a number that does not end")

    def take(count: int) -> bytes:
        nonlocal place
        _require(count <= len(data) - place)
        place += count
        return data[place - count : place]

    while place < len(data):
        key = varint()
        number, kind = key >> 3, key & 7
        _require(number != 0 and kind in (0, 1, 2, 5))
        if kind == 0:
            fields.append((number, kind, varint()))
        elif kind == 2:
            fields.append((number, kind, take(varint())))
        else:
            fields.append((number, kind, int.from_bytes(take(8 if kind == 1 else 4), "little")))
    return fields
