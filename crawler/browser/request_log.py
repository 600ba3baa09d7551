"""Every request that a page makes in a browser, with its result; the bodies and certificates of what answered."""

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from crawler.browser.guarded_proxy import REFUSED_BY, GuardedProxy
from crawler.browser.recording import WEB, RecordingBounds

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page, Request, Response

BODY_S: Final = 5.0
HEADERS_S: Final = 2.0
MOST_URL: Final = 4_000
MOST_HEADERS: Final = 200
MOST_VALUE: Final = 16_000
MOST_ORIGINS: Final = 50
GUARD: Final = "refused by the guard"
NO_ANSWER: Final = "no answer by the end"
_REFUSED_BY_PROXY: Final = ("ERR_TUNNEL_CONNECTION_FAILED", "ERR_PROXY", "ERR_HTTP_RESPONSE_CODE_FAILURE")


@dataclass(slots=True)
class Asked:
    """A request. `failure`: why it has no whole answer."""

    request: "Request"
    at: datetime
    response: "Response | None" = None
    failure: str | None = None
    is_finished: bool = False


class RequestLog:
    """Collects while the page loads; bodies are read afterwards, into `folder`."""

    def __init__(self, folder: Path, proxy: GuardedProxy, bounds: RecordingBounds) -> None:
        self._folder = folder
        self._proxy = proxy
        self._bounds = bounds
        self._asked: dict[Request, Asked] = {}
        self._unlisted = 0
        self._answers: dict[Request, dict[str, Any]] = {}
        self._files: dict[Request, str] = {}
        self._left_out: dict[Request, str] = {}
        self._certificates: dict[str, list[str]] = {}
        self._tls: list[dict[str, Any]] = []
        self._session: CDPSession | None = None
        self._stopping: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()
        """Set when loading was ended because of too many requests."""

    async def attach(self, context: "BrowserContext", page: "Page") -> None:
        """Before the page is opened: the browser remembers certificates for whoever listens by then."""
        self._session = await context.new_cdp_session(page)
        await self._session.send("Network.enable", {"maxTotalBufferSize": 1, "maxResourceBufferSize": 1})
        context.on("request", self._begin)
        context.on("response", self._answered)
        context.on("requestfinished", self._finished)
        context.on("requestfailed", self._failed)

    def _begin(self, request: "Request") -> None:
        if len(self._asked) < self._bounds.requests:
            self._asked[request] = Asked(request, datetime.now(UTC))
            return
        self._unlisted += 1
        if self._stopping is None:
            self._proxy.refuse_all()
            self._stopping = asyncio.ensure_future(_stopped(self._session))
            self._stopping.add_done_callback(lambda _: self.ended.set())

    def _answered(self, response: "Response") -> None:
        if (asked := self._asked.get(response.request)) is not None:
            asked.response = response

    def _finished(self, request: "Request") -> None:
        if (asked := self._asked.get(request)) is not None:
            asked.is_finished = True

    def _failed(self, request: "Request") -> None:
        if (asked := self._asked.get(request)) is not None:
            asked.failure = (request.failure or "failed")[:200]

    async def read_bodies(self) -> None:
        """Headers and bodies of the answers, in the order of their requests, until the bytes are used up."""
        left = self._bounds.bodies_bytes
        for request, asked in self._asked.items():
            response = asked.response
            if response is None or _scheme(request.url) not in WEB:
                continue
            self._answers[request] = await _head(response)
            if self._is_of_guard(request):
                continue
            data = await self._body(asked, response) if left > 0 else "the bodies before it used up the bytes"
            if isinstance(data, bytes) and len(data) > min(left, self._bounds.body_bytes):
                data = f"{len(data):,} bytes are too many"
            if isinstance(data, str):
                self._left_out[request] = data
                continue
            left -= len(data)
            name = f"body-{len(self._files) + 1:04}"
            (self._folder / name).write_bytes(data)
            self._files[request] = name

    async def _body(self, asked: Asked, response: "Response") -> bytes | str:
        """The body unpacked, or why there is none."""
        from playwright.async_api import Error  # noqa: PLC0415

        if not asked.is_finished:
            return asked.failure or NO_ANSWER
        if 300 <= response.status < 400:  # noqa: PLR2004  # browsers hand out no bodies of redirects
            return b""
        stated = response.headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self._bounds.body_bytes:
            return f"{int(stated):,} bytes are too many"
        try:
            async with asyncio.timeout(BODY_S):
                body: bytes = await response.body()
                return body
        except TimeoutError:
            return f"not read within {BODY_S:.0f} s"
        except Error as error:
            return error.message.partition("\n")[0][:200]

    async def read_certificates(self) -> None:
        """The chain that each server showed, and the connection's protocol."""
        from playwright.async_api import Error  # noqa: PLC0415

        first = {
            _origin(asked.request.url): asked.response
            for asked in reversed(self._asked.values())
            if asked.response is not None and _scheme(asked.request.url) == "https"
        }
        for origin, response in list(first.items())[::-1][:MOST_ORIGINS]:
            with contextlib.suppress(Error):
                self._tls.append({"origin": origin, **_connection(await response.security_details())})
                self._certificates[origin] = await self._chain(origin)

    async def _chain(self, origin: str) -> list[str]:
        if self._session is None:
            return []
        found: list[str] = (await self._session.send("Network.getCertificate", {"origin": origin}))["tableNames"]
        return found

    def found(self) -> dict[str, Any]:
        """What is known, as JSON has it."""
        requests = [self._shape(number, asked) for number, asked in enumerate(self._asked.values(), 1)]
        more = {"requests": requests, "requests_not_listed": self._unlisted}
        return {**more, "tls": self._tls, "certificates": self._certificates}

    def _shape(self, number: int, asked: Asked) -> dict[str, Any]:
        request = asked.request
        host = _host(request.url)
        is_of_web = _scheme(request.url) in WEB and not self._is_of_guard(request)
        answer = self._answers.get(request) or _status(asked.response) if is_of_web else None
        left_out = self._left_out.get(request)
        if answer is not None and left_out is None and request not in self._files:
            left_out = "not read in time"
        source = request.redirected_from
        numbers = {one: place for place, one in enumerate(self._asked, 1)}
        shape = {
            **{"number": number, "at": asked.at.isoformat(), "method": request.method, "type": request.resource_type},
            **{"url": _shown(request.url), "result": self._result(asked), "answer": answer},
            "remote_address": self._proxy.peers.get(host) if answer is not None else None,
            "redirected_from": None if source is None else numbers.get(source),
            "left_out": left_out,
        }
        return shape | ({"file": self._files[request]} if request in self._files else {})

    def _result(self, asked: Asked) -> str:
        if self._is_of_guard(asked.request):
            return GUARD
        if asked.failure is not None:
            return asked.failure
        return "answered" if asked.response is not None else NO_ANSWER

    def _is_of_guard(self, request: "Request") -> bool:
        """Whether the proxy answered in place of a server. It refuses a plain request by a page of its own, a tunnel by
        an error of the browser.
        """
        if _host(request.url) not in self._proxy.blocked:
            return False
        asked = self._asked[request]
        is_refused = any(word in (asked.failure or "") for word in _REFUSED_BY_PROXY)
        return is_refused or (asked.response is not None and REFUSED_BY in asked.response.headers)


