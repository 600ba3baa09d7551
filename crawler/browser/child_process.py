"""Runs a browser in a process of its own: an order goes in as JSON, its result or the reason of a failure comes out."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from crawler.browser.availability import ARGUMENTS, installed_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ProxySettings

Order: TypeAlias = Mapping[str, Any]
"""What JSON can hold."""

BROWSER: Final = "browser"


class NotMade(Exception):
    """Nothing was made; the message says why."""


def made_by_child(module: str, order: Order, *, timeout_s: float, failure: type[NotMade]) -> bytes:
    """Runs `module`, which calls `serve`, on `order`; returns its result. Raises `failure`; blocks up to `timeout_s`.

    Needs Playwright and Chromium. As root the browser has to run without its own sandbox: run as another user.
    """
    browser = installed_browser()
    if browser is None:
        raise failure("no Chromium is installed")
    try:
        done = subprocess.run(  # noqa: S603  # a module of ours
            [sys.executable, "-P", "-m", module],
            input=json.dumps({**order, BROWSER: browser}).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise failure("the browser did not answer") from error
    if "made" not in answer:
        raise failure(str(answer.get("problem")))
    return base64.b64decode(answer["made"])


def serve(make: Callable[[Order], bytes]) -> None:
    """Runs the child: answers the order with the result of `make`, which may raise NotMade and Playwright's errors."""
    order = json.load(sys.stdin)
    json.dump(_answer(make, order), sys.stdout)


@contextmanager
def launched(order: Order, *, proxy: "ProxySettings | None" = None) -> "Iterator[Browser]":
    """Launches the browser of the order. Anything that runs an event loop of its own has to be started before."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # an extra

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=order[BROWSER], args=list(ARGUMENTS), proxy=proxy, chromium_sandbox=os.geteuid() != 0
        )


def _answer(make: Callable[[Order], bytes], order: Order) -> dict[str, str]:
    try:
        from playwright.sync_api import Error  # noqa: PLC0415  # an extra
    except ImportError:
        return {"problem": "Playwright is not installed"}
    try:
        return {"made": base64.b64encode(make(order)).decode("ascii")}
    except NotMade as problem:
        return {"problem": str(problem)}
    except Error as error:
        return {"problem": error.message.partition("\n")[0]}
