"""Phones with Exposure Notification: nobody can connect to them, and they connect to nobody."""

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
    """Says the identifier that it had when it was made, and takes down those that it hears."""

    def __init__(self, air: Air, name: str, **options: object) -> None:
        self.identity = ExposureKey(os.urandom(16)).said(int(time.time()) // 600, TX_POWER_DBM)
        """Identifier and metadata."""
        kind = replace(EXPOSURE_NOTIFICATION, advert_structures=(PREFIX + self.identity,))
        super().__init__(air, name, kind, **options)
        self.centrals = [ExposureCentral(self)]
