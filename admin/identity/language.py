"""Language of a page, Chinese or English, and the switch."""

from typing import Final, cast

from flask import Blueprint, Flask, abort, redirect, request, session, url_for
from flask_babel import Babel, get_locale
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.current_user import current_account
from admin.identity.time_zone import viewer_zone
from admin.web.rendering.safe_links import local_path
from admin.web.services import current_services

LANGUAGES: Final = {"zh": "中文", "en": "English"}
_HTML_LANG: Final = {"zh": "zh-CN", "en": "en"}
_SESSION_KEY: Final = "language"

blueprint = Blueprint("language", __name__)


@blueprint.post("/language")
def switch() -> AnyResponse:
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(400)
    remember_language(chosen)
    return redirect(local_path(request.form.get("next"), otherwise=url_for("home.index")))


def chosen_language() -> str | None:
    """The language chosen in this session."""
    return cast("str | None", session.get(_SESSION_KEY))


def remember_language(language: str | None) -> None:
    if language is not None:
        session[_SESSION_KEY] = language


def forget_language() -> None:
    """Drop the choice of this session; the account's preference applies again."""
    session.pop(_SESSION_KEY, None)


def init_app(app: Flask) -> None:
    Babel(app, locale_selector=_select_language, timezone_selector=viewer_zone)
    app.context_processor(_for_templates)


def _select_language() -> str:
    """The language of this session, else of the account, else of the browser, else of the installation.

    The browser's preference counts where nobody has chosen: before the login, and for an account without a language.
    """
    account = current_account()
    choices = (chosen_language(), account.language if account else None, _of_browser(), current_services().language)
    return next((choice for choice in choices if choice in LANGUAGES), "zh")


def _of_browser() -> str | None:
    """The first language of the browser that the desk has; of `zh-TW` and `en-GB`, the main one."""
    for wanted in request.accept_languages.values():
        plain = wanted.partition("-")[0].lower()
        if plain in LANGUAGES:
            return plain
    return None


def _for_templates() -> dict[str, object]:
    current = str(get_locale() or "zh")
    return {
        "language": current,
        "html_lang": _HTML_LANG.get(current, current),
        "other_languages": [(code, name) for code, name in LANGUAGES.items() if code != current],
    }
