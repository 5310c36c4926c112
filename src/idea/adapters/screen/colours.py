"""What a program is told when it asks for the terminal's colours."""

FOREGROUND = (0xD9, 0xDB, 0xE1)
BACKGROUND = (0x14, 0x15, 0x18)
"""The dark theme's. A program asks once, at its start, and browsers with other themes may come and go."""
