"""Names of boards and people: `tabardctl label`, `--names`, `boards`, and the zone of local times."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample_archive
from sample_archive import Sample
from venue import Venue


LABELS = "SELECT name, groupName, ageYears, sex FROM board UNION ALL SELECT name, groupName, ageYears, sex FROM person"


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setenv("TZ", "UTC")
    return await sample_archive.at(tmp_path, monkeypatch, encounter_count=1_000)


async def boards(sample: Sample) -> dict[str, str]:
    """The log identity of each board, by its name."""
    return {each["name"]: each["board"] for each in (await sample.document("boards"))}


async def stranger(sample: Sample) -> tuple[str, int]:
    """An identity that no board served, and the number of its encounters."""
    met = [each for each in await sample.document("encounters") if not each["ownBoards"]]
    identity = met[0]["identity"]
    return identity, sum(each["identity"] == identity for each in met)


async def test_a_board_is_listed_under_the_name_that_it_was_given(sample: Sample) -> None:
    first = next(iter(await boards(sample)))
    told = await sample.printed("label", first, "--name", "Ada Byron", "--group", "ward 3", "--age", "36", "--sex", "F")
    assert told == f"{first}: Ada Byron, group ward 3, age 36, sex F\n"
    contacts = await sample.document("contacts")
    assert any("Ada Byron" in (each["board"]["name"], each["otherBoard"]["name"]) for each in contacts)
    assert not any(first in (each["board"]["name"], each["otherBoard"]["name"]) for each in contacts)
    assert (await sample.document("who-met", "ada byron"))["subject"] == "Ada Byron"
    assert "Ada Byron" in (await sample.document("boards"))[0]["name"]
    assert (await sample.document("boards"))[0]["group"] == "ward 3"


async def test_a_label_keeps_what_is_not_given_anew_and_goes_but_for_a_boards_name(sample: Sample) -> None:
    first = next(iter(await boards(sample)))
    await sample.printed("label", first, "--group", "ward 3", "--age", "36")
    await sample.printed("label", first, "--age", "37")
    label = (await sample.document("label"))[0]
    assert (label["name"], label["group"], label["ageYears"], label["sex"]) == (first, "ward 3", 37, None)
    await sample.printed("label", first, "--remove")
    label = (await sample.document("label"))[0]
    assert (label["name"], label["group"], label["ageYears"]) == (first, None, None)


async def test_a_person_who_is_no_board_has_a_name_in_every_list(sample: Sample) -> None:
    identity, count = await stranger(sample)
    await sample.printed("label", identity, "--name", "Visitor")
    named = await sample.document("encounters", "--identity", "visitor")
    assert len(named) == count
    assert {each["personName"] for each in named} == {"Visitor"}
    assert "(Visitor)" in await sample.printed("encounters", "--identity", "Visitor")
    answer = await sample.document("who-met", "Visitor")
    assert (answer["subject"], len(answer["meetings"])) == ("Visitor", count)
    board = answer["meetings"][0]["who"]
    met = (await sample.document("who-met", board, "--strangers"))["meetings"]
    assert any(each["who"].startswith("Visitor (") for each in met)


async def test_forgetting_a_person_forgets_the_name(sample: Sample) -> None:
    identity, _ = await stranger(sample)
    await sample.printed("label", identity, "--name", "Zebulon Quux")
    assert b"Zebulon Quux" in everything(sample)
    await sample.printed("forget", "--identity", identity, "--scheme", "herald", "--yes")
    assert [each["name"] for each in (await sample.document("label")) if each["scheme"]] == []
    assert b"Zebulon Quux" not in everything(sample)


async def test_a_name_goes_with_the_last_encounter(sample: Sample) -> None:
    identity, _ = await stranger(sample)
    await sample.printed("label", identity, "--name", "Zebulon Quux")
    kept = await sample.printed("forget", "--expired", "--keep", "herald=3650", "--yes")
    assert "label" not in kept and b"Zebulon Quux" in everything(sample)
    # The sample is of 2023.
    forgotten = await sample.printed("forget", "--expired", "--yes")
    assert "1 label of identities without encounters removed" in forgotten
    assert b"Zebulon Quux" not in everything(sample)


async def test_a_listed_formula_is_the_same_name_when_it_is_given_back(sample: Sample, tmp_path: Path) -> None:
    identity, _ = await stranger(sample)
    await sample.printed("label", identity, "--name", "=1+1", "--group", "'quoted'")
    file = tmp_path / "people.csv"
    file.write_text(await sample.printed("label", "--csv"))
    assert "'=1+1" in file.read_text()
    assert "0 of them new or changed" in await sample.printed("label", "--names", str(file))
    assert "=1+1" in {each["name"] for each in (await sample.document("label"))}


def everything(sample: Sample) -> bytes:
    """The bytes of the archive and of the files beside it."""
    return b"".join(path.read_bytes() for path in sample.path.parent.iterdir() if path.is_file())


async def test_a_file_names_many_at_once_and_is_what_the_list_prints(sample: Sample, tmp_path: Path) -> None:
    names = list(await boards(sample))
    identity, _ = await stranger(sample)
    file = tmp_path / "people.csv"
    file.write_text(
        f"\ufeffID,Name,Group,Age,Sex\n{names[0]},Ada,A,36,F\n{names[1]},,B,NA,\n{identity},Eve,,,\nnobody,X,,,\n"
    )
    dry = await sample.run("label", "--names", str(file), "--dry-run")
    assert dry.output == f"{file}: 3 labels, 3 of them new or changed; nothing was stored\n"
    assert not any(each["group"] for each in (await sample.document("label")))
    ended = await sample.run("label", "--names", str(file))
    assert ended.output == f"{file}: 3 labels, 3 of them new or changed\n"
    assert ended.errors == f"{file}: in no log, and left out: nobody (1 of 4)\n"
    labels = {each["name"]: each for each in (await sample.document("label"))}
    assert (labels["Ada"]["group"], labels["Ada"]["ageYears"], labels["Ada"]["sex"]) == ("A", 36, "F")
    assert (labels[names[1]]["group"], labels[names[1]]["ageYears"]) == ("B", None)
    assert labels["Eve"]["scheme"] == "herald"
    printed = tmp_path / "printed.csv"
    printed.write_text(await sample.printed("label", "--csv"))
    again = await sample.printed("label", "--names", str(printed))
    assert again.endswith("labels, 0 of them new or changed\n")


async def test_names_may_be_given_for_one_run(sample: Sample, tmp_path: Path) -> None:
    first = next(iter(await boards(sample)))
    file = tmp_path / "people.csv"
    file.write_text(f"id,name\n{first},Ada\n")
    before = sample.path.read_bytes()
    assert (await sample.document("who-met", "Ada", "--names", str(file)))["subject"] == "Ada"
    assert "Ada" in {each["board"]["name"] for each in await sample.document("contacts", "--names", str(file))}
    assert sample.path.read_bytes() == before
    assert (await sample.run("who-met", "Ada")).exit_code == 66


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no column id"),
        ("name,group\nx,y\n", "no column id"),
        ("id,shoe\nBoard,43\n", "no column shoe"),
        ("id,id\na,b\n", "stands there twice"),
        ("id\n", "no row"),
        ("id,name\n,x\n", "row 1: no id"),
        ("id,name\nnobody,x\n", "none of its ids is in a log"),
        ("id,age\nBoard 1,131\n", "row 1: age 131"),
        ("id,age\nBoard 1,old\n", "row 1: age old"),
        ("id,name\nBoard 1,\x07\n", "row 1: a text has control characters"),
        ("id,name\nBoard 1," + "x" * 101 + "\n", "more than 100 characters"),
        ("id,name\nBoard 1,a\nboard 1,b\n", "row 2: board 1 is in row 1 already"),
        ("id,name\n10030000,a\n", "may be"),
    ],
    ids=lambda value: value[:24] if value.isprintable() else "text",
)
async def test_a_names_file_with_a_mistake_is_refused_in_one_line(
    sample: Sample, tmp_path: Path, text: str, complaint: str
) -> None:
    first = next(iter(await boards(sample)))
    file = tmp_path / "people.csv"
    digits = await shared_digits(sample)
    file.write_text(text.replace("Board 1", first).replace("board 1", first.lower()).replace("10030000", digits))
    before = sample.rows(LABELS)
    ended = await sample.run("label", "--names", str(file))
    assert ended.exit_code == 65
    assert ended.errors.count("\n") == 1 and ended.errors.startswith(f"tabardctl: {file}:")
    assert complaint in ended.errors.replace(first.lower(), "board 1")
    assert sample.rows(LABELS) == before


async def shared_digits(sample: Sample) -> str:
    """The first digits of several identities."""
    identities = sorted({each["identity"] for each in await sample.document("encounters")})
    return next(a[:8] for a, b in zip(identities, identities[1:], strict=False) if a[:8] == b[:8])


async def test_a_names_file_that_is_missing_or_no_text_is_refused(sample: Sample, tmp_path: Path) -> None:
    missing = await sample.run("label", "--names", str(tmp_path / "none.csv"))
    assert missing.exit_code == 66 and missing.errors.count("\n") == 1
    file = tmp_path / "people.csv"
    file.write_bytes(b"id,name\n\xff\xfe,x\n")
    garbled = await sample.run("label", "--names", str(file))
    assert (garbled.exit_code, garbled.errors) == (
        65,
        f"tabardctl: {file}: not UTF-8; save it as CSV in UTF-8\n",
    )


async def test_a_fetch_warns_of_a_name_that_another_board_has(sample: Sample, venue: Venue) -> None:
    agent = await venue.start_agent()
    name = next(iter(await boards(sample)))
    fetch = ("sync", "--port", str(agent.sync_port), "--trust", "new", "--name")
    assert "another board" not in (await sample.run(*fetch, "Foyer")).errors
    ended = await sample.run(*fetch, name)
    assert (ended.exit_code, "warning: another board has this name" in ended.errors) == (0, True)


async def test_a_board_is_renamed_and_retired_and_its_evidence_stays(sample: Sample) -> None:
    first, second = list(await boards(sample))[:2]
    log = (await boards(sample))[first]
    count = len(await sample.document("encounters", "--board", first))
    assert await sample.printed("boards", "rename", first, "Foyer") == f"{first} ({log[:8]}) is now Foyer\n"
    assert "another board has this name" in (await sample.run("boards", "rename", second, "Foyer")).errors
    ambiguous = await sample.run("boards", "retire", "foyer")
    assert ambiguous.exit_code == 64 and "2 boards are meant" in ambiguous.errors
    assert await sample.printed("boards", "retire", log[:8]) == "Foyer is retired\n"
    assert (await sample.document("boards"))[0]["retired"] is not None
    assert "retired" in await sample.printed("boards")
    assert len(await sample.document("encounters", "--board", log[:8])) == count
    assert "retired already" in (await sample.run("boards", "retire", log[:8])).errors
    assert await sample.printed("boards", "retire", "--undo", log[:8]) == "Foyer is in service again\n"
    assert (await sample.document("boards"))[0]["retired"] is None


async def test_the_zone_of_local_times_can_be_chosen(sample: Sample) -> None:
    utc = await sample.printed("contacts", "--time-zone", "utc")
    there = await sample.printed("contacts", "--time-zone", "Asia/Kathmandu")
    assert utc.splitlines()[1] != there.splitlines()[1]
    assert "Asia/Kathmandu (UTC+05:45)" in (await sample.run("contacts", "--time-zone", "Asia/Kathmandu")).errors
    for zone in ("Mars/Olympus", "../../etc/passwd"):
        ended = await sample.run("contacts", "--time-zone", zone)
        assert ended.exit_code == 64 and ended.errors.count("\n") == 1 and "no such zone" in ended.errors
