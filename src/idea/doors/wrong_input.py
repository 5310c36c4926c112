"""What is wrong with an input, in words for whoever sent it: pydantic's own name its types and not what to do."""

from collections.abc import Mapping
from typing import Any, Final

PLACES: Final = {"body", "query", "path", "header"}

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be a text",
    "string_unicode": "must be a text that UTF-8 can hold",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} entries",
    "too_short": "must have at least {min_length} entries",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "json_invalid": "is not valid JSON",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a number",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
}
"""By pydantic's type of the error, filled from its context."""


def explain_wrong_input(problem: Mapping[str, Any]) -> str:
    """A clause such as "message in the body is missing". What was sent stays unsaid, it may be a secret."""
    place, name = _locate(problem)
    kind = problem["type"]
    name = " in ".join(filter(None, (name, f"the {place}" if place else "")))
    context = problem.get("ctx", {})
    if context.get("min_length") == 1:
        return f"{name} must not be empty"
    try:
        return f"{name} {_WORDS[kind].format_map(context)}"
    except (KeyError, ValueError, TypeError):
        return f"{name} cannot be used"


def name_wrong_input(problem: Mapping[str, Any]) -> str:
    """The name of what is wrong, such as "message"; empty where it has none."""
    return _locate(problem)[1]


def _locate(problem: Mapping[str, Any]) -> tuple[str, str]:
    """The part of the request, if it has parts, and the name in it."""
    # Pydantic also names the branch of a union that it tried; no name of ours has a dash or a bracket.
    parts = [str(part) for part in problem["loc"] if str(part).replace("_", "").isalnum()]
    place = parts.pop(0) if parts and parts[0] in PLACES else ""
    # Of a broken JSON text the only name is a number of characters.
    return place, "" if problem["type"] == "json_invalid" else ".".join(parts)
