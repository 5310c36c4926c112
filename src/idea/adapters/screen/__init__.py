"""Terminal state: a fast native emulator, and a plain one where that cannot be loaded."""
