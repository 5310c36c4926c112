"""Use cases: one file each. What they need from the world stands in `ports`."""
