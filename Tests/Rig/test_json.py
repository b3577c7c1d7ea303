"""Each list of `tabardctl` prints the JSON that docs/json.md and docs/schemas describe."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lists
from desk import Desk
from printed_json import SCHEMAS, document_in, schema_name

# By the name of the schema: a command that prints it of a desk with rows for most lists.
COMMANDS: dict[str, tuple[str, ...]] = {
    "boards": ("boards",),
    "clocks": ("clocks",),
    "common-visits": ("contacts", "--at-beacons"),
    "contact-totals": ("contacts", "--totals"),
    "contacts": ("contacts",),
    "coverage": ("coverage",),
    "encounters": ("encounters",),
    "identity-matches": ("match", "ble-proximity", "list.json", "--as-of", "2025-11-25"),
    "keys": ("keys", "show", "operator.pem"),
    "labels": ("label",),
    "markers": ("markers",),
    "meetings": ("who-met", "00010203"),
    "messages": ("messages",),
    "pages": ("inspect",),
    "presence": ("presence",),
    "readings": ("encounters", "--readings"),
    "refusals": ("encounters", "--refused"),
    "retention": ("forget", "--list"),
    "summary": ("summary",),
    "untrusted-boards": ("trust",),
    "verifications": ("verify",),
}
# Outputs that other tests of the rig have, which hold them against their schemas by `document_in`.
ELSEWHERE = {
    "board-findings": "test_doctor.py",
    "calibration-runs": "test_calibrate.py",
    "exposures": "test_match.py",
    "findings": "test_host_doctor.py",
    "formal-test": "test_herald_logs.py",
    "herald-payloads": "test_payload.py",
    "ports": "test_setup.py",
    "sonar-contacts": "test_submit_sonar.py",
    "status": "test_service.py",
}


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await lists.full_desk(tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_list_prints_what_its_schema_describes(desk: Desk, name: str) -> None:
    ended = await desk.run(*lists.arguments(desk, COMMANDS[name]), "--json")
    document_in(ended.output)
    assert schema_name(json.loads(ended.output)) == name


def test_every_schema_is_of_a_command_that_a_test_runs() -> None:
    described = {re.sub(r"-[0-9]+$", "", file.stem) for file in SCHEMAS.glob("*.json")}
    assert described == COMMANDS.keys() | ELSEWHERE.keys()
