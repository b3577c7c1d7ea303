"""A Bumble host that others may connect to while it connects itself."""

from __future__ import annotations

from typing import Any

from bumble.device import Device
from bumble.hci import Role


class TwoRoleDevice(Device):
    """Bumble's own takes whatever link is made while it connects for the one that it has asked for.

    Here a link that somebody else has made is told apart: `EVENT_CONNECTED_TO`, and not `EVENT_CONNECTION`.
    """

    EVENT_CONNECTED_TO = "connected to"

    def emit(self, event: str, *arguments: Any, **named: Any) -> bool:
        """Tells listeners of an event."""
        if event == self.EVENT_CONNECTION and arguments[0].role == Role.PERIPHERAL:
            event = self.EVENT_CONNECTED_TO
        return bool(super().emit(event, *arguments, **named))
