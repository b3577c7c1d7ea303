"""Contacts between boards, by the rules of docs/archive.md (Sources/Archive/Contacts)."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from tabard_spark.columns import CONTACT_COLUMNS
from tabard_spark.partitions import Lake, mean_dbm, seconds_of, tenths_of, text_of

CERTAINTIES = ["served", "undated", "ambiguous", "written"]
SERVED, UNDATED, AMBIGUOUS, WRITTEN = range(4)
GROUP = ["first", "second", "certainty", "clock_board", "clock_boot"]
"""Only sightings that have these in common are joined. `first` and `second` are numbers of boards."""


def contacts(lake: Lake) -> DataFrame:
    """A row for each contact, with the columns of `tabardctl contacts --csv`, in its order."""
    return _listed(_joined(_sightings(lake)), lake)


def _name() -> Column:
    """The part of an identity that names somebody. Sonar's payloads have a time and a code after it."""
    return F.when(F.col("scheme") == "sonar", F.col("identifier")).otherwise(
        F.concat(F.col("header"), F.coalesce(F.col("identifier"), F.lit(bytearray(b""))), F.col("trailer"))
    )


def _numbers(lake: Lake) -> DataFrame:
    """The boards of all exports in one order."""
    return lake.table("boards").groupBy("board").agg(
        F.min(F.struct("lake", "number")).alias("place"), F.min_by("name", F.struct("lake", "number")).alias("name")
    )


def _sightings(lake: Lake) -> DataFrame:
    """The encounters with boards of the archive."""
    served = lake.table("served").select(
        "scheme", _name().alias("name"), F.col("board").alias("other"), F.col("boot").alias("served_boot"),
        F.col("start_milliseconds").alias("served_start"), F.col("end_milliseconds").alias("served_end"),
        F.col("error_milliseconds").alias("served_error"),
    )
    encounters = lake.table("encounters").withColumn("name", _name()).withColumn(
        "limit", F.greatest("start_error_milliseconds", "end_error_milliseconds")
    ).withColumn(
        "limit", F.when(F.col("start_error_milliseconds").isNotNull() & F.col("end_error_milliseconds").isNotNull(), F.col("limit"))
    )
    pairs = encounters.join(served, ["scheme", "name"]).where(F.col("board") != F.col("other"))
    is_comparable = (
        F.col("boot").isNull() & F.col("served_boot").isNull() & F.col("limit").isNotNull() & F.col("served_error").isNotNull()
    )
    is_together = (F.col("start_milliseconds") - F.col("limit") <= F.col("served_end") + F.col("served_error")) & (
        F.col("served_start") - F.col("served_error") <= F.col("end_milliseconds") + F.col("limit")
    )
    agreement = F.when(~is_comparable, UNDATED).when(is_together, SERVED)
    pairs = pairs.withColumn("agreement", agreement).where(F.col("agreement").isNotNull())
    # A board may have served the identity in very many periods, of which the best counts.
    encounter = ["lake", "board", "encounter"]
    best = pairs.groupBy(
        *encounter, "other", "boot", "start_milliseconds", "end_milliseconds", "error_milliseconds", "limit",
        "timeout_milliseconds", "first_boot", "is_written", "readings", "minimum_dbm", "maximum_dbm", "weighted_tenths_dbm", "weight",
    ).agg(F.min("agreement").alias("agreement"))
    served_count = F.count_if(F.col("agreement") == SERVED).over(Window.partitionBy(*encounter))
    certainty = (
        F.when(F.col("is_written"), WRITTEN)
        .when(F.col("agreement") == SERVED, F.when(served_count == 1, SERVED).otherwise(AMBIGUOUS))
        .otherwise(F.col("agreement"))
    )
    best = best.withColumn("certainty", certainty)
    numbers = _numbers(lake)
    own = numbers.select("board", F.col("place").alias("own_place"))
    others = numbers.select(F.col("board").alias("other"), F.col("place").alias("other_place"))
    best = best.join(F.broadcast(own), "board").join(F.broadcast(others), "other")
    # Times of two boards can be compared if the error is no longer than a silence within a contact.
    has_clock = F.col("boot").isNull() & F.col("limit").isNotNull() & (F.col("limit") <= F.col("timeout_milliseconds"))
    is_first = F.col("own_place") < F.col("other_place")
    return (
        best.withColumn("is_first", is_first)
        .withColumn("first", F.when(is_first, F.col("board")).otherwise(F.col("other")))
        .withColumn("second", F.when(is_first, F.col("other")).otherwise(F.col("board")))
        .withColumn("clock_board", F.when(~has_clock, F.col("board")))
        .withColumn("clock_boot", F.when(~has_clock, F.col("first_boot")))
        .withColumn("reach", F.col("end_milliseconds") + F.col("timeout_milliseconds"))
    )