async def _stopped(session: "CDPSession | None") -> None:
    """Ends loading: of a page that asks for things without end, what is there by now is recorded."""
    with contextlib.suppress(Exception):
        if session is not None:
            await session.send("Emulation.setScriptExecutionDisabled", {"value": True})
            await session.send("Page.stopLoading")


async def _head(response: "Response") -> dict[str, Any]:
    """Status and headers as received; those that the browser shows, if it does not hand out the others in time."""
    from playwright.async_api import Error  # noqa: PLC0415

    try:
        async with asyncio.timeout(HEADERS_S):
            headers = [(one["name"], one["value"]) for one in await response.headers_array()]
    except (TimeoutError, Error):
        headers = list(response.headers.items())
    kept = [[name[:200], value[:MOST_VALUE]] for name, value in headers[:MOST_HEADERS]]
    return {"status": response.status, "headers": kept}


def _status(response: "Response | None") -> dict[str, Any] | None:
    """Without headers: they were not read in time."""
    return None if response is None else {"status": response.status, "headers": []}


def _connection(details: Any) -> dict[str, Any]:
    """What the browser says of the connection; None where it does not."""
    said = details or {}
    return {"protocol": said.get("protocol"), "subject": said.get("subjectName"), "issuer": said.get("issuer")}


def _shown(url: str) -> str:
    return url[:MOST_URL] if _scheme(url) in WEB else f"{url[:100]}{'…' if len(url) > 100 else ''}"  # noqa: PLR2004


def _scheme(url: str) -> str:
    return url.partition(":")[0].lower()


def _host(url: str) -> str:
    """Empty for an address without a host, or one that only browsers take for an address (`data://[`)."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _origin(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"
