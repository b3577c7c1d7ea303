"""The first boot of a card from `tabardctl prepare`, on a clean Debian system without a network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT, VERSION, System, package

sys.path.insert(0, str(ROOT / "Tests/Rig"))
import boot_partition  # noqa: E402

# `make deb` has built it.
TABARDCTL = os.environ.get("TABARD_CTL", str(ROOT / ".build/release/tabardctl"))


def prepared(system: System, folder: Path) -> None:
    """Prepares a card at the system's `/boot/firmware`.

    The package is for this machine's processor, although its name says that of a board.
    """
    card = boot_partition.debian_13(system.folder / "boot/firmware")
    file = folder / f"tabard_{VERSION}_arm64.deb"
    shutil.copy(package("tabard"), file)
    keys = ("--keys", folder / "keys", "--new-keys")
    place = ("--venue-number", "1234", "--name", "Adams' Pizza")
    subprocess.run([TABARDCTL, "prepare", card, "--package", file, *keys, *place], check=True, capture_output=True)
    # systemd makes the folder of the agent's state when the service starts.
    (system.folder / "var/lib/private/tabard").mkdir(parents=True)
    (system.folder / "var/lib/tabard").symlink_to("private/tabard")


def test_the_first_boot_makes_a_beacon(system: System, tmp_path: Path) -> None:
    """The step installs the package, sets the board up, gives it the keys, and says so on the card."""
    prepared(system, tmp_path)
    printed = system.run("sh", "/boot/firmware/tabard/first-boot.sh").stdout
    assert printed.endswith("tabard: first boot: done\n"), printed
    assert (system.folder / "boot/firmware/tabard/first-boot.log").read_text() == printed
    configuration = system.run("tabard", "config").stdout
    assert "location = 1234" in configuration and 'name = "Adams\' Pizza"' in configuration, configuration
    assert (system.folder / "etc/systemd/system/multi-user.target.wants/tabard.service").is_symlink()
    assert "keys of owner" in printed and list((system.folder / "var/lib/private/tabard").iterdir()), printed


def test_a_first_boot_that_is_repeated_changes_nothing(system: System, tmp_path: Path) -> None:
    """Power may fail during the first boot, which then runs again."""
    prepared(system, tmp_path)
    system.run("sh", "/boot/firmware/tabard/first-boot.sh")
    before = (system.folder / "etc/tabard/tabard.local.toml").read_text()
    keys = {file.name: file.read_bytes() for file in (system.folder / "var/lib/private/tabard").iterdir()}
    printed = system.run("sh", "/boot/firmware/tabard/first-boot.sh").stdout
    assert printed.endswith("tabard: first boot: done\n"), printed
    assert (system.folder / "etc/tabard/tabard.local.toml").read_text() == before
    assert {file.name: file.read_bytes() for file in (system.folder / "var/lib/private/tabard").iterdir()} == keys
