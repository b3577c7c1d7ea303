"""Helpers for tests of submissions: secrets, times, and identifiers by independent implementations."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from pathlib import Path

from desk import Desk

DAY = 86_400
ONSET = 1_605_830_400
"""2020-11-20T00:00:00Z, the day on which the symptoms began."""


def secret(desk: Desk, name: str, content: bytes) -> Path:
    path = desk.folder / name
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def utc(unix_seconds: int) -> str:
    return datetime.datetime.fromtimestamp(unix_seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def date(unix_seconds: int) -> str:
    return utc(unix_seconds)[:10]


def yesterday() -> int:
    return (int(datetime.datetime.now(datetime.UTC).timestamp()) // DAY - 1) * DAY


def covid_tracer_identifier(root: bytes, unix_seconds: int) -> bytes:
    moment = utc(unix_seconds)
    key = hmac.digest(root, moment[:10].encode(), hashlib.sha256)
    return hmac.digest(key, moment[:13].encode(), hashlib.sha256)[:20]


def covid_tracer_report(root: Path, *options: str | Path) -> tuple[str | Path, ...]:
    return ("submit", "covid-tracer", "--root", root, "--symptoms-began", "2020-11-20", *options)


def sonar_upload(registration: Path, *options: str | Path) -> tuple[str | Path, ...]:
    """A submission of the onset's day, with a cough."""
    since = ("--symptom", "cough", "--symptoms-began", "2020-11-20", "--from", "2020-11-20", "--until", "2020-11-20")
    return ("submit", "sonar", "--registration", registration, *since, *options)


def herald_identifier(secret_bytes: bytes, epoch: int, unix_seconds: int) -> bytes:
    """The identifier by the algorithm of Herald for iOS."""

    def digest(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    def key(last: bytes, count: int, wanted: int) -> bytes:
        seed = last
        for _ in range(count - wanted):
            seed = digest(seed[:16])
        before = digest(seed[:16])
        return digest(bytes(a ^ b for a, b in zip(seed, before, strict=True)))

    day = key(digest(secret_bytes), 2000, (unix_seconds - epoch) // DAY)
    return key(digest(day), 240, unix_seconds % DAY // 360)[:16]
