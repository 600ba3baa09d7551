"""Answers that many views share."""

from typing import Any, TypeVar

from flask import abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.web.rendering.safe_links import local_path

_Found = TypeVar("_Found")


def or_404(found: _Found | None) -> _Found:
    """`found`; None ends the request with 404."""
    if found is None:
        abort(404)
    return found


def done(words: str, endpoint: str, /, *, category: str = "message", **values: Any) -> AnyResponse:
    """Redirect to `endpoint`, or back to the page that the form names in `next`; it shows `words` once."""
    flash(words, category)
    return onward(endpoint, **values)


def onward(endpoint: str, /, **values: Any) -> AnyResponse:
    """Redirect to the page of this desk that the form names in `next`, else to `endpoint`."""
    return redirect(local_path(request.form.get("next"), otherwise=url_for(endpoint, **values)))
