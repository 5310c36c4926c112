class FakeTerminal:
    pass
