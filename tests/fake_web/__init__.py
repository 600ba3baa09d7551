"""A small web on loopback, served by a child process: readable pages, and every trap a crawler can step into."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote


@contextmanager
def served() -> Iterator[str]:
    """The address of the fake web, `http://127.0.0.1:PORT`, while the block lasts."""
    command = [sys.executable, "-m", "tests.fake_web.server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield str(json.loads(child.stdout.readline())["web"])
        finally:
            child.kill()


def requests_so_far(web: str) -> dict[str, int]:
    """How often each path was asked for."""
    with urllib.request.urlopen(f"{web}/requests-so-far") as answer:  # noqa: S310  (our own child)
        return dict(json.load(answer))


def become(web: str, path: str, state: str) -> None:
    """From now on the page is `changed`, `gone`, `absent` and so on; see the server's STATES."""
    urllib.request.urlopen(f"{web}/become{path}/{quote(state)}").close()  # noqa: S310  (our own child)
