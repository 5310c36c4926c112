"""Where the agents are shown, and which of them ran."""
