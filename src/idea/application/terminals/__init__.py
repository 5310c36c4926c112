"""Agents in terminals: what a program writes, who sees it, and what it seems to be at."""
