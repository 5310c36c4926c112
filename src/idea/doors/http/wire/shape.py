"""What every shape on the wire has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Seconds = Annotated[float, Field(strict=True)]
WholeSeconds = Annotated[int, Field(strict=True)]
"""Numbers as they are sent: else `true` is taken for one second, and a text for what it spells."""


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
