"""The command line: one file a command. All but `serve` and `demo` talk to the running server and import little."""
