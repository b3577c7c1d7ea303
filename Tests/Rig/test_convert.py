"""`tabardctl convert` of captures in the forms of other programs, judged by `tabard replay` and by tshark."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import btsnoop
import captures
import program
from agent import find_tabardctl, repository_root
from phone_kinds import ANDROID_CURRENT, IPHONE_BACKGROUND
from test_replay import replay
from venue import Venue, until_left_alone

RIG = repository_root() / "Tests/Fuzz/Corpora/btsnoop/rig"
ANDROID_LOG = "FS/data/misc/bluetooth/logs/btsnoop_hci.log"


async def convert(*arguments: str | Path) -> program.Ended:
    return await program.run(find_tabardctl(), "convert", *arguments)


async def packet_count(capture: Path) -> int:
    """The number of packets as tshark counts them."""
    return len(await btsnoop.fields(capture, "frame", "frame.number"))


async def check_same(original: Path, other: Path, directory: Path) -> None:
    """The converted capture has as many packets as tshark counts, and the replay of the original."""
    result = directory / "result"
    ended = await convert(other, "--output", result, "--force")
    assert ended.exit_code == 0, ended
    counted = await packet_count(other)
    assert ended.errors == f"{result}: HCI packets: {counted}\n"
    assert await packet_count(result) == counted
    assert await replay(result) == await replay(original)


async def test_each_form_of_a_capture_with_reads_gives_the_same_replay(venue: Venue) -> None:
    agent = await venue.start_agent()
    phones = [await venue.phone(ANDROID_CURRENT, "android"), await venue.phone(IPHONE_BACKGROUND, "background")]
    for phone in phones:
        await until_left_alone(phone)
    await venue.truth.hearings.until(lambda all: len(all) >= 40, what="forty adverts")
    assert await agent.stop() == 0
    (capture,) = agent.snoop_paths
    code, output, errors = await replay(capture)
    assert (code, errors) == (0, "") and output.count("  identified ") == len(phones)
    for name, form in captures.FORMS.items():
        other = venue.directory / name
        other.write_bytes(form(capture))
        await check_same(capture, other, venue.directory)


@pytest.mark.parametrize("form", ["pcap", "pcapng", "nsecpcap"])
async def test_what_wireshark_writes_gives_the_same_replay(programs: None, tmp_path: Path, form: str) -> None:
    other = tmp_path / "other"
    await program.run_well("editcap", "-F", form, RIG, other)
    await check_same(RIG, other, tmp_path)


async def test_a_monitor_capture_keeps_its_adapters(programs: None, tmp_path: Path) -> None:
    monitor, other, result = (tmp_path / name for name in ("monitor", "other", "result"))
    whole = (repository_root() / "Tests/Fuzz/Corpora/btsnoop/monitor").read_bytes()
    monitor.write_bytes(whole)
    await program.run("editcap", "-F", "pcap", monitor, other)
    assert (await convert(other, "-o", result)).exit_code == 0
    # The corpus ends within a record, which editcap leaves out.
    assert whole.startswith(result.read_bytes()) and len(whole) - len(result.read_bytes()) < 300


async def test_a_bug_report_names_its_captures_and_gives_one(programs: None, tmp_path: Path) -> None:
    report, result = tmp_path / "bugreport.zip", tmp_path / "bugreport.btsnoop"
    capture = RIG.read_bytes()
    captures.bug_report(report, {ANDROID_LOG: capture, ANDROID_LOG + ".last": captures.packetlogger(RIG, "<")})
    ended = await convert(report)
    assert ended.exit_code == 64 and ended.errors.count("\n") == 1, ended
    assert f"has 2 captures; give one of them with --member: {ANDROID_LOG}, {ANDROID_LOG}.last" in ended.errors
    assert not result.exists()
    for member in ("btsnoop_hci.log", ANDROID_LOG + ".last"):
        ended = await convert(report, "--member", member, "--force")
        assert ended.exit_code == 0 and result.read_bytes() == capture, ended
    captures.bug_report(report, {ANDROID_LOG + ".gz": gzip.compress(capture)})
    assert (await convert(report, "--force")).exit_code == 0 and result.read_bytes() == capture
    captures.bug_report(report, {})
    ended = await convert(report, "--force")
    assert ended.exit_code == 65 and "no entry of the zip file begins like a capture" in ended.errors
    ended = await convert(report, "--member", "nothing", "--force")
    assert ended.exit_code == 66 and "no entry nothing" in ended.errors


async def test_nothing_is_overwritten_unasked(programs: None, tmp_path: Path) -> None:
    capture, result = tmp_path / "capture.pklg", tmp_path / "capture.btsnoop"
    capture.write_bytes(captures.packetlogger(RIG, ">"))
    result.write_text("mine")
    ended = await convert(capture)
    assert ended.exit_code == 73 and "already exists; --force overwrites it" in ended.errors
    assert result.read_text() == "mine"
    assert (await convert(capture, "--force")).exit_code == 0
    assert result.read_bytes() == RIG.read_bytes()
    for arguments in ((result, "--force"), (capture, "-o", capture, "--force")):
        ended = await convert(*arguments)
        assert ended.exit_code == 64 and "the capture itself" in ended.errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["capture.btsnoop", "capture.pklg"]


async def test_a_pipe_is_converted(programs: None, tmp_path: Path) -> None:
    capture = tmp_path / "capture"
    capture.write_bytes(gzip.compress(captures.pcap(RIG, ">", 201)))
    command = '"$0" convert - --output - < "$1" > "$2"'
    ended = await program.run_well("sh", "-c", command, find_tabardctl(), capture, tmp_path / "result")
    assert (tmp_path / "result").read_bytes() == RIG.read_bytes() and "HCI packets: 30" in ended.errors


async def test_what_is_before_a_cut_or_damage_is_written(programs: None, tmp_path: Path) -> None:
    capture, result = tmp_path / "capture.pklg", tmp_path / "capture.btsnoop"
    whole = captures.packetlogger(RIG, "<")
    capture.write_bytes(whole[:-3])
    ended = await convert(capture)
    assert ended.exit_code == 0 and "ends within a record; its last " in ended.errors and "packets: 29" in ended.errors
    assert len(list(btsnoop.records(result))) == 29
    capture.write_bytes(whole + b"\xff" * 100)
    ended = await convert(capture, "--force")
    assert ended.exit_code == 65 and f"damaged at byte {len(whole)}: a record claims 4294967295 bytes" in ended.errors
    assert result.read_bytes() == RIG.read_bytes()


async def test_other_files_are_refused_in_one_line_and_leave_nothing(programs: None, tmp_path: Path) -> None:
    file = tmp_path / "file"
    btsnoop_head = btsnoop.MAGIC + b"\0\0\0\1"
    for content, words in (
        (b"", "an empty file"),
        (b"<!DOCTYPE html>\n<html>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"> HCI Event: 0x0e\n", "a text file"),
        (b"BZh91AY&SY" + bytes(40), "bunzip2"),
        (b"\xfd7zXZ\0" + bytes(40), "unxz"),
        (bytes(5000), "not a capture in a known form"),
        (captures.pcap(RIG, "<", 187).replace(b"\xbb\0\0\0", b"\0\1\0\0", 1), "a capture of the air (link type 256)"),
        (captures.pcap(RIG, "<", 187).replace(b"\xbb\0\0\0", b"\xdc\0\0\0", 1), "a capture of USB (link type 220)"),
        (btsnoop_head + b"\0\0\3\xeb", "datalink 1003 (BCSP), which no known tool reads"),
        (btsnoop_head + b"\0\0\3\xea", "no HCI packets"),
        (b"PK\3\4" + bytes(40), "a damaged zip file"),
    ):
        file.write_bytes(content)
        ended = await convert(file)
        assert ended.exit_code == 65 and words in ended.errors and ended.errors.count("\n") == 1, ended
        assert list(tmp_path.iterdir()) == [file]
    ended = await convert(tmp_path / "nothing")
    assert ended.exit_code == 66 and "No such file" in ended.errors
    ended = await convert("-")
    assert ended.exit_code == 64 and "--output" in ended.errors


async def test_a_small_file_that_unpacks_to_a_large_one_is_read_up_to_its_damage(programs: None, tmp_path: Path) -> None:
    file, result = tmp_path / "file.pklg.gz", tmp_path / "file.btsnoop"
    file.write_bytes(gzip.compress(captures.packetlogger(RIG, ">") + bytes(100 << 20)))
    ended = await convert(file)
    assert ended.exit_code == 65 and "a record has the impossible length 0" in ended.errors
    assert result.read_bytes() == RIG.read_bytes()
