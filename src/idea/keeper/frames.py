"""Values of the protocol as bytes and back.

A frame: length of the header, length of the body (both u32, big endian), header (a JSON object), body (raw bytes).
"""

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from types import GenericAlias, UnionType
from typing import Final, Generic, TypeVar

MAX_HEADER_BYTES: Final = 1024 * 1024
MAX_BODY_BYTES: Final = 1024 * 1024
_LENGTHS: Final = struct.Struct(">II")

Value = TypeVar("Value")
Reader = Callable[[object], object]


class BrokenFrame(Exception):
    """The bytes are no frame of ours, or too long for one; nothing after them can be understood."""


class _Misfit(Exception):
    """A header that fits no shape we know."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """A well-formed frame of somebody newer: an unknown type, or an unknown form of a known one."""

    request: int
    type: str


def encode(value: object) -> tuple[bytes, bytes]:
    """The frame in two pieces, so that nobody has to copy the body. Raises `BrokenFrame` when it is too long."""
    shape = _shape(type(value))
    header = _ENCODER.encode({"type": shape.name, **shape.to_wire(value)}).encode()
    body = getattr(value, shape.body) if shape.body else b""
    if len(header) > MAX_HEADER_BYTES or len(body) > MAX_BODY_BYTES:
        raise BrokenFrame(f"{shape.name} is too long for a frame")
    return _LENGTHS.pack(len(header), len(body)) + header, body


class Decoder(Generic[Value]):
    """Takes bytes as they come, gives the values of the `known` types."""

    def __init__(self, *known: type[Value]) -> None:
        self._known = {_shape(kind).name: kind for kind in known}
        self._begun = bytearray()
        """The frame that has come in part."""

    def feed(self, data: bytes | bytearray | memoryview) -> Iterator[Value | Unfit]:
        """Take the values before anything else happens to `data`.

        Raises `BrokenFrame` behind the values before it; use the decoder no more then.
        """
        if self._begun:
            self._begun += data
            data, self._begun = self._begun, bytearray()
        start = 0
        with memoryview(data) as whole:
            try:
                while len(whole) - start >= _LENGTHS.size:
                    header, body = _LENGTHS.unpack_from(whole, start)
                    if header > MAX_HEADER_BYTES or body > MAX_BODY_BYTES:
                        raise BrokenFrame("a frame is too long")
                    text = start + _LENGTHS.size
                    end = text + header + body
                    if len(whole) < end:
                        break
                    value = self._value(bytes(whole[text : text + header]), bytes(whole[text + header : end]))
                    start = end
                    yield value
            finally:
                self._begun += whole[start:]

    def _value(self, header: bytes, body: bytes) -> Value | Unfit:
        try:
            found = json.loads(header)
        except (ValueError, RecursionError) as error:
            raise BrokenFrame("a header is no JSON") from error
        if not isinstance(found, dict):
            raise BrokenFrame("a header is no object")
        name, request = found.get("type"), found.get("request")
        kind = self._known.get(name) if isinstance(name, str) else None
        try:
            if kind is not None:
                return kind(**_shape(kind).from_wire(found, body))
        except _Misfit:
            pass
        return Unfit(request if type(request) is int else 0, str(name)[:40])


class _Shape:
    """How one dataclass is written, found out once."""

    def __init__(self, kind: type) -> None:
        self.name = kind.__name__
        self.body = ""
        self._members: list[tuple[str, str, Reader, bool]] = []
        for field in fields(kind):
            if field.type is bytes:
                self.body = field.name
            else:
                wire = _camel(field.name)
                self._members.append((field.name, wire, _reader(field.type), field.default is not MISSING))

    def to_wire(self, value: object) -> dict[str, object]:
        return {wire: getattr(value, name) for name, wire, _, _ in self._members}

    def from_wire(self, found: dict[str, object], body: bytes) -> dict[str, object]:
        values: dict[str, object] = {self.body: body} if self.body else {}
        for name, wire, read, has_default in self._members:
            if wire in found:
                values[name] = read(found[wire])
            elif not has_default:
                raise _Misfit(wire)
        return values


_shapes: dict[type, _Shape] = {}


def _shape(kind: type) -> _Shape:
    if kind not in _shapes:
        _shapes[kind] = _Shape(kind)
    return _shapes[kind]


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _nested(value: object) -> dict[str, object]:
    return _shape(type(value)).to_wire(value)


# ASCII, so that also file names that are no UTF-8 cross: their stray bytes are escaped surrogates.
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), default=_nested)


def _reader(kind: object) -> Reader:
    """What turns JSON into a value of this type, or raises `_Misfit`."""
    if isinstance(kind, UnionType):
        (some,) = (arm for arm in kind.__args__ if arm is not type(None))
        read = _reader(some)
        return lambda raw: None if raw is None else read(raw)
    if isinstance(kind, GenericAlias):
        return _tuple_reader(kind.__args__)
    assert isinstance(kind, type)
    if is_dataclass(kind):
        return _nested_reader(kind)
    if issubclass(kind, StrEnum):
        return _enum_reader(kind)
    return _plain_reader((int, float) if kind is float else (kind,))


def _plain_reader(kinds: tuple[type, ...]) -> Reader:
    def read(raw: object) -> object:
        # Not isinstance: True is an int.
        if type(raw) in kinds:
            return raw
        raise _Misfit(raw)

    return read


def _enum_reader(kind: type[StrEnum]) -> Reader:
    def read(raw: object) -> object:
        try:
            return kind(str(raw))
        except ValueError as error:
            raise _Misfit(raw) from error

    return read


def _nested_reader(kind: type) -> Reader:
    def read(raw: object) -> object:
        if not isinstance(raw, dict):
            raise _Misfit(raw)
        return kind(**_shape(kind).from_wire(raw, b""))

    return read


def _tuple_reader(arms: tuple[object, ...]) -> Reader:
    if arms[-1] is Ellipsis:
        one = _reader(arms[0])

        def read_all(raw: object) -> object:
            if not isinstance(raw, list):
                raise _Misfit(raw)
            return tuple(map(one, raw))

        return read_all
    each = [_reader(arm) for arm in arms]

    def read(raw: object) -> object:
        if not isinstance(raw, list) or len(raw) != len(each):
            raise _Misfit(raw)
        return tuple(read(item) for read, item in zip(each, raw, strict=True))

    return read
