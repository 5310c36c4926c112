"""Builds every concrete object and hands them to each other. No decisions; nothing else builds."""

from idea.bootstrap.server import run_server

__all__ = ["run_server"]
