"""A model that plays scripts, for the real CLIs: Anthropic Messages and OpenAI Responses on the loopback interface.

The last user text that holds a marker `[[name argument]]` chooses the scenario; the tool results after it choose
the step. So the server keeps no state, and any number of CLIs can share it.
"""
