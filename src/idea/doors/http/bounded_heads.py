"""One connection's HTTP/1.1 as h11 reads it, with a bound on every request's head."""

import re
from http import HTTPStatus
from typing import Final

import h11

MAX_HEAD_BYTES: Final = 32 * 1024
"""Of a request's line and headers; a browser's own head has less than a tenth of that."""

_HEAD_END: Final = re.compile(rb"\n\r?\n")
"""As h11 sees it."""


class BoundedHeads(h11.Connection):
    """h11 itself counts a head only while its end is missing, and one read of a socket brings 256 KiB of it."""

    refusal = HTTPStatus.BAD_REQUEST
    """How to answer what `next_event` raised last."""
    explanation = ""
    """What to say with it; empty where h11's own word would help nobody."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Raises `h11.RemoteProtocolError`, before it has looked at any header of a head that is too large."""
        try:
            if self.their_state is h11.IDLE:
                self._check_head()
            return super().next_event()
        except h11.RemoteProtocolError as error:
            self.refusal = HTTPStatus(error.error_status_hint)
            if self.refusal is HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
                self.explanation = (
                    f"The request's head is larger than {MAX_HEAD_BYTES // 1024} KiB. In a browser, remove the cookies "
                    "that other servers have set for this address."
                )
            raise

    def _check_head(self) -> None:
        received, _ = self.trailing_data
        if len(received) > MAX_HEAD_BYTES and _HEAD_END.search(received, 0, MAX_HEAD_BYTES) is None:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise h11.RemoteProtocolError("head too large", error_status_hint=status)