def _joined(sightings: DataFrame) -> DataFrame:
    """The contacts: sightings between which no silence is longer than within an encounter."""
    in_time = Window.partitionBy(*GROUP).orderBy("start_milliseconds")
    earlier = in_time.rowsBetween(Window.unboundedPreceding, -1)
    begins = F.col("start_milliseconds") > F.max("reach").over(earlier)
    numbered = sightings.withColumn("begins", F.coalesce(begins, F.lit(True)).cast("int")).withColumn(
        "number", F.sum("begins").over(in_time.rowsBetween(Window.unboundedPreceding, Window.currentRow))
    )
    error = F.when(F.count("error_milliseconds") == F.count(F.lit(1)), F.max("error_milliseconds"))
    return numbered.groupBy(*GROUP, "number").agg(
        F.every(F.col("boot").isNull()).alias("is_on_wall_clock"), F.min("start_milliseconds").alias("start_milliseconds"),
        F.max("end_milliseconds").alias("end_milliseconds"), error.alias("error"), *_side(F.col("is_first"), ""), *_side(~F.col("is_first"), "other_"),
    )


def _side(is_own: Column, prefix: str) -> list[Column]:
    """The receptions of one of both boards."""
    has_strength = is_own & F.col("minimum_dbm").isNotNull() & F.col("maximum_dbm").isNotNull() & F.col("weight").isNotNull()
    return [
        F.count_if(is_own).alias(f"{prefix}encounters"),
        F.coalesce(F.sum(F.when(is_own, F.col("readings"))), F.lit(0)).alias(f"{prefix}readings"),
        F.max(F.when(has_strength, F.col("maximum_dbm"))).alias(f"{prefix}rssi_maximum_dbm"),
        tenths_of(
            mean_dbm(
                F.sum(F.when(has_strength, F.col("weighted_tenths_dbm"))),
                F.sum(F.when(has_strength, F.greatest(F.lit(1), F.col("weight")))),
            )
        ).alias(f"{prefix}rssi_mean_dbm"),
    ]


def _listed(joined: DataFrame, lake: Lake) -> DataFrame:
    """The columns and the order of tabardctl's list."""
    numbers = _numbers(lake)
    one = numbers.select(F.col("board").alias("first"), F.col("place").alias("first_place"), F.col("name").alias("board_name"))
    other = numbers.select(F.col("board").alias("second"), F.col("place").alias("second_place"), F.col("name").alias("other_board_name"))
    rows = joined.join(F.broadcast(one), "first").join(F.broadcast(other), "second")
    is_dated, start, end = F.col("is_on_wall_clock"), F.col("start_milliseconds"), F.col("end_milliseconds")
    names = F.array(*[F.lit(each) for each in CERTAINTIES])
    sides = [prefix + each for prefix in ("", "other_") for each in ("encounters", "readings", "rssi_maximum_dbm", "rssi_mean_dbm")]
    return rows.orderBy(
        ~is_dated, start, end, "first_place", "second_place", F.col("certainty"), F.col("clock_board"), F.col("clock_boot")
    ).select(
        F.col("first").alias("board"), "board_name", F.col("second").alias("other_board"), "other_board_name",
        F.when(is_dated, text_of(start)).alias("start"), F.when(is_dated, text_of(end)).alias("end"),
        seconds_of(F.greatest(end - start, F.lit(0))).alias("duration_seconds"),
        F.when(is_dated, seconds_of(F.col("error"))).alias("clock_error_seconds"),
        F.element_at(names, F.col("certainty") + 1).alias("certainty"), *sides,
    ).select(*CONTACT_COLUMNS)
