"""Exports of the sample archive, and what its lists say of the same contacts."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import sample_archive
from sample_archive import Sample

SINGLE_FILES = ["sociopatterns", "gexf", "graphml", "jsonl", "parquet", "xlsx"]
FOLDERS = ["csv", "epicontacts", "socialmixr"]


async def named_sample(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """Ten wearables; the first three have names, two groups and ages."""
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    sample = await sample_archive.at(folder, monkeypatch, encounter_count=1_000)
    names = sample.folder / "people.csv"
    names.write_text('id,name,group,age,sex\nBoard 1,"Ada <&""> Ω",A,36,F\nBoard 2,Ben,A,7,M\nBoard 3,Cem,B,70,\n')
    await sample.printed("label", "--names", str(names))
    return sample


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


async def exported(sample: Sample, what: str, *options: str) -> Path:
    """The file or folder of an export."""
    ending = f".{what}" if what in SINGLE_FILES else ""
    output = sample.folder / f"{what}-{len(list(sample.folder.iterdir()))}{ending}"
    await sample.printed("export", what, "--output", str(output), *options)
    return output


async def contacts(sample: Sample) -> list[tuple[str, str, float, float]]:
    """The contacts as the list has them: names, start and end in seconds."""
    return [
        (each["board"]["name"], each["otherBoard"]["name"], seconds(each["start"]), seconds(each["end"]))
        for each in await sample.document("contacts")
    ]


async def tables(sample: Sample, *options: str) -> dict[str, list[dict[str, Any]]]:
    """All tables of an export as JSON Lines."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (await exported(sample, "jsonl", *options)).read_text().splitlines():
        row = json.loads(line)
        rows[row.pop("table")].append(row)
    return rows
