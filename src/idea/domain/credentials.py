"""What lets a browser in, at the one moment at which it is known."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class IssuedCredential:
    """The only moment at which the secret itself is known."""

    id: str
    secret: str


@dataclass(frozen=True, slots=True)
class IssuedCode:
    """A start link's code; worth nothing from `expires_at` (UTC) on."""

    code: str
    expires_at: datetime
