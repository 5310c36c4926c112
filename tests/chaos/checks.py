"""What must hold when a storm is over, however its servers ended. Each check gives the faults that it found."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.chaos.plan import NAMES, expect, walk
from tests.chaos.storm import Seen
from tests.system.client import Api, Json, ok


@dataclass(frozen=True)
class Told:
    """One turn as the record has it."""

    agent: str
    turn: str
    items: Sequence[Json]

    @property
    def message(self) -> str:
        return str(self.items[0]["text"])

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(item["kind"] for item in self.items)


@dataclass(frozen=True)
class Outcome:
    seen: Seen
    records: Mapping[str, Sequence[Json]]
    """Each agent's items, by its name."""
    delegations: Sequence[Json]
    root: Path

    @property
    def turns(self) -> list[Told]:
        found: dict[tuple[str, str], list[Json]] = {}
        for agent, items in self.records.items():
            for item in items:
                found.setdefault((agent, item["turnId"]), []).append(item)
        return [Told(agent, turn, items) for (agent, turn), items in found.items()]


async def outcome_of(api: Api, seen: Seen, root: Path) -> Outcome:
    records = {}
    for name in NAMES:
        page = ok(await api.agent("GET", name.lower(), "/conversation?limit=500"))
        assert not page["hasMore"]
        records[name] = page["items"]
    return Outcome(seen, records, (await api.state())["delegations"], root)


def faults(outcome: Outcome) -> list[str]:
    checks = (_wanted, _shapes, _order, _delegations, _replies, _told_to_the_cli, _shown, _permissions)
    return [fault for check in checks for fault in check(outcome)]


def _wanted(outcome: Outcome) -> Iterator[str]:
    """Every message that was accepted, and what comes of it, is one turn; and there are no others."""
    told = Counter((turn.agent, turn.message) for turn in outcome.turns)
    for message in outcome.seen.accepted:
        if not told[message.agent, message.text]:
            yield f"was accepted and is on no record: {message}"
    wanted: Counter[tuple[str, str]] = Counter()
    for message in (*outcome.seen.accepted, *outcome.seen.doubtful):
        if told[message.agent, message.text]:
            wanted.update(walk(message.agent, message.text))
    for (agent, text), count in (wanted - told).items():
        yield f"{agent} was never told: {text} ({count})"
    for (agent, text), count in (told - wanted).items():
        yield f"{agent} was told too often: {text} ({count})"


def _shapes(outcome: Outcome) -> Iterator[str]:
    """One prompt, each tool once, one end, in this order."""
    for turn in outcome.turns:
        if turn.kinds[0] != "prompt":
            yield f"{turn.agent} has a turn without a prompt: {turn.items}"
            continue
        expected = expect(turn.agent, turn.message)
        if _sorted(turn.kinds) != _sorted(expected.kinds):
            yield f"{turn.agent} on {turn.message}: {turn.kinds} and not {expected.kinds}: {turn.items[-1]['text']}"
        elif expected.answer is not None and not re.fullmatch(expected.answer, turn.items[-1]["text"], re.DOTALL):
            yield f"{turn.agent} on {turn.message}: {turn.items[-1]['text']!r} and not {expected.answer!r}"
        asked = [item["text"] for item in turn.items if item["kind"] == "asked"]
        if asked != [message for _, message in expected.asks]:
            yield f"{turn.agent} on {turn.message} asked {asked}"


def _sorted(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What is asked next comes by another way than how the last tool ended, and may be there before it."""
    return kinds[0], *sorted(kinds[1:-1]), kinds[-1]


def _order(outcome: Outcome) -> Iterator[str]:
    """As the messages came; turns are named in the order in which they are taken in. None interrupts another one."""
    for agent, items in outcome.records.items():
        turns = [item["turnId"] for item in items]
        if turns != sorted(turns):
            yield f"{agent}'s turns are not in their order: {[item['text'] for item in items]}"
        numbers = [item["seq"] for item in items]
        if numbers != list(range(1, len(items) + 1)):
            yield f"{agent}'s items are numbered {numbers}"
    for name in NAMES:
        sent = [message.text for message in outcome.seen.turns.values() if message.agent == name]
        told = [turn.message for turn in outcome.turns if turn.agent == name and turn.message in sent]
        if told != sent:
            yield f"{name} was sent {sent} and was told {told}"


def _delegations(outcome: Outcome) -> Iterator[str]:
    by_id = {delegation["ticketId"]: delegation for delegation in outcome.delegations}
    for ticket, ends in outcome.seen.settled.items():
        # Of one that was shown and is not on record, who asked went with the server.
        if len(ends) != 1 and (ends or ticket in by_id):
            yield f"a delegation came to {len(ends)} ends: {ends}, {by_id.get(ticket)}"
    tickets = [turn.items[0]["ticketId"] for turn in outcome.turns if turn.items[0]["ticketId"] is not None]
    for ticket, count in (Counter(by_id.keys()) - Counter(tickets)).items():
        yield f"a delegation has no turn: {by_id[ticket]} ({count})"
    for ticket, count in (Counter(tickets) - Counter(by_id.keys())).items():
        yield f"a turn's delegation is not on record or has several turns: {ticket} ({count})"
    for turn in outcome.turns:
        delegation = by_id.get(turn.items[0]["ticketId"])
        if delegation is not None and delegation["reply"] not in (None, turn.items[-1]["text"]):
            yield f"{delegation} was answered by {turn.items[-1]['text']!r}"


def _replies(outcome: Outcome) -> Iterator[str]:
    """Of calls that waited for the answer themselves."""
    for message, reply in outcome.seen.replies:
        answer = expect(message.agent, message.text).answer
        if answer is None:
            if reply.body.get("code") not in ("TURN_FAILED", "TARGET_DIED", "CANCELLED"):
                yield f"{message} came to {reply}"
        elif reply.status != 200 or not re.fullmatch(answer, reply.body["reply"], re.DOTALL):
            yield f"{message} came to {reply}"


def _told_to_the_cli(outcome: Outcome) -> Iterator[str]:
    """The agents' own notes: each prompt reached the program once."""
    for name in NAMES:
        told = Counter(turn.message for turn in outcome.turns if turn.agent == name)
        heard = Counter(_prompts(outcome.root, name))
        if told != heard:
            yield f"{name}'s program heard besides {heard - told}, and did not hear {told - heard}"


def _prompts(root: Path, name: str) -> Iterator[str]:
    for path in (root / ".ideai" / "run").glob(f"{name.lower()}*/*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["role"] == "prompt":
                yield entry["text"]


def _shown(outcome: Outcome) -> Iterator[str]:
    """What a page was shown as recorded is on record, under the same number."""
    recorded = {(item["agentId"], item["seq"]): item for items in outcome.records.values() for item in items}
    for item in outcome.seen.items:
        known = recorded.get((item["agentId"], item["seq"]))
        if known is None or any(known[key] != item[key] for key in ("turnId", "kind", "text")):
            yield f"was shown as {item} and is on record as {known}"


def _permissions(outcome: Outcome) -> Iterator[str]:
    for place in outcome.seen.asked_again:
        yield f"was asked again: {place}"
