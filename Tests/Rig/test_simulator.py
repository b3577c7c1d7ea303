"""The error messages of the simulator's program."""

from __future__ import annotations

import pytest

from agent import find_simulator
from program import run


async def test_a_seed_that_ends_the_program_is_named_with_its_replay() -> None:
    ended = await run(
        find_simulator(), "run", "--seeds", "3", "--hours", "0.01", "--without-radio-faults", "--trap-at", "2"
    )
    assert ended.exit_code == 70
    words = 'seed 2, commit unknown (replay: make sim SEED=2 SIM_OPTIONS="--hours 0.01 --without-radio-faults"): '
    assert words + "the program was ended by signal" in ended.errors


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["controller", "/no/such/script"], 66),
        (["run", "--first", str(2**64 - 1)], 64),
        (["empty", "--days", "0"], 64),
        (["faults", "--seeds", "0"], 64),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
async def test_impossible_requests_are_refused(arguments: list[str], exit_code: int) -> None:
    ended = await run(find_simulator(), *arguments)
    assert ended.exit_code == exit_code
    assert ended.output == ""
