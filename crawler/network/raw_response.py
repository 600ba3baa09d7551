"""The bytes of a response as the server sent them, noted before they are unpacked."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from crawler.warc.writer import RawResponse

if TYPE_CHECKING:
    from scrapy.http import Request, Response


RAW_META: Final = "zhiwen_raw"


class RawResponseMiddleware:
    """Stands next to the downloader, where nothing is unpacked yet."""

    def process_response(self, request: "Request", response: "Response") -> "Response":
        request.meta[RAW_META] = raw_response(response)
        return response


def raw_response(response: "Response") -> RawResponse:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    certificate = response.certificate
    return RawResponse(
        url=response.url,
        at=datetime.now(UTC),
        status=response.status,
        headers=headers,
        body=response.body,
        peer=None if response.ip_address is None else str(response.ip_address),
        protocol=response.protocol or "HTTP/1.1",
        certificate=None if certificate is None else certificate.dump(),
    )


def raw_of(response: "Response") -> RawResponse | None:
    """What was sent for this very response; None where nothing was noted of it."""
    raw: RawResponse | None = response.meta.get(RAW_META)
    # Requests are copied with all that they carry: what another address answered is not its own.
    return raw if raw is not None and raw.url == response.url else None
