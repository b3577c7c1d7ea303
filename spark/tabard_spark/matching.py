"""Encounters with published keys, by the rules of `tabardctl match` (Sources/Exposure/Search)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from tabard_spark import exposure
from tabard_spark.expansion import INTERVAL, TOLERANCE, exposure_identifiers, identities, tx_power
from tabard_spark.partitions import Lake, mean_dbm, seconds_of, tenths_of, text_of
from tabard_spark.published import ExposureKey, PublishedKey

RETENTION_DAYS = {"herald": 28, "covid-tracer": 15, "ble-proximity": 28, "exposure-notification": 14}
DAY = 86_400_000
BROADCAST_ROWS = 2_000_000
"""So many identities fit into each executor's memory; more of them are joined by a shuffle."""
ENCOUNTER = ["lake", "board", "encounter", "day", "bucket"]
"""The name of an encounter, and its place."""


@dataclass
class Results:
    """The tables of a search, and its counts."""

    tables: dict[str, DataFrame]
    counts: dict[str, Any]


def oldest_kept(scheme: str, now: int) -> int:
    """The time before which contacts do not match, in milliseconds. CovidTracer counts whole days in UTC."""
    end = now // DAY * DAY if scheme == "covid-tracer" else now
    return max(0, end - RETENTION_DAYS[scheme] * DAY)


@dataclass
class Search:
    """A search in the encounters of one scheme."""

    lake: Lake
    scheme: str
    now: int
    """In milliseconds since 1970."""
    without_written: bool = False

    @property
    def oldest(self) -> int:
        return oldest_kept(self.scheme, self.now)

    def recorded(self) -> DataFrame:
        """The encounters with an identity of a person, whatever their time; partitions that are too old are not read."""
        table = self.lake.table("encounters").where((F.col("scheme") == self.scheme) & F.col("identifier").isNotNull())
        if self.without_written:
            is_claimed = (F.col("samples") == 0) & (F.col("readings") == 0) & (F.col("written_readings") > 0)
            table = table.where((F.col("marks").bitwiseAND(1) == 0) & ~is_claimed)
        return table.where(F.col("day").isNull() | self.lake.since(self.oldest))

    @property
    def _is_kept(self) -> Column:
        """Whether the encounter has a sample that still counts, or, if all its samples are lost, began late enough."""
        return (F.col("last_sample_milliseconds") >= self.oldest) | (
            (F.col("samples") == 0) & (F.col("start_milliseconds") >= self.oldest)
        )

    def counts(self, published: int) -> dict[str, Any]:
        """As `tabardctl match` prints them."""
        is_dated = F.col("boot").isNull() & F.col("day").isNotNull()
        row = self.recorded().agg(
            F.count_if(is_dated & self._is_kept).alias("searched"),
            F.count_if(is_dated & self._is_kept & (F.col("basis") == "unchecked")).alias("unchecked"),
            F.count_if(~is_dated).alias("undated"),
        ).collect()[0]
        return {
            "asOf": (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=self.now)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "scheme": self.scheme, "publishedKeys": published, "searchedEncounters": row["searched"],
            "uncheckedEncounters": row["unchecked"], "undatedEncounters": row["undated"],
        }

    def matched(self, published: DataFrame, count: int) -> DataFrame:
        """Each encounter with each identity that it may match, before the times of its samples are compared."""
        tolerance = TOLERANCE[self.scheme]
        published = published.withColumn("counts_from", F.greatest(F.lit(0), F.col("valid_from") - tolerance)).withColumn(
            "counts_until", F.col("valid_until") + tolerance
        )
        candidates = self.recorded().where(F.col("boot").isNull() & F.col("day").isNotNull() & self._is_kept)
        if count <= BROADCAST_ROWS:
            published = F.broadcast(published)
        last = F.coalesce(F.col("last_sample_milliseconds"), F.col("start_milliseconds"))
        return candidates.join(published, "identifier").where(
            (_second(F.col("start_milliseconds")) < F.col("counts_until")) & (_second(last) >= F.col("counts_from"))
        )

    def samples(self, matched: DataFrame) -> DataFrame:
        """Each match with each sample that began in the time in which the identity counts."""
        samples = self.lake.table("samples")
        # Of very many samples only those are read whose partition has a match.
        places = matched.select("day").distinct().limit(10_000).collect()
        if len(places) < 10_000:
            samples = samples.where(F.col("day").isin([row["day"] for row in places]))
        samples = samples.select(
            *ENCOUNTER, F.col("start_milliseconds").alias("sample_start"), F.col("end_milliseconds").alias("sample_end"),
            F.col("readings").alias("sample_readings"), F.col("maximum_dbm").alias("sample_maximum"),
            F.col("mean_tenths_dbm").alias("sample_mean_tenths"),
        )
        start = F.col("sample_start")
        is_counted = (start >= self.oldest) & (_second(start) >= F.col("counts_from")) & (_second(start) < F.col("counts_until"))
        return matched.join(samples, ENCOUNTER).where(is_counted)

    def without_samples(self, matched: DataFrame) -> DataFrame:
        """The matches of encounters whose samples are lost: their start decides."""
        start = F.col("start_milliseconds")
        is_counted = (_second(start) >= F.col("counts_from")) & (_second(start) < F.col("counts_until"))
        return matched.where((F.col("samples") == 0) & (start >= self.oldest) & is_counted)


