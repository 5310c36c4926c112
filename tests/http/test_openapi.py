"""The description of the API, from which the page's types are made."""

import json
import subprocess
import sys

import pytest

from idea.doors.http.openapi import build_api, describe, render_openapi


def test_it_is_the_same_every_time_and_names_each_operation_shortly() -> None:
    first, second = render_openapi(describe(build_api())), render_openapi(describe(build_api()))

    operations = [each["operationId"] for path in json.loads(first)["paths"].values() for each in path.values()]
    assert first == second
    assert len(operations) == len(set(operations))
    assert all(name.isalpha() for name in operations)


def test_every_reference_leads_somewhere() -> None:
    document = describe(build_api())
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}

    def references(node: object) -> set[str]:
        if isinstance(node, dict):
            found = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return found.union(*(references(value) for value in node.values()))
        return set[str]().union(*(references(value) for value in node)) if isinstance(node, list) else set()

    assert references(document) <= known


def test_what_the_server_sends_is_always_there() -> None:
    schemas = describe(build_api())["components"]["schemas"]

    for name in ("WireAgent", "WireProject", "Snapshot", "AgentSaved", "TerminalReset"):
        assert set(schemas[name]["required"]) == set(schemas[name]["properties"]), name
    assert "model" not in schemas["AgentFields"]["required"]


@pytest.mark.slow
def test_the_module_prints_it() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "idea.doors.http.openapi"], capture_output=True, text=True, check=True, timeout=30
    )

    assert printed.stdout == render_openapi(describe(build_api()))
