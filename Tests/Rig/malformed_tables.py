"""Malformed tables in CSV: names of people, walk tests, Herald's logs and lists of cards."""

from __future__ import annotations

from malformed import AS_A_USER, Case, folder, pipe, unreadable


def names(name: str, content: bytes, line: str, status: int = 65, command: str = "contacts --names") -> Case:
    """A file with the names of people."""
    return Case(name, f"{command} people.csv", status, f"people.csv:{line}", {"people.csv": content})


def walk(name: str, content: bytes, line: str) -> Case:
    """A walk test."""
    return Case(
        name, "calibrate walk.csv --receiver A --transmitter B --save model.json", 65, line, {"walk.csv": content}
    )


def runs(name: str, content: bytes, line: str, status: int = 65) -> Case:
    """A list of walk tests."""
    files = {"runs.csv": content, "walk.csv": WALK}
    return Case(name, "calibrate --runs runs.csv --save model.json", status, line, files)


def herald_log(name: str, content: bytes, line: str) -> Case:
    """A test with the logs of two phones, of which one is malformed."""
    files = {f"{phone}/detection.csv": f"{phone},iOS,1,{phone}{phone}\n".encode() for phone in "AB"}
    logs = {"A/contacts.csv": f"{EVENTS}2026-11-21 09:00:00,1,x,1,,,,,\n".encode(), "B/contacts.csv": content}
    return Case(name, "analyse formal .", 65, f"B/contacts.csv: {line}", files | logs)


