"""The arguments of a launch: their order, what is left out, and what is filled in."""

from idea.domain.agents import PermissionMode
from idea.domain.profiles import Face, arguments, expand

FACE = Face(
    args=("run",),
    fresh_args=("--new", "{conversation}"),
    resume_args=("resume", "{conversation}"),
    model_args=("--model", "{model}"),
    context_args=("--context", "{context}"),
    permission_args={PermissionMode.PLAN: ("--read-only",)},
)


def test_what_names_the_conversation_comes_last() -> None:
    values = {"conversation": "c1", "model": "m", "context": "be kind"}

    fresh = arguments(FACE, mode=PermissionMode.PLAN, mcp_args=("--mcp",), values=values, resumes=False)
    resumed = arguments(FACE, mode=PermissionMode.PLAN, mcp_args=("--mcp",), values=values, resumes=True)

    common = ("run", "--read-only", "--model", "m", "--context", "be kind", "--mcp")
    assert fresh == (*common, "--new", "c1")
    assert resumed == (*common, "resume", "c1")


def test_lists_without_a_value_are_left_out() -> None:
    values = {"conversation": "c1", "model": "", "context": ""}

    assert arguments(FACE, mode=PermissionMode.ASK, mcp_args=(), values=values, resumes=False) == ("run", "--new", "c1")


def test_filled_in_text_is_not_searched_for_placeholders() -> None:
    values = {"context": "Never print {secret} or {root}.", "root": "/home", "secret": "s"}

    assert expand(("{context}", "{root}", "{unknown}"), values) == (values["context"], "/home", "{unknown}")
