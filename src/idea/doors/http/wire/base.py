"""What every shape on the wire has in common."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """Base of every shape on the wire: camelCase, unknown keys refused, immutable."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        json_schema_serialization_defaults_required=True,
        # Any bound, even this one, makes pydantic read a text instead of passing it on. Half a surrogate pair, which
        # JSON can escape and UTF-8 cannot hold, is then refused as an input and not found when a frame is sent.
        str_min_length=0,
    )
