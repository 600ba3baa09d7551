"""Where the API is."""

from typing import Final

PREFIX: Final = "/api/v1"


def is_api(path: str) -> bool:
    """Whether a request to `path` is the API's: asked with a token, answered without pages and cookies."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")
