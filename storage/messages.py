"""Texts of codes shared by command line and desk: printed in English, translated where a page shows them."""


def N_(text: str) -> str:
    """Mark `text` as a message of the desk's catalogues, and return it as it is (`gettext_noop`)."""
    return text
