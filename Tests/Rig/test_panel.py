"""The board's light, button and battery: `tabard panel` beside a running agent."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import program
import pytest
import pytest_asyncio
from agent import find_agent
from journal import PATIENCE_SECONDS
from panel import PRESSED, Panel
from printed_json import document_in
from venue import Venue


@pytest_asyncio.fixture
async def panel(venue: Venue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Panel]:
    """A panel that is not started yet, beside a venue whose agent makes its sockets in the test's folder."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    panel = Panel(tmp_path / "panel", tmp_path)
    yield panel
    await panel.stop()


async def fetched(venue: Venue, *command: str) -> list[dict[str, object]]:
    """Syncs, and returns a listing of the operator's program."""
    await venue.tabardctl.sync(venue.agent.sync_port)
    return document_in(await venue.tabardctl.run(*command, "--json", "--archive", str(venue.tabardctl.archive)))


async def status(folder: Path) -> dict[str, object]:
    ended = await program.run_well(find_agent(), "status", "--json", "--socket", folder / "status")
    return json.loads(ended.output)


async def until_status(folder: Path, **wanted: object) -> None:
    """Waits until the agent's status has these values."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not wanted.items() <= (await status(folder)).items():
            await asyncio.sleep(0.2)


async def test_a_board_that_works_flashes_briefly(venue: Venue, panel: Panel) -> None:
    agent = await venue.start_agent()
    await agent.line("radio up")
    await panel.start()
    flashes = await panel.flashes(2)
    assert all(length < 0.15 for length in flashes), flashes


async def test_a_missing_agent_is_six_flashes(venue: Venue, panel: Panel) -> None:
    await panel.start()
    assert await panel.count_between_pauses() == 6


async def test_a_lost_radio_is_five_flashes(venue: Venue, panel: Panel) -> None:
    agent = await venue.start_agent()
    await agent.line("radio up")
    venue.endpoint.unplug()
    await agent.line("radio down")
    await panel.start()
    assert await panel.count_between_pauses() == 5


async def test_the_led_gets_its_former_use_back(venue: Venue, panel: Panel) -> None:
    await panel.start()
    await panel.flashes(1)
    assert (panel.led / "trigger").read_text().startswith("none")
    await panel.stop()
    assert (panel.led / "trigger").read_text().startswith("mmc0")
    assert (panel.led / "brightness").read_text().startswith("0")


async def test_a_press_puts_a_marker_into_the_log(venue: Venue, panel: Panel) -> None:
    agent = await venue.start_agent()
    await agent.line("radio up")
    await panel.start()
    panel.press()
    await agent.line("mark: this moment is in the log")
    quick = await panel.flashes(4)
    assert all(length < 0.1 for length in quick), quick
    (marker,) = await fetched(venue, "markers")
    assert marker["origin"] == "button" and marker["time"], marker


async def test_a_press_without_an_agent_is_refused_by_one_long_flash(venue: Venue, panel: Panel) -> None:
    await panel.start()
    await panel.flashes(1)
    panel.press()
    assert max(await panel.flashes(2)) > 1.5


async def test_a_button_that_only_marks_does_so_when_it_is_held(venue: Venue, panel: Panel) -> None:
    agent = await venue.start_agent()
    await panel.start("--hold", "off")
    panel.key(PRESSED)
    await agent.line("mark: this moment is in the log")


async def test_a_hold_that_may_not_power_off_says_so(venue: Venue, panel: Panel) -> None:
    """The first process belongs to somebody else in the rig, or is none of systemd's."""
    if os.geteuid() == 0:
        pytest.skip("root may signal the first process; `make vm-system` holds the button there")
    await panel.start()
    panel.key(PRESSED)
    assert max(await panel.flashes(2)) > 1.5
    assert "the button is held: the board cannot be powered off: Operation not permitted" in await panel.stop()


async def test_the_battery_is_in_status_log_and_export(venue: Venue, panel: Panel, tmp_path: Path) -> None:
    await venue.start_agent()
    await panel.start()
    await until_status(tmp_path, batteryPercent=80, isBatteryLow=False)
    await venue.tabardctl.sync(venue.agent.sync_port)
    archive = ("--archive", str(venue.tabardctl.archive))
    await venue.tabardctl.run("export", "herald", "--output", str(tmp_path / "herald"), *archive)
    (exported,) = (tmp_path / "herald").glob("*/battery.csv")
    header, row = exported.read_text().splitlines()
    assert header == "time,source,level" and row.endswith(",battery,80.0"), row


