"""What every answer tells the browser: load nothing from elsewhere, embed us nowhere, guess no types."""

from typing import Final

from starlette.types import Message, Send

from idea.doors.http.authority import Authority

Headers = list[tuple[bytes, bytes]]

_ALWAYS: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
_NO_STORE: Final = (b"cache-control", b"no-store")


def content_security_policy(host: Authority | None) -> str:
    """`host` names the sockets' origin, which some browsers do not count as 'self'."""
    connect = "'self'" if host is None else f"'self' ws://{host}"
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            # The terminal positions its cells by inline styles.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            f"connect-src {connect}",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "object-src 'none'",
        )
    )


def add_headers(send: Send, path: str, host: Authority | None) -> Send:
    """`send` with these headers on the answer. What is not the page is never stored."""
    is_page = not path.startswith("/api/")

    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), *_ALWAYS]
            headers.append((b"content-security-policy", content_security_policy(host).encode()))
            is_cached = is_page and any(name.lower() == b"cache-control" for name, _ in headers)
            if not is_cached:
                headers = [pair for pair in headers if pair[0].lower() != b"cache-control"] + [_NO_STORE]
            message = {**message, "headers": headers}
        await send(message)

    return secured
