"""The lives of agents: how one starts, which there are, how it ends."""
