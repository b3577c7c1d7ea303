"""Tests that `make bench` names the figure of any missed goal of the scan path."""

from __future__ import annotations

import pytest

import scan


def test_figures_at_their_goals_are_no_error() -> None:
    assert scan.missed(instructions=scan.GOAL_INSTRUCTIONS, ratio=1.05) == []
    assert scan.missed_by_populations([400, 420, 440]) == []
    assert scan.judge(allocators_found=[], goals=[]) is None


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        (scan.missed(instructions=993.1, ratio=1), [f"993.1 instructions per report, of {scan.GOAL_INSTRUCTIONS} at most"]),
        (scan.missed(instructions=1, ratio=1.06), ["1.06 times C's time, of 1.05 at most"]),
        (scan.missed(instructions=994, ratio=2), ["994.0 instructions per report, of", "2.00 times C's time, of 1.05 at most"]),
        (scan.missed_by_populations([400, 444]), ["11.0% more instructions"]),
    ],
)
def test_each_goal_that_is_missed_is_named(goals: list[str], words: list[str]) -> None:
    verdict = scan.judge(allocators_found=[], goals=goals)
    assert verdict is not None and verdict.startswith("bench: missed: ")
    assert len(goals) == len(words) and all(word in verdict for word in words)


def test_an_allocator_in_the_image_is_named() -> None:
    verdict = scan.judge(allocators_found=["malloc", "free"], goals=[])
    assert verdict == "bench: an allocator is in the image: malloc, free"


def test_a_verdict_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "build_floor", lambda *_: None)
    monkeypatch.setattr(scan, "build_tabard", lambda *_: None)
    monkeypatch.setattr(scan, "describe_build", lambda: "not built")
    monkeypatch.setattr(scan, "allocators", lambda _: [])
    monkeypatch.setattr(scan, "compare_populations", lambda _: [])
    for ratio, code in ((1.05, None), (1.8, "bench: missed: 1.80 times C's time, of 1.05 at most")):
        monkeypatch.setattr(scan, "compare", lambda _, ratio=ratio: scan.missed(300, ratio))
        with pytest.raises(SystemExit) as ended:
            scan.main()
        assert ended.value.code == code  # Python prints a text, and exits with code 1
