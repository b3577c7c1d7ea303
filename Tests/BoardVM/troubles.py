"""Troubles of an installed system: how each begins, what `tabard doctor` says about it, and what ends it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trouble:
    """One trouble. `begin` is a command in the machine that produces it.

    The doctor must report `subject` at `level` with words of `finding`, and name a command that mends it. That command
    is run as it is printed; `afterwards` then brings back what the trouble took besides, with the right time in $NOW.
    Where the doctor can only give advice, `follow` is a command that does as it says.
    """

    name: str
    begin: str
    subject: str
    finding: str
    level: str = "fault"
    follow: str = ""
    host: str = ""
    """The command of tabardctl that the doctor names, for the operator's computer."""
    afterwards: str = ""
    metric: str = ""
    """A line of `tabard metrics` that shows the trouble, if one does."""
    options: str = ""
    """Options of the doctor."""
    flashes: int = 0
    """The number of flashes by which the light shows the trouble, if it does."""


TROUBLES = (
    Trouble("agent stopped", "systemctl stop tabard", "agent", "does not run", metric="tabard_up 0", flashes=6),
    Trouble("agent hangs", "systemctl kill -s STOP tabard", "agent", "hangs", metric="tabard_up 0", flashes=6),
    Trouble(
        "service disabled",
        "mount -o remount,rw / && systemctl disable tabard",
        "service",
        "does not start",
        level="warning",
        afterwards="mount -o remount,ro /",
    ),
    Trouble("Bluetooth blocked", "systemctl stop tabard && rfkill block bluetooth", "rfkill", "blocked", afterwards="systemctl restart tabard"),
    Trouble("USB device port is no serial port", "systemctl stop tabard-gadget", "sync port", "not there"),
    Trouble("/var read-only", "echo u >/proc/sysrq-trigger; sleep 3", "log", "read-only"),
    Trouble(
        "kernel without Bluetooth",
        "systemctl stop tabard vm-bluetooth; modprobe -r hci_uart; modprobe -r btintel btqca btrtl btbcm; modprobe -r bluetooth",
        "controller",
        "kernel",
        afterwards="modprobe hci_uart; systemctl start vm-bluetooth; systemctl restart tabard",
    ),
    Trouble(
        "adapter removed",
        "systemctl stop vm-bluetooth",
        "controller",
        "adapter",
        follow="systemctl start vm-bluetooth",
        metric="tabard_radio_up 0",
        flashes=5,
    ),
    Trouble(
        "bluetoothd has the controller",
        "mount -o remount,rw / && mkdir -p /run/systemd/system/bluetooth.service.d && printf '[Unit]\\nConditionPathExists=\\n' "
        ">/run/systemd/system/bluetooth.service.d/zz.conf && systemctl daemon-reload && systemctl start bluetooth",
        "bluetoothd",
        "runs",
        afterwards="rm -r /run/systemd/system/bluetooth.service.d; systemctl daemon-reload; systemctl restart tabard; mount -o remount,ro /",
    ),
    Trouble(
        "/var full",
        "fallocate -l $(($(stat -f -c '%a * %S' /var) - 65536)) /var/filler",
        "log",
        "are free",
        follow="rm /var/filler",
    ),
    Trouble(
        "configuration with a mistake",
        "echo 'colour = 1' >/etc/tabard/tabard.local.toml; systemctl restart tabard",
        "configuration",
        "refuses",
        follow="rm /etc/tabard/tabard.local.toml && systemctl restart tabard",
    ),
    Trouble(
        "radio.hci names another adapter",
        "printf '[radio]\\nhci = \"hci7\"\\n' >/etc/tabard/tabard.local.toml; systemctl restart tabard",
        "controller",
        "hci7",
        follow="rm /etc/tabard/tabard.local.toml && systemctl restart tabard",
    ),
    Trouble(
        "clock unknown",
        "systemctl stop tabard; date -s 2001-01-01; systemctl start tabard",
        "clock",
        "not known",
        level="warning",
        host="sync",
        flashes=2,
        afterwards="date -s @$NOW; systemctl restart tabard",
    ),
    Trouble("folder of the log missing", "true", "log", "folder", options="--log /var/lib/none/encounters.log", follow="mkdir /var/lib/none"),
)
