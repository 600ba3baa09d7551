"""A letter on paper: heading, text, and the seal beside the signature. Pure but for the browser that prints it."""

import base64
from typing import Final

from markupsafe import Markup, escape

from admin.letters.glyphs import legible
from crawler.browser.pdf import NotPrinted, printed

_STYLE: Final = (
    "body{margin:0;color:#111;font:400 11.5pt/1.75 'Noto Serif CJK SC','Source Han Serif SC',SimSun,'Times New Roman',"
    "serif}"
    ".heading{white-space:pre-line;text-align:center;border-bottom:1.5pt solid #111;padding-bottom:6pt;"
    "margin-bottom:18pt;font-weight:600}"
    "h1{font-size:16pt;text-align:center;margin:0 0 14pt;font-weight:600}"
    ".body{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".seal{margin:-80pt 0 0 14mm;break-before:avoid;break-inside:avoid}"
    ".seal img{width:42mm;height:42mm;object-fit:contain;opacity:.85;mix-blend-mode:multiply}"
)
_SCHEME: Final = "data:image/png;base64,"


def letter_page(body: str, language: str, *, heading: str = "", seal: bytes | None = None) -> str:
    """The letter as one HTML page without scripts or links to elsewhere. Its first line is its title.

    A character that no installed font has is followed by its code point.
    """
    title, _, rest = legible(body).partition("\n")
    top = Markup('<div class="heading">{}</div>').format(legible(heading)) if heading else ""
    stamp = Markup("")
    if seal is not None:
        source = _SCHEME + base64.b64encode(seal).decode()
        stamp = Markup('<div class="seal"><img src="{}" alt=""></div>').format(source)
    page = (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f'<body>{top}<h1>{escape(title)}</h1><div class="body">{escape(rest.strip(chr(10)))}</div>{stamp}</body></html>'
    )
    return page.encode(errors="replace").decode()


def on_paper(page: str) -> tuple[bytes | None, str]:
    """The PDF; None and the reason where this machine cannot print."""
    try:
        return printed(page), ""
    except NotPrinted as error:
        return None, str(error)