HEADER = b"time,rssi,distance\n"
WALK = HEADER + b"".join(b"2026-11-21 10:00:%02d,-%d,%d\n" % (at, 50 + at // 2, at * 10) for at in range(60))
RUNS = b"file,receiver,transmitter,session\n"
EVENTS = "time,sensor,id,detect,read,measure,share,visit,data\n"

CASES = [
    # Names of people
    names("an empty file of names", b"", "1: no column id; the first line is id,name,group,age,sex"),
    names("names without a header", b"Board 1,Ada\n", "1: no column board 1: id, name, group, age, sex"),
    names("names without ids", b"name,group\nAda,x\n", "1: no column id"),
    names("a column twice", b"id,name,name\nBoard 1,a,b\n", "1: the column name stands there twice"),
    names("a header and no rows", b"id,name\n", " no row below the line of column names"),
    names("a row without an id", b"id,name\nBoard 1,a\n,b\n", " row 2: no id"),
    names("the same board in two rows", b"id,name\nBoard 1,a\nBoard 1,b\n", " row 2: Board 1 is in row 1 already"),
    names(
        "the same board by its name and its log", b"id,name\n57dfb631,a\nBoard 1,b\n",
        " row 2: Board 1 is the same as the id in row 1",
    ),
    names("a row with too many fields", b"id,name\nBoard 1,Ada,Byron\n", " … row 1 … fields"),
    names("a quote that is never closed", b'id,name\n"Board 1,Ada\nBoard 2,Ben\n', " … row 1 … quote"),
    names("text after a closed quote", b'id,name\nBoard 1,x\nBoard 2,"Ada"x\n', " … row 2 … quote"),
    names("names in Latin 1", "id,name\nBoard 1,Zoë\n".encode("latin-1"), " not UTF-8; save it as CSV in UTF-8"),
    names("names in UTF-16", "id,name\nBoard 1,Zoe\n".encode("utf-16"), " not UTF-8; save it as CSV in UTF-8"),
    names("a NUL in a name", b"id,name\nBoard 1,A\0da\n", " row 1: a text has control characters"),
    names("a name that clears the terminal", b"id,name\nBoard 1,\x1b[2J\n", " row 1: a text has control characters"),
    names(
        "a name that turns the line round", "id,name\nBoard 1,\u202eadA\n".encode(),
        " row 1: a text has control characters",
    ),
    names("a name of 10 MB", b"id,name\nBoard 1," + b"x" * 10_000_000 + b"\n", " row 1: … more than 100 characters"),
    names("an age of 131", b"id,age\nBoard 1,131\n", " row 1: age 131: write years from 0 to 130, or NA"),
    names("a negative age", b"id,age\nBoard 1,-3\n", " row 1: age -3: write years from 0 to 130, or NA"),
    names(
        "an age beyond every integer", b"id,age\nBoard 1," + b"9" * 30 + b"\n",
        " row 1: age 999 … write years from 0 to 130, or NA",
    ),
    names("a sex with a control character", b"id,sex\nBoard 1,\x07\n", " row 1: a text has control characters"),
    names(
        "ids that are in no log", b"id,name\nnobody,x\n", " none of its ids is in a log; an id is a board's name",
        command="label --names",
    ),
    names("an image in place of names", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", " not UTF-8; save it as CSV in UTF-8"),
    Case("no file of names", "contacts --names none.csv", 66, "none.csv: no such file; check the name"),
    Case(
        "a folder of names", "label --names people", 65, "people: a folder or device; give a file", {"people": folder},
    ),
    Case(
        "a pipe of names", "contacts --names people.csv", 65, "people.csv: a folder or device; give a file",
        {"people.csv": pipe},
    ),
    Case(
        "a device without an end as names", "contacts --names /dev/zero", 65,
        "/dev/zero: a folder or device; give a file",
    ),
    Case(
        "names that may not be read", "contacts --names people.csv", 77, "people.csv: Permission denied; ",
        {"people.csv": unreadable}, wrapper=AS_A_USER,
    ),
    # Walk tests
    walk("an empty walk test", b"", 'walk.csv:1: expected the header "time,rssi,distance"'),
    walk("columns in another order", b"distance,rssi,time\n", 'walk.csv:1: expected the header "time,rssi,distance"'),
    walk("a walk test without readings", HEADER, "walk.csv:1: the file has no readings"),
    walk(
        "a reading without a distance", HEADER + b"2026-11-21 10:00:00,-60\n",
        "walk.csv:2: expected three fields: time,rssi,distance",
    ),
    walk(
        "an RSSI that is not a number", HEADER + b"2026-11-21 10:00:00,nan,100\n",
        "walk.csv:2: the RSSI is not a decimal number",
    ),
    walk("an absurd RSSI", HEADER + b"2026-11-21 10:00:00,-200,100\n", "walk.csv:2: the RSSI is outside"),
    walk(
        "a negative distance", HEADER + b"2026-11-21 10:00:00,-60,-100\n",
        "walk.csv:2: the distance is outside 0 to 10,000 cm",
    ),
    walk(
        "an infinite distance", HEADER + b"2026-11-21 10:00:00,-60,inf\n",
        "walk.csv:2: the distance is not a decimal number",
    ),
    walk(
        "a day that no calendar has", HEADER + b"2026-02-30 10:00:00,-60,100\n",
        "walk.csv:2: expected a time such as 2021-01-05 17:54:02",
    ),
    walk("a line of 1 MB", HEADER + b"9" * 1_000_000 + b"\n", "walk.csv:2: longer than"),
    walk("one session alone", WALK, "not calibrated: 1 session: … at least 3"),
    runs("an empty list of walk tests", b"", "runs.csv … no column file"),
    runs("walk tests without their transmitters", b"file,receiver,session\nwalk.csv,A,1\n", "runs.csv … transmitter"),
    runs("a walk test that is missing", RUNS + b"none.csv,A,B,1\n", "none.csv: no such file; check the name", 66),
    runs(
        "a model without a name", RUNS + b"walk.csv,,B,1\n",
        "runs.csv: row 1: it needs file, receiver and transmitter",
    ),
    runs("the same walk test twice", RUNS + b"walk.csv,A,B,1\nwalk.csv,A,B,2\n", "walk.csv … given twice"),
    Case(
        "a calibration that exists", "calibrate --runs runs.csv --save model.json", 73,
        "model.json: already exists; --force overwrites it", {"runs.csv": RUNS, "model.json": b"{}"},
    ),
    # Herald's logs
    herald_log("an empty log of Herald", b"", "empty; export the log again"),
    herald_log(
        "a log of Herald without times", b"x,y\n1,2\n",
        "the header has no column time; check that it is Herald's contacts.csv",
    ),
    herald_log("a log of Herald in UTF-16", EVENTS.encode("utf-16"), "encoded as UTF-16; save it as CSV in UTF-8"),
    herald_log(
        "a log of Herald in the year 99999", EVENTS.encode() + b"99999-11-21 09:00:00,1,x,1,,,,,\n",
        "no line has an event at a time such as 2020-12-08 23:20:00",
    ),
    herald_log(
        "a line of 10 MB in a log of Herald", EVENTS.encode() + b"y" * 10_000_000 + b"\n",
        "no line has an event at a time",
    ),
    Case(
        "a pipe as log of Herald", "analyse formal .", 65, "B/contacts.csv: a folder or device; give a file",
        {
            "A/contacts.csv": EVENTS.encode(),
            "A/detection.csv": b"A,iOS,1,aa\n",
            "B/contacts.csv": pipe,
            "B/detection.csv": b"B,iOS,1,bb\n",
        },
    ),
    Case(
        "a folder as log of Herald", "analyse formal .", 65, "B/contacts.csv: a folder or device; give a file",
        {
            "A/contacts.csv": EVENTS.encode(),
            "A/detection.csv": b"A,iOS,1,aa\n",
            "B/contacts.csv": folder,
            "B/detection.csv": b"B,iOS,1,bb\n",
        },
    ),
    Case(
        "a log of Herald that may not be read", "analyse formal .", 77, "B/contacts.csv: you may not read it; run chmod u+rX",
        {
            "A/contacts.csv": EVENTS.encode(),
            "A/detection.csv": b"A,iOS,1,aa\n",
            "B/contacts.csv": unreadable,
            "B/detection.csv": b"B,iOS,1,bb\n",
        },
        wrapper=AS_A_USER,
    ),
    Case(
        "one phone alone", "analyse formal .", 66, "only one device; a test needs the logs of at least two devices",
        {"A/contacts.csv": EVENTS.encode(), "A/detection.csv": b"A,iOS,1,aa\n"},
    ),
    Case(
        "a folder without logs of Herald", "analyse formal .", 66,
        "no contacts.csv in it or in its folders; check the name",
    ),
    Case("no folder of logs", "analyse formal none", 66, "none: no such folder; give the folder of a phone"),
    # Cards
    Case(
        "a list of cards with an unknown column", "prepare card --cards cards.csv", 65,
        "cards.csv: line 1: no column shoe: role, venue-number, name",
        {"cards.csv": b"role,shoe\nbeacon,43\n", "card": folder},
    ),
    Case(
        "a card without a boot partition", "prepare card --venue-number 1 --name x", 66,
        "card: no boot partition of Raspberry Pi OS (cmdline.txt is missing); write Raspberry Pi OS Lite",
        {"card": folder},
    ),
]
