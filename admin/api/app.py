"""The API as a whole: its resources, its OpenAPI document, and requests without cookies."""

from importlib.metadata import version
from typing import Any, Final

import flask
from flask import Flask, Request, Response, jsonify
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf import CSRFProtect

from admin.api import (
    asking,
    cases,
    check,
    countersignatures,
    discovery,
    matches,
    originals,
    pages,
    retellings,
    set_aside,
    sites,
)
from admin.api.correspondence import letters
from admin.api.routes import documented_api, openapi_of
from admin.web.api_prefix import PREFIX, is_api

TITLE: Final = "Zhiwen 指纹"
ABOUT: Final = (
    "Finds copied articles, with evidence. Every request needs a token; lists come in pieces, each with the cursor of "
    "the next; every error is a problem document (RFC 9457)."
)
EXTENSION: Final = "zhiwen.api"
OPENAPI_ENDPOINT: Final = "api_openapi"
_NOUNS: Final = (
    *(check.routes, originals.routes, originals.backfill_routes, pages.routes, matches.routes, retellings.routes),
    *(cases.routes, discovery.routes, set_aside.routes, sites.site_routes, sites.run_routes),
    letters.routes,
    countersignatures.routes,
)


class CookielessApi(SecureCookieSessionInterface):
    """Sessions of browsers. API requests neither read nor create one: only the token counts."""

    def open_session(self, app: Flask, request: Request) -> Any:
        return self.session_class() if is_api(request.path) else super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if not is_api(flask.request.path):
            super().save_session(app, session, response)


def init_app(app: Flask, csrf: CSRFProtect) -> None:
    app.session_interface = CookielessApi()
    asking.init_app(app)
    api = documented_api(app, TITLE, version("zhiwen"), ABOUT)
    for noun in _NOUNS:
        # Without cookies another site cannot misuse a browser's session.
        csrf.exempt(noun.blueprint)
        api.register_blueprint(noun.blueprint)
    app.extensions[EXTENSION] = api
    app.add_url_rule(f"{PREFIX}/openapi.json", OPENAPI_ENDPOINT, _openapi)


def _openapi() -> Response:
    return jsonify(openapi())


def openapi() -> dict[str, Any]:
    """The OpenAPI document of the current app."""
    return openapi_of(flask.current_app.extensions[EXTENSION])