def _second(milliseconds: Column) -> Column:
    return F.floor(milliseconds / F.lit(1000))


def _payload() -> Column:
    return F.lower(F.hex(F.concat("header", "identifier", "trailer")))


def _weight() -> Column:
    return F.greatest(F.lit(1), F.col("sample_readings"))


# MARK: Schemes other than Exposure Notification


def match_identities(spark: SparkSession, search: Search, keys: list[PublishedKey]) -> Results:
    """The encounters whose identity follows from a published key."""
    per_key = {"herald": 240, "covid-tracer": 24, "ble-proximity": 1}[search.scheme]
    matched = search.matched(identities(spark, search.scheme, keys), len(keys) * per_key).persist()
    match = ["key_number", "valid_from"]
    heard = search.samples(matched).groupBy(*ENCOUNTER, *match).agg(
        F.max("sample_maximum").alias("rssi_maximum_dbm"),
        mean_dbm(F.sum(F.col("sample_mean_tenths") * _weight()), F.sum(_weight())).alias("mean"),
    )
    lost = search.without_samples(matched).select(
        *ENCOUNTER, *match, F.lit(None).cast("int").alias("rssi_maximum_dbm"), F.lit(None).cast("double").alias("mean")
    )
    found = matched.where(F.col("samples") > 0).join(heard, [*ENCOUNTER, *match]).unionByName(
        matched.where(F.col("samples") == 0).join(lost, [*ENCOUNTER, *match])
    )
    marks = F.col("marks")
    rows = found.orderBy("start_milliseconds", "board", "key").select(
        "board", _payload().alias("identity"),
        F.concat_ws(
            " ", F.when(marks.bitwiseAND(1) != 0, "written"), F.when(marks.bitwiseAND(2) != 0, "time-unchecked")
        ).alias("identity_marks"),
        "key", "kind", *_times(),
        text_of(F.col("valid_from") * 1000).alias("identity_start"), text_of(F.col("valid_until") * 1000).alias("identity_end"),
        "readings", "rssi_maximum_dbm", tenths_of(F.col("mean")).alias("rssi_mean_dbm"),
        ((F.col("samples") == 0) & (F.col("readings") == 0) & (F.col("written_readings") > 0)).alias("claimed"),
    )
    counts = search.counts(len(keys)) | {"toleranceSeconds": TOLERANCE[search.scheme]}
    return Results({"encounters": rows}, counts)


def _times() -> list[Column]:
    start, end = F.col("start_milliseconds"), F.col("end_milliseconds")
    return [
        text_of(start).alias("start"), text_of(end).alias("end"),
        seconds_of(F.greatest(end - start, F.lit(0))).alias("duration_seconds"),
        seconds_of(F.col("start_error_milliseconds")).alias("start_error_seconds"),
        seconds_of(F.col("end_error_milliseconds")).alias("end_error_seconds"),
    ]


# MARK: Exposure Notification

_WINDOWS = StructType([
    StructField("board", StringType()), StructField("key", StringType()), StructField("start_seconds", LongType()),
    StructField("seconds", LongType()), StructField("scans", LongType()), StructField("attenuation_db", DoubleType()),
    StructField("infectiousness", StringType()), StructField("report_type", StringType()),
])
_DAYS = StructType([
    StructField("board", StringType()), StructField("day", LongType()), StructField("windows", LongType()),
    StructField("seconds", LongType()), StructField("score", DoubleType()), StructField("level", StringType()),
])


