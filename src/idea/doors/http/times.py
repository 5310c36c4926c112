"""Times on the wire: UTC epoch milliseconds."""

from datetime import datetime


def to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def to_ms_or_none(at: datetime | None) -> int | None:
    return None if at is None else to_ms(at)
