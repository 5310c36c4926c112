"""The agents of one project in memory, and what waits for each."""
