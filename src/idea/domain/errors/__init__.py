"""Every failure that a caller may be told about, named after its situation.

Each class words its message from its fields; `fields()` are what a door renders beside it. Which HTTP
status, exit code or MCP text belongs to a code stands in `outcomes`.
"""

from idea.domain.errors.asks import (
    Cancelled,
    CancelledBy,
    DelegationCycle,
    DelegationTooDeep,
    DelegationTooWide,
    Recorded,
    TargetDied,
    TargetRateLimited,
    TargetReturnedNoReply,
    Timeout,
    TurnFailed,
)
from idea.domain.errors.situations import (
    AgentAlreadyRunning,
    Closed,
    Conflict,
    ConversationRefused,
    EngineFailed,
    Explained,
    IdeaError,
    Invalid,
    KeeperSilent,
    Lost,
    NotFound,
    OpenElsewhere,
    Refused,
    TrustRequired,
    broken_file,
    lost_with_keeper,
    persons_alone,
)

__all__ = [
    "AgentAlreadyRunning",
    "Cancelled",
    "CancelledBy",
    "Closed",
    "Conflict",
    "ConversationRefused",
    "DelegationCycle",
    "DelegationTooDeep",
    "DelegationTooWide",
    "EngineFailed",
    "Explained",
    "IdeaError",
    "Invalid",
    "KeeperSilent",
    "Lost",
    "NotFound",
    "OpenElsewhere",
    "Recorded",
    "Refused",
    "TargetDied",
    "TargetRateLimited",
    "TargetReturnedNoReply",
    "Timeout",
    "TrustRequired",
    "TurnFailed",
    "broken_file",
    "lost_with_keeper",
    "persons_alone",
]
