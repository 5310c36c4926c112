"""Printing: JSON on one line for programs, columns for people."""

import json
from collections.abc import Sequence

import click


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for line in align((heads, *rows)):
        click.echo(line)


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