def match_exposures(
    spark: SparkSession, search: Search, keys: list[ExposureKey], model: str, mapping: exposure.Mapping, correction: int
) -> Results:
    """The encounters, windows and days of published keys of Exposure Notification."""
    count = sum(key.rolling_period for key in keys)
    matched = search.matched(exposure_identifiers(spark, keys), count).withColumn(
        "tx_power_dbm", tx_power(F.col("identifier"), F.col("trailer"), F.col("aemk"))
    ).drop("aemk").persist()
    heard = search.samples(matched).persist()
    sums = heard.groupBy(*ENCOUNTER, "key_number", "interval").agg(
        mean_dbm(F.sum(F.col("sample_mean_tenths") * _weight()), F.sum(_weight())).alias("mean")
    )
    lost = search.without_samples(matched).select(
        *ENCOUNTER, "key_number", "interval", F.lit(None).cast("double").alias("mean")
    )
    found = matched.join(sums.unionByName(lost), [*ENCOUNTER, "key_number", "interval"])
    types = F.array(*[F.lit(each) for each in exposure.REPORT_TYPES])
    stated = F.col("report_type")
    rows = found.orderBy("start_milliseconds", "board", "key").select(
        "board", F.lower(F.hex("identifier")).alias("identifier"), "key",
        *[each for each in _times() if "duration" not in str(each)],
        text_of(F.col("interval") * INTERVAL * 1000).alias("interval_start"), "readings", "tx_power_dbm",
        tenths_of(F.col("tx_power_dbm") - F.col("mean") - correction).alias("attenuation_db"),
        F.when(stated.between(0, len(exposure.REPORT_TYPES) - 1), F.element_at(types, stated + 1)).otherwise("unknown").alias("report_type"),
    )
    windows, days = _windows_and_days(spark, heard, model, mapping, correction, search.now)
    counts = search.counts(len(keys)) | {"risk": model}
    return Results({"encounters": rows, "windows": windows, "days": days}, counts)


def _windows_and_days(
    spark: SparkSession, heard: DataFrame, model: str, mapping: exposure.Mapping, correction: int, now: int
) -> tuple[DataFrame, DataFrame]:
    """The windows of each key at each board. Plain Python computes them, for few of very many samples match."""
    fields = ["report_type", "days_since_onset", "transmission_risk", "tx_power_dbm", "sample_start", "sample_end", "sample_mean_tenths"]
    columns = ["board", "key", *fields]
    rows = heard.where(F.col("tx_power_dbm").isNotNull()).select(*columns).rdd
    today = now // DAY

    def windows_of(group: tuple[tuple[str, str], Iterable[Any]]) -> list[tuple[Any, ...]]:
        (board, key), found = group
        found = list(found)
        samples = [
            exposure.Sample(each["sample_start"], each["sample_end"], exposure.attenuation(each["tx_power_dbm"], each["sample_mean_tenths"], correction))
            for each in found
        ]
        infectiousness = mapping.infectiousness(found[0]["days_since_onset"])
        report_type = mapping.report_type(found[0]["report_type"])
        return [
            (board, key, window, infectiousness, report_type, found[0]["transmission_risk"]) for window in exposure.windows(samples)
        ]

    def day_of(group: tuple[tuple[str, int], Iterable[Any]]) -> tuple[Any, ...]:
        (board, day), found = group
        ordered = sorted(found, key=lambda each: (each[2].start, each[1]))
        judged = [exposure.JudgedWindow(each[2], each[1], each[3], each[5]) for each in ordered]
        score, level = exposure.day_risk(model, judged, today - day)
        return board, day, len(judged), sum(each.window.seconds for each in judged), score, level

    windows = rows.groupBy(lambda row: (row["board"], row["key"])).flatMap(windows_of).persist()
    judged = windows.filter(lambda each: exposure.is_judged(model, each[2], each[4], today))
    days = judged.groupBy(lambda each: (each[0], each[2].start // exposure.DAY)).map(day_of)
    window_rows = windows.map(
        lambda each: (each[0], each[1], each[2].start, each[2].seconds, len(each[2].scans), exposure.tenths(each[2].attenuation), each[3], each[4])
    )
    window_table = spark.createDataFrame(window_rows, _WINDOWS).orderBy("start_seconds", "board", "key")
    day_table = spark.createDataFrame(days, _DAYS).orderBy("day", "board")
    return (
        window_table.select("board", "key", text_of(F.col("start_seconds") * 1000).alias("start"), *_WINDOWS.names[3:]),
        day_table.select("board", F.date_add(F.lit("1970-01-01").cast("date"), F.col("day").cast("int")).cast("string").alias("date"), *_DAYS.names[2:]),
    )
