"""`tabard doctor` names faults of the system: its kernel, its services, its ports and its medium.

No test machine has these faults, so they are files of another system below a folder (`--system`).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import board_system
import pytest
from board_system import System


@pytest.fixture
def system(programs: None, tmp_path: Path) -> System:
    """A system that lacks nothing but a running agent."""
    return board_system.made_in(tmp_path / "system")


@dataclass(frozen=True)
class Case:
    """A system with a fault, and the finding about it."""

    name: str
    subject: str
    words: str
    remedy: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Files that the system has in addition."""
    without: str | None = None
    """The file or folder that it lacks."""
    level: str = "fault"

    def change(self, system: System) -> None:
        """Brings the fault about."""
        if self.without is not None:
            path = system.folder / self.without
            path.unlink() if path.is_file() else shutil.rmtree(path)
        for file, text in self.files.items():
            system.write(file, text)


ADAPTER, RFKILL, VOLTAGE = "sys/class/bluetooth/hci0", "sys/class/rfkill/rfkill1/", "sys/class/hwmon/hwmon1/"


def without_firmware(name: str, message: str, package: str) -> Case:
    """A kernel that has no adapter, because it did not find the firmware."""
    files = {"dev/kmsg": f"3,700,5000000,-;Bluetooth: hci0: {message}\n"}
    return Case(name, "controller", "no Bluetooth adapter", f"sudo apt install {package}", files, ADAPTER)


def blocked(name: str, words: str, remedy: str, *, hard: int) -> Case:
    """A switch that is on."""
    files = {RFKILL + "type": "bluetooth\n", RFKILL + "soft": "1\n", RFKILL + "hard": f"{hard}\n"}
    return Case(name, "rfkill", words, remedy, files)


CASES = [
    Case("no-bluetooth", "controller", "not loaded", "sudo modprobe bluetooth", without="sys/class/bluetooth"),
    Case("no-adapter", "controller", "no Bluetooth adapter", "plug an adapter in", without=ADAPTER),
    Case(
        "bluetooth-disabled",
        "controller",
        "no Bluetooth adapter",
        "remove dtoverlay=disable-bt",
        {"boot/firmware/config.txt": "arm_64bit=1\ndtoverlay=disable-bt\n"},
        ADAPTER,
    ),
    without_firmware("firmware-of-broadcom", "BCM: firmware Patch file not found, tried:", "bluez-firmware"),
    without_firmware("firmware-of-realtek", "RTL: firmware file rtl_bt/rtl8761bu_fw.bin not found", "firmware-realtek"),
    without_firmware("firmware-of-intel", "Direct firmware load for intel/ibt-20.sfi failed", "firmware-iwlwifi"),
    Case(
        "another-adapter",
        "controller",
        "no adapter hci0; the kernel has hci1",
        "set radio.hci to one of them",
        {"sys/class/bluetooth/hci1/type": ""},
        ADAPTER,
    ),
    blocked("soft-block", "blocked", "sudo rfkill unblock bluetooth", hard=0),
    blocked("hard-block", "a switch on the board", "turn the switch on", hard=1),
    Case(
        "bluetoothd",
        "bluetoothd",
        "only one program",
        "sudo systemctl disable --now bluetooth",
        {"proc/812/comm": "bluetoothd\n", "proc/813/comm": "sshd\n"},
    ),
    Case(
        "no-device-port",
        "sync port",
        "/dev/tabard-sync is not there",
        "dtoverlay=dwc2,dr_mode=peripheral",
        without="dev/tabard-sync",
    ),
    Case(
        "no-gadget",
        "sync port",
        "/dev/tabard-sync is not there",
        "sudo systemctl restart tabard-gadget",
        {"sys/class/udc/fe980000.usb/state": ""},
        "dev/tabard-sync",
    ),
    Case("no-log-folder", "log", "the folder of log.path is not there", "create it", without="var/lib/tabard"),
    Case(
        "low-voltage",
        "power",
        "voltage is too low",
        "the board's own power supply",
        {VOLTAGE + "name": "rpi_volt\n", VOLTAGE + "in0_lcrit_alarm": "1\n"},
        level="warning",
    ),
    Case(
        "not-enabled",
        "service",
        "does not start when the board starts",
        "sudo systemctl enable tabard",
        {"usr/lib/systemd/system/tabard.service": ""},
        level="warning",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_fault_of_the_system_is_named_with_its_remedy(system: System, case: Case) -> None:
    assert not [each for each in (await system.findings())[1] if each.subject == case.subject and each.level != "ok"]
    case.change(system)
    finding = await system.finding(case.subject)
    assert finding.level == case.level and case.words in finding.finding, finding
    assert case.remedy in finding.run + finding.advice, finding


@pytest.fixture
def small_disk(system: System) -> Iterator[System]:
    """A system whose folder of the log has a file system of 4 MiB."""
    folder = system.folder / "var/lib/tabard"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], check=False).returncode != 0:
        pytest.skip("only root may mount a file system of 4 MiB")
    yield system
    subprocess.run(["umount", folder], check=True)


async def test_a_log_without_space_says_how_much_it_needs(small_disk: System) -> None:
    finding = await small_disk.finding("log", log={"size_mebibytes": 16})
    assert finding.level == "fault" and finding.finding.endswith(": 4 MiB are free, and 16 are needed for a new log"), finding


async def test_a_read_only_file_system_is_a_fault(small_disk: System) -> None:
    folder = small_disk.folder / "var/lib/tabard"
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    finding = await small_disk.finding("log")
    assert "read-only" in finding.finding and "sudo mount -o remount,rw" in finding.advice, finding
