"""How long tests wait for what they know must come."""

from typing import Final

PATIENCE_S: Final = 30.0
"""Ends a hang inside of pytest's own limit, with a name. It claims no speed: a machine that is busy with twenty other
things gives a test a twentieth of its time. What is about time moves a clock of its own.
"""
