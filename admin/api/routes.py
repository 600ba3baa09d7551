"""Declaration of API routes: permission, request schema and answer schema, stated once and documented from it.

The only module that uses flask-smorest, which is untyped.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, TypeAlias, TypeVar

from flask import Flask, Response, request
from flask_smorest import Api, Blueprint
from marshmallow import RAISE, Schema, fields
from werkzeug.routing import IntegerConverter

from admin.api.asking import Caller, admit
from admin.api.problems import CONTENT_TYPE, refuse
from admin.web.api_prefix import PREFIX
from admin.web.url_converters import LARGEST_KEY, KeyConverter
from storage.accounts.api_tokens import TokenScope
from storage.types import AccountRole

SMALL_BODY: Final = 1 << 16
"""In bytes: a request without an article."""
_JSON: Final = "application/json"
_BLUEPRINT: Final = "api_"
"""Prefix of blueprint names: the desk has blueprints of the same nouns."""

_Answer: TypeAlias = "type[Schema] | dict[str, str] | None"
"""A schema, or that of a file in OpenAPI's own words."""
_View = TypeVar("_View", bound=Callable[..., object])
"""Takes the caller, the parsed request and the parts of the URL; its result is dumped by the answer's schema."""


class FieldProblem(Schema):
    """A field that does not fit."""

    field = fields.String(required=True)
    message = fields.String(required=True)


class ProblemSchema(Schema):
    """A problem document (RFC 9457)."""

    type = fields.String(required=True, metadata={"description": "Identifies the kind of problem for programs."})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "For people: what is wrong and what to do."})
    errors = fields.List(fields.Nested(FieldProblem))


class _Documented(Api):  # type: ignore[misc]  # the library has no types
    """The API, documenting errors as problems; `admin.errors` answers them."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Register none: `admin.errors` handles errors of desk and API."""

    def _register_responses(self) -> None:
        named = [(status.name, status.phrase) for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST]
        for name, phrase in (*named, ("DEFAULT_ERROR", "What went wrong.")):
            answer = {"description": phrase, "content": {CONTENT_TYPE: {"schema": ProblemSchema}}}
            self.spec.components.response(name, answer, lazy=True)


@dataclass(frozen=True, slots=True)
class Needs:
    """The scope of the token and the role of its account that a route needs."""

    scope: TokenScope
    role: AccountRole = AccountRole.VIEWER


READS: Final = Needs(TokenScope.READ)


class Routes:
    """The routes of one resource, below /api/v1/NOUN."""

    def __init__(self, noun: str, description: str) -> None:
        self._noun = noun
        self.blueprint = Blueprint(
            f"{_BLUEPRINT}{noun}", __name__, url_prefix=f"{PREFIX}/{noun}", description=description
        )

    def get(
        self, path: str, needs: Needs, *, answer: type[Schema], query: type[Schema] | None = None
    ) -> Callable[[_View], _View]:
        return self._route("GET", path, needs, {200: answer}, query, "query")

    def file(
        self, path: str, needs: Needs, *, content_type: str, query: type[Schema] | None = None
    ) -> Callable[[_View], _View]:
        """A route whose answer is a file: the view returns the whole response."""
        answer = {"type": "string", "format": "binary"}
        return self._route("GET", path, needs, {200: answer}, query, "query", content_type=content_type)

    def post(
        self,
        path: str,
        needs: Needs,
        *,
        body: type[Schema],
        answers: Mapping[int, type[Schema]],
        most_bytes: int = SMALL_BODY,
    ) -> Callable[[_View], _View]:
        return self._route("POST", path, needs, answers, body, "json", most_bytes=most_bytes)

    def delete(
        self, path: str, needs: Needs, *, query: type[Schema] | None = None, answer: type[Schema] | None = None
    ) -> Callable[[_View], _View]:
        return self._route("DELETE", path, needs, {200: answer} if answer else {204: None}, query, "query")

    def _route(
        self,
        method: str,
        path: str,
        needs: Needs,
        answers: Mapping[int, _Answer],
        accepts: type[Schema] | None,
        location: str,
        *,
        most_bytes: int = SMALL_BODY,
        content_type: str | None = None,
    ) -> Callable[[_View], _View]:
        def decorate(view: _View) -> _View:
            documented = self._documented(view, answers, accepts, location, content_type)

            @wraps(documented)
            def guarded(*args: Any, **values: Any) -> Any:
                caller = admit(needs.scope, needs.role)
                if location == "json":
                    _bound_body(most_bytes)
                request.environ[_CALLER] = caller
                return documented(*args, **values)

            stated = self.blueprint.doc(
                security=[{"token": []}],
                description=f"{_about(view)}\n\nScope `{needs.scope}`, role `{needs.role}` or above.",
            )(guarded)
            self.blueprint.route(path, methods=[method], endpoint=view.__name__, tags=[self._noun])(stated)
            return view

        return decorate

    def _documented(
        self,
        view: Callable[..., object],
        answers: Mapping[int, _Answer],
        accepts: type[Schema] | None,
        location: str,
        content_type: str | None,
    ) -> Callable[..., Any]:
        @wraps(view)
        def called(*args: Any, **values: Any) -> Any:
            caller: Caller = request.environ[_CALLER]
            return view(caller, args[0] if args else {}, **values)

        found: Callable[..., Any] = called
        (first, schema), *others = answers.items()
        found = self.blueprint.response(first, schema, content_type=content_type)(found)
        for status, other in others:
            found = self.blueprint.alt_response(status, schema=other)(found)
        if accepts is not None:
            found = self.blueprint.arguments(accepts, location=location, unknown=RAISE)(found)
        return found


_CALLER: Final = "zhiwen.caller"


def _about(view: Callable[..., object]) -> str:
    return " ".join((view.__doc__ or "").split())


def _bound_body(most_bytes: int) -> None:
    request.max_content_length = most_bytes
    if request.mimetype != _JSON:
        refuse(415)
    # Read here, so that a body that is too long is refused before anything is done.
    request.get_data(cache=True)


def documented_api(app: Flask, title: str, version: str, about: str) -> Any:
    """The API of `app`; routes registered with it are in its OpenAPI document."""
    app.config.update(API_TITLE=title, API_VERSION=version, OPENAPI_VERSION="3.0.3")
    token = {"type": "http", "scheme": "bearer", "description": "A token: `zhiwen token add`, or on the account page."}
    api = _Documented(app, spec_kwargs={"info": {"description": about}, "servers": [{"url": "/"}]})
    api.spec.components.security_scheme("token", token)
    api.register_converter(KeyConverter, _key_schema)
    return api


def openapi_of(api: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.spec.to_dict()
    # Belongs to the pagination of the library, which is not used.
    found["components"]["schemas"].pop("PaginationMetadata", None)
    for tag in found["tags"]:
        tag["name"] = tag["name"].removeprefix(_BLUEPRINT)
    return found


def _key_schema(_converter: IntegerConverter) -> dict[str, object]:
    return {"type": "integer", "minimum": 0, "maximum": LARGEST_KEY}


def no_content() -> Response:
    return Response(status=HTTPStatus.NO_CONTENT)
