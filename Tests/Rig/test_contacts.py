"""Which boards met: `tabardctl contacts` and `tabardctl who-met`, held against the archive's own rows."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest

import sample_archive
from sample_archive import Sample, moment

TIMEOUT = 30_000
"""The encounter timeout of the sample's boards, in milliseconds."""


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    return await sample_archive.at(tmp_path, monkeypatch)


def expected_contacts(sample: Sample) -> list[tuple[str, str, int, int]]:
    """The contacts that follow from the logs: the names of two boards, and the first and last moment."""
    owners = {
        payload: name
        for payload, name in sample.rows(
            "SELECT payload, board.name FROM ownIdentity JOIN boot ON bootID = boot.id JOIN board ON board.id = boardID"
        )
    }
    sightings = defaultdict(list)
    for board, payload, start, end in sample.rows(
        "SELECT board.name, payload, startMilliseconds, endMilliseconds FROM encounter JOIN board ON board.id = boardID"
    ):
        if (other := owners.get(payload)) not in (None, board):
            sightings[tuple(sorted((board, other), key=lambda name: int(name.split()[1])))].append((start, end))
    contacts = []
    for (board, other), times in sightings.items():
        joined: list[list[int]] = []
        for start, end in sorted(times):
            if joined and start <= joined[-1][1] + TIMEOUT:
                joined[-1][1] = max(joined[-1][1], end)
            else:
                joined.append([start, end])
        contacts += [(board, other, start, end) for start, end in joined]
    return sorted(contacts, key=lambda contact: contact[2])


async def test_totals_sum_up_the_contacts_of_each_pair_the_longest_together_first(sample: Sample) -> None:
    pairs: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for board, other, start, end in expected_contacts(sample):
        pairs[board, other].append((start, end))
    listed = await sample.document("contacts", "--totals")
    assert {
        (each["board"]["name"], each["otherBoard"]["name"]): (
            each["contacts"], each["durationSeconds"], each["longestSeconds"], each["start"], each["end"]
        )
        for each in listed
    } == {
        pair: (
            len(times),
            sum(end - start for start, end in times) / 1000,
            max(end - start for start, end in times) / 1000,
            moment(min(start for start, _ in times)),
            moment(max(end for _, end in times)),
        )
        for pair, times in pairs.items()
    }  # fmt: skip
    together = [each["durationSeconds"] for each in listed]
    assert together == sorted(together, reverse=True)
    assert await sample.document("contacts", "--totals", "--limit", "3") == listed[:3]
    table = await sample.run("contacts", "--totals", "--limit", "3", "--time-zone", "utc")
    assert f"3 of {len(listed)} pairs; times are UTC" in table.errors, table
    assert len(list(csv.DictReader(io.StringIO(await sample.printed("contacts", "--totals", "--csv"))))) == len(listed)


async def test_contacts_are_those_that_the_identities_in_the_logs_say(sample: Sample) -> None:
    expected = expected_contacts(sample)
    assert len(expected) > 80
    listed = [
        (each["board"]["name"], each["otherBoard"]["name"], each["start"], each["end"])
        for each in await sample.document("contacts")
    ]
    assert listed == [(board, other, moment(start), moment(end)) for board, other, start, end in expected]
    assert all(each["certainty"] == "served" for each in await sample.document("contacts"))
    table = list(csv.DictReader(io.StringIO(await sample.printed("contacts", "--csv"))))
    assert [(row["board_name"], row["other_board_name"], row["start"], row["end"]) for row in table] == listed


