"""Values that the database cannot store, in words."""

from typing import Final

from sqlalchemy.exc import DataError

_SHOWN_CHARS: Final = 20


def refused_value(error: Exception) -> str | None:
    """What to tell about a value of a command that the database cannot store; None if `error` is something else."""
    if isinstance(error, DataError):
        cause = (str(error.orig).strip() or "no reason given").splitlines()[0]
        return f"The database cannot store a value that was given: {cause}. Give another value."
    if isinstance(error, UnicodeEncodeError):
        start, end = error.start, error.start + _SHOWN_CHARS
        text = f"The text {error.object[max(0, start - _SHOWN_CHARS) : end]!r} is not valid {error.encoding.upper()}"
        return f"{text}. Give it in the encoding of this terminal."
    return None
