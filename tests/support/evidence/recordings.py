"""A recording of a page as a browser would have made it, for tests that need none."""

from datetime import timedelta
from typing import Any

from crawler.browser.recording import BOUNDS, Recording, Slice
from tests.support.evidence.evidence import AT, a_response
from tests.support.factories import text_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def a_recording(number: int = 1, **facts: Any) -> Recording:
    """Of `a_response(number)`, with two pictures and a resource."""
    page = a_response(number)
    style = a_response(number, url=f"{page.url}/style.css", body=b"body{}")
    requests = [
        {
            **{"number": place, "at": AT.isoformat(), "method": "GET", "type": kind, "url": one.url},
            **{"result": "answered", "remote_address": one.peer, "redirected_from": None, "left_out": None},
            "answer": {"status": one.status, "headers": [list(header) for header in one.headers]},
        }
        for place, (kind, one) in enumerate((("document", page), ("stylesheet", style)), 1)
    ]
    slices = [{"top_px": 0, "height_px": 2_000}, {"top_px": 2_000, "height_px": 900}]
    pictures = {
        "slices": slices,
        "page_width_px": 1_280,
        "page_height_px": 2_900,
        "width_px": 1_280,
        "height_px": 2_900,
        "left_out": None,
    }
    known: dict[str, Any] = {
        **{"url": page.url, "started_at": AT.isoformat(), "ended_at": (AT + timedelta(seconds=4)).isoformat()},
        **{"seconds": 4.0, "steps": [{"step": "open the page", "at": AT.isoformat(), "result": "done"}]},
        **{"pictures": pictures, "mhtml_left_out": None, "text_left_out": None, "requests": requests},
        **{"popups": 0, "dialogs": 0, "downloads": 0, "crashes": 0, "requests_not_listed": 0, "tls": []},
        **{"certificate_problem": None, "lookups": [], "network_bytes": 2_000, "browser": {"version": "1"}},
        "profile": {"folder_was_empty": True, "cookies": 0, "extensions": 0},
    }
    return Recording(
        facts=known | facts,
        slices=(Slice(PNG, 0, 2_000), Slice(PNG + b"2", 2_000, 900)),
        mhtml=b"MIME-Version: 1.0\r\n\r\n",
        text=text_of(number),
        responses={1: page, 2: style},
        certificates={},
        bounds=BOUNDS,
    )
