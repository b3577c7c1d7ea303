"""Radio propagation: RSSI and loss."""

from __future__ import annotations

import math
from dataclasses import dataclass

from motion import Point


@dataclass
class Propagation:
    """The model: RSSI = power - loss at 1 m - 10 n log10(metres) + noise."""

    loss_at_one_metre_db: float = 55.0
    exponent: float = 2.0
    noise_db: float = 0.0
    """The standard deviation, drawn for every packet."""
    sensitivity_dbm: float = -95.0
    advert_loss: float = 0.0
    """The probability that an advert of sufficient strength is lost."""
    scan_duty: bool = False
    """Whether a scanner misses adverts outside its scan window."""

    def mean_rssi_dbm(self, sender: Point, receiver: Point, radiated_power_dbm: float) -> float:
        """RSSI without the noise, in dBm."""
        metres = max(0.1, sender.distance_to(receiver))
        return radiated_power_dbm - self.loss_at_one_metre_db - 10 * self.exponent * math.log10(metres)
