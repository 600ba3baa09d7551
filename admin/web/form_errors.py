"""Errors of forms."""


class InvalidField(ValueError):
    """A field with an invalid value; the message says why, in the viewer's language."""
