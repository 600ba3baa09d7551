"""The URL prefix of the API."""

from typing import Final

PREFIX: Final = "/api/v1"


def is_api(path: str) -> bool:
    """Whether a request to `path` is the API's: authenticated by token, without pages and cookies."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")
