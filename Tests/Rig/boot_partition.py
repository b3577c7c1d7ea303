"""Folders laid out as the boot partition (bootfs) of a card with Raspberry Pi OS.

The names and the forms of the files are those of pi-gen, which builds Raspberry Pi OS, and of Raspberry Pi Imager.
"""

from __future__ import annotations

from pathlib import Path

COMMAND_LINE = (
    "console=serial0,115200 console=tty1 root=PARTUUID=4a3c1b2d-02 rootfstype=ext4 fsck.repair=yes rootwait quiet "
    "init=/usr/lib/raspberrypi-sys-mods/firstboot\n"
)
CONFIGURATION = "dtparam=audio=on\narm_64bit=1\n\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n\n[all]\n"
USER_DATA = """#cloud-config

# The most common settings are below.
hostname: foyer
# runcmd:
# - [ ls, -l, / ]
"""
IMAGER_SCRIPT = """#!/bin/bash

set +e

echo foyer >/etc/hostname
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
"""


def debian_12(folder: Path, architecture: str = "arm64") -> Path:
    """A card with Raspberry Pi OS of Debian 12."""
    folder.mkdir()
    (folder / "cmdline.txt").write_text(COMMAND_LINE)
    (folder / "config.txt").write_text(CONFIGURATION)
    (folder / "issue.txt").write_text("Raspberry Pi reference 2024-11-19\nGenerated using pi-gen\n")
    kernels = ["kernel8.img", "kernel_2712.img"] + (["kernel.img", "kernel7.img"] if architecture == "armhf" else [])
    for name in kernels:
        (folder / name).write_bytes(b"kernel")
    return folder


def debian_13(folder: Path) -> Path:
    """A card with Raspberry Pi OS of Debian 13, which has cloud-init."""
    debian_12(folder)
    (folder / "issue.txt").write_text("Raspberry Pi reference 2025-10-01\nGenerated using pi-gen\n")
    (folder / "user-data").write_text(USER_DATA)
    (folder / "meta-data").write_text("dsmode: local\ninstance_id: rpios-image\n")
    (folder / "network-config").write_text("# network\n")
    return folder
