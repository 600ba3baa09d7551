"""The bytes of a response as the server sent them, recorded before they are decompressed."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from crawler.warc.writer import RawResponse

if TYPE_CHECKING:
    from scrapy.http import Request, Response


RAW_META: Final = "zhiwen_raw"


class RawResponseMiddleware:
    """Records each response next to the downloader, before it is decompressed."""

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
    """The response as it was sent; None if it was not recorded."""
    raw: RawResponse | None = response.meta.get(RAW_META)
    # Requests are copied with their meta: what another address answered does not count.
    return raw if raw is not None and raw.url == response.url else None
