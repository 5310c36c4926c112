"""The address that lets a browser in: the code is in the fragment, which no server and no log ever sees."""

from idea.doors.http.services import WebAddress


def page_url(address: WebAddress) -> str:
    """Where the page is; a wildcard address is reached through loopback."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(address.host, address.host)
    return f"http://{host}:{address.port}/"


def start_link(address: WebAddress, code: str) -> str:
    return f"{page_url(address)}#code={code}"
