"""Run as a child process: serves the desk on a free port of loopback and prints its address."""

import os
from pathlib import Path

from admin.app import create_app
from admin.serve import serve
from storage.engine import make_engine


def main() -> None:
    home = os.environ.get("DESK_HOME")
    app = create_app(
        engine=make_engine(os.environ["DESK_DATABASE"]), secret_key="for tests", home=Path(home) if home else None
    )
    serve(app, "127.0.0.1", 0, on_ready=lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
