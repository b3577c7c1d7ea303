"""Published keys as tables of the identities that follow from them. The executors compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

from tabard_spark import derivations
from tabard_spark.published import ExposureKey, PublishedKey

TOLERANCE = {"herald": 360, "covid-tracer": 3_600, "ble-proximity": 3_600, "exposure-notification": 7_200}
"""Seconds before and after its validity for which an identity still matches."""
INTERVAL = 600

_IDENTITIES = StructType([
    StructField("key_number", IntegerType()),
    StructField("key", StringType()),
    StructField("kind", StringType()),
    StructField("identifier", BinaryType()),
    StructField("valid_from", LongType()),
    StructField("valid_until", LongType()),
])


def identities(spark: SparkSession, scheme: str, keys: list[PublishedKey]) -> DataFrame:
    """A row for each identity of each key: `identifier`, and its validity in seconds since 1970, the end excluded."""
    numbered = list(enumerate(keys))
    expand: Callable[[tuple[int, PublishedKey]], Iterator[tuple]] = {
        "herald": _herald, "covid-tracer": _covid_tracer, "ble-proximity": _ble_proximity,
    }[scheme]
    slices = max(1, min(len(numbered), spark.sparkContext.defaultParallelism * 4))
    return spark.createDataFrame(spark.sparkContext.parallelize(numbered, slices).flatMap(expand), _IDENTITIES)


def _herald(numbered: tuple[int, PublishedKey]) -> Iterator[tuple]:
    number, key = numbered
    midnight = derivations.days_since_1970(key.day or "") * derivations.DAY
    for period, identifier in derivations.herald_identifiers(key.key):
        start = midnight + period * derivations.HERALD_PERIOD_SECONDS
        yield number, key.text, None, identifier, start, start + derivations.HERALD_PERIOD_SECONDS


def _covid_tracer(numbered: tuple[int, PublishedKey]) -> Iterator[tuple]:
    number, key = numbered
    midnight = derivations.days_since_1970(key.day or "") * derivations.DAY
    for hour, identifier in derivations.covid_tracer_identifiers(key.day or "", key.key):
        start = midnight + hour * derivations.HOUR
        yield number, key.text, key.kind, identifier, start, start + derivations.HOUR


def _ble_proximity(numbered: tuple[int, PublishedKey]) -> Iterator[tuple]:
    number, key = numbered
    if key.valid:
        yield number, key.text, None, key.key, key.valid[0], key.valid[1]


# MARK: Exposure Notification

_EXPOSURE_KEYS = StructType([
    StructField("key_number", IntegerType()),
    StructField("key", StringType()),
    StructField("rpik", BinaryType()),
    StructField("aemk", BinaryType()),
    StructField("rolling_start", LongType()),
    StructField("rolling_period", IntegerType()),
    StructField("report_type", IntegerType()),
    StructField("days_since_onset", IntegerType()),
    StructField("transmission_risk", IntegerType()),
])


def exposure_identifiers(spark: SparkSession, keys: list[ExposureKey]) -> DataFrame:
    """A row for each identifier of each key, with the data of the key, and the number of its `interval`."""
    def row(numbered: tuple[int, ExposureKey]) -> tuple:
        number, key = numbered
        rpik, aemk = derivations.exposure_keys(key.key)
        return (
            number, key.key.hex(), bytearray(rpik), bytearray(aemk), key.rolling_start, key.rolling_period,
            key.report_type, key.days_since_onset, key.transmission_risk,
        )

    numbered = list(enumerate(keys))
    slices = max(1, min(len(numbered), spark.sparkContext.defaultParallelism * 4))
    table = spark.createDataFrame(spark.sparkContext.parallelize(numbered, slices).map(row), _EXPOSURE_KEYS)
    interval = F.explode(F.sequence(F.col("rolling_start"), F.col("rolling_start") + F.col("rolling_period") - 1))
    expanded = table.withColumn("interval", interval)
    block = F.concat(F.lit(bytearray(b"EN-RPI" + bytes(6))), little_endian(F.col("interval")))
    return (
        expanded.withColumn("identifier", aes_block(block, F.col("rpik")))
        .withColumn("valid_from", F.col("interval") * INTERVAL)
        .withColumn("valid_until", (F.col("interval") + 1) * INTERVAL)
        .drop("rpik", "rolling_start", "rolling_period")
    )


def little_endian(number: Column) -> Column:
    """Four bytes, the least significant first."""
    digits = F.lpad(F.hex(number), 8, "0")
    return F.unhex(F.concat(*[F.substring(digits, place, 2) for place in (7, 5, 3, 1)]))


def aes_block(block: Column, key: Column) -> Column:
    """AES-128 of one block. Spark only offers modes with padding, whose first block is the one that is wanted."""
    encrypted = F.aes_encrypt(block, key, F.lit("ECB"), F.lit("PKCS"))
    return F.substring(encrypted, 1, 16)


def byte(value: Column, place: int) -> Column:
    """A byte of a value, counted from 1, as a number."""
    return F.conv(F.hex(F.substring(value, place, 1)), 16, 10).cast("int")


def tx_power(identifier: Column, metadata: Column, aemk: Column) -> Column:
    """The transmit power in encrypted metadata, in dBm; null if it is none that phones have."""
    power = byte(metadata, 2).bitwiseXOR(byte(aes_block(identifier, aemk), 2))
    signed = F.when(power > 127, power - 256).otherwise(power)
    return F.when(signed.between(-50, 20), signed)
