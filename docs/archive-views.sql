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

-- The views below are of the stored conclusions: times are on the wall clock, in seconds since 1970 UTC, and have the
-- error that tabardctl states. What has no wall-clock time is left out.

-- The trusted boards, and the operator's description of them.
CREATE TEMP VIEW namedBoard AS
SELECT id AS boardID, coalesce(name, lower(hex(substr(logIdentity, 1, 4)))) AS board, groupName, ageYears, sex
FROM board WHERE claimedIdentity IS NULL;

-- One identity near one board.
CREATE TEMP VIEW datedEncounter AS
SELECT encounter.id, encounter.boardID, board, scheme, lower(hex(payload)) AS identity,
  (SELECT other.board FROM sighting JOIN namedBoard AS other ON other.boardID = sighting.otherBoardID
    WHERE sighting.encounterID = encounter.id LIMIT 1) AS ownBoard,
  startMilliseconds / 1000.0 AS start, endMilliseconds / 1000.0 AS stop, errorMilliseconds / 1000.0 AS error,
  readingCount, maximumDBm AS strongestDBm, weightedTenthsDBm / 10.0 / weight AS meanDBm
FROM encounter JOIN namedBoard USING (boardID) WHERE boot IS NULL;

-- Two boards near each other.
CREATE TEMP VIEW datedContact AS
SELECT contact.id, one.board, other.board AS otherBoard, one.groupName, other.groupName AS otherGroupName,
  startMilliseconds / 1000.0 AS start, endMilliseconds / 1000.0 AS stop, errorMilliseconds / 1000.0 AS error,
  encounterCount > 0 AND otherEncounterCount > 0 AS isMutual,
  CASE certainty WHEN 0 THEN 'served' WHEN 1 THEN 'undated' WHEN 2 THEN 'ambiguous' ELSE 'written' END AS certainty
FROM contact
JOIN namedBoard AS one ON one.boardID = contact.boardID
JOIN namedBoard AS other ON other.boardID = contact.otherBoardID
WHERE isOnWallClock;

-- How many were near a board in a quarter of an hour.
CREATE TEMP VIEW datedPresence AS
SELECT board, startMilliseconds / 1000.0 AS start, peakCount AS peak, peerCount AS atMost,
  presentMilliseconds / 900000.0 AS mean, boardCount AS boards
FROM presence JOIN namedBoard USING (boardID);
