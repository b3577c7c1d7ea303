"""Malformed archives, boards and keys: damaged files, hostile rows, other programs, permissions and full disks."""

from __future__ import annotations

from malformed import (
    AS_A_USER,
    Case,
    Holder,
    archive,
    folder,
    key,
    link,
    on_a_small_disk,
    part_of_archive,
    pipe,
    unreadable,
)

NO_ARCHIVE = "not an archive of tabardctl, or damaged … restore a backup"
BOARD_1 = "(SELECT id FROM board WHERE name = 'Board 1')"
OTHER_KEY = "UPDATE boardKey SET publicKey = (SELECT publicKey FROM boardKey WHERE boardID <> {0} LIMIT 1)"

CASES = [
    # Files that are no archive
    Case(
        "text as archive", "contacts --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": b"notes\n" * 900},
    ),
    Case("an empty archive", "contacts --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}", {"a.sqlite": b""}),
    Case(
        "half an archive", "verify --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": part_of_archive(700_000)},
    ),
    Case(
        "the header of an archive", "report --output r.html --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": part_of_archive(100)},
    ),
    Case(
        "half an archive to be upgraded", "archive upgrade --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": part_of_archive(700_000)},
    ),
    Case(
        "a folder as archive", "summary --archive a.sqlite", 66, "a.sqlite: a folder; give the archive file in it",
        {"a.sqlite": folder},
    ),
    Case(
        "no archive", "presence --archive none.sqlite", 66,
        "none.sqlite: no such archive; fetch a board first with `tabardctl sync`",
    ),
    Case("a pipe as archive", "contacts --archive a.sqlite", 65, "a.sqlite: not a … file", {"a.sqlite": pipe}),
    Case("an archive's name without a name", "contacts --archive ''", 64, "--archive"),
    # Archives of other versions
    Case(
        "an archive of a later version", "contacts --archive a.sqlite", 65,
        "a.sqlite: written by a later version of tabardctl; update this one",
        {"a.sqlite": archive("INSERT INTO grdb_migrations VALUES ('99 later')")},
    ),
    Case(
        "a later version's archive to be upgraded", "archive upgrade --archive a.sqlite", 65,
        "written by a later version of tabardctl; update this one",
        {"a.sqlite": archive("INSERT INTO grdb_migrations VALUES ('99 later')")},
    ),
    Case(
        "pages that another version decoded", "contacts --archive a.sqlite", 65,
        "a.sqlite: written by another version … run `tabardctl archive upgrade`",
        {"a.sqlite": archive("UPDATE decoder SET version = 1")},
    ),
    Case(
        "an archive without its versions", "contacts --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": archive("DELETE FROM grdb_migrations")},
    ),
    Case(
        "an archive without its logs", "contacts --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": archive("DROP TABLE chunk")},
    ),
    # Rows that another program has changed
    Case(
        "a unit of absurd size", "contacts --archive a.sqlite", 65, "a.sqlite: ",
        {"a.sqlite": archive("UPDATE board SET unitByteCount = 9223372036854775807")},
    ),
    Case(
        "a chunk at an absurd place", "contacts --archive a.sqlite", 65, "a.sqlite: ",
        {"a.sqlite": archive("UPDATE OR IGNORE chunk SET byteOffset = 9223372036854775807")},
    ),
    Case(
        "a segment with a negative number", "contacts --archive a.sqlite", 65, f"a.sqlite: {NO_ARCHIVE}",
        {"a.sqlite": archive("UPDATE OR IGNORE segment SET ordinal = -1")},
    ),
    Case(
        "another board's key", "contacts --archive a.sqlite", 65,
        "Board 1: the archive has another key of this board … known boards … run `tabardctl trust`",
        {"a.sqlite": archive(f"{OTHER_KEY.format(BOARD_1)} WHERE boardID = {BOARD_1}")},
    ),
    Case(
        "a chunk whose bytes were changed", "verify a.sqlite", 65, "not complete and genuine; see above",
        {
            "a.sqlite": archive(f"UPDATE chunk SET bytes = zeroblob(length(bytes)) WHERE segmentID IN (SELECT id FROM segment WHERE boardID = {BOARD_1})"),
        },
        prints=True,
    ),
    Case(
        "a chunk that was cut short", "verify a.sqlite", 65, "not complete and genuine; see above",
        {
            "a.sqlite": archive(f"UPDATE chunk SET bytes = substr(bytes, 1, 5000) WHERE segmentID IN (SELECT id FROM segment WHERE boardID = {BOARD_1})"),
        },
        prints=True,
    ),
    Case(
        "a chunk that was removed", "verify a.sqlite", 65, "not complete and genuine; see above",
        {
            "a.sqlite": archive(f"DELETE FROM chunk WHERE segmentID IN (SELECT id FROM segment WHERE boardID = {BOARD_1})"),
        },
        prints=True,
    ),
    Case(
        "a manifest whose signature was changed", "verify a.sqlite", 65, "not complete and genuine; see above",
        {"a.sqlite": archive(f"UPDATE manifest SET signature = zeroblob(64) WHERE boardID = {BOARD_1}")}, prints=True,
    ),
    # Archives that others use, or that may not be used
    Case(
        "an archive in use", "contacts --archive a.sqlite", 75,
        "a.sqlite: another program is using the archive; wait for it to finish", {"a.sqlite": Holder},
    ),
    Case(
        "an archive that may not be read", "contacts --archive a.sqlite", 77,
        "a.sqlite: you may not read this file; ask its owner", {"a.sqlite": unreadable}, wrapper=AS_A_USER,
    ),
    Case(
        "an archive in a folder that may not be entered", "contacts --archive closed/a.sqlite", 77,
        "closed/a.sqlite: you may not read", {"closed": lambda path, workshop: path.mkdir(0o000)}, wrapper=AS_A_USER,
    ),
    Case(
        "a name for a board of a read-only archive", "boards rename 57dfb631 Foyer --archive a.sqlite", 77,
        "a.sqlite: you may not write there", {"a.sqlite": archive(mode=0o400)}, wrapper=AS_A_USER,
    ),
    Case(
        "an archive on a full disk that is read", "report --output r.html --archive disk/a.sqlite", 74,
        "disk/a.sqlite: the disk is full; free some space", {"disk": folder, "given/a.sqlite": archive()},
        wrapper=on_a_small_disk("1400k", full=True),
    ),
    Case(
        "an archive on a full disk that is changed", "boards rename 57dfb631 Foyer --archive disk/a.sqlite", 74,
        "disk/a.sqlite: the disk is full; free some space", {"disk": folder, "given/a.sqlite": archive()},
        wrapper=on_a_small_disk("1400k", full=True),
    ),
    Case(
        "the archive as the output of a list", "contacts --archive a.sqlite --output a.sqlite", 64,
        "a.sqlite: the archive itself; give another name with --output", {"a.sqlite": archive()},
    ),
    Case(
        "the archive as a report that may be overwritten", "report --archive a.sqlite --output a.sqlite --force", 64,
        "a.sqlite: the archive itself; give another name with --output", {"a.sqlite": archive()},
    ),
    Case(
        "the archive as a new report", "report --archive a.sqlite --output a.sqlite", 73, "a.sqlite: already exists",
        {"a.sqlite": archive()},
    ),
    # Files beside the archive
    Case(
        "a list of known boards that is a folder", "contacts --known-boards known", 65, "known: a folder",
        {"known": folder},
    ),
    Case(
        "a line of the known boards without a key", "contacts --known-boards known", 65, "known … line 1",
        {"known": b"57dfb631\n"},
    ),
    Case(
        "a list of known boards in another encoding", "contacts --known-boards known", 65, "known: not UTF-8",
        {"known": "57dfb631 04ab\n".encode("utf-16")},
    ),
    Case(
        "a sync with an archive that is no archive", "sync --port /dev/null --archive a.sqlite", 65,
        f"a.sqlite: {NO_ARCHIVE}", {"a.sqlite": b"notes\n" * 900},
    ),
    Case(
        "a secret of the archives with too few bytes", "label 57dfb631 --group x --archive a.sqlite", 65,
        "archive.secret: not 32 bytes; put a copy back",
        {"a.sqlite": archive(), "settings/tabard/archive.secret": b"short"}, {"XDG_CONFIG_HOME": "{folder}/settings"},
    ),
    Case(
        "a settings folder that is a file", "archive upgrade --archive a.sqlite", 74,
        "archive.secret: cannot make the secret", {"a.sqlite": archive(), "settings/tabard": b""},
        {"XDG_CONFIG_HOME": "{folder}/settings"},
    ),
    # Boards that are not there
    Case(
        "a board that nobody knows", "encounters --board nosuch", 66,
        "--board nosuch: no such board; the archive contains Board 1",
    ),
    Case(
        "a board's name with control characters", "boards rename 57dfb631 'a\x1b[2J'", 64,
        "one line of 1 to 100 characters, without control characters",
    ),
    Case("a board's key that is none", "verify --board-key xyz", 64, "--board-key"),
    Case(
        "an archive that is a link to itself", "contacts --archive a.sqlite", 66, "a.sqlite: no such archive",
        {"a.sqlite": link("a.sqlite")},
    ),
    Case(
        "a locked log and a key of somebody else", "open --opening operator.pub.pem", 65,
        "operator.pub.pem: a public key; give the private key", {"operator.pub.pem": key("operator.pub.pem")},
    ),
]
