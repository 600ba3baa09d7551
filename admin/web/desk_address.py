"""The address of the desk: the base of external links, and the hosts that it answers to.

The Host header is whatever the client sends. A link built from it would lead wherever a page that rebinds its name
wants it to.
"""

from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Response, request, url_for

from admin.web.services import current_services

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""Names by which health checks and Prometheus on this machine ask; no name server resolves them elsewhere."""


def outside_url(endpoint: str, **values: Any) -> str:
    """An absolute URL below ZHIWEN_DESK_URL where it is set, else below the request's host."""
    base = current_services().desk_url
    return (
        url_for(endpoint, _external=True, **values) if base is None else base.rstrip("/") + url_for(endpoint, **values)
    )


def is_own_name() -> bool:
    """Whether the request's host is this machine itself, or the desk's configured address."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        return False
    base = current_services().desk_url
    return host in LOOPBACK or (base is not None and host == urlsplit(base).hostname)


def init_app(app: Flask) -> None:
    """Must be called before other hooks are installed."""
    app.before_request(_refuse_foreign_host)
    app.add_template_global(outside_url)


def _refuse_foreign_host() -> Response | None:
    base = current_services().desk_url
    if base is None or is_own_name():
        return None
    return Response(f"The desk is at {base} and answers to no other host.\n", 400, mimetype="text/plain")
