"""Answers as gzip, where that is safe and worth it.

Compressed lengths tell what a text has in common with itself: a page that shows what another site made the browser
send, beside a secret, can be measured letter by letter (BREACH). So an answer is left as it is if the request came from
another site, or if the page hands out a secret (the blueprints of `SECRET`). What remains differs in length by a random
number of bytes. The token of forms is no such secret: its signature is new every second.
"""

import gzip
import secrets
import struct
import time
import zlib
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request

from admin.identity.current_user import ASSET_ENDPOINTS

LEAST_BYTES: Final = 600
"""Below, the headers of a packet are most of an answer."""
LARGEST_BYTES: Final = 8_000_000
"""Above, compressing keeps a thread for a quarter of a second; such answers are downloads."""
LEVEL: Final = 6
ASSET_LEVEL: Final = 9
MOST_ASSETS: Final = 64
MOST_PADDING: Final = 64
"""Bytes: the length of a list of fifty rows varies more with its content."""
TEXT_TYPES: Final = frozenset(
    {
        *("text/html", "text/css", "text/plain", "text/csv", "text/javascript", "application/javascript"),
        *("application/json", "application/problem+json", "application/atom+xml", "image/svg+xml"),
    }
)
SECRET: Final = frozenset(
    {"login", "second_step", "two_factor", "password_link", "tokens", "people", "account", "feeds"}
)
"""Blueprints whose pages show or take passwords, codes and tokens."""
_FOREIGN: Final = frozenset({"cross-site", "same-site"})
_OK: Final = 200


def init_app(app: Flask) -> None:
    """Must be called first: hooks after a request run in reverse, and this one sees the finished answer."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if not _is_text(response):
        return response
    response.vary.add("Accept-Encoding")
    is_asset = request.endpoint in ASSET_ENDPOINTS
    if not _is_accepted() or not (is_asset or _is_safe()):
        return response
    data = _content(response)
    if not LEAST_BYTES <= len(data) <= LARGEST_BYTES:
        return response
    response.set_data(compressed_asset(data) if is_asset else compressed_page(data))
    response.headers["Content-Encoding"] = "gzip"
    _weaken_tag(response)
    return response


def _content(response: Response) -> bytes:
    """All of an answer, with the file closed that it was read from."""
    response.direct_passthrough = False
    source = response.response
    data = response.get_data()
    close = getattr(source, "close", None)
    if close is not None:
        close()
    return data


def _is_text(response: Response) -> bool:
    is_whole = response.status_code >= _OK and response.status_code not in (204, 206, 304)
    is_open = not response.is_streamed or response.direct_passthrough
    return (
        is_whole
        and is_open
        and response.mimetype in TEXT_TYPES
        and "Content-Encoding" not in response.headers
        and not response.headers.get("Content-Disposition", "").startswith("attachment")
    )


def _is_accepted() -> bool:
    return request.accept_encodings["gzip"] > 0 and request.method != "HEAD"


def _is_safe() -> bool:
    """Whether the page may be compressed: it was not asked for by another site, and hands out no secret."""
    return request.headers.get("Sec-Fetch-Site") not in _FOREIGN and request.blueprint not in SECRET


def compressed_page(data: bytes) -> bytes:
    """Gzip (RFC 1952) with a file name of random length, which readers skip."""
    name = b"x" * secrets.randbelow(MOST_PADDING + 1)
    head = b"\x1f\x8b\x08\x08" + struct.pack("<L", int(time.time())) + b"\x00\xff" + name + b"\x00"
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(data) + packer.flush()
    return head + body + struct.pack("<LL", zlib.crc32(data), len(data) & 0xFFFFFFFF)


@lru_cache(maxsize=MOST_ASSETS)
def compressed_asset(data: bytes) -> bytes:
    """Static files are compressed once: everybody may know them."""
    return gzip.compress(data, ASSET_LEVEL, mtime=0)


def _weaken_tag(response: Response) -> None:
    """The tag names the file, of which this is another form."""
    tag, is_weak = response.get_etag()
    if tag is not None and not is_weak:
        response.set_etag(tag, weak=True)