async def test_a_battery_that_is_low_is_committed_and_shown(venue: Venue, panel: Panel, tmp_path: Path) -> None:
    agent = await venue.start_agent()
    await agent.line("radio up")
    panel.charge(9)
    await panel.start()
    await agent.line("battery: low at 9 percent; the log is committed")
    await until_status(tmp_path, batteryPercent=9, isBatteryLow=True)
    assert max(await panel.flashes(3)) > 1.0
    metrics = (await program.run_well(find_agent(), "metrics", "--socket", tmp_path / "status")).output
    assert "tabard_battery_percent 9\n" in metrics and "tabard_battery_low 1\n" in metrics


@pytest.mark.parametrize(
    ("script", "percent"),
    [("echo 42 3700 charging", 42), ("echo 42%", None), ("sleep 9; echo 42", None), ("echo 42; exit 1", None)],
    ids=["a reading", "no reading", "too slow", "fails"],
)
async def test_a_helper_prints_the_battery(
    venue: Venue, panel: Panel, tmp_path: Path, script: str, percent: int | None
) -> None:
    helper = tmp_path / "helper"
    helper.write_text(f"#!/bin/sh\n{script}\n")
    helper.chmod(helper.stat().st_mode | stat.S_IXUSR)
    await venue.start_agent()
    await panel.start("--battery-helper", helper)
    await until_status(tmp_path, batteryPercent=percent)


async def test_mark_marks_the_moment_without_a_button(venue: Venue, panel: Panel, tmp_path: Path) -> None:
    await venue.start_agent()
    await program.run_well(find_agent(), "mark", "--socket", tmp_path / "control")
    (marker,) = await fetched(venue, "markers")
    assert marker["origin"] == "command", marker
    assert (await status(tmp_path))["markers"] == 1


async def test_mark_without_an_agent_says_what_to_do(programs: None, tmp_path: Path) -> None:
    ended = await program.run(find_agent(), "mark", "--socket", tmp_path / "control")
    assert ended.exit_code == 69 and "no agent answers: No such file or directory; look at systemctl" in ended.errors, ended


async def test_only_root_may_use_the_control_socket(venue: Venue, panel: Panel, tmp_path: Path) -> None:
    await venue.start_agent()
    assert (tmp_path / "control").stat().st_mode & 0o777 == 0o600


async def test_a_datagram_that_is_no_request_is_answered_so(venue: Venue, panel: Panel, tmp_path: Path) -> None:
    await venue.start_agent()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as asker:
        asker.settimeout(PATIENCE_SECONDS)
        asker.bind("")
        asker.connect(str(tmp_path / "control"))
        for datagram in (b"", b"\x09", b"\x01", b"\x02" + bytes(9), bytes(300)):
            await asyncio.to_thread(asker.send, datagram)
            assert await asyncio.to_thread(asker.recv, 16) == b"\x02", datagram


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--light", "nothing"), 69, "--light nothing: no LED that this program may set; ls /sys/class/leds"),
        (("--battery", "BAT7"), 69, "--battery BAT7: no such battery; ls /sys/class/power_supply"),
        (("--button", "/nowhere"), 69, "--button /nowhere: No such file or directory; give another device, or off"),
        (("--low-line", "17"), 64, "--low-line 17: write chip and line"),
        (("--low-line", "/nowhere:1"), 69, "--low-line /nowhere:1: No such file or directory"),
        (("--low", "130"), 64, "--low 130: write a charge in percent"),
        (("--hold", "reboot"), 64, "--hold reboot: write poweroff, or off"),
        (("--lihgt", "ACT"), 64, "--lihgt: not an option"),
        (("--light", "off", "--battery", "off", "--button", "off"), 0, "no light, button or battery; nothing to do"),
    ],
)
async def test_options_that_cannot_be(panel: Panel, options: tuple[str, ...], code: int, words: str) -> None:
    ended = await program.run(find_agent(), "panel", "--system", panel.system, *options)
    assert ended.exit_code == code and words in ended.errors, ended
