"""Bootstrap's style sheet, less the rules whose classes nothing in the desk uses."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import flask_bootstrap
from flask import Blueprint, Flask, Response, url_for

from admin.hooks.asset_names import ASK_AGAIN, FOR_EVER, HASH_CHARS
from admin.web.rendering.used_style import used_part, words_in

FILE: Final = "bootstrap5/css/bootstrap.min.css"
_USING: Final = ("templates/**/*.html", "static/*.js", "**/*.py")
"""Where classes are named."""

blueprint = Blueprint("style", __name__, url_prefix="/style")


@dataclass(frozen=True, slots=True)
class Style:
    content: str
    digest: str


def init_app(app: Flask) -> None:
    """After Bootstrap's extension."""
    app.register_blueprint(blueprint)
    app.add_template_global(_address, "bootstrap_style")


@blueprint.get("/bootstrap.<digest>.css")
def bootstrap(digest: str) -> Response:
    style = _style()
    answer = Response(style.content, mimetype="text/css")
    # An address of before an update must not hold the new style for ever.
    answer.headers["Cache-Control"] = FOR_EVER if digest == style.digest else ASK_AGAIN
    return answer


def _address() -> str:
    return url_for("style.bootstrap", digest=_style().digest)


@cache
def _style() -> Style:
    """Made once per process, in less than a tenth of a second."""
    desk = Path(__file__).parents[1]
    whole = (Path(flask_bootstrap.__file__).parent / "static" / FILE).read_text("utf-8")
    words = words_in(file.read_text("utf-8") for pattern in _USING for file in sorted(desk.glob(pattern)))
    content = used_part(whole, words)
    return Style(content, hashlib.sha256(content.encode()).hexdigest()[:HASH_CHARS])
