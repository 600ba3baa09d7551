"""Time-based one-time passwords (RFC 6238): six digits, 30 seconds each."""

from datetime import datetime
from typing import Final

import pyotp
import segno

ISSUER: Final = "Zhiwen"
STEP_S: Final = 30
DRIFT_STEPS: Final = 1
"""Steps by which a phone's clock may differ from ours."""
_DIGITS: Final = 6


def made_secret() -> str:
    """A new secret of 160 random bits, in base 32."""
    return pyotp.random_base32()


def matching_step(secret: str, code: str, at: datetime) -> int | None:
    """The time step, counted from 1970, whose code this is; None where it matches none near `at`."""
    digits = "".join(code.split())
    if len(digits) != _DIGITS or not (digits.isascii() and digits.isdecimal()):
        return None
    totp, now = pyotp.TOTP(secret), int(at.timestamp()) // STEP_S
    steps = range(now + DRIFT_STEPS, now - DRIFT_STEPS - 1, -1)
    # All steps are compared, so that the time taken reveals nothing.
    fitting = [step for step in steps if pyotp.utils.strings_equal(digits, totp.generate_otp(step))]
    return fitting[0] if fitting else None


def enrolment_uri(secret: str, name: str) -> str:
    """The otpauth URI of the QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def qr_path(uri: str) -> tuple[str, int]:
    """The dark modules of the QR code as an SVG path, and its width including a margin of four modules."""
    rows = list(segno.make(uri, error="m").matrix_iter(border=4))
    squares = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark]
    return "".join(squares), len(rows)