async def test_who_met_lists_the_boards_that_one_board_met(sample: Sample) -> None:
    found = await sample.document("who-met", "board 3")
    expected = [
        (other if board == "Board 3" else board, moment(start), moment(end))
        for board, other, start, end in expected_contacts(sample)
        if "Board 3" in (board, other)
    ]
    assert found["subject"] == "Board 3"
    assert [(each["who"], each["start"], each["end"]) for each in found["meetings"]] == expected
    assert all(each["heardBy"] == ["Board 3", each["who"]] for each in found["meetings"])
    encounters = await sample.document("encounters", "--board", "Board 3")
    strangers = [each for each in encounters if not each["ownBoards"]]
    assert found["strangerEncounters"] == len(strangers) > 0
    all_met = await sample.document("who-met", "board 3", "--strangers")
    assert len(all_met["meetings"]) == len(encounters)


async def test_who_met_of_an_identity_lists_the_boards_that_heard_it(sample: Sample) -> None:
    encounters = await sample.document("encounters")
    stranger = next(each["identity"] for each in encounters if not each["ownBoards"])
    found = await sample.document("who-met", stranger)
    heard = [(each["board"], each["start"]) for each in encounters if each["identity"] == stranger]
    assert [(each["board"], each["start"]) for each in found["meetings"]] == heard


async def test_who_met_says_when_the_board_did_not_listen(sample: Sample) -> None:
    # Two boards stop at noon of the first day, until the next one.
    sample.change(
        "UPDATE coverage SET endMilliseconds = 12 * 3600 * 1000 WHERE startMilliseconds = 0 AND bootID IN"
        " (SELECT boot.id FROM boot JOIN board ON board.id = boardID WHERE name IN ('Board 1', 'Board 2'))"
    )
    found = await sample.document("who-met", "Board 1", "--until", "2023-01-02T00:00Z")
    [unheard] = found["unheard"]
    assert (unheard["start"], unheard["end"]) == ("2023-01-01T12:00:00.000Z", "2023-01-02T00:00:00.000Z")
    assert unheard["listeners"] == [f"Board {number}" for number in range(3, 11)]
    printed = await sample.printed("who-met", "Board 1", "--until", "2023-01-02T00:00Z")
    assert "Board 1 did not listen for 12 h in all" in printed


async def test_common_visits_are_overlapping_contacts_with_one_beacon(sample: Sample) -> None:
    assert await sample.document("contacts", "--at-beacons") == []
    # Contacts are rare here. With two more hours they overlap.
    sample.change(
        "UPDATE boot SET role = 1 WHERE boardID = (SELECT id FROM board WHERE name = 'Board 5')",
        "UPDATE contact SET endMilliseconds = endMilliseconds + 7200000",
    )
    visits = [
        (other if board == "Board 5" else board, start, end + 7_200_000)
        for board, other, start, end in expected_contacts(sample)
        if "Board 5" in (board, other)
    ]
    expected = sorted(
        (later[1], min(earlier[2], later[2]), earlier[0], later[0])
        for earlier, later in combinations(sorted(visits, key=lambda visit: visit[1]), 2)
        if later[1] <= earlier[2] and earlier[0] != later[0]
    )
    assert expected
    found = await sample.document("contacts", "--at-beacons")
    assert sorted((each["start"], each["end"], each["board"]["name"], each["otherBoard"]["name"]) for each in found) == [
        (moment(start), moment(end), one, other) for start, end, one, other in expected
    ]
    assert {each["beacon"]["name"] for each in found} == {"Board 5"}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["who-met", "Board 11"], 66, "Board 11: no board has this name, and nobody this identity; did you mean Board 1?"),
        (["who-met", "103a03"], 64, "identities begin so; write more of their digits"),
        (["contacts", "--both-sides", "--at-beacons"], 64, "--both-sides and --at-beacons cannot both be given"),
        (["contacts", "--board", "Board 11"], 66, "--board Board 11: no such board; did you mean Board 1?"),
        (["who-met", "Board 1", "--since", "2h", "--until", "3h"], 64, "swap them"),
    ],
)
async def test_mistakes_are_named_in_one_line(sample: Sample, arguments: list[str], code: int, said: str) -> None:
    ended = await sample.run(*arguments)
    assert (ended.exit_code, ended.errors.count("\n")) == (code, 1) and said in ended.errors, ended
