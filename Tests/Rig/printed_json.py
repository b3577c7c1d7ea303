"""The JSON output of `tabardctl`. Each document names its schema, as docs/json.md describes it."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"


def document_in(text: str) -> Any:
    """A document, or the rows of one that is a list. A violation of its schema fails the test."""
    document = json.loads(text)
    name = schema_name(document)
    for error in _validator(document["schema"]).iter_errors(document):
        raise AssertionError(f"{document['schema']}: {error.json_path}: {error.message}")
    list_name = re.sub(r"-(.)", lambda found: found[1].upper(), name)
    return document[list_name] if document.keys() == {"schema", list_name} else document


def schema_name(document: dict[str, Any]) -> str:
    found = re.fullmatch(r"tabard-([a-z-]+)-([1-9][0-9]*)", document["schema"])
    assert found, document["schema"]
    return found[1]


@functools.cache
def _validator(schema: str) -> Draft202012Validator:
    file = SCHEMAS / f"{schema.removeprefix('tabard-')}.json"
    described = json.loads(file.read_text("utf-8"))
    Draft202012Validator.check_schema(described)
    return Draft202012Validator(_closed(described))


def _closed(node: Any) -> Any:
    """A schema that allows no further members: this version prints those that it describes."""
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items()}
    return closed | {"additionalProperties": False} if "required" in node else closed
