"""Partitioned exports of `tabardctl export parquet --partitioned`, read as tables of Spark."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

FORMAT = "tabard-partitions-1"
DAY = 86_400_000


class PartitionError(Exception):
    """A folder that is not such an export."""


@dataclass(frozen=True)
class Lake:
    """One or several exports, of several archives. The column `lake` tells them apart."""

    spark: SparkSession
    places: list[str]
    longest: int
    """The longest time from the start of an encounter to that of its last sample, in milliseconds."""

    @staticmethod
    def at(spark: SparkSession, places: list[str]) -> Lake:
        longest = 0
        for place in places:
            text = read_file(spark, f"{place.rstrip('/')}/export.json")
            summary = json.loads(text)
            if summary.get("format") != FORMAT:
                raise PartitionError(f"{place}: not a partitioned export of this version")
            longest = max(longest, summary["longestMilliseconds"])
        return Lake(spark, places, longest)

    def table(self, name: str) -> DataFrame:
        """A table of all exports; a missing day is null."""
        parts = [
            self.spark.read.parquet(f"{place.rstrip('/')}/{name}").withColumn("lake", F.lit(number))
            for number, place in enumerate(self.places)
        ]
        return reduce(DataFrame.unionByName, parts)

    def since(self, oldest: int) -> Column:
        """Whether a partition may have samples from a time on, in milliseconds; those without a day never have."""
        first = max(0, oldest - self.longest) // DAY
        # The calendar of Python ends in the year 9999.
        return F.col("day") >= F.lit(date(1970, 1, 1) + timedelta(days=min(first, 2_932_896)))

    def until(self, end: int) -> Column:
        """Whether a partition may have encounters that began before a time."""
        last = max(0, end - 1) // DAY
        return F.col("day") <= F.lit(date(1970, 1, 1) + timedelta(days=min(last, 2_932_896)))


def read_file(spark: SparkSession, path: str) -> bytes:
    """A whole file, on this computer or where Spark finds it, such as s3a:// or hdfs://."""
    if "://" in path:
        rows = spark.read.format("binaryFile").load(path).select("content").collect()
        if len(rows) != 1:
            raise FileNotFoundError(path)
        return bytes(rows[0][0])
    with open(path, "rb") as file:
        return file.read()


def text_of(milliseconds: Column) -> Column:
    """RFC 3339 in UTC with milliseconds, as tabardctl prints times. The session's time zone must be UTC."""
    return F.date_format(F.timestamp_millis(milliseconds), "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")


def seconds_of(milliseconds: Column) -> Column:
    """Seconds with a fraction; null stays null."""
    return milliseconds / F.lit(1000.0)


def tenths_of(value: Column) -> Column:
    """Rounded to one decimal, halves away from zero: Spark's own rounding to one decimal differs for some values."""
    return F.round(value * 10, 0) / 10


def mean_dbm(weighted_tenths: Column, weight: Column) -> Column:
    """The mean of samples, each weighted by its readings."""
    return weighted_tenths / (F.lit(10.0) * weight)
