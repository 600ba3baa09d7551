"""Trees of markup."""

from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import Element


def root_of(markup: str) -> Element:
    root = parse(f"<html><head></head><body>{markup}</body></html>")
    assert root is not None
    return root
