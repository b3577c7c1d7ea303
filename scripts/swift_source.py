"""Reads what scripts/check-structure counts in Swift and C: comments, types, stored properties and methods.

It uses no compiler, so that `make lint` needs no build. It skips text that it does not understand. Its counts are right
for declarations as swift-format lays them out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

LITERAL = re.compile(
    r"""(?P<comment>//[^\n]*|/\*)"""
    r'''|(?P<text>\#*"""|\#*")'''
    r"""|(?P<character>'(?:\\.|[^'\\\n])+')""",
    re.VERBOSE,
)
TOKEN = re.compile(r"`?[A-Za-z_]\w*`?|->|[{}()\[\]<>:;,.=\n]|\S")
TYPE_KEYWORDS = frozenset({"struct", "class", "enum", "actor", "extension", "protocol"})
OPENING, CLOSING = frozenset("([<"), frozenset(")]>")


@dataclass
class Counts:
    """The members of a type, over all its extensions."""

    stored: int = 0
    methods: int = 0


@dataclass
class Source:
    """A file's text without comments and literals, line by line as before, and the lines with comments."""

    code: str
    comment_lines: set[int] = field(default_factory=set)
    """From 1."""


def strip(text: str) -> Source:
    """Blanks out comments and literals, and keeps every line break."""
    pieces: list[str] = []
    comment_lines: set[int] = set()
    position = 0
    while found := LITERAL.search(text, position):
        start, opening = found.start(), found[0]
        if opening == "/*":
            end = _end_of_block_comment(text, found.end())
        elif found["text"]:
            end = _end_of_text(text, found.end(), opening)
        else:
            end = found.end()
        if found["comment"]:
            first = text.count("\n", 0, start) + 1
            comment_lines.update(range(first, first + text.count("\n", start, end) + 1))
        pieces += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
        position = end
    pieces.append(text[position:])
    return Source("".join(pieces), comment_lines)


def _end_of_block_comment(text: str, position: int) -> int:
    """Swift's block comments nest."""
    depth = 1
    for mark in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def _end_of_text(text: str, position: int, opening: str) -> int:
    """Of a literal that began with `opening`; what is interpolated goes with it, other literals and all."""
    hashes = opening.rstrip('"')
    quotes = opening[len(hashes) :]
    closing, escape = quotes + hashes, "\\" + hashes
    while position < len(text):
        if text.startswith(closing, position):
            return position + len(closing)
        if text.startswith(escape + "(", position):
            position = _end_of_interpolation(text, position + len(escape) + 1)
        elif text.startswith(escape, position):
            position += len(escape) + 1
        elif text[position] == "\n" and len(quotes) == 1:
            return position
        else:
            position += 1
    return len(text)


def _end_of_interpolation(text: str, position: int) -> int:
    depth = 1
    while position < len(text) and depth > 0:
        literal = LITERAL.match(text, position)
        if literal and literal["text"]:
            position = _end_of_text(text, literal.end(), literal[0])
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def count_members(code: str, into: dict[str, Counts]) -> None:
    """Adds the members of the types in `code` (made by `strip`) to their counts.

    A nested type has the name `Outer.Inner`.
    """
    _Reader(TOKEN.findall(code), into).read()


class _Reader:
    """Walks through the tokens with a stack of open braces.

    The brace of a type has its name on the stack, any other brace has None.
    """

    def __init__(self, tokens: list[str], counts: dict[str, Counts]) -> None:
        self._tokens = tokens
        self._counts = counts
        self._scopes: list[str | None] = []
        self._pending: str | None = None
        self._is_static = False
        self._parentheses = 0

    def read(self) -> None:
        for index, token in enumerate(self._tokens):
            match token:
                case "{":
                    self._scopes.append(self._pending)
                    self._pending = None
                case "}":
                    if self._scopes:
                        self._scopes.pop()
                    self._is_static = False
                case "(" | "[":
                    self._parentheses += 1
                case ")" | "]":
                    self._parentheses -= 1
                case _ if self._parentheses == 0:
                    self._read_word(index, token)

    def _read_word(self, index: int, token: str) -> None:
        before = self._tokens[index - 1] if index > 0 else "\n"
        after = self._tokens[index + 1] if index + 1 < len(self._tokens) else "\n"
        if token == "static" or (token == "class" and after in ("func", "var", "let")):
            self._is_static = True
        elif token in TYPE_KEYWORDS and before not in (".", ":") and after[0].isidentifier():
            self._pending = self._name_at(index + 1, is_extension=token == "extension")
            self._is_static = False
        elif token in ("var", "let", "func", "init", "subscript", "case", "typealias"):
            self._count(index, token)
            self._is_static = False

    def _count(self, index: int, token: str) -> None:
        owner = self._scopes[-1] if self._scopes else None
        if owner is None or self._is_static:
            return
        counts = self._counts.setdefault(owner, Counts())
        if token == "func":
            counts.methods += 1
        elif token in ("var", "let"):
            counts.stored += self._stored_names(index + 1)

    def _name_at(self, index: int, *, is_extension: bool) -> str:
        """A declared type's name with those it is nested in; an extension names them itself."""
        name = self._tokens[index].strip("`")
        while is_extension and self._tokens[index + 1 : index + 2] == ["."]:
            index += 2
            name += "." + self._tokens[index].strip("`")
        outer = [scope for scope in self._scopes if scope]
        return f"{outer[-1]}.{name}" if outer else name

    def _stored_names(self, index: int) -> int:
        """How many properties a `var` or `let` declares; none if it is computed."""
        names, depth, is_set = 1, 0, False
        for position in range(index, len(self._tokens)):
            token = self._tokens[position]
            if depth == 0 and token in ("\n", ";", "}"):
                break
            if depth == 0 and token == "{" and not is_set:
                inside = next((word for word in self._tokens[position + 1 :] if word != "\n"), "}")
                return names if inside in ("willSet", "didSet") else 0
            if depth == 0 and token == "=":
                is_set = True
            elif depth == 0 and token == ",":
                names += 1
            elif token in OPENING or token == "{":
                depth += 1
            elif token in CLOSING or token == "}":
                depth -= 1
        return names


def long_comment_lines(text: str, source: Source, columns: int) -> int:
    """How many lines with a comment are longer than that."""
    lines = text.split("\n")
    return sum(1 for number in source.comment_lines if len(lines[number - 1]) > columns)


IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|private|fileprivate)[ \t]+)?import[ \t]+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)[ \t]+)?(\w+)",
    re.MULTILINE,
)


def imports(source: Source) -> Counter[str]:
    """The modules that a file imports."""
    return Counter(IMPORT.findall(source.code))
