"""Documents as PDF, where a browser is installed."""

from pathlib import Path
from typing import Final

from flask import Response, render_template

from admin.web import reading_slots
from admin.web.downloads import attachment
from crawler.browser.pdf import NotPrinted, printed

_STATIC: Final = Path(__file__).parents[1] / "static"
STYLE: Final = ("differences.css", "report.css")


def style() -> str:
    """The style sheet embedded in a saved page."""
    return "".join((_STATIC / name).read_text("utf-8") for name in STYLE)


def printed_or_why(page: str, name: str, *, case_id: int, language: str) -> Response | tuple[str, int]:
    """The page as PDF; else the reason why not, with a link to the page for printing."""
    reading_slots.take()
    try:
        return attachment(printed(page, with_title=True), name, "application/pdf")
    except NotPrinted as error:
        return render_template("evidence/no_pdf.html", why=str(error), case_id=case_id, chosen_language=language), 503
