"""One address, requested in a child process: the only client for single pages.

A reactor starts once, so each address has a process of its own; it is forked from one that has loaded the libraries.
"""

import base64
import importlib
import json
import os
from collections.abc import Mapping
from datetime import datetime
from multiprocessing.connection import Connection
from typing import Any, Final

from crawler import settings as scrapy_settings
from crawler.network.public_addresses import ALLOWED_NETWORKS_SETTING
from crawler.outcomes.refusals import Refusal
from crawler.processes import fork_server
from crawler.warc.writer import RawResponse

START_ALLOWANCE_S: Final = 60.0
"""For the first child to load its libraries: two seconds, on a busy machine many. The network has its own time."""

SINGLE_PAGE: Final = "crawler.fetch.single_page"
"""The module that requests, which the child alone loads."""

_LOADED: Final = fork_server.modules_of(scrapy_settings.DOWNLOADER_MIDDLEWARES)
_CHILDREN: Final = fork_server.children(__name__, SINGLE_PAGE, *_LOADED)


def answered(order: Mapping[str, Any], *, timeout_s: float) -> Mapping[str, Any]:
    """The answer of a child process to the order, as JSON."""
    # The order alone says what is allowed.
    environment = {name: value for name, value in os.environ.items() if name != ALLOWED_NETWORKS_SETTING}
    ours, theirs = _CHILDREN.Pipe(duplex=False)
    child = _CHILDREN.Process(target=_serve, args=(order, environment, theirs), name="zhiwen-page")
    child.start()
    theirs.close()
    try:
        # JSON instead of pickled objects: the child has handled untrusted bytes.
        answer = (
            json.loads(ours.recv_bytes()) if ours.poll(timeout_s + START_ALLOWANCE_S) else {"refusal": Refusal.TIMEOUT}
        )
    except (EOFError, ValueError):
        answer = {"refusal": Refusal.BROKEN_RESPONSE}
    finally:
        child.kill()
        child.join()
        child.close()
        ours.close()
    found: Mapping[str, Any] = answer
    return found


def raw_of_words(stated: Mapping[str, Any]) -> RawResponse:
    """The response that the child described by `_in_words`."""
    certificate = stated["certificate"]
    return RawResponse(
        **{
            **stated,
            "at": datetime.fromisoformat(stated["at"]),
            "headers": tuple((name, value) for name, value in stated["headers"]),
            "body": base64.b64decode(stated["body"]),
            "certificate": None if certificate is None else base64.b64decode(certificate),
        }
    )


def _serve(order: Mapping[str, Any], environment: Mapping[str, str], asked: Connection) -> None:
    importlib.import_module(SINGLE_PAGE).serve(order, environment, asked)
