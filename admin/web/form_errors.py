"""TODO admin/web/form_errors.py."""


class Wrong(ValueError):
    """A field that cannot be used; the message says why, in the reader's language."""
