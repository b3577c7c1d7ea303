"""The columns of the job's tables that `tabardctl` prints, too."""

CONTACT_COLUMNS = (
    "board", "board_name", "other_board", "other_board_name", "start", "end", "duration_seconds", "clock_error_seconds", "certainty",
    "encounters", "readings", "rssi_maximum_dbm", "rssi_mean_dbm",
    "other_encounters", "other_readings", "other_rssi_maximum_dbm", "other_rssi_mean_dbm",
)  # fmt: skip
DISTANCE_COLUMNS = (
    "distance_lower_cm", "distance_upper_cm", "not_calibrated",
    "other_distance_lower_cm", "other_distance_upper_cm", "other_not_calibrated",
)  # fmt: skip
"""Of `tabardctl contacts --csv` alone: a distance needs a calibration and the models of both boards."""
