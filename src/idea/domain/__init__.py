"""The rules of IdeA as frozen values and pure functions: no I/O, no clock, no asyncio."""
