"""Security headers of every answer: nothing from elsewhere, nothing inline, no frames."""

from typing import Final

from flask import Flask
from flask_talisman import Talisman

from admin.identity.current_user import SESSION_LIFETIME

CONTENT_SECURITY_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    # data: for the arrows and ticks inside Bootstrap's style sheet.
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
PERMISSIONS_POLICY: Final = dict.fromkeys(("camera", "geolocation", "microphone", "browsing-topics"), "()")


def init_app(app: Flask, *, secure_cookies: bool) -> None:
    app.config.update(SESSION_COOKIE_NAME="zhiwen_session", PERMANENT_SESSION_LIFETIME=SESSION_LIFETIME)
    Talisman(
        app,
        force_https=secure_cookies,
        session_cookie_secure=secure_cookies,
        strict_transport_security=secure_cookies,
        content_security_policy=CONTENT_SECURITY_POLICY,
        permissions_policy=PERMISSIONS_POLICY,
        frame_options="DENY",
        referrer_policy="same-origin",
    )
