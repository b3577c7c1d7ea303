"""The dashboard: who gets an answer, what it says, and what nobody can do to it."""

from __future__ import annotations

import asyncio
import html
import re
import signal
import socket
from pathlib import Path

import pytest

import dashboard
import program
import sample_archive
from agent import find_tabardctl
from dashboard import Reply, cells
from sample_archive import Sample

PAGES = ("/", "/who-met", "/contacts", "/presence", "/encounters", "/coverage", "/downloads")
DAY = {"since": "2023-01-02", "until": "2023-01-03"}
UNAVAILABLE = 69
LARGEST_PAGE = 300_000


@pytest.fixture
async def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setenv("TZ", "UTC")
    return await sample_archive.at(tmp_path, monkeypatch)


# Access


async def test_nobody_gets_an_answer_without_the_token(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        wrong = "/?token=" + "0" * 32
        for target in (*PAGES, "/dashboard.css", "/dashboard.js", "/download/report.html", "/nowhere", wrong, "/?token="):
            reply = await served.send("GET", target)
            assert reply.status == 403, target
            assert "its token is missing or wrong" in reply.text and reply.text.count("\n") == 1
        stale = await served.send("GET", "/", {"Cookie": served.cookie[:-1] + ("0" if served.cookie[-1] != "0" else "1")})
        assert stale.status == 403
        two = await served.send("GET", "/", {"Cookie": f"{served.cookie}; {served.cookie[:-4]}0000"})
        assert two.status == 403
        assert (await served.page("/")).status == 200


async def test_the_token_leaves_the_address_and_the_cookie_is_for_this_browser_alone(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        token = served.address.split("token=")[1]
        reply = await served.send("GET", f"/encounters?since=2023-01-02&token={token}&page=2")
        assert (reply.status, reply.headers["location"]) == (303, "/encounters?since=2023-01-02&page=2")
        cookie = reply.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie
        assert token not in (await served.page("/")).text
        for path in ("//elsewhere.example/", "/\\elsewhere.example", "/%2f%2felsewhere.example"):
            elsewhere = await served.send("GET", f"{path}?token={token}")
            assert elsewhere.status == 404 and "location" not in elsewhere.headers
    async with dashboard.serve("--no-dock") as other:
        assert other.address.split("token=")[1] != token


async def test_other_names_and_other_sites_are_refused(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        port = served.host.split(":")[1]
        for host in ("elsewhere.example", f"elsewhere.example:{port}", "127.0.0.1", "127.0.0.1:1", f"localhost.example:{port}"):
            reply = await served.send("GET", "/", {"Host": host, "Cookie": served.cookie})
            assert (reply.status, reply.text.count("\n")) == (421, 1), host
        assert (await served.send("GET", "/", {"Host": f"localhost:{port}", "Cookie": served.cookie})).status == 200
        own = await served.send("GET", "/", {"Cookie": served.cookie, "Origin": "http://elsewhere.example"})
        assert not [name for name in own.headers if name.startswith("access-control-")]
        asked = {"Origin": "http://elsewhere.example", "Access-Control-Request-Method": "POST", "Cookie": served.cookie}
        assert (await served.send("OPTIONS", "/", asked)).status == 405
        assert (await served.send("DELETE", "/", {"Cookie": served.cookie})).status == 405


async def test_every_reply_forbids_what_the_pages_do_not_need(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        for reply in (await served.page("/"), await served.page("/download/contacts.csv"), await served.send("GET", "/")):
            assert reply.headers["content-security-policy"].startswith("default-src 'none'; style-src 'self';")
            assert "script-src 'self';" in reply.headers["content-security-policy"]
            assert reply.headers["referrer-policy"] == "no-referrer"
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert reply.headers["cache-control"] == "no-store"
        text = "".join([(await served.page(path)).text for path in PAGES])
        assert not re.search(r'(?:src|href|action)="(?!/|#|data:text/csv)', text)
        assert "<script>" not in text and "onclick" not in text


async def test_a_request_without_sense_gets_a_reply_and_harms_nobody(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        cookie = {"Cookie": served.cookie}
        targets = (
            "/../etc/passwd", "/download/../../etc/passwd", "/download/%2e%2e%2fetc", "/download/", "/download/x.csv",
            "/encounters?page=0", "/encounters?page=-1", "/encounters?page=99999999999999999999", "/encounters?page=x",
            "/encounters?since=%", "/encounters?since=%zz", "/encounters?since=%ff", "/encounters?" + "a=1&" * 100,
            "/encounters?since=" + "9" * 5_000, "/encounters?since=" + "9" * 9_000, "/presence?by=century",
            "/presence?by=--help", "/contacts?minimum-duration=-5", "/encounters?scheme=--version",
            "/who-met?name=%3Cscript%3Ealert(1)%3C/script%3E", "/who-met?name=--help", "/coverage?board=-x",
            "/encounters?identity=' OR 1=1 --".replace(" ", "+"), "/download/report.html?since=never",
            "/download/report.html?board=nobody", "/a" * 200,
        )  # fmt: skip
        for target in targets:
            reply = await served.send("GET", target, cookie)
            assert 400 <= reply.status < 500, (target, reply.status)
            assert "<script>alert" not in reply.text
        assert (await served.send("GET", "/", {**cookie, "X-Long": "x" * 40_000})).status in (400, 413, 431)
        assert (await served.send("POST", "/boards/fetch", cookie, b"x" * 100_000)).status == 414
        for raw in (b"\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a" * 70_000):
            await asyncio.to_thread(spoil, served.host, raw)
        head = await served.send("HEAD", "/", cookie)
        assert (head.status, head.body) == (200, b"")
        assert (await served.page("/")).status == 200


def spoil(host: str, raw: bytes) -> None:
    name, port = host.split(":")
    with socket.create_connection((name, int(port)), timeout=10) as line:
        line.sendall(raw)
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):
            pass


# Answers


async def test_pages_have_the_values_of_the_commands(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        summary = await sample.document("summary")
        rows = cells(await served.page("/"), "Figures of each board")[1:]
        assert [(row[0], int(row[3]), int(row[4]), int(row[6])) for row in rows] == [
            (each["name"], each["encounters"], each["peak"], each["boardsMet"]) for each in summary["boards"]
        ]
        met = await sample.document("who-met", "Board 1", "--since", DAY["since"], "--until", DAY["until"])
        rows = cells(await served.page("/who-met", name="Board 1", **DAY), "Who met")[1:]
        assert [row[0].split(" [")[0] for row in rows] == [each["who"] for each in met["meetings"]] and rows
        assert [int(row[5]) for row in rows] == [each["readings"] for each in met["meetings"]]
        contacts = await sample.document("contacts", "--board", "Board 2")
        found = [row for row in cells(await served.page("/contacts", board="Board 2"), "Contacts")[1:]]
        assert len(found) == min(len(contacts), 100) and found
        sums = [each["board"]["readings"] + each["otherBoard"]["readings"] for each in contacts]
        assert [int(row[6]) for row in found] == sums[:100]
        presence = await sample.document("presence", "--by", "day")
        rows = cells(await served.page("/presence", by="day"), "Presence")[1:]
        assert [int(row[1]) for row in rows] == [each["peak"] for each in presence][:100]
        coverage = await served.page("/coverage", board="Board 1", **DAY)
        (document,) = await sample.document("coverage", "--board", "Board 1", "--since", DAY["since"], "--until", DAY["until"])
        states = [row[4] for row in cells(coverage, "Times of Board 1")[1:]]
        assert states == [each["state"] for each in document["intervals"]] and states


async def test_long_lists_come_in_parts_of_bounded_size(sample: Sample) -> None:
    encounters = await sample.document("encounters")
    async with dashboard.serve("--no-dock") as served:
        readings: list[int] = []
        number = 1
        while True:
            page = await served.page("/encounters", page=str(number))
            assert len(page.body) < LARGEST_PAGE
            readings += [int(row[4]) for row in cells(page, "Encounters")[1:]]
            if 'rel="next"' not in page.text:
                break
            number += 1
        assert readings == [each["readings"] for each in encounters]
        assert number == -(-len(encounters) // 100)
        assert "no more rows" in (await served.page("/encounters", page="99999")).text
        for path in PAGES:
            assert len((await served.page(path)).body) < LARGEST_PAGE, path


async def test_a_mistake_is_reported_as_by_the_command(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        for path, fields, command in (
            ("/", {"since": "yesterday"}, ("summary", "--since", "yesterday")),
            ("/who-met", {"name": "Bord 1"}, ("who-met", "Bord 1")),
            ("/contacts", {"board": "Bord 1"}, ("contacts", "--board", "Bord 1")),
            ("/presence", {"since": "2023-01-03", "until": "2023-01-02"}, ("presence", "--since", "2023-01-03", "--until", "2023-01-02")),
            ("/encounters", {"scheme": "heralds"}, ("encounters", "--scheme", "heralds")),
            ("/encounters", {"minimum_duration": "long"}, ("encounters", "--minimum-duration", "long")),
            ("/download/tables.xlsx", {"since": "x"}, ("encounters", "--since", "x")),
        ):
            ended = await sample.run(*command)
            sentence = ended.errors.strip().removeprefix("tabardctl: ")
            reply = await served.page(path, **fields)
            shown = re.search(r'<p class="problem" role="alert">(.*?)</p>', reply.text)
            assert shown and html.unescape(re.sub("<[^>]*>", "", shown[1])) == sentence.replace("`", ""), (path, sentence)
            assert reply.status == 400, path


async def test_downloads_have_the_bytes_of_the_commands(sample: Sample) -> None:
    times = ("--since", DAY["since"], "--until", DAY["until"])
    async with dashboard.serve("--no-dock") as served:
        for name, command in (
            ("report.html", ("report",)), ("encounters.csv", ("encounters", "--csv")),
            ("encounters.json", ("encounters", "--json")), ("contacts.csv", ("contacts", "--csv")),
            ("presence.csv", ("presence", "--csv")), ("coverage.csv", ("coverage", "--csv")),
            ("tables.xlsx", ("export", "xlsx")), ("tables.jsonl", ("export", "jsonl")),
            ("contacts.parquet", ("export", "parquet")), ("network.gexf", ("export", "gexf")),
            ("network.graphml", ("export", "graphml")), ("contacts.dat", ("export", "sociopatterns")),
        ):  # fmt: skip
            path = sample.folder / name
            await sample.printed(*command, *times, "--output", str(path))
            reply = await served.page(f"/download/{name}", **DAY)
            assert reply.status == 200 and reply.body == path.read_bytes(), name
            assert reply.headers["content-disposition"] == f'attachment; filename="{name}"'
            assert int(reply.headers["content-length"]) == len(reply.body)
            assert name in (await served.page("/downloads")).text


async def test_names_that_look_like_markup_are_text(sample: Sample) -> None:
    names = sample.folder / "names.csv"
    names.write_text("id,name,group\nBoard 3,<img src=x onerror=alert(1)> & 'co',<b>\n")
    async with dashboard.serve("--no-dock", "--names", names) as served:
        for path in PAGES:
            assert "<img" not in (await served.page(path)).text, path
        assert "&lt;img src=x onerror=alert(1)&gt; &amp; &#39;co&#39;" in (await served.page("/")).text


# The program


async def test_a_port_in_use_and_an_address_of_nobody(sample: Sample) -> None:
    async with dashboard.serve("--no-dock") as served:
        port = served.host.split(":")[1]
        ended = await program.run(find_tabardctl(), "serve", "--no-dock", "--port", port)
        assert ended.exit_code == UNAVAILABLE and ended.errors.count("\n") == 1
        assert f"port {port} of 127.0.0.1 is in use" in ended.errors and "--port 0" in ended.errors
    ended = await program.run(find_tabardctl(), "serve", "--no-dock", "--port", "0", "--address", "192.0.2.1")
    assert ended.exit_code == UNAVAILABLE and "cannot listen" in ended.errors and "plain HTTP" in ended.errors
    for wrong in (("--port", "70000"), ("--address", "0.0.0.0"), ("--no-dock", "--sync")):
        ended = await program.run(find_tabardctl(), "serve", *wrong)
        assert ended.exit_code == 64 and ended.errors.count("\n") == 1, wrong


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_cleanly(sample: Sample, number: signal.Signals) -> None:
    async with dashboard.serve("--no-dock") as served:
        await served.page("/")
        assert await served.stop(number) == 0


async def test_an_archive_that_is_absent_is_named(tmp_path: Path) -> None:
    async with dashboard.serve("--no-dock", "--archive", tmp_path / "none.sqlite") as served:
        for path in PAGES[:-1]:
            reply = await served.page(path)
            assert reply.status == 200 and "no such archive" in reply.text, path
