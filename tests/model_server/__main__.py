"""`python -m tests.model_server --port N`: the scripted model by hand, for trying a CLI against it."""

import argparse
import contextlib

from tests.model_server.scenarios import SCENARIOS
from tests.model_server.server import ModelServer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--port", type=int, default=8901)
with ModelServer(parser.parse_args().port) as server:
    print(f"{server.url} plays [[{']] [['.join(SCENARIOS)}]]", flush=True)  # noqa: T201 - it is a program
    with contextlib.suppress(KeyboardInterrupt):
        server.wait()
