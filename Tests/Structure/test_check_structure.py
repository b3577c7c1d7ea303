"""Tests what `make lint` counts in the sources, and what its ratchet allows."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import swift_source  # noqa: E402
from swift_source import Counts  # noqa: E402


def load_script() -> ModuleType:
    """Loads the script, which `import` cannot because it has no suffix."""
    loader = SourceFileLoader("check_structure", str(SCRIPTS / "check-structure"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


check = load_script()


def members(*files: str) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    for text in files:
        swift_source.count_members(swift_source.strip(text).code, counts)
    return counts


def test_stored_properties_are_distinguished_from_computed_ones() -> None:
    text = """
    public struct Link<Platform: ~Copyable>: ~Copyable where Platform: Sendable {
        let handle: UInt16, peer: [Int]
        private(set) var state = State.idle { didSet { changed() } }
        var make: () -> Int = { let inner = 1; return inner }
        static let limit = 8
        var isOpen: Bool { state == .open }
        public var span: Span<UInt8> {
            @_lifetime(borrow self) get { let local = 1 }
        }
        lazy var cache = [1: 2]
        enum State { case idle, open; var isIdle: Bool { true } }
        init(_ handle: UInt16) { let local = handle }
    }
    """
    assert members(text)["Link"] == Counts(stored=5, methods=0)
    assert members(text)["Link.State"] == Counts()


def test_methods_are_counted_over_all_extensions_and_nested_types_apart() -> None:
    one = "struct Roles { var a = 1; func go(on: (Int) -> Void = { _ in }) {}\n static func make() {} }"
    other = "extension Roles { mutating func stop() { func local() {} }\n struct Inner { func own() {} } }"
    third = "extension Roles.Inner { class func none() {}\n var half: Int { func local() -> Int { 1 }; return local() } }"
    assert members(one, other, third) == {
        "Roles": Counts(stored=1, methods=2),
        "Roles.Inner": Counts(stored=0, methods=1),
    }


def test_comments_and_literals_hold_no_declarations() -> None:
    text = '''
    struct Quiet { // var one = 1 { "
        /* var two /* nested */ func no() { */
        let text = "{ \\(call("}")) var \\" {"
        let raw = #"" { "#
        let long = """
            struct Fake { var three = 3
            """
        func real() {}
    }
    '''
    assert members(text) == {"Quiet": Counts(stored=3, methods=1)}


def test_only_lines_with_comments_count_as_long() -> None:
    text = f"let a = 1 // {'x' * 110}\n/// {'é' * 106}\n/// {'é' * 107}\nlet b = \"{'x' * 120}\"\n"
    assert swift_source.long_comment_lines(text, swift_source.strip(text), 110) == 2


def test_imports_of_every_form_are_found() -> None:
    text = "@testable import Agent\npublic import HCI\nimport struct Peers.Peer\n// import Nothing\n"
    assert set(swift_source.imports(swift_source.strip(text))) == {"Agent", "HCI", "Peers"}


def test_a_tree_is_measured_against_every_limit(tmp_path: Path) -> None:
    """Two files of a module that imports what it may not, and does not import what it may."""
    folder = tmp_path / "Sources/Agent"
    folder.mkdir(parents=True)
    (folder / "Agent.swift").write_text("import HCI\nstruct Agent {\n" + "    var a, b: Int\n" * 8 + "}\n" * 300)
    (folder / "More.swift").write_text("func f() { store.keeper.go(); links.slots[index]?.go(); store.keepers }\n// " + "x" * 120)
    targets = [
        {"name": "Agent", "type": "regular", "dependencies": [{"byName": ["Peers", None]}]},
        {"name": "HCI", "type": "regular", "dependencies": []},
    ]
    assert check.measure(tmp_path, targets, set()) == {
        ("stored", "Agent"): 16,
        ("file-lines", "Agent.swift"): 310,
        ("occurrences", "store.keeper"): 1,
        ("occurrences", "links.slots[index]?"): 1,
        ("undeclared-import", "Agent/HCI"): 1,
        ("unused-dependency", "Agent/Peers"): 1,
        ("long-comments", "Sources/Agent"): 1,
    }
    assert ("stored", "Agent") not in check.measure(tmp_path, targets, {"Agent"})


@pytest.mark.parametrize(
    ("now", "worse", "better"),
    [
        ({("stored", "Agent"): 35}, 0, 0),
        ({("stored", "Agent"): 36}, 1, 0),
        ({("stored", "Agent"): 20}, 0, 1),
        ({("stored", "Agent"): 35, ("methods", "Link"): 36}, 1, 0),
    ],
)
def test_the_ratchet_turns_one_way(now: dict, worse: int, better: int) -> None:
    allowed = {("stored", "Agent"): 35}
    found = check.compare(now, allowed)
    assert (len(found[0]), len(found[1])) == (worse, better)
    assert all(check.lowered(now, allowed).get(key, 0) <= limit for key, limit in allowed.items())
    assert set(check.lowered(now, allowed)) <= set(allowed)


def test_comments_may_move_from_module_to_module() -> None:
    allowed = {("long-comments", "Sources/Agent"): 10}
    moved = {("long-comments", "Sources/Agent"): 4, ("long-comments", "Sources/Radio"): 6}
    assert check.compare(moved, allowed)[0] == []
    assert check.lowered(moved, allowed) == moved
    grown = {**moved, ("long-comments", "Sources/Radio"): 7}
    assert len(check.compare(grown, allowed)[0]) == 1
    assert check.lowered(grown, allowed) == allowed


def test_the_baseline_survives_being_written() -> None:
    figures = {("stored", "Agent"): 35, ("occurrences", "links.slots[index]?"): 99}
    assert check.parse_baseline(check.format_baseline(figures)) == figures
