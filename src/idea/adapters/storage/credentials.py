"""Which browsers may use the page, and the codes by which a new one gets in."""

import asyncio
import hmac
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from idea.adapters.storage.atomic import ensure_private_tree
from idea.adapters.storage.json_state import Object, read_state, set_aside_with_notice, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.application.ports import Clock, NewId
from idea.domain.credentials import IssuedCode, IssuedCredential
from idea.domain.errors import NotFound

CREDENTIALS_FILE: Final = "credentials.json"
TOKEN_BYTES: Final = 32
MAX_LABEL_CHARS: Final = 120

CODE_LIFE: Final = timedelta(seconds=60)
MAX_CODES: Final = 32
"""Waiting at once; the oldest give way."""


@dataclass(frozen=True, slots=True)
class Credential:
    """One browser's right to use the page. Times are UTC; the secret itself is kept nowhere."""

    id: str
    label: str
    created_at: datetime
    used_at: datetime
    secret_sha256: str


class CredentialsFile:
    """Kept hashed in a 0600 file in the user's state folder, so that they outlive the server. Safe across threads."""

    def __init__(self, state_home: Path, *, clock: Clock, new_id: NewId) -> None:
        """Reads the file; blocking."""
        self._folder = state_home
        self._path = state_home / CREDENTIALS_FILE
        self._clock = clock
        self._new_id = new_id
        self._writing = threading.Lock()
        """The list in memory is what the file holds, but for the times of use; changes follow one another."""
        self._lock = threading.Lock()
        """A use never brings back what was revoked. Held for no I/O, so that `verify` never waits for a disk."""
        self._known: dict[str, Credential] = {}
        self.notice: str | None = None
        """A sentence for the person if the file was unusable and set aside."""
        self._load()

    async def issue(self, label: str) -> IssuedCredential:
        """Raises `Refused` or `Conflict` when it cannot be stored; then it is not valid either."""
        secret = secrets.token_urlsafe(TOKEN_BYTES)
        now = self._clock.now()
        credential = Credential(self._new_id(), _clean(label), now, used_at=now, secret_sha256=_digest(secret))
        await asyncio.to_thread(self._change, lambda known: {**known, credential.id: credential})
        return IssuedCredential(credential.id, secret)

    def verify(self, secret: str) -> str | None:
        """The id of the credential with this secret. Takes the same time for every secret, does no I/O."""
        digest = _digest(secret)
        with self._lock:
            found = [one for one in self._known.values() if hmac.compare_digest(one.secret_sha256, digest)]
            for one in found:
                self._known[one.id] = replace(one, used_at=self._clock.now())
            return found[0].id if found else None

    def list(self) -> Sequence[Credential]:
        """By time of creation."""
        with self._lock:
            return sorted(self._known.values(), key=lambda one: (one.created_at, one.id))

    async def revoke(self, credential: str) -> None:
        """Its secret is worth nothing from now on, also after a restart.

        Raises:
            NotFound: there is none of this id.
            Refused, Conflict: the file cannot be written; the credential is still good.
        """
        if credential not in self._known:
            raise NotFound("credential", credential)
        await asyncio.to_thread(
            self._change, lambda known: {key: value for key, value in known.items() if key != credential}
        )

    async def aclose(self) -> None:
        """Store when each was used last. Idempotent."""
        if self._known:
            await asyncio.to_thread(self._change, lambda known: known)

    def _load(self) -> None:
        try:
            self._known = {one.id: one for one in _parse(read_state(self._path))}
        except UnusableFile as error:
            self.notice = set_aside_with_notice(
                self._path, "The list of browsers", error, "each browser needs a new start link"
            )

    def _change(self, change: Callable[[dict[str, Credential]], dict[str, Credential]]) -> None:
        with self._writing:
            with self._lock:
                known = change(dict(self._known))
            ensure_private_tree(self._folder)
            write_state(self._path, {"credentials": [_to_json(one) for one in known.values()]})
            with self._lock:
                self._known = known


class MemoryStartCodes:
    """Single-use codes of a start link, which no restart outlives."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._codes: dict[str, datetime] = {}
        """SHA-256 of each code and when it ends, the oldest first."""

    def issue(self) -> IssuedCode:
        self._forget_old()
        while len(self._codes) >= MAX_CODES:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(TOKEN_BYTES)
        expires_at = self._clock.now() + CODE_LIFE
        self._codes[_digest(code)] = expires_at
        return IssuedCode(code, expires_at)

    def redeem(self, code: str) -> bool:
        """True once for each code, within 60 s of its issue."""
        digest = _digest(code)
        self._forget_old()
        found = [known for known in self._codes if hmac.compare_digest(known, digest)]
        for known in found:
            del self._codes[known]
        return bool(found)

    def _forget_old(self) -> None:
        now = self._clock.now()
        self._codes = {code: until for code, until in self._codes.items() if now < until}


def _digest(secret: str) -> str:
    # 256 random bits: there is nothing to guess, so that a slow hash would protect nothing.
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _clean(label: str) -> str:
    return "".join(char for char in label if char.isprintable())[:MAX_LABEL_CHARS]


def _to_json(one: Credential) -> dict[str, object]:
    return {
        "id": one.id,
        "label": one.label,
        "createdAt": one.created_at.isoformat(),
        "usedAt": one.used_at.isoformat(),
        "secretSha256": one.secret_sha256,
    }


def _parse(state: Object | None) -> Sequence[Credential]:
    try:
        return [_credential(row) for row in (state or {}).get("credentials", [])]
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableFile("an entry in it cannot be understood", "notOurs") from error


def _credential(row: Any) -> Credential:
    return Credential(
        id=str(row["id"]),
        label=str(row["label"]),
        created_at=_aware(row["createdAt"]),
        used_at=_aware(row["usedAt"]),
        secret_sha256=bytes.fromhex(row["secretSha256"]).hex(),
    )


def _aware(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return at
