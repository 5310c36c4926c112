"""The part of a profile's `[terminal]` table that says by which signs it shows what it is at."""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from idea.adapters.patterns import UnusablePattern, check_pattern
from idea.domain.terminal_signs import (
    MOST_HOOKS,
    MOST_PATTERNS,
    MOST_ROWS,
    PATTERN_CHARS,
    ROWS,
    HookRule,
    Hooks,
    Sign,
    TerminalSigns,
)

HOOKS_FILE: Final = "{hooks_file}"


def _usable(pattern: str) -> str:
    try:
        check_pattern(pattern)
    except UnusablePattern as error:
        raise ValueError(f"{pattern!r} is no pattern that can be used: {error}") from error
    return pattern


Pattern = Annotated[str, Field(min_length=1, max_length=PATTERN_CHARS), AfterValidator(_usable)]
Patterns = dict[Sign, Annotated[tuple[Pattern, ...], Field(max_length=MOST_PATTERNS)]]
EventName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
FieldName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{1,64}$")]


class ReadinessTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Patterns = Field(default_factory=dict)
    screen: Patterns = Field(default_factory=dict)
    ended: Annotated[tuple[Pattern, ...], Field(max_length=MOST_PATTERNS)] = ()
    rows: int = Field(default=ROWS, ge=1, le=MOST_ROWS, strict=True)


class HookRuleTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    event: EventName
    means: Sign | Literal["nothing"]
    where: dict[FieldName, Pattern] = Field(default_factory=dict)
    detail: FieldName | None = None


class HooksTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    args: tuple[str, ...]
    rules: Annotated[tuple[HookRuleTable, ...], Field(min_length=1, max_length=MOST_HOOKS)]
    conversation: FieldName | None = None

    @model_validator(mode="after")
    def _names_the_file(self) -> "HooksTable":
        if not any(HOOKS_FILE in argument for argument in self.args):
            raise ValueError(f"args must name {HOOKS_FILE}, or the CLI would never learn of the hooks")
        return self


def build_signs(readiness: ReadinessTable | None, hooks: HooksTable | None) -> TerminalSigns:
    table = readiness or ReadinessTable()
    return TerminalSigns(
        title=table.title,
        screen=table.screen,
        rows=table.rows,
        ended=table.ended,
        hooks=None if hooks is None else _hooks(hooks),
    )


def _hooks(table: HooksTable) -> Hooks:
    return Hooks(table.args, tuple(_rule(rule) for rule in table.rules), table.conversation or "")


def _rule(table: HookRuleTable) -> HookRule:
    means = table.means if isinstance(table.means, Sign) else None
    return HookRule(table.event, means, table.where, table.detail or "")
