"""Printing: JSON on one line for programs, columns for people."""

import json
from collections.abc import Sequence

import click


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
