"""Agents that are spoken to through an engine: one process, its lines, one turn at a time."""
