"""`tabard replay` of the capture that the agent writes, compared with its log from the same time."""

from __future__ import annotations

import re
import shutil
import struct
from dataclasses import dataclass, field
from pathlib import Path

import btsnoop
import program
from agent import emulator_for, find_agent
from phone_kinds import ANDROID_CURRENT, ANDROID_SMALL_MTU, IPHONE_BACKGROUND
from venue import Venue


@dataclass
class Replayed:
    """An encounter in the output of `tabard replay`."""

    address: str
    label: str = ""
    readings: int = 0
    samples: int = 0
    rssi: set[int] = field(default_factory=set)


async def replay(capture: Path, *arguments: str) -> tuple[int, str, str]:
    """Runs the command; returns exit code, output and errors."""
    agent = find_agent()
    ended = await program.run(*emulator_for(agent), agent, "replay", capture, *arguments)
    return ended.exit_code, ended.output, ended.errors


def encounters(output: str) -> list[Replayed]:
    """The encounters in the output's entry lines, in the order of their numbers."""
    found: dict[str, Replayed] = {}
    for line in output.splitlines():
        if match := re.search(r"  opened +#(\d+), ([0-9A-F:]{17}) ", line):
            found[match[1]] = Replayed(address=match[2].lower())
        elif match := re.search(r"  identified +#(\d+), herald (.*)", line):
            found[match[1]].label = match[2]
        elif match := re.search(r"  sample +#(\d+), \d+ ms, (\d+) readings?, (-?\d+) to (-?\d+) dBm", line):
            each = found[match[1]]
            each.readings += int(match[2])
            each.samples += 1
            each.rssi |= {int(match[3]), int(match[4])}
    return list(found.values())


async def test_a_replay_has_the_entries_of_the_log(venue: Venue) -> None:
    agent = await venue.start_agent()
    phones = [
        await venue.phone(ANDROID_CURRENT, "android", metres=2),
        await venue.phone(ANDROID_SMALL_MTU, "small MTU", metres=3),
        await venue.phone(IPHONE_BACKGROUND, "background", metres=5),
    ]
    for phone in phones:
        await phone.served.first(what="read by the agent")
    await venue.truth.hearings.until(lambda all: len(all) >= 80, what="eighty adverts")
    assert await agent.stop() == 0
    for phone in phones:
        phone.switch_off()
    (capture,) = agent.snoop_paths

    await agent.start_and_wait(venue.endpoint.transport)
    logged = await venue.synced(
        lambda all: {e.identity for e in all} >= {phone.payload for phone in phones}, what="encounter with each phone"
    )

    code, output, errors = await replay(capture, "--config", str(agent.configuration_path))
    assert (code, errors) == (0, "")
    replayed = encounters(output)
    assert {(e.address, e.label) for e in replayed} == {(e.addresses[0], e.label) for e in logged}
    for each in replayed:
        (truth,) = (e for e in logged if e.addresses[0] == each.address)
        assert each.readings == truth.readings
        assert abs(each.samples - truth.samples) <= 1  # a reading on a border may fall on either side of it
        assert min(each.rssi) == truth.rssi["minimum"] and max(each.rssi) == truth.rssi["maximum"]

    reports = await btsnoop.fields(capture, "bthci_evt.le_meta_subevent == 2", "bthci_evt.bd_addr")
    assert f"reports     {len(reports)} advertising reports" in output
    assert "flaws" not in output


async def test_a_capture_cut_anywhere_is_read_up_to_the_cut(venue: Venue) -> None:
    agent = await venue.start_agent()
    await venue.phone(ANDROID_CURRENT)
    await venue.truth.hearings.until(lambda all: len(all) >= 5, what="five adverts")
    assert await agent.stop() == 0
    whole = agent.snoop_paths[0].read_bytes()
    cut = venue.directory / "cut.btsnoop"
    for count in range(16, len(whole), max(1, len(whole) // 40)):
        cut.write_bytes(whole[:count])
        code, output, errors = await replay(cut, "--summary")
        packets = len(list(btsnoop.records(cut)))
        assert output.startswith(f"capture     {packets} packets")
        assert packets or "1970" not in output
        assert (code, errors) == (0, "") if packets else code == 65 and "the capture has no packets" in errors


async def test_a_record_of_the_year_9999_dates_nothing_but_itself(tmp_path: Path) -> None:
    """Adverts of one device, four per second; the time of one in the middle is damaged."""
    report = bytes.fromhex("043e10 02 01 00 01 112233445566 04 0303f6fc c4")
    began, count = 0x00DCDDB30F2F8000 + 1_800_000_000_000_000, 40
    capture, sound = tmp_path / "capture", tmp_path / "sound"
    for path, year_9999 in ((capture, count // 2), (sound, None)):
        stamps = [began + number * 250_000 for number in range(count)]
        if year_9999 is not None:
            stamps[year_9999] = began + 251_600_000_000_000_000
        heads = (struct.pack(">IIIIQ", len(report), len(report), 3, 0, stamp) for stamp in stamps)
        path.write_bytes(btsnoop.MAGIC + struct.pack(">II", 1, 1002) + b"".join(head + report for head in heads))
    code, output, errors = await replay(capture)
    assert (code, errors) == (0, "") and "9999" not in output
    assert "clock back 0 times, 1 wild times not followed" in output
    _, expected, _ = await replay(sound)
    assert "flaws" not in expected and "40 advertising reports" in expected
    assert re.findall("capture .*", output) == re.findall("capture .*", expected)


async def test_a_file_that_is_not_a_capture_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    head = btsnoop.MAGIC + struct.pack(">II", 1, 1002)
    for content, code, words in (
        (b"", 65, "not a btsnoop capture; convert it with 'tabardctl convert FILE'"),
        (b"\x0a\x0d\x0d\x0a" + bytes(40), 65, "not a btsnoop capture; convert it with 'tabardctl convert FILE'"),
        (btsnoop.MAGIC + struct.pack(">II", 1, 1003), 65, "datalink 1003"),
        (head + b"\x7f" * 24, 65, "damaged at byte 16"),
    ):
        file.write_bytes(content)
        found, _, errors = await replay(file)
        assert found == code and words in errors and errors.count("\n") == 1
    found, _, errors = await replay(tmp_path / "nothing")
    assert found == 66 and "No such file" in errors


async def test_incomplete_output_is_a_failure(programs: None) -> None:
    agent = find_agent()
    for command in ("--help", "--version", "selftest"):
        ended = await program.run("sh", "-c", 'exec "$@" > /dev/full', "sh", *emulator_for(agent), agent, command)
        assert ended.exit_code == 74
        assert ended.errors == "tabard: standard output: No space left on device; the output is incomplete\n"


async def test_an_agent_without_its_other_program_says_what_to_do(tmp_path: Path) -> None:
    alone = shutil.copy(find_agent(), tmp_path / "tabard")
    ended = await program.run(*emulator_for(find_agent()), alone, "replay", tmp_path / "capture.btsnoop")
    if not Path("/usr/lib/tabard/tabard-commands").exists():
        assert ended.exit_code == 69 and "install the package tabard again" in ended.errors, ended
