"""The keeper's program: owns agents' processes and terminals. Standard library only, no asyncio, no decisions."""
