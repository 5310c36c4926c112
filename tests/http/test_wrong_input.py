"""A refused input is told in words for people, at every door."""

import pytest
from pydantic import BaseModel, Field, ValidationError

from idea.doors.wrong_input import explain_wrong_input


class Given(BaseModel):
    model_config = {"extra": "forbid"}

    message: str = Field(min_length=1)
    wait_s: float | None = Field(default=None, gt=0, le=10)
    tags: list[int] = Field(default=[], max_length=1)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "message is missing"),
        ({"message": 1}, "message must be a text"),
        ({"message": ""}, "message must not be empty"),
        ({"message": "m", "wait_s": 0}, "wait_s must be more than 0"),
        ({"message": "m", "wait_s": 11}, "wait_s must be at most 10"),
        ({"message": "m", "tags": ["x"]}, "tags.0 must be a whole number"),
        ({"message": "m", "tags": [1, 2]}, "tags must have at most 1 entries"),
        ({"message": "m", "more": 1}, "more is not known here"),
    ],
)
def test_each_problem_says_where_and_what_it_must_be(sent: object, told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Given.model_validate(sent)

    assert [explain_wrong_input({**problem}) for problem in refused.value.errors()] == [told]


def test_a_place_of_the_request_is_named_and_unknown_kinds_still_make_a_sentence() -> None:
    assert explain_wrong_input({"loc": ("body", "name"), "type": "missing"}) == "name in the body is missing"
    assert explain_wrong_input({"loc": ("body", 7), "type": "json_invalid"}) == "the body is not valid JSON"
    assert (
        explain_wrong_input({"loc": ("path", "a"), "type": "greater_than", "ctx": {}}) == "a in the path cannot be used"
    )
    assert explain_wrong_input({"loc": ("x", "constrained-float"), "type": "novel"}) == "x cannot be used"
