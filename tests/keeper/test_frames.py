"""The keeper's frames: every value crosses whole, in whatever pieces; garbage ends it, what is newer does not."""

import dataclasses
import json
import struct
from collections.abc import Iterator
from types import GenericAlias, UnionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idea.keeper.frames import MAX_BODY_BYTES, MAX_HEADER_BYTES, BrokenFrame, Decoder, Unfit, encode
from idea.keeper.protocol import (
    COMMANDS,
    EVENTS,
    Acknowledge,
    Done,
    Hello,
    Output,
    Read,
    Resize,
    Spawn,
    Write,
)
from idea.keeper.reports import Stream

EVERY = (*COMMANDS, *EVENTS)


def values_of(kind: type) -> st.SearchStrategy[object]:
    """Any value of a dataclass of the protocol."""
    return st.builds(kind, **{field.name: any_of(field.type) for field in dataclasses.fields(kind)})


def any_of(kind: object) -> st.SearchStrategy[object]:
    if isinstance(kind, UnionType):
        return st.one_of(*map(any_of, kind.__args__))
    if isinstance(kind, GenericAlias):
        arms = kind.__args__
        if arms[-1] is Ellipsis:
            return st.lists(any_of(arms[0]), max_size=3).map(tuple)
        return st.tuples(*map(any_of, arms))
    assert isinstance(kind, type)
    if kind is str:
        # File names may be no UTF-8; Python then has lone surrogates in them.
        return st.text(st.characters(codec="utf-8") | st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF))
    if kind is int:
        return st.integers(min_value=0, max_value=2**53)
    if kind is float:
        return st.floats(min_value=0, max_value=1e9)
    return values_of(kind) if dataclasses.is_dataclass(kind) else st.from_type(kind)


@given(st.one_of(*map(values_of, EVERY)), st.integers(min_value=1, max_value=200))
def test_every_value_crosses_whole_in_whatever_pieces(value: object, step: int) -> None:
    frames = b"".join(encode(value)) * 2
    decoder: Decoder[object] = Decoder(*EVERY)

    got = [found for start in range(0, len(frames), step) for found in decoder.feed(frames[start : start + step])]

    assert got == [value, value]


def frame(header: object, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">II", len(text), len(body)) + text + body


def decoded(data: bytes) -> list[object]:
    decoder: Decoder[object] = Decoder(*EVERY)
    return list(decoder.feed(data))


def test_unknown_keys_are_ignored_and_missing_ones_have_their_defaults() -> None:
    spawn = frame(
        {"type": "Spawn", "request": 1, "spawnId": "a", "argv": ["/x"], "cwd": "/", "env": [["A", "b"]], "size": None}
    )
    later = frame({"type": "Resize", "request": 2, "spawnId": "a", "cols": 3, "rows": 4, "pixels": [1, 2]})

    assert decoded(spawn + later) == [Spawn(1, "a", ("/x",), "/", (("A", "b"),), None), Resize(2, "a", 3, 4)]


@pytest.mark.parametrize(
    "header",
    [
        {"type": "Dance", "request": 7},
        {"type": "Resize", "request": 7, "spawnId": "a", "cols": 3},
        {"type": "Resize", "request": 7, "spawnId": "a", "cols": "3", "rows": True},
        {"type": "Spawn", "request": 7, "spawnId": "a", "argv": "/x", "cwd": "/", "env": [], "size": [1, 2, 3]},
        {"type": "Read", "request": 7, "reader": 1, "spawnId": "a", "stream": "thoughts", "offset": 0},
    ],
    ids=["type", "missing", "kinds", "shapes", "stream"],
)
def test_what_only_a_newer_side_knows_is_told_apart_and_the_rest_goes_on(header: dict[str, object]) -> None:
    told = decoded(frame(header) + frame({"type": "Done", "request": 8}))

    assert told == [Unfit(7, str(header["type"])), Done(8)]


@pytest.mark.parametrize(
    "broken",
    [
        struct.pack(">II", MAX_HEADER_BYTES + 1, 0),
        struct.pack(">II", 2, MAX_BODY_BYTES + 1),
        frame(b"{"),
        frame(b"[" * 100_000),
        frame([1]),
        frame(b"\xff\xfe"),
    ],
    ids=["header", "body", "json", "depth", "array", "bytes"],
)
def test_what_is_no_frame_is_refused_behind_what_came_before(broken: bytes) -> None:
    decoder: Decoder[object] = Decoder(*EVERY)
    values: Iterator[object] = decoder.feed(frame({"type": "Done", "request": 8}) + broken)

    assert next(values) == Done(8)
    with pytest.raises(BrokenFrame):
        next(values)


def test_what_would_be_too_long_is_not_sent() -> None:
    with pytest.raises(BrokenFrame):
        encode(Write(1, "a", b"x" * (MAX_BODY_BYTES + 1)))
    with pytest.raises(BrokenFrame):
        encode(Write(1, "a" * MAX_HEADER_BYTES, b""))


def test_the_form_on_the_wire_is_the_one_that_is_written_down() -> None:
    header, body = encode(Output(3, 70, b"\x00out"))
    assert json.loads(header[8:]) == {"type": "Output", "reader": 3, "offset": 70}
    assert (struct.unpack(">II", header[:8]), body) == ((len(header) - 8, 4), b"\x00out")

    assert json.loads(encode(Read(1, "s", Stream.TERMINAL, 0))[0][8:])["stream"] == "terminal"
    assert json.loads(encode(Acknowledge("s", Stream.STDOUT, 9))[0][8:])["spawnId"] == "s"
    assert json.loads(encode(Hello(0, "k", 1, "v", 2, 3, False, ()))[0][8:])["isClosing"] is False
