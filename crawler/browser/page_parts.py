"""The parts of an opened page that a recording keeps: pictures in slices, the text that it shows, the page as MHTML."""

import asyncio
import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crawler.browser.recording import RecordingBounds

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

PAUSE_S: Final = 0.1
"""After each step of scrolling, for pictures that load when they come into view."""
MOST_PX: Final = 4_000
"""Width of a page that is pictured. Wider ones are cut."""

_TEXT: Final = "((document.body || document.documentElement).innerText || document.documentElement.textContent || '')"
"""What a reader sees; of a drawing or a feed, all text in it."""


class PageParts:
    """Writes into `folder`. `found`: what was kept, and what was left out with the reason, as JSON has it."""

    def __init__(self, page: "Page", folder: Path, bounds: RecordingBounds) -> None:
        self._page = page
        self._folder = folder
        self._bounds = bounds
        self._session: CDPSession | None = None
        self._world = 0
        self._slices: list[dict[str, Any]] = []
        pictures = {
            "slices": self._slices,
            "page_width_px": None,
            "page_height_px": None,
            "width_px": 0,
            "height_px": 0,
        }
        self.found: dict[str, Any] = {
            **{"pictures": {**pictures, "left_out": "no picture was taken"}, "mhtml_file": None, "text_file": None},
            **{"mhtml_left_out": "the page was not saved", "text_left_out": "the text was not read"},
        }

    async def scroll(self) -> None:
        """To the end of the page or of what is pictured, and back. A page that grows is followed to that bound."""
        step = max(1, int(await self._evaluated("innerHeight") or 1_000))
        top = 0
        while top < min(
            self._bounds.height_px, int(await self._evaluated("document.documentElement.scrollHeight") or 0)
        ):
            await self._evaluated(f"scrollTo(0, {top})")
            await asyncio.sleep(PAUSE_S)
            top += step
        await self._evaluated("scrollTo(0, 0)")

    async def take_pictures(self) -> None:
        session = await self._opened()
        size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
        width, height = max(1, min(int(size["width"]), MOST_PX)), max(1, int(size["height"]))
        about = self.found["pictures"]
        about |= {"page_width_px": int(size["width"]), "page_height_px": int(size["height"]), "width_px": width}
        most, kept = min(height, self._bounds.height_px), 0
        about["left_out"] = "not all pictures were taken"  # until they are
        for top in range(0, most, self._bounds.slice_px):
            tall = min(self._bounds.slice_px, most - top)
            clip = {"x": 0, "y": top, "width": width, "height": tall, "scale": 1}
            asked = {"format": "png", "clip": clip, "captureBeyondViewport": True}
            data = base64.b64decode((await session.send("Page.captureScreenshot", asked))["data"])
            kept += len(data)
            if kept > self._bounds.pictures_bytes:
                about["left_out"] = (
                    f"from {top:,} px on: the pictures have more than {self._bounds.pictures_bytes:,} bytes"
                )
                return
            name = f"picture-{len(self._slices) + 1:02}"
            (self._folder / name).write_bytes(data)
            self._slices.append({"file": name, "top_px": top, "height_px": tall})
            about["height_px"] = top + tall
        cut = [
            *([f"from {most:,} px on: the page is {height:,} px high"] if most < height else []),
            *([f"right of {width:,} px: the page is {int(size['width']):,} px wide"] if width < size["width"] else []),
        ]
        about["left_out"] = "; ".join(cut) or None

    async def keep_text(self) -> None:
        """The text that a reader sees, by the browser's own reckoning."""
        most = self._bounds.text_chars
        text = await self._evaluated(f"{_TEXT}.slice(0, {most + 1})")
        if not isinstance(text, str):
            return
        (self._folder / "text").write_text(text[:most], "utf-8", errors="replace")
        left_out = f"after {most:,} characters" if len(text) > most else None
        self.found |= {"text_file": "text", "text_left_out": left_out}

    async def keep_mhtml(self) -> None:
        session = await self._opened()
        data = (await session.send("Page.captureSnapshot", {"format": "mhtml"}))["data"].encode("utf-8", "replace")
        if len(data) > self._bounds.mhtml_bytes:
            self.found["mhtml_left_out"] = f"{len(data):,} bytes, more than {self._bounds.mhtml_bytes:,}"
            return
        (self._folder / "mhtml").write_bytes(data)
        self.found |= {"mhtml_file": "mhtml", "mhtml_left_out": None}

    async def _evaluated(self, expression: str) -> Any:
        """In a world of our own, whose functions the page cannot have replaced."""
        session = await self._opened()
        if not self._world:
            frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
            made = await session.send("Page.createIsolatedWorld", {"frameId": frame})
            self._world = made["executionContextId"]
        asked = {"expression": expression, "contextId": self._world, "returnByValue": True}
        found = await session.send("Runtime.evaluate", asked)
        value = found["result"].get("value")
        return json.loads(json.dumps(value))

    async def _opened(self) -> "CDPSession":
        if self._session is None:
            self._session = await self._page.context.new_cdp_session(self._page)
        return self._session
