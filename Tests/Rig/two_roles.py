"""A Bumble host that accepts connections while it connects itself."""

from __future__ import annotations

from typing import Any

from bumble.device import Device
from bumble.hci import Role


class TwoRoleDevice(Device):
    """A device that distinguishes incoming links from the one that it has requested.

    Bumble's own device takes any link made while it connects for the requested one. Here an incoming link
    emits `EVENT_CONNECTED_TO`, and not `EVENT_CONNECTION`.
    """

    EVENT_CONNECTED_TO = "connected to"

    def emit(self, event: str, *arguments: Any, **named: Any) -> bool:
        """Notifies the listeners of an event."""
        if event == self.EVENT_CONNECTION and arguments[0].role == Role.PERIPHERAL:
            event = self.EVENT_CONNECTED_TO
        return bool(super().emit(event, *arguments, **named))
