"""Absurd times, zones, numbers and names in options, and outputs that cannot be written."""

from __future__ import annotations

from malformed import AS_A_USER, ON_A_FULL_OUTPUT, Case, closed_folder, folder, on_a_small_disk, pipe

NO_TIME = "not a time; write 2026-11-21, 2026-11-21T09:30 or 2h"
NO_DURATION = "not a duration; write 90s, 10min or 2h"
NO_ZONE = "no such zone; write utc, local or a name such as Europe/London"


def since(name: str, time: str, shown: str | None = None) -> Case:
    return Case(name, f"contacts --since '{time}'", 64, f"--since {time if shown is None else shown}: … {NO_TIME}")


def zone(name: str, text: str) -> Case:
    return Case(name, f"contacts --time-zone '{text}'", 64, f"--time-zone … {NO_ZONE}")


CASES = [
    # Times
    since("the year 99999", "99999-01-01"),
    since("the thirteenth month", "2026-13-01"),
    since("the thirtieth of February", "2026-02-30"),
    since("the twenty-fifth hour", "2026-11-21T25:00"),
    since("a zone of 99 hours", "2026-11-21T09:30+99:00"),
    since("a start beyond every integer", "9" * 30 + "h"),
    since("a time of two lines", "2026-11-21\nForged: sound", "2026-11-21 Forged: sound"),
    since("digits of another script", "٢٠٢٦-١١-٢١"),
    since("no time at all", ""),
    Case(
        "an end before the start", "contacts --since 2026-11-22 --until 2026-11-21", 64,
        "--since 2026-11-22 is not before --until 2026-11-21; swap them",
    ),
    Case(
        "a duration beyond every integer", "contacts --minimum-duration 99999999999999999h", 64,
        f"--minimum-duration 99999999999999999h: {NO_DURATION}",
    ),
    Case(
        "a gap beyond every integer", "export jsonl --output - --join-gap 99999999999999h", 64,
        f"--join-gap 99999999999999h: {NO_DURATION}",
    ),
    Case(
        "a retention of ten thousand years", "forget --expired --keep herald=3650000 --yes", 64,
        "--keep herald=3650000: write SCHEME=DAYS, 0 to 3650 days",
    ),
    # Zones
    zone("a zone of another planet", "Mars/Olympus"),
    zone("a zone outside the list of zones", "../../etc/passwd"),
    zone("a folder of zones", "Europe"),
    zone("the folder of all zones", "."),
    zone("no zone at all", ""),
    # Numbers and names
    Case(
        "a window of no length", "export sociopatterns --output - --window 0", 64,
        "--window 0: write 1 to 86400 seconds",
    ),
    Case(
        "an RSSI stronger than any", "export gexf --output - --minimum-rssi 99", 64,
        "--minimum-rssi 99: write -127 to 20 dBm",
    ),
    Case(
        "an interval beyond Bluetooth's", "coverage --sender-interval 99999", 64,
        "--sender-interval must be from 20 to 10240",
    ),
    Case(
        "a scheme that nobody knows", "encounters --scheme nosuch", 64,
        "--scheme nosuch: no such scheme; write one of herald, sonar",
    ),
    Case(
        "an identity that is not hexadecimal", "forget --identity zz --scheme herald --yes", 64,
        "--identity zz: not hexadecimal bytes; `tabardctl encounters --json` prints them",
    ),
    Case(
        "a person whom nobody met", "who-met nobody", 66,
        "nobody: no board has this name, and nobody this identity; the boards are Board 1",
    ),
    Case("a label for nobody", "label nobody --name x", 66, "nobody: in no log; the boards are Board 1"),
    Case(
        "a label of two lines", "label 57dfb631 --name 'Ada\nForged: sound'", 64,
        "a text must be one line of 1 to 100 characters without control characters",
    ),
    Case("an age of a label that is absurd", "label 57dfb631 --age 131", 64, "--age from 0 to 130"),
    Case(
        "a venue's number beyond 32 bits", "payload venue --location 99999999999", 64,
        "herald.location: 99999999999 is not from 0 to 4294967295",
    ),
    Case(
        "a venue's name of 300 bytes", f"payload venue --location 1 --name {'x' * 300}", 64,
        "herald.name: the text has 300 bytes in UTF-8, more than 255; write a short name",
    ),
    Case(
        "a fingerprint of two digits", "trust 57dfb631 --fingerprint 00", 64,
        "--fingerprint 00: not 32 hexadecimal digits",
    ),
    Case(
        "a setting without a value", "config /dev/null set log.retention_days", 64,
        "log.retention_days: not an assignment; write section.key=value",
    ),
    # Outputs that exist
    Case(
        "a report that exists", "report --output r.html", 73, "r.html: already exists; --force overwrites it",
        {"r.html": b""},
    ),
    Case(
        "an export that exists", "export jsonl --output e.jsonl", 73, "e.jsonl: already exists; --force overwrites it",
        {"e.jsonl": b""},
    ),
    Case(
        "an export whose folder has a file of its name", "export csv --output e", 73,
        "e/contacts.csv: already exists; --force overwrites it", {"e/contacts.csv": b""},
    ),
    Case("an export to a folder that is a file", "export csv --output e", 73, "e: … not a folder", {"e": b""}),
    Case(
        "a Herald export to a folder that is a file", "export herald --output e", 73, "e: … not a folder", {"e": b""},
    ),
    Case(
        "a second output that exists", "export sociopatterns --output e.dat --people people.tsv", 73,
        "people.tsv: already exists; --force overwrites it", {"people.tsv": b""},
    ),
    Case(
        "a report that is a folder", "report --output r.html --force", 64, "r.html: is a folder; give a file in it",
        {"r.html": folder},
    ),
    Case(
        "a list into a folder", "contacts --output list", 64, "list: is a folder; give a file in it", {"list": folder},
    ),
    Case(
        "an export into a folder", "export gexf --output e --force", 64, "e: is a folder; give a file in it",
        {"e": folder},
    ),
    Case(
        "a list into a pipe that nobody reads", "contacts --output list", 73, "list: not a file … write to - ",
        {"list": pipe},
    ),
    Case(
        "a report into a pipe that nobody reads", "report --output r.html --force", 73,
        "r.html: not a file … write to - ", {"r.html": pipe},
    ),
    # Outputs that cannot be written
    Case(
        "a report in a folder that is missing", "report --output none/r.html", 66,
        "none/r.html: no folder … create it with mkdir -p",
    ),
    Case(
        "a list below a file", "contacts --output file/list", 66,
        "file/list: part of the path is not a folder; choose another place", {"file": b""},
    ),
    Case("an output without a name", "report --output ''", 64, "--output"),
    Case("an output with a name of 300 characters", f"contacts --output {'x' * 300}", 74, "too long"),
    Case(
        "a report in a read-only folder", "report --output closed/r.html", 77,
        "closed/r.html: … Permission denied; choose a folder that you can write to", {"closed": closed_folder},
        wrapper=AS_A_USER,
    ),
    Case(
        "an export in a read-only folder", "export csv --output closed/e", 77,
        "closed/e … Permission denied; choose a folder that you can write to", {"closed": closed_folder},
        wrapper=AS_A_USER,
    ),
    Case(
        "keys in a read-only folder", "keys new --directory closed", 77,
        "closed/opening.p … Permission denied; choose a folder that you can write to", {"closed": closed_folder},
        wrapper=AS_A_USER,
    ),
    Case(
        "a list to a full output", "encounters --csv", 74, "standard output: No space left on device",
        wrapper=ON_A_FULL_OUTPUT,
    ),
    Case(
        "a report on a full disk", "report --output disk/r.html", 74,
        "disk/r.html: No space left on device; free some space and try again", {"disk": folder, "given/notes": b""},
        wrapper=on_a_small_disk("64k"),
    ),
    Case(
        "an export on a full disk", "export csv --output disk/e", 74,
        "disk/e … No space left on device; free some space and try again", {"disk": folder, "given/notes": b""},
        wrapper=on_a_small_disk("16k"),
    ),
    Case(
        "a Herald export on a full disk", "export herald --output disk/e", 74,
        "disk/e … No space left on device; free some space and try again", {"disk": folder, "given/notes": b""},
        wrapper=on_a_small_disk("64k"),
    ),
    Case(
        "keys on a full disk", "keys new --directory disk", 74,
        "disk/opening. … No space left on device; free some space and try again", {"disk": folder, "given/notes": b""},
        wrapper=on_a_small_disk("8k", full=True),
    ),
]
