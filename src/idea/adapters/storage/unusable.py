"""What stands where a file of ours should be, and cannot serve as one."""

import errno
import stat
from collections.abc import Callable
from typing import Final

from idea.domain.why import Fault


class UnusableFile(Exception):
    """What is there by that name is not what it should be. The text is a clause, "it is …".

    That it could not be looked at is no such finding: nothing is set aside or taken for broken for it.
    """

    def __init__(self, reason: str, fault: Fault, **about: str) -> None:
        """`fault` says the same to a catalogue, with what it names (`about`)."""
        super().__init__(reason)
        self.reason = reason
        self.fault: Fault = fault
        self.about = about

    def fields(self) -> dict[str, str]:
        """What a sentence fills in that has the reason as a part."""
        return {"reason": self.reason, "fault": self.fault, **self.about}


_KINDS: Final[tuple[tuple[Callable[[int], bool], str, Fault], ...]] = (
    (stat.S_ISLNK, "a symbolic link", "link"),
    (stat.S_ISDIR, "a folder", "folder"),
    (stat.S_ISFIFO, "a FIFO", "fifo"),
    (stat.S_ISSOCK, "a socket", "socket"),
    (stat.S_ISREG, "a file", "notAFile"),
)


def describe_kind(mode: int) -> str:
    """What a thing that is no regular file is, with its article."""
    return _kind(mode)[0]


def wrong_kind(mode: int) -> UnusableFile:
    """Says that it is no regular file but this."""
    words, fault = _kind(mode)
    return UnusableFile(f"it is {words}", fault)


def wrong_kind_from(error: OSError) -> UnusableFile | None:
    """The same, where the failure to open it tells; None where it tells something else."""
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return wrong_kind(stat.S_IFLNK)
    if error.errno == errno.ENXIO:
        return UnusableFile("it is a socket or a FIFO", "notAFile")
    return None


def _kind(mode: int) -> tuple[str, Fault]:
    return next(((words, fault) for fits, words, fault in _KINDS if fits(mode)), ("a device", "device"))
