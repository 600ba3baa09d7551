"""Answers that many views share."""

from typing import Any, TypeVar

from flask import abort, flash, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

_Found = TypeVar("_Found")


def or_404(found: _Found | None) -> _Found:
    """`found`; None ends the request with 404."""
    if found is None:
        abort(404)
    return found


def done(words: str, endpoint: str, /, *, category: str = "message", **values: Any) -> AnyResponse:
    """Redirect to `endpoint`, which shows `words` once."""
    flash(words, category)
    return redirect(url_for(endpoint, **values))
