"""The desk in Firefox and in WebKit, by hand: every page of the menu, and the keys of a review. Not part of the tests.

    .venv/bin/python -m tests.browser.other_browsers firefox http://127.0.0.1:8000 NAME PASSWORD FOLDER

Firefox (Debian: firefox-esr) is driven by Marionette, WebKit (webkit2gtk-driver, and xvfb) by WebDriver. It prints what
is wrong, puts a picture of each page into FOLDER, and decides and takes back one case of the store.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

START_TIMEOUT_S: Final = 60.0
PORT: Final = 2828
WEBKIT: Final = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
_MENU: Final = "return [...document.querySelectorAll('.top nav a')].map(a => a.getAttribute('href'))"
_OVER: Final = "return document.documentElement.scrollWidth - window.innerWidth"
_CASES: Final = "return [...document.querySelectorAll('td a[href^=\"/cases/\"]')].map(a => a.getAttribute('href'))"


class Browser(Protocol):
    def go(self, url: str) -> None: ...
    def ask(self, script: str) -> Any: ...
    def press(self, key: str) -> None: ...
    def picture(self) -> bytes: ...
    def complaints(self) -> list[str]:
        """Script errors since the start."""


def actions(key: str) -> list[dict[str, Any]]:
    pressed = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
    return [{"type": "key", "id": "keyboard", "actions": pressed}]


class Firefox:
    """Marionette: messages of a length, a colon and JSON on a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rwb")
        self._number = 0
        self._read()
        self._call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        self._call("WebDriver:SetWindowRect", {"width": 1280, "height": 900})

    def go(self, url: str) -> None:
        self._call("WebDriver:Navigate", {"url": url})

    def ask(self, script: str) -> Any:
        return self._call("WebDriver:ExecuteScript", {"script": script, "args": []})["value"]

    def press(self, key: str) -> None:
        self._call("WebDriver:PerformActions", {"actions": actions(key)})

    def picture(self) -> bytes:
        return b64decode(self._call("WebDriver:TakeScreenshot", {"full": True})["value"])

    def complaints(self) -> list[str]:
        self._call("Marionette:SetContext", {"value": "chrome"})
        script = (
            "return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError"
            " && m.sourceName.startsWith('http')).map(m => m.errorMessage + ' ' + m.sourceName)"
        )
        found = self.ask(script)
        self._call("Marionette:SetContext", {"value": "content"})
        return [str(one) for one in found]

    def _call(self, command: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._stream.write(b"%d:%s" % (len(message), message))
        self._stream.flush()
        _kind, _number, error, result = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def _read(self) -> Any:
        size = b""
        while (one := self._stream.read(1)) != b":":
            size += one
        return json.loads(self._stream.read(int(size)))


class WebKit:
    """WebDriver over HTTP. Its console goes to the driver's output."""

    def __init__(self, output: Path) -> None:
        self._output = output
        arguments = ["--automation", "--enable-write-console-messages-to-stdout=true"]
        wanted = {"webkitgtk:browserOptions": {"binary": WEBKIT, "args": arguments}}
        self._base = f"http://127.0.0.1:{PORT}/session"
        self._base += "/" + self._post("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self._post("/window/rect", {"width": 1280, "height": 900})

    def go(self, url: str) -> None:
        self._post("/url", {"url": url})

    def ask(self, script: str) -> Any:
        return self._post("/execute/sync", {"script": script, "args": []})

    def press(self, key: str) -> None:
        self._post("/actions", {"actions": actions(key)})

    def picture(self) -> bytes:
        with urllib.request.urlopen(f"{self._base}/screenshot") as answer:  # noqa: S310  # a driver on loopback
            return b64decode(json.load(answer)["value"])

    def complaints(self) -> list[str]:
        lines = self._output.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if "ERROR" in line and "CONSOLE" in line]

    def _post(self, path: str, value: dict[str, Any]) -> Any:
        request = urllib.request.Request(self._base + path, json.dumps(value).encode())  # noqa: S310
        with urllib.request.urlopen(request) as answer:  # noqa: S310  # a driver on loopback
            return json.load(answer)["value"]


@contextmanager
def started(name: str) -> Iterator[Browser]:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        command = ["firefox", "--marionette", "--headless", "-remote-allow-system-access", "--profile", folder]
        if name == "webkit":
            command = ["xvfb-run", "-a", "WebKitWebDriver", f"--port={PORT}"]
        with (
            output.open("wb") as written,
            subprocess.Popen(command, stdout=written, stderr=written, start_new_session=True) as process,
        ):
            try:
                connection = _connected()
                yield WebKit(output) if name == "webkit" else Firefox(connection)
            finally:
                # The display and the driver, too, which would keep the port.
                os.killpg(process.pid, signal.SIGTERM)


def _connected() -> socket.socket:
    ends = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", PORT))
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)


def log_in(browser: Browser, base: str, name: str, password: str) -> None:
    browser.go(f"{base}/login")
    fields = json.dumps([name, password])
    browser.ask(
        f"const [name, password] = {fields}; document.getElementById('name').value = name;"
        "document.getElementById('password').value = password; document.querySelector('.gate .btn-primary').click()"
    )
    _until(browser, "return document.querySelector('.top nav') !== null")


def menu(browser: Browser, base: str, folder: Path) -> Iterator[str]:
    """What is wrong with the pages of the menu; a picture of each."""
    for path in browser.ask(_MENU):
        browser.go(base + path)
        (folder / f"{path.strip('/').replace('/', '-') or 'home'}.png").write_bytes(browser.picture())
        if (over := browser.ask(_OVER)) > 0:
            yield f"{path}: {over} pixels wider than the window"


def review(browser: Browser, base: str, folder: Path) -> Iterator[str]:
    """Whether j, k, c and u do what they say on a case."""
    browser.go(f"{base}/cases")
    first = browser.ask(_CASES)[0].split("?")[0]
    browser.go(base + browser.ask(_CASES)[0])
    (folder / "case.png").write_bytes(browser.picture())
    for key, done in (
        ("j", f"return location.pathname !== {first!r}"),
        ("k", f"return location.pathname === {first!r}"),
        ("c", f"return location.pathname !== {first!r} && document.querySelector('.done') !== null"),
        ("u", "return document.querySelector('.done.is-undone') !== null"),
    ):
        browser.press(key)
        if not _until(browser, done):
            yield f"{first}: the key {key} did nothing"


def _until(browser: Browser, script: str) -> bool:
    ends = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < ends:
        if browser.ask(script):
            # The scripts of the new page are deferred.
            return bool(browser.ask("return document.readyState === 'complete'")) or _until(browser, script)
        time.sleep(0.2)
    return False


def main(name: str, base: str, account: str, password: str, folder: str) -> int:
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    with started(name) as browser:
        log_in(browser, base, account, password)
        wrong = [*menu(browser, base, pictures), *review(browser, base, pictures), *browser.complaints()]
    print("\n".join(wrong) or f"{name}: nothing is wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
