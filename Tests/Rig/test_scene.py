"""The scene, the truth and the verdict: a wrong report must not pass. No agent is needed here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bumble.device import Device
from bumble.hci import HCI_LE_1M_PHY, Address
from bumble.host import Host

import btsnoop
from air import Air, Hearing
from archive import Sample, Snapshot
from phone_kinds import ANDROID_CURRENT, PASSER_BY
from propagation import Propagation
from scene import Part, Scene, walk
from tabardctl import CoverageInterval, FoundEncounter
from truth import TrueEncounter, Truth
from verdict import compare, compare_coverage, kill_loss

PAYLOADS = {"Agnes": b"\x10agnes", "Ben": b"\x10ben"}
TRUE = [
    TrueEncounter("Agnes", 100.0, 160.0, 240, -80, -50, -61.0),
    TrueEncounter("Ben", 110.0, 120.0, 40, -80, -50, -61.0),
    TrueEncounter("Ben", 140.0, 155.0, 60, -80, -50, -61.0),
]


def found(name: str, start: float, end: float) -> FoundEncounter:
    rssi = {"minimum": -80.0, "maximum": -50.0, "mean": -61.0}
    return FoundEncounter(PAYLOADS[name], name, start, end, end - start, 100, 10, ("aa",), 1, "board", 0.01, rssi)


PERFECT = [found("Ben", 140.0, 155.0), found("Agnes", 100.0, 160.0), found("Ben", 110.0, 120.0)]


def test_a_perfect_report_agrees() -> None:
    verdict = compare(PAYLOADS, TRUE, PERFECT)
    assert verdict.disagreements == []
    assert verdict.detected == ["Agnes", "Ben"]
    assert verdict.largest_error("duration") == 0


@pytest.mark.parametrize(
    "report",
    [
        PERFECT[:2],
        PERFECT[:1] + PERFECT[2:],
        [*PERFECT, found("Ben", 300.0, 310.0)],
        [found("Agnes", 100.0, 160.0), found("Ben", 110.0, 155.0)],
        [PERFECT[0], PERFECT[2], found("Agnes", 102.5, 160.0)],
        [PERFECT[0], PERFECT[2], found("Agnes", 100.0, 157.5)],
        [*PERFECT, replace(PERFECT[0], identity=b"\x10nobody")],
        [replace(encounter, start=None) for encounter in PERFECT],
        [*PERFECT, replace(PERFECT[0], identity=None)],
        [replace(encounter, readings=90) for encounter in PERFECT],
        [],
    ],
    ids=[
        "one encounter missing",
        "a phone missing",
        "one too many",
        "two joined",
        "late",
        "short",
        "unknown identity",
        "no clock",
        "one that never said who it is",
        "readings lost",
        "nothing",
    ],
)
def test_a_wrong_report_disagrees(report: list[FoundEncounter]) -> None:
    assert compare(PAYLOADS, TRUE, report).disagreements


def hearing(at: float) -> Hearing:
    return Hearing(at, "agent", "Agnes", "aa", -60, False)


def test_a_kill_may_cost_the_window_only() -> None:
    readings = [hearing(100 + n / 4) for n in range(80)]
    kept = Snapshot({(1, 0): b"abcdef"}, frozenset({Sample("aa", 100.0, 116.0, 65)}))
    early = Snapshot({(1, 0): b"abc"}, frozenset({Sample("aa", 100.0, 116.0, 65)}))
    assert kill_loss(readings, ["AA"], 120.0, early, kept, 5.0).is_acceptable
    assert not kill_loss(readings, ["AA"], 120.0, early, kept, 3.0).is_acceptable
    assert not kill_loss(readings, ["AA"], 120.0, kept, early, 5.0).is_acceptable  # Synced bytes are gone.
    assert not kill_loss(readings, ["AA"], 120.0, early, replace(kept, samples=frozenset()), 99).is_acceptable


SCANS = [(100.0, 130.0), (137.0, 137.4), (137.5, 170.0)]
COVERED = [
    CoverageInterval("covered", 100.2, 128.0, 400, None, (), ()),
    CoverageInterval("covered", 137.1, 170.0, 400, None, (), ()),
]
BLIND = CoverageInterval("blind", 128.0, 137.1, 0, "notRunning", (), ())


def coverage_disagreements(found: list[CoverageInterval]) -> list[str]:
    loss = compare_coverage(SCANS, found, causes=["notRunning"], allowed_uncovered_seconds=5)
    return loss.disagreements


def test_a_known_pause_must_be_blind_however_short() -> None:
    scans = [(100.0, 130.0), (131.0, 170.0)]
    whole = [CoverageInterval("covered", 100.0, 170.0, 400, None, (), ())]
    rules: dict[str, Any] = {"causes": ["notRunning"], "allowed_uncovered_seconds": 5}
    assert not compare_coverage(scans, whole, **rules).disagreements  # a pause for a connection
    assert compare_coverage(scans, whole, pauses=[(130.0, 130.9)], **rules).disagreements
    told = [replace(whole[0], end=128.0), replace(BLIND, start=128.0, end=131.1), replace(whole[0], start=131.1)]
    assert not compare_coverage(scans, told, pauses=[(130.0, 130.9)], **rules).disagreements


@pytest.mark.parametrize(
    ("last_heard_at", "scanned_until", "covered_until", "agrees"),
    [
        (150.0, 175.0, 150.0, True),
        (150.0, 180.0, 150.0, True),
        (150.0, 184.0, 150.0, True),
        (150.0, 187.0, 150.0, False),
        (150.0, 175.0, 142.0, False),
        (175.0, 175.0, 150.0, False),
    ],
    ids=[
        "all left and it claims nothing",
        "as long as it may",
        "longer by less than a kill costs",
        "too long",
        "from before they left",
        "they never left",
    ],
)
def test_suspicion_after_the_last_advert_is_allowed_for_its_time_only(
    last_heard_at: float, scanned_until: float, covered_until: float, agrees: bool
) -> None:
    found = [CoverageInterval("covered", 100.0, covered_until, 400, None, (), ())]
    loss = compare_coverage(
        [(100.0, scanned_until)], found, causes=[], allowed_uncovered_seconds=5, last_heard_at=last_heard_at
    )
    assert (not loss.disagreements) == agrees


def test_what_was_lost_elsewhere_is_no_suspicion() -> None:
    found = [CoverageInterval("covered", 110.0, 175.0, 400, None, (), ())]
    loss = compare_coverage(
        [(100.0, 175.0)], found, causes=[], allowed_uncovered_seconds=5, last_heard_at=150.0
    )
    assert loss.disagreements and loss.suspected_seconds == 0


def test_true_coverage_agrees() -> None:
    assert coverage_disagreements([COVERED[0], BLIND, COVERED[1]]) == []


@pytest.mark.parametrize(
    "found",
    [
        [replace(COVERED[0], end=136.0), replace(BLIND, start=136.0), COVERED[1]],
        [replace(COVERED[0], end=120.0), replace(BLIND, start=120.0), COVERED[1]],
        [COVERED[0], COVERED[1]],
        [COVERED[0], replace(BLIND, cause="unknown"), COVERED[1]],
        [COVERED[0], BLIND, replace(COVERED[1], end=172.0)],
        [],
    ],
    ids=["claims the pause", "denies ten seconds", "says nothing of it", "wrong cause", "goes on too long", "nothing"],
)
def test_wrong_coverage_disagrees(found: list[CoverageInterval]) -> None:
    assert coverage_disagreements(found)


async def test_a_scene_is_played_and_written_down(tmp_path: Path) -> None:
    parts = [
        Part("walker", ANDROID_CURRENT, [walk((0.0, 60, 0), (0.5, 60, 0), (1.0, 2, 0), (2.0, 2, 0), (2.4, 60, 0))]),
        Part("returner", ANDROID_CURRENT, [walk((0.1, 3, 0), (1.0, 3, 0)), walk((2.2, 3, 0), (3.0, 3, 0))]),
        Part("other", PASSER_BY, [walk((0.2, 5, 0), (3.0, 5, 0))], rotates_at=1.5),
    ]
    async with Air(propagation=Propagation(exponent=3)) as air:
        truth, scene = Truth(air), Scene(air, parts)
        node = air.add("agent", "F0:0A:00:00:00:01")
        device = Device(name="listener", address=Address("C0:00:00:00:00:01"), host=Host(node, node))
        await device.power_on()
        await device.start_scanning(active=False, scanning_phys=[HCI_LE_1M_PHY])
        said: list[str] = []
        await scene.play(said.append)

        (walked,) = truth.encounters("walker", gap_seconds=1)
        ((enters, leaves),) = scene.in_reach(parts[0], air.propagation)
        assert 0.5 < enters < 1.0 and 2.0 < leaves < 2.4
        assert walked.seconds == pytest.approx(leaves - enters, abs=0.6)
        assert walked.rssi_maximum_dbm > -70 > walked.rssi_minimum_dbm
        assert len(truth.encounters("returner", gap_seconds=1)) == 2
        assert len(truth.encounters("returner", gap_seconds=2)) == 1
        assert len({hearing.address for hearing in truth.heard("other")}) == 2
        assert any("walker goes out of reach" in line for line in said)

        truth.write(tmp_path / "truth.json", map(scene.describe, parts), gap_seconds=1)
        written = json.loads((tmp_path / "truth.json").read_text())
        assert [phone["isHerald"] for phone in written["phones"]] == [True, True, False]
        assert len(written["phones"][0]["adverts"]) == walked.readings


async def test_captures_are_joined_in_time_and_judged(tmp_path: Path) -> None:
    stamp = 0x00DCDDB30F2F8000 + 1_800_000_000_000_000

    def capture(name: str, records: list[tuple[int, bytes]], tail: bytes = b"") -> Path:
        path = tmp_path / name
        path.write_bytes(
            b"btsnoop\0\0\0\0\1\0\0\x03\xea"
            + b"".join(
                len(packet).to_bytes(4, "big") * 2 + bytes(4) * 2 + (stamp + at).to_bytes(8, "big") + packet
                for at, packet in records
            )
            + tail
        )
        return path

    reset = bytes.fromhex("01030c00")
    pieces = [capture("2", [(30, reset)]), capture("1", [(10, reset), (20, reset)], tail=b"\0\0\0\4" * 2 + bytes(18))]
    joined = tmp_path / "joined"
    assert btsnoop.join(pieces, joined) == 3
    assert (await btsnoop.judge(joined)).is_clean
    assert not (await btsnoop.judge(capture("bad", [(1, b"\x04\x3e\x05\x02\x01\x00\x00\x00")]))).is_clean
    with pytest.raises(ValueError):
        list(btsnoop.records(Path(__file__)))
