"""IdeA: a local IDE for a team of AI coding agents."""

__version__ = "0.1.0"
