"""Phones with Exposure Notification, which never have a connection."""

from __future__ import annotations

import os
import time
from dataclasses import replace

from air import Air
from exposure_keys import PREFIX, ExposureKey
from phone_kinds import EXPOSURE_NOTIFICATION
from scheme_centrals import ExposureCentral
from seeking_phone import SeekingPhone

TX_POWER_DBM = -12


class ExposurePhone(SeekingPhone):
    """Advertises the identifier of the time when it was made, and records those that it receives."""

    def __init__(self, air: Air, name: str, **options: object) -> None:
        self.identity = ExposureKey(os.urandom(16)).said(int(time.time()) // 600, TX_POWER_DBM)
        """The identifier and the metadata."""
        kind = replace(EXPOSURE_NOTIFICATION, advert_structures=(PREFIX + self.identity,))
        super().__init__(air, name, kind, **options)
        self.centrals = [ExposureCentral(self)]
