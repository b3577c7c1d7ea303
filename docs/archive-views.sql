-- Views for researchers on an archive of tabardctl: docs/data-dictionary.md explains them.
-- They are temporary, so the archive stays unchanged:  sqlite3 -readonly -init docs/archive-views.sql archive.sqlite

-- The clock of each boot: its clock sample or anchor with the smallest error, in milliseconds. 4294967295: unknown.
CREATE TEMP VIEW bootClock AS
WITH mark AS (
  SELECT boot.id AS bootID, clockReading.monotonicMilliseconds, clockReading.wallClockMilliseconds,
    clockReading.errorMilliseconds
  FROM clockReading JOIN boot USING (boardID, bootIdentifier)
  UNION ALL
  SELECT bootID, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds FROM anchor
)
SELECT bootID, wallClockMilliseconds - monotonicMilliseconds AS offset, min(errorMilliseconds) AS error
FROM mark GROUP BY bootID;

-- Samples with board, identity, and wall-clock times in seconds since 1970. A track with several identities has each
-- sample once for each of them.
CREATE TEMP VIEW heard AS
SELECT coalesce(board.name, lower(hex(substr(board.logIdentity, 1, 4)))) AS board,
  boot.boardID, identity.scheme, identity.identity, boot.gapMilliseconds / 1000.0 AS timeout,
  (sample.startMilliseconds + offset) / 1000.0 AS start, (sample.endMilliseconds + offset) / 1000.0 AS stop,
  sample.readingCount, minimumDBm, maximumDBm, meanTenthsDBm / 10.0 AS meanDBm
FROM sample
JOIN track ON track.id = sample.trackID
JOIN boot ON boot.id = track.bootID
JOIN board ON board.id = boot.boardID
JOIN bootClock USING (bootID)
JOIN (SELECT DISTINCT trackID, scheme, lower(hex(payload)) AS identity
      FROM identification WHERE NOT isLost) AS identity ON identity.trackID = track.id;

-- Visits: samples of one identity at one board, cut where nothing was heard for longer than the encounter timeout.
CREATE TEMP VIEW visit AS
WITH step AS (
  SELECT *, max(stop) OVER earlier AS lastStop FROM heard
  WINDOW earlier AS (PARTITION BY boardID, scheme, identity ORDER BY start
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), numbered AS (
  SELECT *, sum(lastStop IS NULL OR start - lastStop > timeout) OVER (
    PARTITION BY boardID, scheme, identity ORDER BY start) AS number FROM step
)
SELECT board, scheme, identity, number, min(start) AS start, max(stop) AS stop,
  sum(readingCount) AS readings, max(maximumDBm) AS strongestDBm,
  sum(meanDBm * readingCount) / sum(readingCount) AS meanDBm
FROM numbered GROUP BY boardID, scheme, identity, number;
