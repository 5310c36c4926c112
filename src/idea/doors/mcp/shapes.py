"""What the tools take and give: the JSON schemas that a model reads are made from these. camelCase on the wire."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel
from pydantic.json_schema import SkipJsonSchema

from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import SessionKind
from idea.domain.settings import MAX_TURN_TIMEOUT_S


class Shape(BaseModel):
    """Unknown fields are ignored: who asks is known from the connection, whatever a payload says."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    @classmethod
    def schema_for_models(cls, *, is_output: bool) -> dict[str, JsonValue]:
        """A flat JSON schema: several CLIs understand no `$ref`, and titles only repeat the names."""
        schema = cls.model_json_schema(mode="serialization" if is_output else "validation")
        definitions = schema.pop("$defs", {})
        return {"type": "object", **_flat(schema, definitions)}


def _flat(schema: Mapping[str, JsonValue], definitions: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    flat: dict[str, JsonValue] = {}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = definitions[reference.rpartition("/")[2]]
        flat |= _flat(target, definitions) if isinstance(target, dict) else {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            flat[key] = {name: _flat(part, definitions) for name, part in value.items() if isinstance(part, dict)}
        elif isinstance(value, dict):
            flat[key] = _flat(value, definitions)
        elif isinstance(value, list):
            flat[key] = [_flat(part, definitions) if isinstance(part, dict) else part for part in value]
        elif key not in ("$ref", "title") and (key, value) != ("default", None):
            flat[key] = value
    return flat


AgentName = Annotated[
    str, Field(min_length=1, description="The agent's slug, name or id, as idea_list_agents shows it.")
]


class NoInput(Shape):
    pass


class AgentInput(Shape):
    agent: AgentName


class AskInput(Shape):
    agent: AgentName
    message: Annotated[
        str,
        Field(
            min_length=1,
            description="What you want, complete in itself: the other agent sees neither your conversation nor your "
            "user's words. Say what to do, what you already know (paths, decisions) and what to answer.",
        ),
    ]
    timeout_seconds: Annotated[
        Annotated[float, Field(ge=1, le=MAX_TURN_TIMEOUT_S, strict=True)] | SkipJsonSchema[None],
        Field(
            description="How long the other agent may work on it, in seconds, not counting the time it is busy with "
            "others. Left out: the project's setting, normally 300.",
        ),
    ] = None
    wait_for_limit: Annotated[
        Annotated[bool, Field(strict=True)] | SkipJsonSchema[None],
        Field(
            description="Whether to wait when the other agent's CLI is limited until a known time, which may be hours "
            "away, instead of being told so. Left out: no."
        ),
    ] = None


class ReadinessOutput(Shape):
    state: Annotated[ReadinessState, Field(description="idle: free; exited: not running, an ask starts it.")]
    reason: Annotated[ReadinessReason, Field(description="Why it is believed to be in this state.")]
    source: Annotated[BeliefSource, Field(description="What the belief rests on.")]
    detail: Annotated[str, Field(description="What the reason is about, word for word; may be empty.")]
    until_ms: Annotated[int | None, Field(description="When a rate limit ends, UTC epoch milliseconds.")]


class SessionOutput(Shape):
    kind: SessionKind
    node_id: str | None
    conversation_id: str | None


class AgentOutput(Shape):
    id: str
    slug: str
    name: str
    profile: Annotated[str, Field(description="Which CLI it runs.")]
    is_you: Annotated[bool, Field(description="True for the agent that calls this tool.")]
    readiness: ReadinessOutput
    session: Annotated[SessionOutput | None, Field(description="null: not running.")]
    queue: Annotated[int, Field(description="Requests that wait for it, without the one it works on.")]
    busy_for: Annotated[str | None, Field(description="For whom it works right now.")]


class AgentsOutput(Shape):
    agents: list[AgentOutput]


class ReplyOutput(Shape):
    """Some CLIs show their model this instead of the text, so the answer comes first."""

    reply: Annotated[str, Field(description="The agent's final message.")]
    agent: Annotated[str, Field(description="The name of the agent that answered.")]
    ticket_id: Annotated[str, Field(description="The id of this delegation in IdeA's records.")]
    cut_from_chars: Annotated[
        int | None, Field(description="Set where the reply was too long and is cut: how many characters it has.")
    ]
