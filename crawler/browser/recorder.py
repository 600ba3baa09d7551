"""The child of `recording`: opens one page in a browser with an empty profile, in standard steps, and writes its parts.

A step that fails or takes too long is named with its reason, and the next one follows. Only a page that cannot be
opened, or leads the browser elsewhere, makes no recording.
"""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crawler.browser.availability import ARGUMENTS
from crawler.browser.browser_state import BrowserState
from crawler.browser.child_process import BROWSER, NotMade, Order, serve
from crawler.browser.guarded_proxy import GuardedProxy, proxy_of_a_page
from crawler.browser.page_address import blocked, require_at
from crawler.browser.page_parts import PageParts
from crawler.browser.recording import (
    READ_CERTIFICATES,
    READ_RESPONSES,
    READ_TEXT,
    SAVE_PAGE,
    TAKE_PICTURES,
    RecordingBounds,
)
from crawler.browser.request_log import RequestLog
from crawler.network.public_addresses import networks

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

WIDTH: Final = 1_280
HEIGHT: Final = 1_600
END_S: Final = 5.0
"""Of the whole time: for closing the browser and reading what was kept."""
STEP_S: Final = 10.0
_BAD_CERTIFICATE: Final = "net::ERR_CERT_"


class Recorder:
    """One page, once."""

    def __init__(self, order: Order, proxy: GuardedProxy, address: str, *, was_empty: bool) -> None:
        self._order = order
        self._was_empty = was_empty
        self._url: str = order["url"]
        self._bounds = RecordingBounds(**order["bounds"])
        self._proxy = proxy
        self._address = address
        self._steps: list[dict[str, Any]] = []
        self._ends = time.monotonic() + self._bounds.total_s - END_S
        self._met: list[str] = []
        self._doings = {"popups": 0, "dialogs": 0, "downloads": 0, "crashes": 0}
        self._certificate_problem: str | None = None
        self.log = RequestLog(Path(order["members"]), proxy, self._bounds)

    async def record(self, playwright: "Playwright") -> dict[str, Any]:
        """The facts, as JSON has them. Raises NotMade and Playwright's errors if the page cannot be opened."""
        began, at = time.monotonic(), datetime.now(UTC)
        browser = await self._started(playwright)
        folder = Path(self._order["profile"])
        state = BrowserState(browser, self._order[BROWSER], folder, was_empty=self._was_empty)
        try:
            async with self._step("identify the browser", STEP_S):
                await state.identify()
            page = await self._opened(browser, state)
            parts = PageParts(page, Path(self._order["members"]), self._bounds)
            await self._kept(page, parts)
            async with self._step(READ_RESPONSES, self._bounds.total_s):
                await self.log.read_bodies()
            async with self._step(READ_CERTIFICATES, STEP_S):
                await self.log.read_certificates()
            require_at(self._url, page.url, self._proxy)
            shown = page.url
        finally:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(END_S):
                    await browser.close()
        return {
            **{"url": shown, "started_at": at.isoformat(), "ended_at": datetime.now(UTC).isoformat()},
            **{"seconds": round(time.monotonic() - began, 3), "steps": self._steps, **parts.found, **self._doings},
            **{"browser": state.facts, "profile": state.profile, **self.log.found()},
            "certificate_problem": self._certificate_problem,
            "lookups": [{**asdict(one), "at": one.at.isoformat()} for one in self._proxy.lookups.values()],
            "network_bytes": self._bounds.network_bytes - self._proxy.bytes_left,
        }

    async def _started(self, playwright: "Playwright") -> "Browser":
        async with self._step("start the browser with an empty profile", self._bounds.load_s, is_needed=True):
            return await playwright.chromium.launch(
                executable_path=self._order[BROWSER],
                args=list(ARGUMENTS),
                # Nothing past the proxy, not even loopback.
                proxy={"server": self._address, "bypass": "<-loopback>"},
                chromium_sandbox=os.geteuid() != 0,
            )
        raise AssertionError

    async def _opened(self, browser: "Browser", state: BrowserState) -> "Page":
        """The page, loaded. Where the certificate does not hold, opened all the same, and the record says so."""
        from playwright.async_api import Error  # noqa: PLC0415  # an extra

        try:
            return await self._open(browser, state, takes_any_certificate=False)
        except Error as error:
            if _BAD_CERTIFICATE not in error.message:
                if self._proxy.blocked:
                    raise blocked(self._proxy) from error
                raise
            self._certificate_problem = _first_line(error)
        return await self._open(browser, state, takes_any_certificate=True)

    async def _open(self, browser: "Browser", state: BrowserState, *, takes_any_certificate: bool) -> "Page":
        context = await browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            accept_downloads=False,
            service_workers="block",
            ignore_https_errors=takes_any_certificate,
        )
        async with self._step("look for cookies and extensions in the profile", STEP_S):
            await state.examine(context)
        page = await context.new_page()
        await self._watch(context, page)
        async with self._step("open the page", self._bounds.load_s, is_needed=True):
            await page.goto(self._url, wait_until="commit", timeout=self._bounds.load_s * 1_000)
        async with self._step("wait until it is loaded", self._bounds.load_s):
            await _first_of(page.wait_for_load_state("load", timeout=0), self.log.ended.wait())
        require_at(self._url, page.url, self._proxy)
        page.on("framenavigated", lambda frame: self._met.append(frame.url) if frame == page.main_frame else None)
        await self._settle(page)
        return page

    async def _watch(self, context: "BrowserContext", page: "Page") -> None:
        await self.log.attach(context, page)
        page.on("popup", self._closed)
        page.on("dialog", lambda dialog: self._count("dialogs", dialog.dismiss()))
        page.on("download", lambda download: self._count("downloads", download.cancel()))
        page.on("crash", lambda _: self._count("crashes", None))

    async def _kept(self, page: "Page", parts: PageParts) -> None:
        """Writes the parts of the page. Each of them is of this page, or there is no recording."""
        async with self._step("scroll through the page", STEP_S):
            await parts.scroll()
        await self._settle(page)
        self._require_stayed(page)
        async with self._step(TAKE_PICTURES, self._bounds.total_s / 2):
            await parts.take_pictures()
        async with self._step(READ_TEXT, STEP_S):
            await parts.keep_text()
        async with self._step(SAVE_PAGE, STEP_S):
            await parts.keep_mhtml()
        self._require_stayed(page)

    async def _settle(self, page: "Page") -> None:
        async with self._step("wait for its requests", self._bounds.settle_s):
            await page.wait_for_load_state("networkidle", timeout=0)

    def _require_stayed(self, page: "Page") -> None:
        for shown in (*self._met, page.url):
            require_at(self._url, shown, self._proxy)

    @property
    def _left_s(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    @contextlib.asynccontextmanager
    async def _step(self, name: str, within_s: float, *, is_needed: bool = False) -> AsyncIterator[None]:
        from playwright.async_api import Error  # noqa: PLC0415

        at, most_s = datetime.now(UTC), min(within_s, self._left_s)
        result = "done"
        try:
            async with asyncio.timeout(most_s):
                yield
        except (Error, TimeoutError, OSError, ValueError, TypeError, LookupError) as error:  # of whatever the page says
            result = f"not done within {most_s:.0f} s" if isinstance(error, TimeoutError) else _first_line(error)
            if is_needed and isinstance(error, TimeoutError):
                raise NotMade(f"{name}: {result}") from error
            if is_needed:
                raise
        finally:
            self._steps.append({"step": name, "at": at.isoformat(), "result": result})

    def _closed(self, opened: "Page") -> None:
        self._count("popups", opened.close())

    def _count(self, what: str, doing: Any) -> None:
        self._doings[what] += 1
        if doing is not None:
            task = asyncio.ensure_future(doing)
            task.add_done_callback(lambda done: None if done.cancelled() else done.exception())


async def _first_of(*waiting: Awaitable[object]) -> None:
    """Until one of them is done. Raises what that raises."""
    tasks = [asyncio.ensure_future(one) for one in waiting]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()


def _first_line(error: Exception) -> str:
    return str(getattr(error, "message", error)).partition("\n")[0][:300]


async def _record(order: Order, *, was_empty: bool) -> dict[str, Any]:
    from playwright.async_api import async_playwright  # noqa: PLC0415

    bounds = RecordingBounds(**order["bounds"])
    allowed = networks(order["allowed"])
    async with (
        proxy_of_a_page(allowed, max_bytes=bounds.network_bytes) as (address, proxy),
        async_playwright() as playwright,
    ):
        return await Recorder(order, proxy, address, was_empty=was_empty).record(playwright)


def _recorded(order: Order) -> bytes:
    # Before Playwright starts: it makes the browser's profile in this folder, which is empty.
    os.environ["TMPDIR"] = order["profile"]
    was_empty = not any(Path(order["profile"]).iterdir())
    return json.dumps(asyncio.run(_record(order, was_empty=was_empty))).encode()


if __name__ == "__main__":
    serve(_recorded)
