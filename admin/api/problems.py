"""Errors of the API as problem documents (RFC 9457)."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NoReturn, TypeVar

from flask import Response, json
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from admin.web.reading_slots import RETRY_AFTER_S, Busy
from storage.postgres.timeouts import is_timeout, is_unavailable

CONTENT_TYPE: Final = "application/problem+json"
_TYPE: Final = "urn:zhiwen:problem:"
_FIRST_ERROR: Final = 400
_Found = TypeVar("_Found")
_MOST_NAMED: Final = 100
"""Most invalid fields that are listed: a batch may have thousands."""

DETAILS: Final[Mapping[int, str]] = {
    400: "Cannot read the request: the body is not JSON, or not of the stated length.",
    401: "Send a token: Authorization: Bearer zwt_…",
    403: "This token may not do that.",
    404: "There is nothing at this URL.",
    405: "Method not allowed here; Allow lists the methods.",
    413: "The request is too large.",
    415: "Send JSON: Content-Type: application/json",
    422: "The request is invalid; errors lists the fields.",
    429: "Too many requests with this token. Wait for the seconds of Retry-After.",
    500: "Internal error. The log of the program says more.",
    503: "The database does not answer. Try again in a moment.",
}
TOO_SLOW: Final = "The query exceeded its time limit. Ask for less."

BUSY: Final = "Busy with other documents or long texts. Send the request again after Retry-After."


class Problem(HTTPException):
    """An error of the API. `word` ends the problem's type, by which programs distinguish problems."""

    def __init__(
        self, status: int, detail: str = "", *, word: str = "", errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(detail or DETAILS.get(status, ""))
        self.code = status
        self.word = word
        self.errors = errors
        self.headers = dict(headers or {})


def refuse(status: int, detail: str = "", *, word: str = "", headers: Mapping[str, str] | None = None) -> NoReturn:
    """End the request with a problem."""
    raise Problem(status, detail, word=word, headers=headers)


def known(found: _Found | None, detail: str) -> _Found:
    """`found`; None ends the request with 404 and `detail`."""
    if found is None:
        refuse(404, detail)
    return found


def problem_response(error: HTTPException) -> Response | HTTPException:
    """The response to any error of the API; redirects are returned unchanged."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if status < _FIRST_ERROR:
        return error
    cause = getattr(error, "original_exception", None)
    if is_timeout(cause):
        return _answer(HTTPStatus.SERVICE_UNAVAILABLE, TOO_SLOW, word="too-slow")
    if is_unavailable(cause):
        return unavailable()
    if isinstance(error, Busy):
        return _answer(status, BUSY, word="busy", headers={"Retry-After": str(RETRY_AFTER_S)})
    if isinstance(error, Problem):
        return _answer(status, error.description or "", word=error.word, errors=error.errors, headers=error.headers)
    kept = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    return _answer(status, DETAILS.get(status, ""), errors=_named(error), headers=kept)


def unavailable() -> Response:
    return _answer(HTTPStatus.SERVICE_UNAVAILABLE, DETAILS[503], word="database-away")


def problem(status: int, detail: str, *, word: str = "", errors: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    """The members of a problem document."""
    title = HTTP_STATUS_CODES.get(status, "Error")
    shape: dict[str, Any] = {
        "type": _TYPE + (word or title.lower().replace(" ", "-")),
        "title": title,
        "status": int(status),
        "detail": detail,
    }
    return shape | ({"errors": list(errors)} if errors else {})


def _answer(
    status: int,
    detail: str,
    *,
    word: str = "",
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    answer = Response(json.dumps(problem(status, detail, word=word, errors=errors)), status, content_type=CONTENT_TYPE)
    answer.headers.update(headers or {})
    return answer


def _named(error: HTTPException) -> list[dict[str, str]]:
    """Invalid fields with their messages, as the argument parser reports them."""
    messages = (getattr(error, "data", None) or {}).get("messages", {})
    return [
        {"field": field, "message": message}
        for _place, found in zip(range(_MOST_NAMED), _flat(messages, ""), strict=False)
        for field, message in [found]
    ]


def _flat(messages: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from _flat(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(messages, (list, tuple)):
        for inner in messages:
            yield from _flat(inner, path)
    else:
        yield path, str(messages)
