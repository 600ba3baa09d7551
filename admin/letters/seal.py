"""The picture of a seal or a signature: read within bounds, and encoded again as PNG. Pure."""

import io
import warnings
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

MOST_BYTES: Final = 2_000_000
MOST_PIXELS: Final = 20_000_000
"""Of the file that is handed in: 80 MB once decoded."""
SIDE: Final = 1_000
"""Longest side in pixels that is kept: 42 mm at 600 dots an inch."""
_FORMATS: Final = ("PNG", "JPEG")


class BadPicture(ValueError):
    """No picture that can be a seal."""


def seal_of(content: bytes) -> bytes:
    """The picture in a PNG or JPEG file, as PNG without metadata. Raises BadPicture."""
    if not content or len(content) > MOST_BYTES:
        raise BadPicture(f"{len(content)} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    raise BadPicture(f"{picture.width} × {picture.height} pixels")
                upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError,
            Image.DecompressionBombWarning) as error:  # fmt: skip
        raise BadPicture(str(error)) from error
    upright.thumbnail((SIDE, SIDE))
    file = io.BytesIO()
    # Pasted into an empty picture: chunks of the file do not come along.
    clean = Image.new("RGBA", upright.size)
    clean.paste(upright)
    clean.save(file, "PNG", optimize=True)
    return file.getvalue()
