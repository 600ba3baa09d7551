"""Records a page in a browser: pictures of all of it, the page as MHTML, every response, and how it was done.

The browser runs in a child process with an empty profile, and reaches the web only through the guard.
"""

import base64
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from crawler.browser.child_process import NotMade, made_by_child
from crawler.network.public_addresses import Network
from crawler.warc.writer import RawResponse

WEB: Final = frozenset({"http", "https"})
START_S: Final = 30.0
"""For child and browser to start and to end, on a busy machine."""
_MEMBERS: Final = "members"
_PROFILE: Final = "profile"
_TRANSFER: Final = frozenset({"content-encoding", "transfer-encoding", "content-length"})
"""Headers that describe the body on the wire. The browser hands bodies out unpacked."""
KEPT_AS: Final = "X-Archive-Orig-"
"""Under this prefix such headers are kept, as web archives do."""


TAKE_PICTURES: Final = "take pictures"
READ_TEXT: Final = "read the text that it shows"
SAVE_PAGE: Final = "save the page"
READ_RESPONSES: Final = "read the responses"
READ_CERTIFICATES: Final = "read the certificates"
PARTS: Final = frozenset({TAKE_PICTURES, READ_TEXT, SAVE_PAGE, READ_RESPONSES, READ_CERTIFICATES})
"""Steps that make a part of the record. The wait for a busy page is not among them: it may end by its bound."""


class NotRecorded(NotMade):
    """The page was not recorded; the message says why."""


@dataclass(frozen=True, slots=True)
class RecordingBounds:
    """What one page may take. Whatever is left out for it is named in the record."""

    total_s: float = 60.0
    load_s: float = 30.0
    settle_s: float = 5.0
    """For requests after the page is loaded, and again after it was scrolled."""
    network_bytes: int = 50_000_000
    """Both ways together, as they pass the proxy."""
    requests: int = 1_000
    """Listed. One more ends loading."""
    body_bytes: int = 10_000_000
    """Of one response, unpacked."""
    bodies_bytes: int = 40_000_000
    slice_px: int = 2_000
    """Height of one picture."""
    height_px: int = 40_000
    """Of the part of the page that is pictured."""
    pictures_bytes: int = 40_000_000
    mhtml_bytes: int = 30_000_000
    text_chars: int = 1_000_000


BOUNDS: Final = RecordingBounds()


@dataclass(frozen=True, slots=True)
class Slice:
    """A picture (PNG) of the page from `top_px` on."""

    data: bytes
    top_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class Recording:
    """`facts`: what the child says of steps, requests, DNS, TLS and browser, as JSON has it. `text`: what the page
    shows. `responses`: by the number of their request, bodies unpacked.
    """

    facts: Mapping[str, Any]
    slices: tuple[Slice, ...]
    mhtml: bytes | None
    text: str
    responses: Mapping[int, RawResponse]
    certificates: Mapping[str, tuple[bytes, ...]]
    """By origin the chain that the server showed, its own certificate first. DER."""
    bounds: RecordingBounds


def record_page(url: str, *, allowed_networks: Iterable[Network] = (), bounds: RecordingBounds = BOUNDS) -> Recording:
    """Opens the page at `url`, and no other that it leads the browser to. Parts that fail are named in the facts.

    Raises NotRecorded if the page cannot be opened; blocks up to `bounds.total_s` and START_S.
    """
    if urlsplit(url).scheme.lower() not in WEB:
        raise NotRecorded(f"{url[:200]} is not a web address: only http and https are opened")
    with tempfile.TemporaryDirectory(prefix="zhiwen-record-", ignore_cleanup_errors=True) as folder:
        members, profile = Path(folder, _MEMBERS), Path(folder, _PROFILE)
        members.mkdir()
        profile.mkdir()
        order = {
            **{"url": url, "allowed": [str(network) for network in allowed_networks], "bounds": asdict(bounds)},
            **{"members": str(members), "profile": str(profile)},
        }
        most_s = bounds.total_s + START_S
        made = made_by_child("crawler.browser.recorder", order, timeout_s=most_s, failure=NotRecorded)
        return _read(json.loads(made), members, bounds)


def _read(found: dict[str, Any], members: Path, bounds: RecordingBounds) -> Recording:
    """The parts that the child wrote. Takes its files out of the facts."""
    slices = tuple(
        Slice((members / one.pop("file")).read_bytes(), one["top_px"], one["height_px"])
        for one in found["pictures"]["slices"]
    )
    mhtml, text = found.pop("mhtml_file"), found.pop("text_file")
    chains = found.pop("certificates")
    return Recording(
        facts=found,
        slices=slices,
        mhtml=None if mhtml is None else (members / mhtml).read_bytes(),
        text="" if text is None else (members / text).read_text("utf-8"),
        responses={
            one["number"]: _response(one, members) for one in found["requests"] if one.get("answer") is not None
        },
        certificates={origin: tuple(map(base64.b64decode, chain)) for origin, chain in chains.items()},
        bounds=bounds,
    )


def _response(asked: dict[str, Any], members: Path) -> RawResponse:
    """What the browser got for a request, as an archive keeps it."""
    answer, file = asked["answer"], asked.pop("file", None)
    body = b"" if file is None else (members / file).read_bytes()
    return RawResponse(
        url=asked["url"],
        at=datetime.fromisoformat(asked["at"]).astimezone(UTC),
        status=answer["status"],
        headers=_archived(answer["headers"], len(body)),
        body=body,
        peer=asked["remote_address"],
    )


def _archived(headers: Sequence[Sequence[str]], length: int) -> tuple[tuple[str, str], ...]:
    own = [(f"{KEPT_AS}{name}" if name.lower() in _TRANSFER else name, value) for name, value in headers]
    return (*own, ("Content-Length", str(length)))
