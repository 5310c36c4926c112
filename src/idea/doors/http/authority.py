"""`Host` and `Origin` as whole parsed values; a prefix of a name is another name."""

import re
from typing import Final, NamedTuple

from idea.domain.errors import Invalid
from idea.doors.http.services import WebAddress

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_HTTP_PORT: Final = 80
_SCHEME: Final = "http://"


class Authority(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return self.host if self.port == _HTTP_PORT else f"{self.host}:{self.port}"


def parse_authority(text: str, *, default_port: int = _HTTP_PORT) -> Authority | None:
    """None for anything that is not `host` or `host:port`."""
    found = _AUTHORITY.fullmatch(text.lower())
    return None if found is None else Authority(found[1], int(found[2] or default_port))


def parse_origin(text: str) -> Authority | None:
    """None for `null`, for other schemes and for anything after the port."""
    return parse_authority(text.removeprefix(_SCHEME)) if text.startswith(_SCHEME) else None


def find_allowed(address: WebAddress) -> frozenset[Authority]:
    """The names that this server goes by. Raises `Invalid` for an unusable `allow_hosts` entry."""
    own = {Authority(host, address.port) for host in ("127.0.0.1", "localhost", "[::1]")}
    for name in (_bracket(address.host), *address.allow_hosts):
        parsed = parse_authority(name, default_port=address.port)
        if parsed is None:
            raise Invalid(f"{name!r} is no host name. Give `name` or `name:port`, without http:// and path.")
        own.add(parsed)
    # Pages can reach a local server through these, so they are never names of ours.
    return frozenset(each for each in own if each.host not in ("0.0.0.0", "[::]"))


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host
